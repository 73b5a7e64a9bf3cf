"""How credit is sent back along a trace: operators over hops, and eligibility traces."""

"""Where values are kept: tables of values or ranks, dense or local; their shapes, their memory, and queries."""

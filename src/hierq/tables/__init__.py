"""Where values are kept: rows and columns, dense, local or as ranks; shapes, memory, and how kernels are compiled."""

"""How kernels are compiled; CONTRIBUTING says which file does what."""

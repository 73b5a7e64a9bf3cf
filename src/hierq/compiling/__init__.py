"""How kernels are compiled: choices that are known at compile time, decorators, the cache, and users' functions."""

"""How kernels are compiled.

decorators.py      kernel, separate, pasted; which kinds of kernels are compiled already
parts.py           how kernels and their parts are compiled, with less work than Numba does otherwise
static_choice.py   choices that a kernel is compiled for, and functions that depend on them
kernel_cache.py    compiled kernels on the disk
user_function.py   a user's operator, explorer or rival: known by its name and by a hash of what it does
source.py          that hash, and a copy of the function that no longer changes
checking.py        refuses a user's function that cannot be compiled, before anything long begins
by_address.py      users' functions that kernels call by their addresses, until they get a kernel of their own
"""

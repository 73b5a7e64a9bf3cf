"""How kernels are compiled.

static_choice.py   choices that a kernel is compiled for, and functions that depend on them
decorators.py      kernel, separate, inlined, pasted; which kinds of kernels are compiled already
kernel_cache.py    compiled kernels on the disk
user_function.py   a user's operator, explorer or rival: known by its name and by a hash of what it does
source.py          that hash, and a copy of the function that no longer changes
checking.py        refuses a user's function that cannot be compiled, before anything long begins
"""

"""All parts of Numba that are used, with the types that Numba does not declare in `numba_interface.pyi`.

The modules are those whose private parts `private_numba` lists.
"""

from numba import carray, cfunc, config, njit, typeof, types
from numba.core import caching, cgutils, codegen, cpu, environment, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, np_cfarray
from numba.np.numpy_support import as_dtype

__all__ = [
    "Dispatcher",
    "as_dtype",
    "caching",
    "carray",
    "cfunc",
    "cgutils",
    "codegen",
    "config",
    "cpu",
    "environment",
    "global_compiler_lock",
    "intrinsic",
    "make_array",
    "njit",
    "np_cfarray",
    "sigutils",
    "typeof",
    "types",
]

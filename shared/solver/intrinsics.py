"""What the compiler has to be asked for: one instruction each, and how kernels are compiled."""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

Ints = npt.NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., object])

_BYTE: Final = 8
_WORD: Final = 32
_BOOLEAN: Final = 1


_OPTIONS: Final[dict[str, Any]] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    # No kernel makes an array, so none is counted: counting took half the time. The option has no public name.
    "_nrt": False,
}


def compiled(function: Function) -> Function:
    """A function that numba compiles into its callers, without the interpreter's lock, and keeps on disk."""
    return cast(Function, njit(forceinline=True, **_OPTIONS)(function))


def kernel(function: Function) -> Function:
    """The same, but called, not copied, by what calls it: for what is large and is called seldom."""
    return cast(Function, njit(**_OPTIONS)(function))


# numba hands an intrinsic objects of its own and LLVM's types, for which there are no stubs: hence `Any`.


@intrinsic
def _popcount(typing_context: Any, value: Any) -> Any:  # noqa: ANN401 - numba's own objects
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - numba's own objects
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


@intrinsic
def _lowest(typing_context: Any, value: Any) -> Any:  # noqa: ANN401 - numba's own objects
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - numba's own objects
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(_BOOLEAN), 1))

    return types.int64(types.int64), code


@intrinsic
def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:  # noqa: ANN401 - numba's own objects
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - numba's own objects
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(_BYTE).as_pointer())
        number = ir.IntType(_WORD)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        function = builder.module.globals.get("llvm.prefetch.p0") or ir.Function(
            builder.module, kind, "llvm.prefetch.p0"
        )
        # To read, to be kept in all caches, data and not code: LLVM's language reference, llvm.prefetch.
        builder.call(function, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), code


popcount = cast(Callable[[int], int], _popcount)
"""How many bits are set."""
lowest = cast(Callable[[int], int], _lowest)
"""The place of the lowest bit set."""
prefetch = cast(Callable[[Ints, int], None], _prefetch)
"""Asks the memory for an array's entry before it is needed."""

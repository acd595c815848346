"""2.5: arrays of fixed width."""

from generators.arrow import *

PADDED = "arrow-buffer-length-unpadded"
SIZE = "arrow-primitive-data-size"


@valid(SIZE, base=base_of((field("a", I32), [1, 2, 3, 4, 8])), keeps=[PADDED])
def twenty_bytes(f):
    "Five 32-bit integers in 20 bytes."


VALUES = {"int8": (I8, [1, None, -128]), "uint16": (U16, [65535, None]), "int64": (I64, [-1, 2]),
          "half": (F16, [0.5, None]), "float": (F32, [0.5, -1.0]), "double": (F64, [None, 4.0]),
          "decimal": (decimal(38, 2), [10**38 - 1, -5, None]), "days": (DAY, [0, -1]),
          "milliseconds": (DAY_MS, [86400000, -86400000]),
          "time-of-32": (time(SECOND, 32), [0, 86399]), "time-of-64": (time(NANO, 64), [1]),
          "timestamp": (timestamp(MICRO), [-1, None]), "duration": (duration(NANO), [-1]),
          "months": (interval(0), [12, None]), "days-and-milliseconds": (interval(1), [(1, -1), None])}
for name, (type, values) in VALUES.items():
    @valid(SIZE, name, f"A column of exactly the bytes that it needs: {name}.",
           base=base_of((field("a", type), values)))
    def exact(f):
        pass

    @invalid(SIZE, f"{name}-lacks-a-byte", f"The values lack their last byte: {name}.",
             base=base_of((field("a", type), values)))
    def lacking(f):
        f.array("a").data.content = f.array("a").data.bytes("little")[:-1]


@invalid(SIZE, base=base_of((field("a", I64), [1, 2, 3])))
def of_half_the_width(f):
    "A column of 64-bit integers with a buffer for 32-bit ones."
    f.array("a").data.width = 4


@invalid(SIZE, base=base_of((field("a", decimal(10)), [1, 2, 3])))
def decimals_of_8_bytes(f):
    "Decimals of 128 bits with 8 bytes a value."
    f.array("a").data.width = 8


@invalid(SIZE, base=base_of((field("a", I64), [1])), also=["arrow-batch-length-within-int31"])
def product_wraps(f):
    "2^61 slots of 8 bytes: the product is 0 in 64 bits."
    f.batch.length = f.array("a").length = 1 << 61


@invalid(SIZE)
def no_values(f):
    "Five slots and an empty values buffer."
    f.array("a").data.values = []


@invalid(SIZE, base=base_of((field("a", STRUCT, field("x", F64)), [(1.0,), None])))
def under_a_null_struct(f):
    "The slot under a null struct has no bytes."
    f.array("a.x").data.values.pop()


# Bool ---------------------------------------------------------------------------------------------

@valid("arrow-bool-data-size", base=bools)
def nine_in_two_bytes(f):
    "9 slots, 2 bytes."


@invalid("arrow-bool-data-size", base=bools)
def nine_in_one_byte(f):
    "9 slots, 1 byte."
    f.array("a").data.values.pop()


@invalid("arrow-bool-data-size", base=base_of((field("a", BOOL), 8 * [True])))
def eight_in_none(f):
    "8 slots, no bytes."
    f.array("a").data.values = []


@invalid("arrow-bool-data-size", base=base_of((field("a", BOOL), [True])),
         also=["arrow-batch-length-within-int31"])
def more_than_all_bits(f):
    "2^62 slots in one byte."
    f.batch.length = f.array("a").length = 1 << 62


# FixedSizeBinary ----------------------------------------------------------------------------------

@valid("arrow-fixed-size-binary-data-size", base=fixed_binaries)
def fifteen_bytes(f):
    "5 slots of 3 bytes in 15 bytes."


@invalid("arrow-fixed-size-binary-data-size", base=fixed_binaries)
def fourteen_bytes(f):
    "5 slots of 3 bytes in 14 bytes."
    f.array("a").data.content = f.array("a").data.content[:-1]


@invalid("arrow-fixed-size-binary-data-size", base=fixed_binaries)
def widest(f):
    "5 slots of 2147483647 bytes in 16 bytes."
    f.field("a").type.byteWidth = (1 << 31) - 1
    f.array("a").data.content = bytes(16)


# What is free -------------------------------------------------------------------------------------

@valid("arrow-primitive-buffer-larger", informs={PADDED}, keeps=[SIZE])
def sixty_four_bytes(f):
    "Five 32-bit integers in a buffer of 64 bytes."
    f.array("a").data.values += 11 * [7]


@valid("arrow-buffers-not-adjacent", informs={"arrow-body-no-unreferenced-bytes"})
def at_0_and_128(f):
    "The bitmap lies at 0, the values at 128."
    f.array("a").data.before = 64


@valid("arrow-buffers-not-adjacent", "backwards", "The values of every column lie before its bitmap.",
       base=several, informs={"arrow-buffer-order"})
def backwards(f):
    f.batch.order = [*range(len(f.batch.buffers()))][::-1]


@valid("arrow-buffers-not-adjacent", base=structs, informs={"arrow-buffer-order"})
def children_apart(f):
    "The children of a struct lie apart, the bitmap of the struct after them."
    f.batch.order = [4, 5, 1, 2, 3, 0]

"""HEP001 8.5, fill values, declared ranges, enumerations and booleans."""

import struct

from generators.hep001 import *


# A user-defined fill value

@valid("fill-user-defined", ambiguity="sentinel-in-domain")
def set_to_the_default(t):
    "The fill value is set to the bytes that the library would use anyway."
    t.column("id").fill = 0


@invalid("fill-user-defined")
def default_state(t):
    "A column was created without H5Pset_fill_value."
    t.column("energy").fill = DEFAULT


@invalid("fill-user-defined")
def undefined_state(t):
    "A column was created with H5Pset_fill_value(NULL): its fill value is undefined."
    t.column("energy").fill = UNDEFINED


@invalid("fill-user-defined")
def default_state_of_zero_rows(t):
    "A column of a table without rows was created without H5Pset_fill_value."
    t.nrows = 0
    for column in t.columns().values():
        column.values = []
    t.column("id").fill = DEFAULT


@invalid("fill-user-defined", base=good_table)
def default_state_of_indexed_column(t):
    "A column of strings with a Bloom filter was created without H5Pset_fill_value."
    t.column("name").fill = DEFAULT


def _keep_indexes(t, name):
    """The indexes of a column stay as they are, whatever becomes of its fill value."""
    for index in t.column(name).indexes:
        index.values
        for attribute in ("nan_tail_length", "fill_tail_length"):
            if attribute in index.attrs:
                index.attrs[attribute] = index.attrs[attribute]()


@invalid("fill-user-defined", base=good_table)
def default_state_of_sorted_column(t):
    "Fill value dropped from a column whose indexes tell missing rows from others."
    _keep_indexes(t, "ts")
    t.column("ts").fill = DEFAULT


@invalid("fill-user-defined", base=good_table)
def default_state_of_strings_with_missing_rows(t):
    "Fill value dropped from a column of strings whose Bloom filter leaves missing rows out."
    _keep_indexes(t, "name")
    t.column("name").fill = DEFAULT


@invalid("fill-user-defined", base=good_table)
def undefined_state_of_codes(t):
    "Fill value dropped from a categorical column with missing rows."
    t.column("label").fill = UNDEFINED


@invalid("fill-user-defined", informs={"prefer-fixed-length"}, fails={"fill-user-defined"})
def default_state_of_variable_length_strings(t):
    "A column of variable-length strings was created without H5Pset_fill_value."
    t.add_column("name", string(None), ["a", "b", "c", "d", "e"], fill=DEFAULT)


# valid_min and valid_max

@valid("valid-range-optional")
def recommended_fill(t):
    "An int32 column with the fill value of Table 1, and no valid_min or valid_max."
    t.add_column("count", I32, [INT32_FILL, 0, -1, 2**31 - 1, -2**31], fill=INT32_FILL)


def ranged(t, type_id, values, fill, least, greatest):
    t.add_column("x", type_id, values, fill=fill)
    t.column("x").attrs.update(valid_min=Attribute(type_id, least, ()),
                               valid_max=Attribute(type_id, greatest, ()))


POINT = compound({"x": I32, "y": I32})


@valid("valid-range-optional", outcome="unchecked", ambiguity="range-of-unordered-values")
def range_without_an_order(t):
    "valid_min and valid_max on a compound column: nothing compares."
    ranged(t, POINT, [(0, 1)] * 5, (-1, -1), (0, 0), (9, 9))


@invalid("fill-strictly-outside-valid-range", ambiguity="range-of-unordered-values")
def bound_of_a_compound(t):
    "The fill value of a compound column is valid_min itself."
    ranged(t, POINT, [(0, 1)] * 5, (0, 0), (0, 0), (9, 9))


@invalid("fill-strictly-outside-valid-range", ambiguity="range-of-unordered-values")
def bound_of_an_array(t):
    "The fill value of a column of arrays is valid_max, except for the sign of a zero."
    ranged(t, array(F32, 2), [[1, 2]] * 5, [-0.0, 9], [-9, -9], [0.0, 9])


BOUNDS = {"min": ("valid_min", -100), "max": ("valid_max", 100)}


def count_column(t):
    return t.add_column("count", I16, [5, 6, INT16_FILL, -7, 8], fill=INT16_FILL)


for word, (name, bound) in BOUNDS.items():
    other, other_bound = BOUNDS["max" if word == "min" else "min"]

    def bounded(register, what, slug, shows, make, type_id=I16, fill=INT16_FILL, *, name=name,
                word=word, other=other, other_bound=other_bound, **options):
        """A column of two bounds, of which one is what `make` gives."""
        @register(f"valid-{word}-{what}", slug, f"{shows}: {name}.", **options)
        def mutate(t):
            c = t.add_column("count", type_id, [5, 6, fill, 7, 8], fill=fill)
            c.attrs[other] = attribute(type_id, max(other_bound, 0))
            c.attrs[name] = make(c.type)

    def plain(type_id, bound=bound):
        return attribute(type_id, max(bound, 0))

    bounded(valid, "scalar", "scalar", "A scalar of the column's datatype", plain)
    bounded(invalid, "scalar", "shape-1", "An array of one element",
            lambda type_id, plain=plain: plain(type_id).shaped(1))
    bounded(invalid, "scalar", "null-dataspace", "An attribute with a null dataspace",
            lambda type_id, plain=plain: plain(type_id).without_value())
    bounded(valid, "datatype", "column-big-endian", "Little-endian on a big-endian int16 column",
            lambda type_id, plain=plain: plain(I16), I16BE,
            warns={f"valid-{word}-datatype"}, ambiguity="same-datatype-byte-order",
            revised=newer(warns=()))
    bounded(valid, "datatype", "both-big-endian", "Big-endian on a big-endian int16 column",
            plain, I16BE)
    bounded(invalid, "datatype", "wider", "int32 on an int16 column",
            lambda type_id, plain=plain: plain(I32))
    bounded(invalid, "datatype", "signed", "int8 on a uint8 column",
            lambda type_id, plain=plain: plain(I8), U8, UINT8_FILL)
    bounded(invalid, "datatype", "float64", "float64 on a float32 column",
            lambda type_id, plain=plain: plain(F64), F32, FLOAT_FILL)
    bounded(invalid, "datatype", "precision", "A 12-bit integer on a uint16 column",
            lambda type_id, plain=plain: plain(odd_width(U16, 12)), U16, UINT16_FILL)


@invalid("valid-max-datatype")
def string_size(t):
    "valid_max is a string of 8 bytes on a column of strings of 4 bytes."
    t.add_column("name", string(4), ["a", "b", "c", "d", "e"], fill="")
    t.column("name").attrs.update(valid_min=attribute(string(4), "a"),
                                  valid_max=attribute(string(8), "z"))


@valid("fill-strictly-outside-valid-range", keeps=["data-within-valid-range"])
def next_to_the_range(t):
    "Fill values of -1 and 101 next to the range [0, 100], whose bounds both occur."
    for name, fill in ("below", -1), ("above", 101):
        t.add_column(name, I16, [0, 100, fill, 50, 1], fill=fill)
        t.column(name).attrs.update(valid_min=int16(0), valid_max=int16(100))


@valid("fill-strictly-outside-valid-range")
def nan_is_outside(t):
    "A NaN fill value with the range [0, 1]; unsigned 2^64 - 1 with [0, 2^64 - 2]."
    t.add_column("x", F32, [0.0, 1.0, NAN, 0.5, -0.0], fill=NAN)
    t.column("x").attrs.update(valid_min=float32(0), valid_max=float32(1))
    t.add_column("n", U64, [0, 2**64 - 2, 2**63, 1, 2**64 - 1], fill=2**64 - 1)
    t.column("n").attrs.update(valid_min=uint64(0), valid_max=uint64(2**64 - 2))


def fill_inside(slug, shows, fill, register=invalid, bounds=(0, 100), **options):
    @register("fill-strictly-outside-valid-range", slug, f"A fill value of {fill} {shows}.",
              **options)
    def mutate(t):
        t.add_column("count", I16, [1, 2, 3, 4, 5], fill=fill)
        for name, bound in zip(("valid_min", "valid_max"), bounds):
            if bound is not None:
                t.column("count").attrs[name] = int16(bound)


fill_inside("middle", "in the range [0, 100]", 50)
fill_inside("valid-min", "equal to valid_min", 0)
fill_inside("valid-max", "equal to valid_max", 100)
fill_inside("only-valid-min", "above valid_min, without valid_max", 50, valid, (0, None),
            warns={"fill-strictly-outside-valid-range"}, ambiguity="one-bound-only")
fill_inside("only-valid-max", "below valid_max, without valid_min", -50, valid, (None, 100),
            warns={"fill-strictly-outside-valid-range"}, ambiguity="one-bound-only")


# Datatypes that are not native numbers: a fill value beyond [least, greatest], one in it, and a row
# beyond it.
ORDERED = {
    "int128": (I128, [2**64 + 1, -5, 0], -2**70, -2**65, 2**65, 2**66),
    "int128-big-endian": (I128BE, [2**64 + 1, -5, 0], -2**70, -2**65, 2**65, 2**66),
    "uint128": (U128, [2**127, 1, 5], 2**128 - 1, 0, 2**128 - 2, None),
    "8000-bit": (wide(I64, 1000), [2**7000, -1, 0], -2**7999, -2**7500, 2**7500, 2**7800),
    "24-bit": (odd_width(I32BE, 24, 3), [-5, 5, 0], -8388608, -9, 9, 10),
    "bfloat16": (BFLOAT16, [1.5, -0.0, NAN], -1.0, 0.0, 9.0, 10.0),
    "binary128": (F128, [1.5, 2.0**-1000, INF], -1.0, 0.0, INF, -0.5),
    "long-double": (LONG_DOUBLE, [x87(X87_ONE + 1), x87(X87_ONE + 2)], x87(X87_ONE), x87(X87_ONE + 1), x87(X87_ONE, 0x4000),
                    x87(X87_ONE + 1, 0x4000)),
    "time": (TIME32, [0, 5, 2**31 - 1], 2**32 - 1, 0, 2**31 - 1, 2**31),
    "bitfield": (odd_width(B16, 12), [b"\x05\xf0", b"\x09\x80"], 4095, 0, 9, 10),
    "enum-of-int128": (enum({"LOW": 1, "HIGH": 9, "MISSING": -1}, I128), [1, 9, -1], -1, 0, 9, None),
}
for name, (type_id, rows, fill, least, greatest, beyond) in ORDERED.items():
    @valid("fill-strictly-outside-valid-range", slug=name, keeps=["data-within-valid-range"],
           shows=f"The fill value and all rows are where they should be, in a column of {name}.")
    def outside_of(t, type_id=type_id, rows=rows, fill=fill, least=least, greatest=greatest):
        ranged(t, type_id, [*rows, *rows, *rows][:4] + [fill], fill, least, greatest)

    if not name.startswith("enum"):
        @invalid("fill-strictly-outside-valid-range", slug=name,
                 shows=f"The fill value lies within the range of a column of {name}.")
        def inside_of(t, type_id=type_id, rows=rows, least=least, greatest=greatest):
            ranged(t, type_id, [*rows, *rows, *rows][:5], rows[0], least, greatest)

    if beyond is not None:
        @invalid("data-within-valid-range", slug=name, ambiguity="data-outside-range",
                 shows=f"A row lies beyond the range of a column of {name}.")
        def beyond_of(t, type_id=type_id, rows=rows, fill=fill, least=least, greatest=greatest,
                      beyond=beyond):
            ranged(t, type_id, [*rows, *rows, *rows][:4] + [beyond], fill, least, greatest)


@invalid("valid-range-ordered", slug="int128", ambiguity="inverted-range")
def inverted_int128(t):
    "valid_min of int128 is above valid_max by its upper half alone; every row is missing."
    ranged(t, I128, [-7] * 5, -7, 2**64, 5)


@valid("valid-min-datatype", slug="int128-byte-order", ambiguity="same-datatype-byte-order",
       revised=newer(warns=()),
       warns={"valid-min-datatype", "valid-max-datatype"})
def bounds_of_another_byte_order(t):
    "Big-endian bounds of a little-endian int128 column."
    ranged(t, I128, [0, 1, 2**64, 3, 4], -1, 0, 2**65)
    t.column("x").attrs.update(valid_min=attribute(I128BE, 0), valid_max=attribute(I128BE, 2**65))


@invalid("fill-strictly-outside-valid-range")
def unsigned_above_the_sign_bit(t):
    "A fill value of 2^63 in the range [0, 2^64 - 1] of a uint64 column."
    t.add_column("n", U64BE, [1, 2, 3, 4, 5], fill=2**63)
    t.column("n").attrs.update(valid_min=attribute(U64BE, 0), valid_max=attribute(U64BE, 2**64 - 1))


@valid("valid-range-ordered")
def single_value(t):
    "valid_min equals valid_max."
    count_column(t).values = [7, 7, INT16_FILL, 7, 7]
    t.column("count").attrs.update(valid_min=int16(7), valid_max=int16(7))


@invalid("valid-range-ordered", ambiguity="inverted-range")
def inverted(t):
    "valid_min is 10, valid_max is 0; every row is missing."
    t.add_column("count", I16, [-1] * 5, fill=-1)
    t.column("count").attrs.update(valid_min=int16(10), valid_max=int16(0))


@invalid("valid-range-ordered", ambiguity="inverted-range")
def nan_bound(t):
    "valid_min is NaN."
    t.add_column("x", F32, [FLOAT_FILL] * 5, fill=FLOAT_FILL)
    t.column("x").attrs.update(valid_min=float32(NAN), valid_max=float32(1))


@valid("data-within-valid-range", base=good_table)
def garbage_in_the_tail(t):
    "The bounds and missing rows occur; in the reserved tail lie values outside the range."
    t.column("ts").attrs.update(valid_min=int64(-30), valid_max=int64(90))


@valid("data-within-valid-range")
def nan_and_infinite_bounds(t):
    "Rows of NaN, and infinities within the bounds -Inf and Inf."
    t.add_column("x", F64, [NAN, INF, -INF, 1e300, NAN], fill=NAN)
    t.column("x").attrs.update(valid_min=float64(-INF), valid_max=float64(INF))


def outside(slug, shows, row):
    @invalid("data-within-valid-range", slug, f"The last row is {shows} of [-100, 100].",
             ambiguity="data-outside-range")
    def mutate(t):
        count_column(t).values[4] = row
        t.column("count").attrs.update(valid_min=int16(-100), valid_max=int16(100))


outside("above", "above valid_max", 101)
outside("below", "below valid_min", -101)


@invalid("data-within-valid-range", ambiguity="data-outside-range")
def infinity(t):
    "A row is Inf, valid_max is the greatest finite float32."
    t.column("energy").values[2] = INF
    t.column("energy").fill = NAN
    t.column("energy").attrs.update(valid_min=float32(-10), valid_max=float32(3.4028234663852886e38))


# Other fill values than those of Table 1

@valid("nan-fill-permitted")
def signalling(t):
    "A big-endian float32 column has the signalling NaN 0x7FA12345 as fill value."
    nan = bytes.fromhex("7fa12345")
    t.add_column("x", F32BE, [1.0, nan, -0.0, NAN, bytes.fromhex("ff800001")], fill=nan)


@valid("nan-fill-permitted")
def of_every_width(t):
    "NaN fill values: float16 quiet, float64 negative with a payload, float64 signalling."
    t.add_column("half", F16, [1.0, NAN, 0.5, 2.0, NAN], fill=NAN)
    t.add_column("negative", F64, [1.0] * 5, fill=struct.pack("<Q", 0xFFF8_0000_DEAD_BEEF))
    t.add_column("signalling", F64BE, [1.0] * 5, fill=struct.pack(">Q", 0x7FF0_0000_0000_0001))


@valid("non-recommended-fill-permitted", ambiguity="float-fill-choices")
def other_values(t):
    "uint16 with fill 0 and the range [1, 9]; int8 with -128, float64 with -1.0, a string NA."
    t.add_column("digit", U16, [1, 9, 0, 5, 3], fill=0)
    t.column("digit").attrs.update(valid_min=uint16(1), valid_max=uint16(9))
    t.add_column("offset", I8, [-128, 127, 0, 1, 2], fill=-128)
    t.add_column("mass", F64, [0.0, 1.0, -1.0, 2.0, 3.0], fill=-1.0)
    t.add_column("name", string(4), ["NA", "muon", "pion", "tau", "NA"], fill="NA")


@valid("no-range-needed-for-non-numeric")
def empty_string_is_a_value(t):
    "Strings and opaque values have another fill value than the recommended, which occurs."
    t.add_column("name", string(4), ["", "muon", "NA", "tau", ""], fill="NA")
    t.add_column("key", opaque(2), [b"\0\0", b"ab", b"\xff\xff", b"cd", b"\0\0"], fill=b"\xff\xff")


@valid("sentinel-in-domain-declare-range")
def range_declared(t):
    "uint8 data contain 255; the fill value is 0, the range [1, 255]."
    t.add_column("grey", U8, [255, 1, 0, 128, 255], fill=0)
    t.column("grey").attrs.update(valid_min=uint8(1), valid_max=uint8(255))


@valid("sentinel-in-domain-declare-range", ambiguity="sentinel-in-domain")
def only_in_the_tail(t):
    "The recommended fill value lies in the reserved tail of a column with another one."
    t.nrows = 3
    t.add_column("grey", U8, [1, 2, 0, 255, 255], fill=0)


def sentinel(slug, shows, type_id, values, fill, options={}, **bounds):
    @invalid("sentinel-in-domain-declare-range", slug, shows, **options)
    def mutate(t):
        t.add_column("x", type_id, values, fill=fill)
        t.column("x").attrs.update({name: attribute(type_id, bound)
                                    for name, bound in bounds.items()})


sentinel("uint8", "uint8 data contain 255; the fill value is 0, and no range is declared.",
         U8, [1, 2, 3, 4, 255], 0)
sentinel("only-valid-max", "int16 data contain -32767; the fill value is 200, and there is only "
         "valid_max, 100.", I16, [INT16_FILL, 1, 2, 3, 4], 200, valid_max=100)
sentinel("fill-below-valid-max", "int16 data contain -32767; the fill value is -32768, and there "
         "is only valid_max.", I16, [INT16_FILL, 1, 2, 3, 4], -32768,
         {"fails": {"sentinel-in-domain-declare-range"},
          "warns": {"fill-strictly-outside-valid-range"}, "ambiguity": "one-bound-only"},
         valid_max=100)
sentinel("int64-big-endian", "Big-endian int64 data contain the value of Table 1, the fill value "
         "is 0, and no range is declared.", I64BE, [1, INT64_FILL, 2, 3, 4], 0)
sentinel("float32", "float32 data contain the value of Table 1, the fill value is NaN, and no "
         "range is declared.", F32, [1, FLOAT_FILL, 2, NAN, 4], NAN)


# Enumerations

@valid("enum-fill-not-ordinary-member", keeps=["enum-missing-member"],
       ambiguity="enum-without-missing")
def no_member_and_no_missing_row(t):
    "An enumeration without MISSING has a fill value that is not a member, and that no row has."
    t.add_column("state", enum({"UP": 0, "DOWN": 1}), [0, 1, 1, 0, 1], fill=-1)


@valid("enum-missing-member", keeps=["enum-fill-is-missing-code"])
def missing_rows(t):
    "MISSING is -1, so is the fill value, and two rows have it."
    t.add_column("state", enum({"UP": 0, "DOWN": 1, "MISSING": -1}), [0, -1, 1, 0, -1], fill=-1)


@valid("enum-fill-is-missing-code")
def wide_codes(t):
    "A big-endian int32 enumeration whose MISSING, declared first, is -2147483648."
    t.add_column("state", enum({"MISSING": -2**31, "UP": 2**31 - 1}, I32BE),
                 [-2**31, 2**31 - 1, 2**31 - 1, -2**31, 2**31 - 1], fill=-2**31)


@valid("enum-missing-member", ambiguity="enum-without-missing")
def missing_row_in_the_tail(t):
    "The code of the fill value, no member, occurs only in the reserved tail."
    t.nrows = 4
    t.add_column("state", enum({"UP": 0, "DOWN": 1}), [0, 1, 1, 0, -1], fill=-1)


def enumeration(clause, slug, shows, members, values, fill, base=I8, **options):
    @invalid(clause, slug, shows, **options)
    def mutate(t):
        t.add_column("state", enum(members, base), values, fill=fill)


enumeration("enum-fill-not-ordinary-member", "beside-missing",
            "The fill value is the code of UP, though there is MISSING.",
            {"UP": 0, "DOWN": 1, "MISSING": 2}, [1, 1, 2, 1, 2], 0,
            ambiguity="undeclared-logical-range")
enumeration("enum-fill-not-ordinary-member", "without-missing",
            "The fill value is the code of DOWN.", {"UP": 0, "DOWN": 1}, [0, 0, 1, 0, 0], 1,
            ambiguity="undeclared-logical-range")
enumeration("enum-fill-not-ordinary-member", "missing-in-lower-case",
            "The fill value is the code of a member `missing`.",
            {"UP": 0, "DOWN": 1, "missing": -1}, [0, 1, -1, 0, 1], -1,
            ambiguity="undeclared-logical-range")
enumeration("enum-missing-member", "int8", "A row has the fill value -1, which is not a member.",
            {"UP": 0, "DOWN": 1}, [0, -1, 1, 0, 1], -1)
enumeration("enum-missing-member", "last-row",
            "The last row of a uint8 enumeration has the fill value 255, which is not a member.",
            {"UP": 0, "DOWN": 1}, [0, 1, 1, 0, 255], 255, U8)
@valid("enum-fill-is-missing-code", slug="padding")
def codes_with_other_bits(t):
    "Codes have 12 bits, and the fill value has the code of MISSING, with other bits set."
    state = enum({"UP": 0, "DOWN": 1, "MISSING": 2}, odd_width(U16, 12))
    t.add_column("state", state, [0, 1, 2, b"\x02\x80", 0], fill=b"\x02\xf0")


enumeration("enum-fill-not-ordinary-member", "padding",
            "Codes have 12 bits, and the fill value has the code of UP, with other bits set.",
            {"UP": 0, "DOWN": 1}, [1] * 5, b"\x00\xf0", odd_width(U16, 12),
            ambiguity="undeclared-logical-range")
enumeration("enum-fill-not-ordinary-member", "int128",
            "Codes are int128, and the fill value is the code of DOWN.",
            {"UP": 0, "DOWN": 1, "MISSING": 2}, [0] * 5, 1, I128,
            ambiguity="undeclared-logical-range")
enumeration("enum-missing-member", "int128",
            "A row of an enumeration over int128 has the fill value, which is not a member.",
            {"UP": 0, "DOWN": 1}, [0, 1, 1, 0, -2**100], -2**100, I128)
enumeration("enum-fill-is-missing-code", "no-member",
            "MISSING is -1, the fill value is -2, which is not a member.",
            {"UP": 0, "DOWN": 1, "MISSING": -1}, [0, 1, -1, 0, 1], -2,
            ambiguity="missing-member-is-fill")


# Booleans

@valid("boolean-widen", revised=newer(clause="nullable-boolean-accepted"))
def widened(t):
    "A uint8 column of 0 and 1 has the fill value 2, and a missing row."
    t.add_column("flag", U8, [0, 1, 2, 1, 0], fill=2)


ANYTHING = newer(kind="valid", clause="any-datatype", fails=())


@valid("fill-outside-logical-range", keeps=["boolean-widen"], ambiguity="boolean-columns",
       revised=boolean_with_fill())
def boolean_without_missing_rows(t):
    "A column of the boolean datatype has the fill value -1, and no row is -1."
    t.add_column("flag", BOOL, [0, 1, 1, 1, 0], fill=-1)


def boolean_column(clause, slug, shows, values, fill, type_id=BOOL, revised=boolean_with_fill()):
    @invalid(clause, slug, shows, ambiguity="boolean-columns", revised=revised)
    def mutate(t):
        t.add_column("flag", type_id, values, fill=fill)


boolean_column("fill-outside-logical-range", "false",
               "A boolean column has the fill value FALSE; all rows are TRUE.", [1] * 5, 0)
boolean_column("fill-outside-logical-range", "true",
               "A boolean column has the fill value TRUE; all rows are FALSE.", [0] * 5, 1)
boolean_column("boolean-widen", "missing-row",
               "A boolean column has the fill value 2, and one row is 2.", [0, 1, 2, 1, 0], 2,
               revised=newer(clause="boolean-column-value",
                             fails={"boolean-column-value", "boolean-column-no-fill"}))
boolean_column("boolean-widen", "one-bit-bitfield", "A column is a bitfield of one bit.",
               [0, 1, 1, 1, 0], 0, odd_width(B8, 1), ANYTHING)
boolean_column("boolean-widen", "one-bit-integer", "A column is an unsigned integer of one bit.",
               [0, 0, 0, 0, 0], 1, odd_width(U8, 1), ANYTHING)

"""HEP001 6, boolean attributes: `ordered` on categories datasets, SORTED_ROWS and BITMAP."""

from generators.hep001 import *


def labels(t):
    return t.column("label").categories


def case(clause, slug, shows, attribute, owner=labels, **options):
    def mutate(t):
        owner(t).attrs["ordered"] = attribute
    kind = options.pop("kind", invalid)
    kind(clause, slug, f"`ordered` is {shows}.", base=good_table, **options)(mutate)


case("bool-is-enum", "float32", "a float32, 1.0", float32(1.0))
case("bool-is-enum", "opaque", "an opaque byte", attribute(opaque(1), b"\1"))
case("bool-is-enum", "compound", "a compound with a boolean member",
     attribute(compound({"value": BOOL}), ("TRUE",)))

MEMBERS = {"FALSE": 0, "TRUE": 1}
case("bool-base-i8le", "base-u8", "an enumeration over H5T_STD_U8LE", boolean(1, enum(MEMBERS, U8)))
case("bool-base-i8le", "base-i32", "an enumeration over H5T_STD_I32LE",
     boolean(1, enum(MEMBERS, I32)))
case("bool-base-i8le", "base-i8-big-endian", "an enumeration over H5T_STD_I8BE",
     boolean(1, enum(MEMBERS, I8BE)), ambiguity="boolean-base-byte-order")
case("bool-base-i8le", "base-i32-on-sorted-rows",
     "an enumeration over H5T_STD_I32LE, on SORTED_ROWS", boolean(1, enum(MEMBERS, I32)),
     owner=lambda t: t.index("ts", "SORTED_ROWS"))

case("bool-two-members", "third-member", "an enumeration with a third member, MAYBE = 2",
     boolean(1, enum({**MEMBERS, "MAYBE": 2})))
case("bool-two-members", "alias", "an enumeration with a third member, NO = 3",
     boolean(0, enum({**MEMBERS, "NO": 3})))
case("bool-two-members", "false-only", "an enumeration with FALSE = 0 alone",
     boolean(0, enum({"FALSE": 0})), fails={"bool-two-members", "bool-true-one"})

case("bool-false-zero", "mixed-case", "an enumeration of False = 0 and TRUE = 1",
     boolean(1, enum({"False": 0, "TRUE": 1})))
case("bool-false-zero", "minus-one", "an enumeration of FALSE = -1 and TRUE = 1",
     boolean(1, enum({"FALSE": -1, "TRUE": 1})))
case("bool-false-zero", "no", "an enumeration of NO = 0 and TRUE = 1",
     boolean(0, enum({"NO": 0, "TRUE": 1})))
case("bool-false-zero", "swapped", "an enumeration of FALSE = 1 and TRUE = 0",
     boolean(1, enum({"FALSE": 1, "TRUE": 0})), fails={"bool-false-zero", "bool-true-one"})
case("bool-false-zero", "true-two", "an enumeration of FALSE = 3 and TRUE = 2, stored as 2",
     boolean(2, enum({"FALSE": 3, "TRUE": 2})), fails={"bool-false-zero", "bool-true-one"})
case("bool-false-zero", "false-three", "an enumeration of FALSE = 3 and TRUE = 2, stored as 3",
     boolean(3, enum({"FALSE": 3, "TRUE": 2})), fails={"bool-false-zero", "bool-true-one"})
case("bool-false-zero", "int64-lowest", "an enumeration over int64 of FALSE = -2^63 and TRUE = 1, stored as FALSE",
     boolean(-2**63, enum({"FALSE": -2**63, "TRUE": 1}, I64)), fails={"bool-base-i8le", "bool-false-zero"})

case("bool-true-one", "mixed-case", "an enumeration of FALSE = 0 and True = 1",
     boolean(0, enum({"FALSE": 0, "True": 1})))
case("bool-true-one", "minus-one", "an enumeration of FALSE = 0 and TRUE = -1",
     boolean(0, enum({"FALSE": 0, "TRUE": -1})))
case("bool-true-one", "two", "an enumeration of FALSE = 0 and TRUE = 2",
     boolean(0, enum({"FALSE": 0, "TRUE": 2})))

case("bool-not-plain-integer", "int8", "an int8, 1", int8(1))
case("bool-not-plain-integer", "uint8", "a uint8, 0", uint8(0))
case("bool-not-plain-integer", "int32", "an int32, 1", int32(1))
case("bool-not-plain-integer", "int8-on-bitmap", "an int8, 1, on a BITMAP", int8(1),
     owner=lambda t: t.index("label", "BITMAP"))
case("bool-not-bitfield", "b8", "an H5T_STD_B8LE, 0x01", attribute(B8, 1))
case("bool-not-string", "fixed", 'the fixed-length string "TRUE"', text("TRUE"))
case("bool-not-string", "variable-length", 'the variable-length string "true"', vlen_text("true"))
case("bool-value-is-member", "two", "stored as 2, which is not a member", boolean(2))
case("bool-value-is-member", "minus-one", "stored as -1, which is not a member", boolean(-1))

case("bool-two-members", "true-declared-first", "an enumeration that declares TRUE before FALSE",
     boolean(0, enum({"TRUE": 1, "FALSE": 0})), kind=valid,
     keeps=["bool-is-enum", "bool-base-i8le", "bool-false-zero", "bool-true-one",
            "bool-not-plain-integer", "bool-not-bitfield", "bool-not-string",
            "bool-value-is-member"])
case("bool-value-is-member", "true", "TRUE", boolean(True), kind=valid)

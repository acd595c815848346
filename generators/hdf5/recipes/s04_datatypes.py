"""FF-IV.A.2.d: datatypes, and what is nested in them."""

from generators.hdf5 import *

POINT = compound([("x", I32), ("y", I16)])


def typed(datatype, **options):
    """A dataset of this datatype in an extensible array."""
    return lambda: extensible(type=datatype() if callable(datatype) else datatype, shape=(4,),
                              **options)


@valid("swmr-datatype-version", base=typed(compound([("x", I32), ("y", array((2,), I16, 5))],
                                                    version=5)))
def compound_of_version_5(f):
    "A compound of version 5, as HDF5 2.0 writes it."


for version in (1, 2, 3):
    @valid("swmr-datatype-version", f"compound-of-version-{version}",
           f"A compound, an enumeration and an array of version {version}.",
           base=typed(compound([("x", I32),
                                ("color", enum({"red": 1, "green": 2}, version=version)),
                                ("pair", array((2,), I16, max(2, version)))], version=version)))
    def of_version(f):
        pass


for version in (0, 6):
    changed("swmr-datatype-version", f"version-{version}",
            f"The datatype message has version {version}.",
            {"OHDR /d: datatype.class and version": version << 4})

changed("swmr-datatype-version", "member", "A member of a compound has version 0.",
        {"OHDR /d: datatype.member 1.class and version": 0}, base=typed(POINT))


# Class and size -----------------------------------------------------------------------------------

def of_each_class():
    types = {"integer": I32, "float": real(), "time": time(), "string": string(5),
             "bitfield": bitfield(), "opaque": opaque(3), "compound": POINT,
             "reference": reference(), "enum": enum({"no": 0, "yes": 1}), "array": array((3,), I8)}
    return of(**{name: typed(type)().at("/d") for name, type in types.items()})


@valid("swmr-datatype-class", base=of_each_class,
       keeps=["swmr-eligible-plain-types", "swmr-datatype-size", "swmr-layout-element-size"])
def one_of_each(f):
    "A dataset of each class but variable length."


@valid("swmr-datatype-class", base=typed(vlen(I32)), also=["swmr-eligible-no-vlen"])
def variable_length(f):
    "Sequences of variable length."


@valid("swmr-datatype-class", base=typed(complex_number()))
def complex_of_2_0(f):
    "The complex numbers of HDF5 2.0."


changed("swmr-datatype-class", "12", "The datatype is of class 12.",
        {"OHDR /d: datatype.class and version": 0x1C})
changed("swmr-datatype-class", "base-of-an-array", "The base of an array is of class 15.",
        {"OHDR /d: datatype.base.class and version": 0x1F}, base=typed(array((2,), I16)))
changed("swmr-datatype-class", "base-of-vlen", "The elements of sequences are of class 14.",
        {"OHDR /d: datatype.base.class and version": 0x1E}, base=typed(vlen(I32)))


@valid("swmr-datatype-size", base=typed(I8))
def one_byte(f):
    "Integers of one byte."


changed("swmr-datatype-size", "0", "The size of the datatype is 0.", {"OHDR /d: datatype.size": 0})
changed("swmr-datatype-size", "member", "The size of a member is 0.",
        {"OHDR /d: datatype.member 0.size": 0}, base=typed(POINT))
changed("swmr-datatype-size", "array", "The size of an array is 0.",
        {"OHDR /d: datatype.size": 0}, base=typed(array((2,), I16)))


# What fits into the message -----------------------------------------------------------------------

NESTED = compound([("a", array((2,), vlen(compound([("x", I32)]))))])


@valid("swmr-datatype-fits", base=typed(NESTED), also=["swmr-eligible-no-vlen"])
def nested(f):
    "A compound in sequences in an array in a compound."


def nested_arrays(levels):
    made = I8
    for _ in range(levels):
        made = array((1,), made)
    return made


@valid("swmr-datatype-fits", base=typed(nested_arrays(40)))
def forty_arrays(f):
    "Arrays in arrays, forty deep."


@valid("swmr-datatype-fits", base=typed(nested_arrays(70)), outcome="unchecked")
def seventy_arrays(f):
    "Arrays in arrays, seventy deep: no fault, but not followed so far."


@invalid("swmr-datatype-fits", base=typed(compound([("x", I8), ("long name", I8)])))
def name_without_nul(f):
    "The last name of a compound has no NUL."
    header = f["OHDR /d"]
    member = header["datatype.member 1"]
    del header["datatype.member 1"]
    header["datatype.member 1 name"] = b"a very long name".ljust(
        10 + 1 + member.size(), b"e")
    del header["datatype.member 1 offset"]


changed("swmr-datatype-fits", "enum-count", "An enumeration counts one name more than there is.",
        {"OHDR /d: datatype.bits": 3}, base=typed(enum({"a": 0x61, "b": 0x62})))
changed("swmr-datatype-fits", "array-of-200", "An array of 200 dimensions in 40 bytes.",
        {"OHDR /d: datatype.rank": 200}, base=typed(array((2, 2, 2), I8)))


@invalid("swmr-datatype-fits", base=typed(array((2,), I16)))
def base_cut_off(f):
    "The base of an array ends after 8 bytes; its properties are missing."
    del f["OHDR /d"]["datatype.base.bit offset"]
    del f["OHDR /d"]["datatype.base.precision"]


# Compounds ----------------------------------------------------------------------------------------

@valid("swmr-datatype-member-count", base=typed(compound([("only", I32)])))
def one_member(f):
    "A compound of one member."


changed("swmr-datatype-member-count", "0", "A compound has no member.",
        {"OHDR /d: datatype.bits": 0}, base=typed(POINT))


@valid("swmr-datatype-member-inside", base=typed(POINT))
def packed(f):
    "A compound without a byte between its members."


changed("swmr-datatype-member-inside", "offset", "A member begins where the compound ends.",
        {"OHDR /d: datatype.member 1 offset": 6}, base=typed(POINT))
changed("swmr-datatype-member-inside", "size",
        "The last member is four bytes longer than its place.",
        {"OHDR /d: datatype.member 1.size": 6}, base=typed(POINT))
changed("swmr-datatype-member-inside", "last-byte", "The last byte of a member is beyond the end.",
        {"OHDR /d: datatype.member 1 offset": 5}, base=typed(POINT))
changed("swmr-datatype-member-inside", "shared-byte",
        "A member begins with the last byte of the one before.",
        {"OHDR /d: datatype.member 1 offset": 3},
        base=typed(compound([("a", I32), ("b", I16)], size=8)))


def backwards():
    """A compound whose members come in another order than their bytes, with gaps between them."""
    return typed(compound([("a", I16, 6), ("b", I32, 0), ("c", U8, 5)], size=9))


@valid("swmr-datatype-member-inside", "in-any-order", base=backwards())
def in_any_order(f):
    "The members of a compound do not come in the order of their bytes."


changed("swmr-datatype-member-inside", "into-one-behind",
        "The last byte of a member is the first of one that was told of before.",
        {"OHDR /d: datatype.member 1 offset": 3}, base=backwards())
changed("swmr-datatype-member-inside", "inside-another",
        "A member lies inside a member that was declared before.",
        {"OHDR /d: datatype.member 2 offset": 2}, base=backwards())


# Arrays -------------------------------------------------------------------------------------------

@valid("swmr-datatype-array-size", base=typed(array((2, 3), I16)),
       keeps=["swmr-datatype-array-version"])
def two_by_three(f):
    "Arrays of 2 by 3 integers of two bytes."


changed("swmr-datatype-array-size", "dimension", "A dimension is 4 instead of 3.",
        {"OHDR /d: datatype.dimension 1": 4}, base=typed(array((2, 3), I16)))
changed("swmr-datatype-array-size", "overflow",
        "Dimensions whose product is right only modulo 2^32.",
        {"OHDR /d: datatype.dimension 0": 0x80000003}, base=typed(array((3, 2), I8)))
changed("swmr-datatype-array-size", "zero", "A dimension is 0.",
        {"OHDR /d: datatype.dimension 0": 0}, base=typed(array((2, 3), I16)))

changed("swmr-datatype-array-version", "version-1", "An array of version 1.",
        {"OHDR /d: datatype.class and version": 0x1A}, base=typed(array((2, 3), I16)))


# References ---------------------------------------------------------------------------------------

@valid("swmr-datatype-reference-type", base=typed(reference(2, version=4)),
       keeps=["swmr-eligible-object-reference"])
def std_ref(f):
    "References of H5T_STD_REF: version 4, kind 2."


@valid("swmr-datatype-reference-type", base=typed(reference(2, version=1)))
def std_ref_of_version_1(f):
    "The same in a datatype of version 1, as libhdf5 writes it, too."


changed("swmr-datatype-reference-type", "kind-5", "A reference of kind 5.",
        {"OHDR /d: datatype.bits": 0x15}, base=typed(reference(2, version=4)))
changed("swmr-datatype-reference-type", "kind-4-in-version-3",
        "A reference to an attribute, in version 3.",
        {"OHDR /d: datatype.bits": 0x14}, base=typed(reference(0, version=3)))
changed("swmr-datatype-reference-type", "kind-15", "A reference of kind 15.",
        {"OHDR /d: datatype.bits": 15}, base=typed(reference()))
changed("swmr-datatype-reference-type", "version-bits",
        "A reference of version 4 whose own version is 2.",
        {"OHDR /d: datatype.bits": 0x22}, base=typed(reference(2, version=4)))

"""HEP001 9.2 and 9.3 (2026-07-09), the members of a list column: OFFSETS, VALUES and MASK."""

from generators.hep001 import *

valid, invalid = valid_since_newer, invalid_since_newer
LEVELS = {"outermost": outermost, "nested": nested, "texts": texts}
WORDS = {"outermost": "a list column", "nested": "a nested list", "texts": "a STRING_VALUES group"}


def levels(clause, slug, shows, places=("outermost", "nested", "texts"), base=list_table,
           **options):
    """The same defect on a level of each sort; `shows` has a {} for which."""
    def register(mutate):
        for place in places:
            invalid(clause, f"{slug}-{place}", shows.format(WORDS[place]), base=base,
                    **options)(lambda t, place=place: mutate(LEVELS[place](t)))
        return mutate
    return register


# What a level holds

def extra(clause, slug, shows, level, name, node, **options):
    @invalid(clause, slug, shows, base=list_table, **options)
    def mutate(t):
        level(t).add(name, node(t))


def bytes_dataset(t):
    return Dataset(U8, [1, 2, 3])


extra("list-only-members", "lengths", "A list column has a fourth member, LENGTHS.", outermost,
      "LENGTHS", lambda t: Dataset(U32, [2, 0, 0, 1, 3]))
extra("list-only-members", "nested-lengths", "A nested list has a fourth member, LENGTHS.", nested,
      "LENGTHS", lambda t: Dataset(U32, [2, 0, 0, 1, 3]))
extra("list-only-members", "chars", "CHARS is next to OFFSETS and VALUES.", outermost, "CHARS",
      bytes_dataset)
extra("list-only-members", "named-datatype", "A committed datatype lies in a list column.",
      outermost, "float", lambda t: NamedDatatype(F32))
extra("list-only-members", "soft-link", "A soft link leads to OFFSETS.", outermost, "lengths",
      lambda t: SoftLink("OFFSETS"))
extra("list-only-members", "external-link", "An external link lies in a list column.", outermost,
      "more", lambda t: ExternalLink("other.h5", "/more"))
extra("list-only-members", "subgroup", "A subgroup lies in a list column.", outermost, "notes",
      lambda t: Group())
extra("string-values-only-members", "values", "VALUES lies in a STRING_VALUES group.", texts,
      "VALUES", bytes_dataset)
extra("string-values-only-members", "lengths", "A STRING_VALUES group has a fourth member, LENGTHS.",
      texts, "LENGTHS", lambda t: Dataset(U32, [4, 6, 0, 0, 3, 4]))
extra("string-values-only-members", "subgroup", "A subgroup lies in a STRING_VALUES group.", texts,
      "notes", lambda t: Group())
extra("string-values-only-members", "soft-link", "A soft link leads to CHARS.", texts, "bytes",
      lambda t: SoftLink("CHARS"))


@invalid("list-only-members", base=list_table)
def offsets_by_a_soft_link(t):
    "OFFSETS is a soft link to a dataset outside the table."
    t.file.put("/offsets", outermost(t).offsets)
    outermost(t).replace("OFFSETS", SoftLink("/offsets"))


@invalid("list-only-members", base=list_table)
def values_by_an_external_link(t):
    "VALUES is an external link."
    outermost(t).replace("VALUES", ExternalLink("other.h5", "/values"))


@invalid("string-values-only-members", base=list_table)
def chars_by_a_soft_link(t):
    "CHARS is a soft link to a dataset outside the table."
    t.file.put("/bytes", texts(t).elements)
    texts(t).replace("CHARS", SoftLink("/bytes"))


@invalid("no-nested-table", "values-of-a-list", base=list_table,
         tables={"/events/readings/VALUES": {}})
def table_as_values(t):
    "VALUES of a list column is a table group."
    outermost(t).remove("VALUES")
    small_table("/other", t.file)
    outermost(t).add("VALUES", t.file.root.children.pop("other"))


# OFFSETS

@levels("list-offsets-present", "absent", "OFFSETS of {} is absent.")
def no_offsets(level):
    level.remove("OFFSETS")


@invalid("list-offsets-present", base=list_table, fails={"list-offsets-present",
                                                         "list-only-members"})
def in_lower_case(t):
    "OFFSETS of a list column is named `offsets`."
    outermost(t).rename("OFFSETS", "offsets")


@levels("list-offsets-rank-1", "two-dimensions", "OFFSETS of {} has shape {{L+1, 1}}.")
def offsets_of_rank_two(level):
    level.offsets.shape = (len(level.offsets.values), 1)


@levels("list-offsets-rank-1", "scalar", "OFFSETS of {} is scalar.", ("outermost",))
def offsets_scalar(level):
    level.offsets.values, level.offsets.shape = 0, ()


@levels("list-offsets-rank-1", "group", "OFFSETS of {} is a group.", ("outermost", "texts"))
def offsets_group(level):
    level.replace("OFFSETS", Group())


@levels("list-offsets-rank-1", "null-dataspace", "OFFSETS of {} has a null dataspace.", ("nested",))
def offsets_null(level):
    level.offsets.values, level.offsets.shape = None, NULL_SPACE


def offsets_of(slug, type_id, shows, places, **options):
    @levels("list-offsets-uint64", slug, "OFFSETS of {} is of " + shows + ".", places, **options)
    def mutate(level):
        level.offsets.type = type_id


offsets_of("int64", I64, "int64", ("outermost", "nested", "texts"))
offsets_of("uint32", U32, "uint32", ("outermost",))
offsets_of("int32", I32, "int32, as Arrow has it", ("texts",))
offsets_of("float64", F64, "float64", ("outermost", "nested"))
offsets_of("63-bit", odd_width(U64, 63), "63 bits in 8 bytes", ("outermost",))


@invalid("list-offsets-uint64", base=list_table, fails={"list-offsets-uint64",
                                                        "list-offsets-non-decreasing"})
def negative(t):
    "OFFSETS of a list column is of int32, and one of them is -1."
    outermost(t).offsets.type = I32
    outermost(t).offsets.values[3] = -1


@invalid("list-offsets-uint64", "beside-a-mask", base=list_table,
         fails={"list-offsets-uint64", "bool-not-plain-integer"})
def floats_beside_a_mask_of_integers(t):
    "OFFSETS of a list column is of float64, and its MASK of uint8."
    outermost(t).offsets.type = F64
    outermost(t).mask.type = U8


@levels("list-offsets-extent", "one-short", "OFFSETS of {} has as many elements as entries.")
def offsets_one_short(level):
    del level.offsets.values[-1]


@invalid("list-offsets-extent")
def empty_without_rows(t):
    "NROWS is 0, and OFFSETS is empty."
    t.nrows = 0
    t.add_list("readings", F32, [])
    outermost(t).offsets.values = []


@levels("list-offsets-first-zero", "two", "OFFSETS of {} begins with 1.")
def first_is_one(level):
    level.offsets.values[0] = 1


@invalid("list-offsets-first-zero")
def seven_without_rows(t):
    "NROWS is 0, and the only element of OFFSETS is 7."
    t.nrows = 0
    t.add_list("readings", F32, [])
    outermost(t).offsets.values = [7]
    outermost(t).elements.values = [1.0] * 7


@invalid("list-offsets-first-zero")
def sliced_array(t):
    "Offsets of a slice of an Arrow array, as they are: they begin at 4."
    t.add_list("readings", F32, [[0.0] * 4, [1.0], [2.0, 3.0], [], [4.0], [5.0]])
    outermost(t).offsets.values = outermost(t).offsets.values[1:]


@levels("list-offsets-non-decreasing", "one-smaller", "The last element of OFFSETS of {} is smaller "
        "than the one before.")
def decreasing(level):
    level.offsets.values[-1] = level.offsets.values[-2] - 1


@invalid("list-offsets-non-decreasing", base=list_table)
def last_is_zero(t):
    "OFFSETS[L] is 0."
    outermost(t).offsets.values[-1] = 0


@valid("list-offsets-non-decreasing", base=list_table,
       keeps=["list-offsets-first-zero", "list-offsets-extent", "list-mask-extent",
              "list-values-extent", "string-chars-extent", "list-tail-arbitrary"])
def decrease_in_the_tail(t):
    "Beyond the bounds of each level offsets decrease, masks hold 7 and chars are not UTF-8."
    for level in (outermost(t), nested(t), texts(t), t.list_column("tags")):
        level.offsets.values += [2**63, 3, 0]
        if "MASK" in level.children:
            level.mask.values += [7, 0, -1]
    for level in (outermost(t), texts(t)):
        level.elements.values += [255, 255]


@valid("list-tail-arbitrary", "nrows-lowered", base=list_table,
       keeps=["list-offsets-extent", "list-mask-extent", "list-null-entry-empty"])
def nrows_lowered(t):
    "NROWS was lowered from 5 to 2, and no member was touched."
    t.nrows = 2


@valid("list-offsets-extent", "reserved", keeps=["list-mask-extent", "list-members-not-columns",
                                                 "fill-user-defined-unless-boolean"])
def members_of_other_extents(t):
    "NROWS is 3, columns have 8 rows, OFFSETS 4 elements and VALUES 17."
    t.nrows = 3
    for column in t.columns().values():
        column.values = (column.values * 2)[:8]
    t.add_list("readings", F32, [[1.0], [2.0, 3.0], []], masked={0})
    outermost(t).elements.values += [9.0] * 14


@valid("list-members-not-columns", base=list_table, keeps=["equal-extents", "extent-ge-nrows"])
def no_rule_of_columns(t):
    "Members have the library's fill value and extents of their own, and column-order is silent."


@invalid("extent-ge-nrows", "with-lists", base=list_table)
def nrows_beyond_all(t):
    "NROWS is larger than every column; what the lists lack is not told besides."
    t.nrows = 6


@invalid("list-offsets-extent", "one-column-is-shorter", base=list_table,
         fails={"extent-ge-nrows", "equal-extents", "list-offsets-extent", "list-mask-extent"})
def nrows_beyond_one_column(t):
    "NROWS is larger than one column, and than what the lists have entries for."
    t.column("energy").values.append(5.5)
    t.nrows = 6


@valid("list-zero-rows", keeps=["list-offsets-extent", "list-offsets-first-zero",
                                "list-values-extent", "string-chars-extent", "list-mask-extent",
                                "list-offsets-present"])
def no_rows(t):
    "No rows: lists of lists of texts whose OFFSETS are a single 0, and empty masks."
    t.nrows = 0
    for column in t.columns().values():
        column.values = []
    t.add_list("words", TEXTS, [], depth=2, masked={0, 1, 2})


@valid("list-offsets-uint64", base=list_table, keeps=["any-byte-order", "string-chars-uint8",
                                                      "list-offsets-rank-1"])
def big_endian(t):
    "OFFSETS and NROWS are big-endian, as are the elements of one list; CHARS is H5T_STD_U8BE."
    for level in (outermost(t), nested(t), texts(t)):
        level.offsets.type = U64BE
    texts(t).elements.type = U8BE
    nested(t).elements.type = I16BE
    t.attrs["NROWS"] = attribute(U64BE, 5)


@valid("list-member-storage-free", base=list_table,
       keeps=["list-offsets-rank-1", "list-values-rank-1", "list-mask-rank-1",
              "string-chars-rank-1"])
def every_layout(t):
    "OFFSETS is contiguous or compressed, VALUES in compressed chunks, MASK compact."
    outermost(t).mask.compact = True
    outermost(t).elements.chunk, outermost(t).elements.deflate = 4, 6
    for member in (texts(t).offsets, texts(t).elements):
        member.chunk, member.maxshape, member.shuffle, member.deflate = 4, (None,), True, 1
    nested(t).offsets.chunk, nested(t).offsets.fletcher32 = 2, True


@valid("list-offsets-non-decreasing", "never-written")
def never_written(t):
    "OFFSETS and VALUES were never written: all lists are empty."
    t.add_list("readings", F32, [[]] * 5)
    outermost(t).offsets.shape, outermost(t).offsets.values = (6,), None
    outermost(t).elements.shape, outermost(t).elements.values = (0,), None


# VALUES

@levels("list-values-present", "absent", "VALUES of {} is absent.", ("outermost", "nested"))
def no_values(level):
    level.remove("VALUES")


def values_form(slug, shows, level, node, **options):
    @invalid("list-values-form", slug, shows, base=list_table, **options)
    def mutate(t):
        level(t).remove("VALUES")
        level(t).add("VALUES", node(t))


def foreign_group(**attrs):
    group = Group()
    group.attrs.update(attrs)
    group.add("OFFSETS", Dataset(U64, [0] * 8))
    return group


values_form("group-without-class", "VALUES is a group without CLASS.", outermost,
            lambda t: foreign_group())
values_form("group-of-another-class", "VALUES is a group of CLASS \"STRINGS\".", outermost,
            lambda t: foreign_group(CLASS=ascii_text("STRINGS")))
values_form("named-datatype", "VALUES is a committed datatype.", nested,
            lambda t: NamedDatatype(F32))
values_form("itself", "VALUES of a list column is the list column.", outermost,
            lambda t: HardLink(outermost(t)), ambiguity="list-that-contains-itself")
values_form("enclosing-list", "VALUES of a nested list is the list column around it.", nested,
            lambda t: HardLink(t.list_column("tracks")), ambiguity="list-that-contains-itself")


@valid("list-values-form", base=list_table,
       keeps=["list-values-present", "string-chars-present", "list-only-members",
              "string-values-only-members", "list-offsets-present"])
def each_of_the_three(t):
    "VALUES is a dataset, a nested list, a STRING_VALUES group."


@valid("list-values-form", "shared", base=list_table, ambiguity="shared-list-members")
def shared_members(t):
    "Two list columns share all members, by hard links."
    twin = list_level([], F32)
    twin.children = {name: HardLink(child) for name, child in outermost(t).children.items()}
    t.add("twin", twin)


@levels("list-values-rank-1", "two-dimensions", "VALUES of {} has shape {{M, 1}}.",
        ("outermost", "nested"))
def values_of_rank_two(level):
    level.elements.shape = (len(level.elements.values), 1)


@invalid("list-values-rank-1", base=list_table)
def scalar_values(t):
    "VALUES is scalar."
    outermost(t).elements.values, outermost(t).elements.shape = 1.0, ()


@invalid("list-values-rank-1", base=list_table)
def null_dataspace(t):
    "VALUES has a null dataspace."
    nested(t).elements.values, nested(t).elements.shape = None, NULL_SPACE


@levels("list-values-extent", "one-short", "VALUES of {} is one element short.",
        ("outermost", "nested"), ambiguity="list-values-too-short")
def values_one_short(level):
    del level.elements.values[-1]


@invalid("list-values-extent", base=list_table, ambiguity="list-values-too-short")
def far_beyond(t):
    "OFFSETS[L] is 2^63."
    outermost(t).offsets.values[-1] = 2**63


@valid("list-values-extent", "longer", base=list_table)
def longer_than_needed(t):
    "VALUES holds more elements than the lists."
    outermost(t).elements.values += [float(n) for n in range(20)]


# Leaves

def leaf(slug, shows, type_id, element, fill=DEFAULT, clause="list-leaf-any-datatype", keeps=(),
         kind=valid, attrs={}, entries=None, **options):
    def mutate(t):
        column = t.add_list("x", type_id, entries or [[element], None, [], [element] * 2, []],
                            fill=fill)
        column.elements.attrs.update(attrs)
    kind(clause, slug, shows, keeps=keeps, **options)(mutate)


POINT = compound({"re": F64, "im": F64})
leaf("compound", "Lists of compounds.", POINT, (1.0, 2.0), keeps=["compound-fields-atomic"])
leaf("int24", "Lists of 24-bit integers.", odd_width(I32, 24), 5)
leaf("float64-big-endian", "Lists of big-endian float64.", F64BE, -0.5)
leaf("enum", "Lists of an enumeration, without a fill value.", enum({"A": 1, "B": 2}), 1)
leaf("opaque", "Lists of opaque bytes.", opaque(3, b"t"), b"abc")
leaf("array", "Lists of arrays of int16.", array(I16, 2), [1, 2])
leaf("reference", "Lists of object references.", REF_OBJ, NULL)
leaf("region", "Lists of region references.", REF_REGION, NULL,
     ambiguity="references-below-a-list")
leaf("with-fill", "Lists of int32 with a user-defined fill value, which occurs.", I32, INT32_FILL,
     INT32_FILL, ambiguity="leaf-fill-value")
leaf("default-fill", "Lists of zeros, and no user-defined fill value.", I32, 0,
     ambiguity="leaf-fill-value")
leaf("boolean", "Lists of booleans, one of them 2.", BOOL, 2, ambiguity="boolean-leaf",
     keeps=["boolean-dataset-exact-type"])
leaf("boolean-u8", "Lists of booleans over H5T_STD_U8LE.", enum({"FALSE": 0, "TRUE": 1}, U8), 1,
     clause="boolean-dataset-exact-type", kind=invalid)
leaf("fixed-strings", "Lists of 8-byte UTF-8 strings; an empty one is missing.", string(8), "",
     "", clause="fixed-length-string-leaf", entries=[["muon", ""], [], ["d\u00e9j\u00e0"], [], [""]],
     keeps=["list-no-vlen-dataset"])
leaf("nested-compound", "Lists of compounds with a compound member.",
     compound({"at": POINT, "n": I32}), ((1.0, 2.0), 3), clause="compound-fields-atomic",
     kind=invalid)

leaf("in-range", "Lists of int16 in the range [0, 100], the fill value outside it.", I16,
     INT16_FILL, INT16_FILL, clause="list-leaf-valid-range",
     attrs={"valid_min": int16(0), "valid_max": int16(100)},
     entries=[[0, 100, INT16_FILL], [], [50], [], []],
     keeps=["valid-min-scalar", "valid-min-datatype", "valid-max-scalar", "valid-max-datatype",
            "fill-strictly-outside-valid-range", "valid-range-ordered",
            "data-within-valid-range"])
RANGE = {"entries": [[1, 2], [], [3], [], [4]], "kind": invalid}
for bound, other in (("valid_min", int16(0)), ("valid_max", int16(100))):
    clause = bound.replace("_", "-")
    leaf("leaf", f"{bound} of a leaf has shape {{1}}.", I16, 0, clause=f"{clause}-scalar",
         attrs={bound: other.shaped(1)}, **RANGE)
    leaf("leaf", f"{bound} of a leaf is int32 over int16.", I16, 0, clause=f"{clause}-datatype",
         attrs={bound: int32(other.value)}, **RANGE)
leaf("leaf", "The fill value of a leaf lies in its range.", I16, 0, 50,
     clause="fill-strictly-outside-valid-range",
     attrs={"valid_min": int16(0), "valid_max": int16(100)}, **RANGE)
leaf("leaf", "valid_min of a leaf is above valid_max.", I16, 0,
     clause="valid-range-ordered", attrs={"valid_min": int16(10), "valid_max": int16(0)},
     ambiguity="inverted-range", kind=invalid, entries=[[], [], [], [], []])
leaf("leaf", "An element of a list is above valid_max.", I16, 0,
     clause="data-within-valid-range", attrs={"valid_min": int16(0), "valid_max": int16(3)},
     ambiguity="data-outside-range", **RANGE)


@valid("data-within-valid-range", "tail-of-a-leaf")
def tail_of_a_leaf(t):
    "Elements beyond the bound of a level lie outside valid_min and valid_max."
    column = t.add_list("x", I16, [[1, 2], [], [3], [], [4]])
    column.elements.attrs.update(valid_min=int16(0), valid_max=int16(5))
    column.elements.values += [99, -99]


@valid("any-byte-order", "bounds-of-a-leaf")
def bounds_of_another_order(t):
    "Little-endian bounds of a big-endian column, big-endian ones of a little-endian leaf."
    t.add_column("count", I16BE, [1, 2, 3, 4, 5], fill=INT16_FILL)
    t.column("count").attrs.update(valid_min=int16(0), valid_max=int16(9))
    column = t.add_list("x", I16, [[1, 2], [], [3], [], [4]])
    column.elements.attrs.update(valid_min=attribute(I16BE, 0), valid_max=attribute(I16BE, 9))


# MASK

@levels("list-mask-rank-1", "two-dimensions", "MASK of {} has shape {{L, 1}}.")
def mask_of_rank_two(level):
    level.mask.shape = (len(level.mask.values), 1)


@invalid("list-mask-rank-1", base=list_table)
def scalar_mask(t):
    "MASK is scalar."
    outermost(t).mask.values, outermost(t).mask.shape = 1, ()


@invalid("list-mask-rank-1", base=list_table)
def mask_is_a_group(t):
    "MASK is a group."
    outermost(t).replace("MASK", Group())


@levels("list-mask-extent", "one-short", "MASK of {} is one element short.")
def mask_one_short(level):
    del level.mask.values[-1]


@invalid("list-mask-extent", base=list_table)
def empty_mask(t):
    "MASK is empty, and there are rows."
    outermost(t).mask.values = []


def mask_value(slug, level, value):
    @invalid("list-mask-value", slug, f"An element of MASK of {WORDS[level]} is {value}.",
             base=list_table)
    def mutate(t):
        mask = LEVELS[level](t).mask
        mask.values[mask.values.index(1)] = value


mask_value("two", "outermost", 2)
mask_value("minus-one", "outermost", -1)
mask_value("two-nested", "nested", 2)
mask_value("127-of-texts", "texts", 127)


@invalid("list-offsets-non-decreasing", base=list_table)
def at_a_null_entry(t):
    "Offsets decrease at a null entry."
    outermost(t).offsets.values[1] = 3


@levels("list-null-entry-empty", "with-elements", "A null entry of {} has elements.")
def null_with_elements(level):
    at = next(i for i in range(len(level.mask.values))
              if level.offsets.values[i] < level.offsets.values[i + 1])
    level.mask.values[at] = 0


@invalid("list-null-entry-empty", base=list_table)
def reversed_mask(t):
    "MASK in the reversed sense, as of pandas: TRUE where a list is missing."
    outermost(t).mask.values = [1 - present for present in outermost(t).mask.values]


@valid("list-null-entry-empty", base=list_table, keeps=["list-mask-value", "list-mask-rank-1"])
def null_beside_empty(t):
    "Null and empty entries side by side; a null entry at row 5, beyond NROWS, has elements."
    column = outermost(t)
    column.offsets.values.append(9)
    column.mask.values.append(0)
    column.elements.values += [1.0, 2.0]


def masked(slug, shows, places):
    @valid("list-mask-optional", slug, shows)
    def mutate(t):
        t.add_list("x", I16, [[[1], []], [], [[2, 3]], [], []], depth=2, masked=places)


masked("nowhere", "No MASK at any level; some lists are empty.", set())
masked("outermost-alone", "MASK at the outermost level alone, all TRUE.", {0})
masked("innermost-alone", "MASK at the innermost level alone, all TRUE.", {1})


# The datatype of MASK

MEMBERS = {"FALSE": 0, "TRUE": 1}


def mask_type(clause, slug, shows, type_id, values=None, level=outermost, **options):
    @invalid(clause, slug, f"MASK is {shows}.", base=list_table, **options)
    def mutate(t):
        mask = level(t).mask
        mask.type = type_id
        if values is not None:
            mask.values = values(mask.values)


mask_type("bool-is-enum", "mask-float32", "of float32", F32)
mask_type("bool-base-i8le", "mask-u8", "an enumeration over H5T_STD_U8LE", enum(MEMBERS, U8))
mask_type("bool-base-i8le", "mask-i8-big-endian", "an enumeration over H5T_STD_I8BE",
          enum(MEMBERS, I8BE), level=nested, ambiguity="boolean-base-byte-order")
mask_type("bool-two-members", "mask-third-member", "an enumeration with a third member",
          enum({**MEMBERS, "UNKNOWN": 2}), level=texts)
mask_type("bool-false-zero", "mask-no", "an enumeration of NO = 0 and TRUE = 1",
          enum({"NO": 0, "TRUE": 1}))
mask_type("bool-true-one", "mask-yes", "an enumeration of FALSE = 0 and YES = 1",
          enum({"FALSE": 0, "YES": 1}))
mask_type("bool-not-plain-integer", "mask-uint8", "of uint8", U8)
mask_type("bool-not-plain-integer", "mask-int8-nested", "of int8, in a nested list", I8,
          level=nested)
mask_type("bool-not-bitfield", "mask-b8", "of H5T_STD_B8LE", B8)
mask_type("bool-not-string", "mask-strings", "of strings", string(1),
          lambda values: [str(value) for value in values])


@valid("bool-two-members", "mask-true-first", base=list_table, keeps=["list-mask-value"])
def true_declared_first(t):
    "The boolean datatype of a MASK declares TRUE before FALSE."
    outermost(t).mask.type = enum({"TRUE": 1, "FALSE": 0})


# Depth

@valid("list-nesting-depth", keeps=["list-kind-present", "list-kind-value"])
def four_levels(t):
    "Lists of lists of lists of texts, with empty and null entries at every level."
    t.add_list("words", TEXTS, [[[["a", None], []], None, []], None, [], [[None], [["b", ""]]],
                                [[[]]]], depth=3)


@valid("list-nesting-depth", base=list_table)
def seven_levels(t):
    "Seven levels of lists."
    entries = [7]
    for _ in range(6):
        entries = [entries, [], None]
    t.add_list("deep", I16, [entries, [], None, [None], [[]]], depth=7)

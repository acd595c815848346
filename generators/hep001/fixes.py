"""Fixes of tables of the corpus for `hepcheck explain`, if restoring the table that a recipe mutated is not
suitable: the example should show the subject of the clause.

    @fix("enum-missing-member", "8.5/enum-missing-member--int8", fill=True)
    def with_missing(t):
        t.column("state").type = enum({"UP": 0, "DOWN": 1, "MISSING": -1})

changes the broken table, and its fixture is the example of the clause. Without a function it only
selects the fixture. `fill` shows the fill values; `python` and `c` are code for changes that repair.py does not
support, `effects` their side effects; `hepcheck=False` states that no command makes the change.
"""

from dataclasses import dataclass
from typing import Any

from . import *  # noqa: F403: the words of the recipes


@dataclass
class Fix:
    path: str
    change: Any
    fill: bool = False
    python: str = ""
    c: str = ""
    effects: str = ""
    hepcheck: bool = True


FIXES = {}


def fix(clause, fixture, **options):
    def register(change):
        FIXES[clause] = Fix(f"invalid/{fixture}.h5", change, **options)
        return change
    return register


def choose(clause, fixture, **options):
    fix(clause, fixture, **options)(None)


# Links and foreign objects

HARD_LINK = "/charge and /events/charge are then one dataset: what is written to one is in both."
fix("column-hard-link", "3/column-hard-link--soft-link-in-column-order", effects=HARD_LINK, python="""\
import h5py
with h5py.File("events.h5", "r+") as file:
    del file["/events/charge"]                 # the soft link
    file["/events/charge"] = file["/charge"]   # a hard link to the same dataset
""", c="""\
hid_t file = H5Fopen("events.h5", H5F_ACC_RDWR, H5P_DEFAULT);
H5Ldelete(file, "/events/charge", H5P_DEFAULT);  /* the soft link */
H5Lcreate_hard(file, "/charge", file, "/events/charge", H5P_DEFAULT, H5P_DEFAULT);
H5Fclose(file);
""")(lambda t: t.children.update(charge=HardLink(t.file.root.children["charge"])))

fix("descendants-serve-the-model", "7.6/descendants-serve-the-model--user-defined-link",
    effects="Where the link led, nothing changes. Its class is registered for the running program "
            "only.", python="""\
import ctypes
import h5py
Traverse = ctypes.CFUNCTYPE(ctypes.c_int64)
class LinkClass(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int), ("id", ctypes.c_int), ("comment", ctypes.c_char_p),
                ("create", ctypes.c_void_p), ("move", ctypes.c_void_p), ("copy", ctypes.c_void_p),
                ("traverse", Traverse), ("delete", ctypes.c_void_p), ("query", ctypes.c_void_p)]
# The library deletes only links of a class that it knows, and h5py registers none.
hdf5 = ctypes.CDLL(h5py.h5f.__file__)
unknown = LinkClass(version=1, id=187, comment=b"to be deleted", traverse=Traverse(lambda: -1))
hdf5.H5Lregister(ctypes.byref(unknown))
with h5py.File("events.h5", "r+") as file:
    del file["/events/elsewhere"]
""", c="""\
/* The library deletes only links of a class that it knows; nothing traverses this one. */
union { herr_t (*none)(void); H5L_traverse_func_t traverse; } never = {.none = H5close};
H5L_class_t unknown = {H5L_LINK_CLASS_T_VERS, (H5L_type_t)187, "to be deleted", NULL, NULL, NULL,
                       never.traverse, NULL, NULL};
H5Lregister(&unknown);
hid_t file = H5Fopen("events.h5", H5F_ACC_RDWR, H5P_DEFAULT);
H5Ldelete(file, "/events/elsewhere", H5P_DEFAULT);
H5Fclose(file);
""")(lambda t: t.remove("elsewhere"))


@fix("no-named-datatype", "7.6/no-named-datatype--committed-type-inside",
     effects="Columns that use the datatype go on using it, since they know it by its address. "
             "Programs that open it by its path have to be changed.", python="""\
import h5py
with h5py.File("events.h5", "r+") as file:
    file.move("/events/id_t", "/id_t")  # next to the table
""", c="""\
hid_t file = H5Fopen("events.h5", H5F_ACC_RDWR, H5P_DEFAULT);
H5Lmove(file, "/events/id_t", file, "/id_t", H5P_DEFAULT, H5P_DEFAULT);  /* next to the table */
H5Fclose(file);
""")
def type_beside_the_table(t):
    t.file.put("/id_t", t.remove("id_t"))


@fix("categories-directly-under", "8.7/categories-directly-under--in-a-subgroup",
     effects="The labels keep their address, so the reference of the column still leads to them.",
     python="""\
import h5py
with h5py.File("events.h5", "r+") as file:
    file.move("/events/CATEGORIES/deep/labels", "/events/CATEGORIES/labels")
    del file["/events/CATEGORIES/deep"]
""", c="""\
hid_t file = H5Fopen("events.h5", H5F_ACC_RDWR, H5P_DEFAULT);
H5Lmove(file, "/events/CATEGORIES/deep/labels", file, "/events/CATEGORIES/labels", H5P_DEFAULT,
        H5P_DEFAULT);
H5Ldelete(file, "/events/CATEGORIES/deep", H5P_DEFAULT);
H5Fclose(file);
""")
def labels_directly_under(t):
    t.categories.add("labels", t.categories.remove("deep").children["labels"])


@fix("categories-ref-resolves", "12/categories-ref-resolves--column")
def labels_of_its_own(t):
    labels = t.categories.add("particle__CATEGORIES", Dataset(string(4), ["muon", "pion", "kaon"]))
    t.column("particle").attrs["CATEGORIES"] = ref(labels)


choose("search-index-list-std-ref", "5/search-index-list-std-ref--region")
choose("no-user-subgroup", "7.6/no-user-subgroup--provenance")


# Attributes

def of_the_table(clause, fixture, name, value):
    @fix(clause, fixture)
    def right(t):
        t.attrs[name] = value(t)


of_the_table("utf8-attribute-not-truncated",
             "7.1/utf8-attribute-not-truncated--title-cut-in-a-code-point", "TITLE",
             lambda t: text("caff\u00e9"))
of_the_table("index-columns-1d", "7.4/index-columns-1d--scalar", "INDEX_COLUMNS",
             lambda t: refs([t.column("id")]))
of_the_table("index-columns-not-null", "7.4/index-columns-not-null--only-element",
             "INDEX_COLUMNS", lambda t: refs([t.column("id")]))
of_the_table("underscore-index-names-column", "7.4/underscore-index-names-column--no-such-column",
             "_index", lambda t: text("id"))
of_the_table("borrowed-names-exact", "13.1/borrowed-names-exact--index-capital", "_index",
             lambda t: t.attrs.pop("_Index"))


@fix("descriptive-attributes-lowercase", "13.1/descriptive-attributes-lowercase--units")
def units_in_lower_case(t):
    owner = next(each for each in t.columns().values() if "Units" in each.attrs)
    owner.attrs["units"] = owner.attrs.pop("Units")


@fix("bool-not-plain-integer", "6/bool-not-plain-integer--mask-uint8")
def mask_of_booleans(t):
    for level in t.list_columns().values():
        mask = level.children.get("MASK")
        if mask and mask.type is not BOOL:
            mask.type = BOOL


# Columns

@fix("column-rank-1", "8.1/column-rank-1--matrix-in-column-order", fill=True)
def one_dimension(t):
    t.remove("charge")
    t.add_column("charge", I8, [1, -1, 1, 1, -1], fill=INT8_FILL)


@fix("compound-fields-atomic", "8.3/compound-fields-atomic--compound-member")
def fields_side_by_side(t):
    t.remove("hit")
    t.add_column("hit", compound({"n": I32, "x": F32, "y": F32}), [(1, 1, 2)] * 5, fill=(0, 0, 0))


@fix("prefer-fixed-length", "8.3/prefer-fixed-length--variable-length-utf8")
def as_long_as_the_longest(t):
    t.column("name").type = string(4)


@fix("prefer-list-column", "8.3/prefer-list-column--sequences-of-compounds")
def lists_of_compounds(t):
    t.remove("hits")
    t.add_list("hits", compound({"a": I32, "b": F32}), [[(1, 2.0)], [], [], [], []])


@fix("list-no-vlen-dataset", "9.5/list-no-vlen-dataset--strings")
def lists_of_texts(t):
    t.remove("x")
    t.add_list("x", TEXTS, [["muon"], [], ["muon", "muon"], [], []])


# Fill values and ranges

def of_count(clause, fixture, name, value):
    @fix(clause, fixture)
    def bound(t):
        t.column("count").attrs[name] = int16(value)


of_count("valid-min-scalar", "8.5/valid-min-scalar--shape-1", "valid_min", 0)
of_count("valid-max-scalar", "8.5/valid-max-scalar--shape-1", "valid_max", 100)
of_count("valid-min-datatype", "8.5/valid-min-datatype--wider", "valid_min", 0)
of_count("valid-max-datatype", "8.5/valid-max-datatype--wider", "valid_max", 100)


@fix("fill-strictly-outside-valid-range", "8.5/fill-strictly-outside-valid-range--middle", fill=True)
def fill_below_the_range(t):
    t.column("count").fill = INT16_FILL


@fix("valid-range-ordered", "8.5/valid-range-ordered--inverted", fill=True)
def bounds_exchanged(t):
    t.column("count").attrs.update(valid_min=int16(0), valid_max=int16(10))


@fix("sentinel-in-domain-declare-range", "8.5/sentinel-in-domain-declare-range--uint8", fill=True)
def range_of_all_values(t):
    t.column("x").attrs.update(valid_min=uint8(1), valid_max=uint8(255))


@fix("fill-outside-logical-range", "8.5/fill-outside-logical-range--false", fill=True)
def room_for_a_mark(t):
    t.column("flag").type, t.column("flag").fill = U8, UINT8_FILL


@fix("boolean-widen", "8.5/boolean-widen--missing-row", fill=True)
def room_for_a_gap(t):
    column = t.column("flag")
    column.type, column.values, column.fill = U8, [0, 1, UINT8_FILL, 1, 0], UINT8_FILL


choose("fill-not-a-valid-code", "12/fill-not-a-valid-code--zero", fill=True)
for each in "fill-user-defined", "fill-user-defined-unless-boolean":
    choose(each, "8.5/fill-user-defined--default-state", fill=True)


@fix("data-within-valid-range", "8.5/data-within-valid-range--above",
     effects="Here the range was too narrow. If the row is wrong, correct it, or give it the fill "
             "value; only the owner of the data knows.")
def range_that_the_data_have(t):
    t.column("count").attrs["valid_max"] = int16(101)



# Enumerations and booleans

STATES = {"UP": 0, "DOWN": 1}


@fix("enum-fill-not-ordinary-member", "8.5/enum-fill-not-ordinary-member--beside-missing", fill=True)
def fill_of_missing(t):
    t.column("state").fill = 2


@fix("enum-missing-member", "8.5/enum-missing-member--int8", fill=True)
def with_missing(t):
    t.column("state").type = enum({**STATES, "MISSING": -1})


@fix("enum-fill-is-missing-code", "8.5/enum-fill-is-missing-code--no-member", fill=True)
def fill_is_missing(t):
    t.column("state").fill = -1


@fix("nullable-boolean-enum-codes", "8.8/nullable-boolean-enum-codes--missing-minus-one", fill=True)
def missing_is_two(t):
    column = t.column("flag")
    column.type = enum({"FALSE": 0, "TRUE": 1, "MISSING": 2})
    column.values, column.fill = [0, 1, 2, 1, 0], 2


@fix("boolean-dataset-exact-type", "8.8/boolean-dataset-exact-type--u8")
def signed_byte(t):
    t.column("flag").type = BOOL


@fix("boolean-column-no-fill", "8.8/boolean-column-no-fill--zero", fill=True)
def no_fill(t):
    t.column("flag").fill = DEFAULT


@fix("boolean-column-value", "8.8/boolean-column-value--two",
     effects="Only the owner of the data knows the intended value of the row; here it is TRUE.")
def one_of_two(t):
    t.column("flag").values[2] = 1


@fix("categorical-integer", "8.7/categorical-integer--float", fill=True)
def integer_codes(t):
    t.column("particle").type, t.column("particle").fill = I8, INT8_FILL


# Indexes

@fix("index-columns-resolve-to-column", "7.4/index-columns-resolve-to-column--outside-the-table")
def labels_of_the_table(t):
    t.attrs["INDEX_COLUMNS"] = refs([t.column("id")])


@fix("search-index-list-resolves", "12/search-index-list-resolves--index-of-another-table")
def indexes_of_its_own(t):
    t.column("name").attrs["SEARCH_INDEX_LIST"] = refs(t.column("name").indexes)


def of_these_values(clause, fixture):
    """A bitmap of each value once, of those that the column can have."""
    @fix(clause, fixture)
    def each_once(t):
        index = t.index("x", "BITMAP")
        index.indexed.values = [v for v in dict.fromkeys(index.indexed.values) if v >= 0]
        index.values = None


of_these_values("boolean-bitmap-two-values", "8.8/boolean-bitmap-two-values--minus-one")
of_these_values("bitmap-values-distinct", "10.6/bitmap-values-distinct--twice")
choose("minmax-min-value", "10.4/minmax-min-value--above")
choose("minmax-max-value", "10.4/minmax-max-value--below")


def of_its_own_column(clause, chapter):
    @fix(clause, f"{chapter}/{clause}--two-columns", hepcheck=False)
    def not_listed_by_the_other(t):
        del t.column("y").attrs["SEARCH_INDEX_LIST"]


of_its_own_column("minmax-one-column", "10.4")
of_its_own_column("sorted-one-column", "10.5")
of_its_own_column("bitmap-one-column", "10.6")
of_its_own_column("bloom-one-column", "10.7")


@fix("sorted-wide-enough", "10.5/sorted-wide-enough--uint8-for-257")
def wide_enough(t):
    index = t.index("x", "SORTED_ROWS")
    index.type, index.values = U64, list(range(257))


@fix("boolean-prefer-bitmap", "8.8/boolean-prefer-bitmap--minmax-alone")
def bitmap_as_well(t):
    t.add_index("x", "BITMAP", values=[0, 1])


@fix("bitmap-exhaustive-complete", "11.6/bitmap-exhaustive-complete--one-unlisted",
     effects="Instead, exhaustive may be taken back: set it to FALSE. Which of the two is meant only "
             "the owner of the index knows.")
def all_values_listed(t):
    index = t.index("x", "BITMAP")
    index.indexed.values, index.values = [1, 2, 3, 4], None


# Selects, from several fixtures, the smallest one that shows the violation.

choose("class-present", "7.1/class-present--absent")
choose("class-value", "7.1/class-value--mixed-case")
choose("version-value", "7.2/version-value--three-components")
choose("nrows-present", "7.3/nrows-present--absent")
choose("nrows-uint64", "7.3/nrows-uint64--int64")
choose("equal-extents", "8.1/equal-extents--interrupted-append")
choose("extent-ge-nrows", "8.1/extent-ge-nrows--one-row-short")
choose("column-name-utf8", "8.1/column-name-utf8--latin-1")
choose("list-class-scalar", "9.1/list-class-scalar--shape-1-outermost")
choose("list-class-fixed-length", "9.1/list-class-fixed-length--variable-length-outermost")
choose("list-class-null-terminated", "9.1/list-class-null-terminated--null-padded-outermost")
choose("list-class-ascii", "9.1/list-class-ascii--utf8-outermost")
choose("list-kind-scalar", "9.1/list-kind-scalar--shape-1-outermost")
choose("list-kind-fixed-string", "9.1/list-kind-fixed-string--variable-length-outermost")
choose("list-kind-ascii", "9.1/list-kind-ascii--utf8-outermost")
choose("list-offsets-present", "9.2/list-offsets-present--absent-outermost")
choose("list-offsets-rank-1", "9.2/list-offsets-rank-1--two-dimensions-outermost")
choose("list-offsets-uint64", "9.2/list-offsets-uint64--uint32-outermost")
choose("list-offsets-extent", "9.2/list-offsets-extent--one-short-outermost")
choose("list-offsets-first-zero", "9.2/list-offsets-first-zero--two-outermost")
choose("list-offsets-non-decreasing", "9.2/list-offsets-non-decreasing--one-smaller-outermost")
choose("list-values-present", "9.2/list-values-present--absent-outermost")
choose("list-values-rank-1", "9.2/list-values-rank-1--two-dimensions-outermost")
choose("list-values-extent", "9.2/list-values-extent--one-short-outermost")
choose("list-mask-extent", "9.2/list-mask-extent--one-short-outermost")
choose("list-mask-value", "9.2/list-mask-value--two")
choose("string-chars-extent", "9.4/string-chars-extent--one-byte-short")
choose("minmax-length-chunked", "10.4/minmax-length-chunked--one-short")
choose("minmax-n-full-chunk", "10.4/minmax-n-full-chunk--one-less")
choose("minmax-all-missing-min-fill", "10.4/minmax-all-missing-min-fill--zero")
choose("sorted-ties", "10.5/sorted-ties--descending")
choose("sorted-length", "10.5/sorted-length--one-short")
choose("sorted-permutation", "10.5/sorted-permutation--twice")
choose("sorted-integer-order", "10.5/sorted-integer-order--signed")
choose("sorted-opaque-order", "10.5/sorted-opaque-order--signed")
choose("sorted-fill-tail-length-value", "10.5/sorted-fill-tail-length-value--one-more")
choose("sorted-nan-tail-length-value", "10.5/sorted-nan-tail-length-value--zero")
choose("bitmap-bit-set", "10.6/bitmap-bit-set--one-bit-cleared")
choose("bitmap-bit-clear", "10.6/bitmap-bit-clear--one-bit-more")
choose("bitmap-row-bytes", "10.6/bitmap-row-bytes--one-byte-short")
choose("bloom-nan-not-inserted", "10.7/bloom-nan-not-inserted--nan-hashed")
choose("bloom-rows-chunked", "10.7/bloom-rows-chunked--one-short")
choose("bloom-k-present", "10.7/bloom-k-present--absent")
choose("column-order-complete", "12/column-order-complete--one-omitted")
choose("column-order-only-columns", "12/column-order-only-columns--no-such-name")
choose("generation-scalar", "12.2/generation-scalar--shape-1")
choose("index-columns-std-ref", "5/index-columns-std-ref--path")
choose("reserved-attribute-misuse", "13.1/reserved-attribute-misuse--nrows-on-column")
choose("bool-value-is-member", "6/bool-value-is-member--two")
choose("version-present", "7.2/version-present--absent")
choose("categories-rank-1", "8.7/categories-rank-1--two-dimensional")

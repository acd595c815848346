"""7, 7.1: envelopes, header."""

from generators.rntuple import *


def edit(name, change):
    return lambda file: put(file.ntuple, edit={name: change})


def after(name, change):
    """Changes the whole envelope, checksum included."""
    return lambda file: put(file.ntuple, after={name: change})


def summed(change):
    """The same, with a right checksum."""
    def changing(made):
        made = change(made[:-8])
        return made + u64(xxh3(made))
    return changing


SUM, TYPE, LENGTH, LEAST = ("rntuple-envelope-checksum", "rntuple-envelope-type",
                            "rntuple-envelope-length", "rntuple-envelope-minimum")
good(SUM, "all", "All envelopes.", base=clusters, keeps=[TYPE, LENGTH, LEAST])
bad(LEAST, "twelve", "A footer of 12 bytes.", change=after("footer", lambda made: made[:12]))
bad(LEAST, "zero", "The anchor says that the header has 0 bytes.",
    change=lambda file: put(file.ntuple, anchor={"header length": 0}))
bad(SUM, "name", "A bit of the name of the RNTuple is flipped.",
    change=after("header", lambda made: made[:20] + bytes([made[20] ^ 1]) + made[21:]))
bad(SUM, "checksum", "A bit of the checksum is flipped.",
    change=after("footer", lambda made: made[:-1] + bytes([made[-1] ^ 0x80])))
bad(SUM, "big-endian", "The checksum is big-endian.",
    change=after("pagelist0", lambda made: made[:-8] + made[-8:][::-1]))
bad(SUM, "payload-only", "The checksum covers the payload without the first word.",
    change=after("footer", lambda made: made[:-8] + u64(xxh3(made[8:-8]))))
bad(SUM, "xxh64", "XXH64 instead of XXH3.",
    change=after("footer", lambda made: made[:-8] + u64(xxh64(made[:-8]))))
bad(TYPE, "footer-as-header", "The footer has type 1.", change=lambda file: put(file.ntuple, types={"footer": 1}))
bad(TYPE, "page-list-as-metadata", "The page list has type 4.",
    change=lambda file: put(file.ntuple, types={"pagelist0": 4}))
bad(TYPE, "second-byte", "The header has type 0x0101.", change=lambda file: put(file.ntuple, types={"header": 0x101}))
bad(LENGTH, "eight-less", "The length does not count the checksum.",
    change=lambda file: put(file.ntuple, after={("word", "footer"): lambda word, length: u64(2 | length - 8 << 16)}))
bad(LENGTH, "zero", "Length 0.",
    change=lambda file: put(file.ntuple, after={("word", "pagelist0"): lambda word, length: u64(3)}))
good("rntuple-envelope-surplus", "frames", "Further frames behind the known ones.",
     change=lambda file: put(file.ntuple, edit={name: lambda parts: parts + [record(b"more"), listed([])]
                                                for name in ("header", "footer", "pagelist")}))

# 7.1 ----------------------------------------------------------------------------------------------

ELEMENTS, NAME = "rntuple-header-elements", "rntuple-header-name-matches-key"
good(ELEMENTS, "four-empty-lists", "A header with four empty lists.", base=base_of(),
     keeps=[NAME, "rntuple-no-cluster-groups", "rntuple-clusters-partition-entries"])
bad(ELEMENTS, "three-lists", "The header ends after the list of aliases.", change=edit("header", lambda parts: parts[:7]))
bad(ELEMENTS, "no-lists", "The header ends after the writer.", change=edit("header", lambda parts: parts[:4]))
bad(NAME, "renamed", "The key was renamed to copy.", change=lambda file: put(file.ntuple, key_name="copy"))
good("rntuple-header-empty-strings", "all", "Name, description and writer are empty.",
     change=lambda file: put(file.ntuple, name="", writer="", key_name="Events"), also={NAME})

# 7.1.1 --------------------------------------------------------------------------------------------

PARENT, ACYCLIC, EARLIER = ("rntuple-field-parent-exists", "rntuple-field-parents-acyclic",
                            "rntuple-field-parent-earlier")
ROLE, REFERENCE, FLAGS = "rntuple-field-role", "rntuple-field-role-reference", "rntuple-field-flags-defined"
good(PARENT, "own-and-smaller", "Parents are the field itself, or an earlier one.", base=lists,
     keeps=[ACYCLIC, EARLIER, ROLE, REFERENCE, FLAGS, "rntuple-field-names-unique",
            "rntuple-field-name-present", "rntuple-column-field-exists", "rntuple-column-bits",
            "rntuple-column-flags-defined", "rntuple-column-sorted-both"])
bad(PARENT, "number-of-fields", "The parent is the number of fields.", base=lists,
    change=lambda file: put(file.ntuple.find("v", "_0"), parent=2))
bad(PARENT, "largest", "Parent 0xFFFFFFFF.", change=lambda file: put(file.ntuple.find("x"), parent=0xFFFFFFFF))


@valid(ACYCLIC, base=base_of())
def two_hundred_levels(file):
    "A chain of 200 nested records."
    ntuple, parent = file.ntuple, None
    for number in range(200):
        ntuple.fields.append(Field(f"f{number}", f"Class{number}", RECORD, parent))
        parent = ntuple.fields[-1]


def classes(count):
    def base():
        file = base_of()()
        for number in range(count):
            file.ntuple.fields.append(Field(f"f{number}", "Class", RECORD))
        return file
    base.suffix = ints.suffix
    return base


def parents(**by_name):
    def change(file):
        for name, parent in by_name.items():
            file.ntuple.find(name).parent = parent
    return change


bad(ACYCLIC, "two", "Two fields are each other's parents.", base=classes(3), change=parents(f1=2, f2=1))
bad(ACYCLIC, "three", "A cycle of three fields.", base=classes(4), change=parents(f1=2, f2=3, f3=1))
bad(EARLIER, "child-first", "A child is listed before its parent.", base=classes(2), change=parents(f0=1))
bad(ROLE, "five", "Role 5.", base=classes(2), change=lambda file: put(file.ntuple.find("f1"), role=5))
bad(ROLE, "second-byte", "Role 0x0100.", base=classes(2), change=lambda file: put(file.ntuple.find("f1"), role=0x100))
bad(REFERENCE, "streamed", "Role 4.", base=classes(2), change=lambda file: put(file.ntuple.find("f1"), role=4))
for bit in (2, 0x10, 0x8000):
    bad(FLAGS, f"flag-{bit:#06x}", f"Flag {bit:#06x}.",
        change=lambda file, bit=bit: put(file.ntuple.find("x"), flags=bit))
bad("rntuple-dialect-field-flags", "source-and-checksum", "Flags 0x02 and 0x04 in class version 6.", base=later,
    change=lambda file: put(file.ntuple.find("x"), flags=6, more=bytes(8)))
bad("rntuple-dialect-field-flags", "value-range", "Flag 0x08 in class version 6.", base=later,
    change=lambda file: put(file.ntuple.find("x"), flags=8, more=bytes(16)))
good("rntuple-dialect-field-flags", "none", "Flags 0 in class version 6.", base=later,
     also={"rntuple-dialect-max-key-size"}, keeps=["rntuple-dialect-no-metadata-list",
                                                   "rntuple-dialect-representation-index",
                                                   "rntuple-dialect-suppressed-column"])
REPEATED = "rntuple-field-repetitive-is-array"
good(REPEATED, "array", "An array of 3 floats.", base=arrays, keeps=["rntuple-field-repetition-positive"])
good(REPEATED, "bitset", "A bitset.", base=bitsets)
bad(REPEATED, "float", "A float of 3 elements.", base=base_of(("f", "float", [[1.0, 2.0, 3.0]])),
    change=lambda file: put(file.ntuple.find("f"), flags=1, size=3) or put(file.ntuple.clusters[0], entries=1))
bad(REPEATED, "vector", "A vector with flag 0x01.", base=lists,
    change=lambda file: put(file.ntuple.find("v"), flags=1, size=1))
bad(REPEATED, "vector-of-three", "A vector with flag 0x01 and array size 3.", base=lists,
    change=lambda file: put(file.ntuple.find("v"), flags=1, size=3))
bad("rntuple-field-repetition-positive", "zero", "Array size 0.",
    base=base_of(("a", "std::array<float,1>", [[[1.0]]])),
    change=lambda file: put(file.ntuple.find("a"), size=0, type="std::array<float,0>")
    or put(file.ntuple.chunk("a", "_0"), pages=[]))
UNIQUE = "rntuple-field-names-unique"
good(UNIQUE, "in-two-levels", "The same name at the top and in a record.",
     base=base_of(("pt", "float", [[1.0]]), ("r", "LV", [[{"pt": ("float", 1.0)}]])))
bad(UNIQUE, "top", "Two top-level fields x.", base=two, change=lambda file: put(file.ntuple.find("y"), name="x"))
bad(UNIQUE, "members", "Two members pt of a record.", base=records,
    change=lambda file: put(file.ntuple.find("r", "id"), name="pt"))
bad("rntuple-field-name-present", "empty", "A field without a name.", change=lambda file: put(file.ntuple.find("x"), name=""))
bad("rntuple-subfield-order", "variant", "The alternatives of a variant are listed as _1, _0.", base=variants,
    alias="rntuple-map-variant-children",
    change=lambda file: [put(field, name="_1" if field.name == "_0" else "_0")
                         for field in file.ntuple.fields if field.parent is not None])
good("rntuple-field-versions-any", "largest", "Versions 4294967295.",
     change=lambda file: put(file.ntuple.find("x"), version=0xFFFFFFFF, type_version=0xFFFFFFFF))
good("rntuple-field-alias-description-any", "alias", "An alias and a description.",
     change=lambda file: put(file.ntuple.find("x"), alias="std::vector<vector<X::key_t> >", description="any text"))

# 7.1.2 --------------------------------------------------------------------------------------------

BITS, EXISTS, KNOWN = "rntuple-column-bits", "rntuple-column-field-exists", "rntuple-column-flags-defined"
good(BITS, "split-int32", "SplitInt32 with 32 bits.", base=base_of(("x", "std::int32_t", X, {"encoding": "SplitInt32"})))
for kind, type, values, bits in (("Int32", "std::int32_t", [1, 2], 64), ("Bit", "bool", [True], 8),
                                 ("SplitInt32", "std::int32_t", [1, 2], 64)):
    bad(BITS, f"{kind.lower()}-{bits}", f"{kind} with {bits} bits.", base=base_of(("x", type, [values], {"encoding": kind})),
        change=lambda file, bits=bits: put(file.ntuple.column("x"), bits=bits))
bad(BITS, "switch-64", "Switch with 64 bits.", base=variants, change=lambda file: put(file.ntuple.column("u"), bits=64))
bad(EXISTS, "number-of-fields", "The field is the number of fields.", base=two,
    change=lambda file: put(file.ntuple.column("y"), field=2))
bad(EXISTS, "largest", "Field 0xFFFFFFFF.", base=two, change=lambda file: put(file.ntuple.column("y"), field=0xFFFFFFFF))
for bit in (0x10, 0x20, 0x10000):
    bad(KNOWN, f"flag-{bit:#x}", f"Flag {bit:#x} in class version 4.",
        change=lambda file, bit=bit: put(file.ntuple.column("x"), flags=bit))
bad("rntuple-column-sorted-both", "constant", "Both flags of order, over equal values.",
    base=base_of(("x", "std::int32_t", [[5, 5, 5]], {"flags": 3})))
NONZERO, EXTENDED = "rntuple-deferred-index-nonzero", "rntuple-deferred-in-extension"
good(NONZERO, "four", "The first element has index 4.", base=extended,
     keeps=[EXTENDED, "rntuple-element-offset", "rntuple-column-element-count"])
bad(NONZERO, "zero", "A deferred column whose first element has index 0.", base=extended,
    change=lambda file: (put(file.ntuple.column("y"), first=0, flags=8),
                         put(file.ntuple.page("y"), values=[1.0] * 10)))
bad(EXTENDED, "header", "A deferred column in the header.",
    base=base_of(("y", "float", [[0.0, 0.0, 1.0]], {"first": 2})))
good("rntuple-deferred-no-leading-pages", "three-clusters", "The first element is in the second of three clusters.",
     base=base_of(("x", "std::int32_t", [[1, 2, 3], [4, 5, 6, 7], [8, 9]]),
                  ("y", "float", [[0.0, 0.0, 0.0], [0.0, 0.0, 1.5, 2.5], [3.5, 4.5]], {"extension": True, "first": 5})))
bad("rntuple-deferred-no-leading-pages", "all-elements", "The pages have the leading elements too.", base=extended,
    alias="rntuple-column-element-count",
    change=lambda file: put(file.ntuple.page("y"), values=[1.0] * 10) or put(file.ntuple.chunk("y", cluster=1), offset=14))
bad("rntuple-deferred-no-leading-pages", "offset-zero", "The element offset is 0.", base=extended,
    alias="rntuple-element-offset", change=lambda file: put(file.ntuple.chunk("y"), offset=0)
    or put(file.ntuple.chunk("y", cluster=1), offset=6))
good("rntuple-column-type-unknown", "unknown-number", "A column of type 0x2A with 20 bits.",
     base=two, change=lambda file: unknown_column(file, 0x2A))


def unknown_column(file, number):
    column = file.ntuple.column("y")
    column.number, column.bits = number, 20
    page = file.ntuple.page("y")
    page.plain = bytes(8)


bad("rntuple-dialect-late-column-types", "real32trunc", "Type 0x1D with 20 bits.", base=two,
    change=lambda file: unknown_column(file, 0x1D))
bad("rntuple-dialect-late-column-types", "real32quant", "Type 0x1E with 20 bits.", base=two,
    change=lambda file: unknown_column(file, 0x1E))
good("rntuple-dialect-late-column-types", "known", "Types of this text.", base=two)

UP, DOWN, POSITIVE = "rntuple-sorted-ascending-true", "rntuple-sorted-descending-true", "rntuple-nonnegative-true"


def numbers(type, values, flags, encoding=None):
    return base_of(("x", type, values, {"flags": flags, "encoding": encoding}))


def halves(file):
    """Two pages instead of one."""
    chunk = file.ntuple.chunk("x")
    values = chunk.pages[0].values
    chunk.pages = [Page(values[:2]), Page(values[2:])]


good(UP, "two-pages", "1, 1, 2 in two pages, and 2 in the next cluster.",
     base=numbers("std::int32_t", [[1, 1, 2], [2]], 1), change=halves)
good(UP, "negative", "Ascending from negative to positive, zigzag encoded.",
     base=numbers("std::int32_t", [[-5, -1, 0, 3]], 1, "SplitInt32"))
ZEROS = [-0.0, 0.0, -0.0, 0.25, 0.5, 1.0, 1.5]
good(UP, "zeros-of-either-sign", "Ascending numbers, with zeros of either sign.", base=numbers("double", [ZEROS], 1))
good(DOWN, "zeros-of-either-sign", "Descending numbers, with zeros of either sign.",
     base=numbers("float", [ZEROS[::-1]], 2))
good(POSITIVE, "zeros-of-either-sign", "Numbers of 0 or more, with zeros of either sign.", base=numbers("double", [ZEROS], 4))
bad(UP, "falls", "3, 2.", base=numbers("std::int32_t", [[3, 2]], 1))
bad(UP, "across-pages", "Ascending in each page, but not across pages.",
    base=numbers("std::uint16_t", [[5, 6, 1, 2]], 1), change=halves)
bad(UP, "across-clusters", "The second cluster begins with a smaller value.",
    base=numbers("std::int64_t", [[5, 6], [5]], 1))
bad(UP, "nan", "NaN in between.", base=numbers("double", [[1.0, float("nan"), 2.0]], 1))
bad(UP, "two-nans", "NaN at the end, twice.", base=numbers("double", [[1.0, 2.0, float("nan"), float("nan")]], 1))
good(DOWN, "equal", "3, 3, 1.", base=numbers("float", [[3.0, 3.0, -1.0]], 2))
bad(DOWN, "rises", "1, 2.", base=numbers("std::int8_t", [[1, 2]], 2))
bad(DOWN, "later", "Descending, then larger.", base=numbers("double", [[3.0, 3.0, 4.0]], 2))
good(POSITIVE, "zero", "0 and more, minus zero included.", base=numbers("float", [[0.0, -0.0, 2.0]], 4))
bad(POSITIVE, "minus-one", "-1 in an Int16 column.", base=numbers("std::int16_t", [[1, -1]], 4))
bad(POSITIVE, "minus-half", "-0.5 in a Real32 column.", base=numbers("float", [[-0.5]], 4))
bad(POSITIVE, "half-precision", "A negative half precision number.",
    base=base_of(("x", "float", [[1.0, -2.0]], {"flags": 4, "encoding": "Real16"})), also={"rntuple-dialect-low-precision"})

MONOTONE = "rntuple-index-monotone"
good(MONOTONE, "empty-lists", "Empty lists repeat the offset.", base=split_lists)


def offsets(values, base=lists):
    return lambda file: put(file.ntuple.page("v"), values=values)


bad(MONOTONE, "falls", "4, 2, 3.", base=lists, change=offsets([4, 2, 3]))
bad(MONOTONE, "split", "The same in a split index.", base=split_lists, change=offsets([4, 2, 3]))
bad(MONOTONE, "32-bit", "The same in a 32-bit index.",
    base=base_of(("v", "std::vector<float>", LISTS, {"encoding": "SplitIndex32"})), change=offsets([4, 2, 3]))


@invalid(MONOTONE, base=split_lists)
def delta_over_pages(file):
    "The delta encoding goes on in the second page."
    first, second = Page([1]), Page([1, 3])
    second.plain = encode("SplitUInt64", [0, 2])
    file.ntuple.chunk("v").pages = [first, second]


@invalid("rntuple-page-order", alias=MONOTONE, base=lists)
def exchanged(file):
    "Two pages of an index column are exchanged."
    file.ntuple.chunk("v").pages = [Page([3]), Page([1, 1])]


bad("rntuple-index-cluster-relative", "goes-on", "The offsets of the second cluster go on from those of the first.",
    base=base_of(("v", "std::vector<float>", [[[1.0], [2.0]], [[3.0]]])), alias="rntuple-column-element-count",
    change=lambda file: put(file.ntuple.page("v", cluster=1), values=[3]))
bad("rntuple-split-encoding", "unsplit", "A split index page written unsplit.", alias=MONOTONE,
    base=base_of(("v", "std::vector<float>", [[[1.0]] * 300], {"encoding": "SplitIndex64"})),
    change=lambda file: put(file.ntuple.page("v"), plain=encode("Index64", list(range(1, 301)))))
bad("rntuple-delta-encoding", "absolute", "Absolute offsets in a split index.", base=split_lists,
    alias="rntuple-column-element-count",
    change=lambda file: put(file.ntuple.page("v"), plain=encode("SplitUInt64", [1, 1, 3])))
good("rntuple-bit-padding-any", "ones", "The bits behind the last element are 1.",
     base=base_of(("b", "bool", [[True] * 10])), change=lambda file: put(file.ntuple.page("b"), plain=b"\xff\xff"))
bad("rntuple-column-order", "string", "The characters of a string come before its offsets.", base=texts,
    alias="rntuple-map-string-index", change=lambda file: swap_columns(file))


def swap_columns(file):
    ntuple = file.ntuple
    ntuple.columns.reverse()


good("rntuple-char-ascii", "nations", "CH and FR.", base=base_of(("s", "std::string", [["CH", "FR"]])))
bad("rntuple-char-ascii", "utf-8", "A string with UTF-8.", base=base_of(("s", "std::string", [["CH", "\u00b5"]])))
good("rntuple-char-field-any", "any-byte", "Bytes above 0x7F in a char field.", base=base_of(("c", "char", [[0x41, 0xFF]])))
good("rntuple-real-any-bits", "nan", "NaN, infinity, minus zero and a subnormal number.",
     base=base_of(("f", "float", [[float("nan"), float("-inf"), -0.0, 1e-45]])))

# 7.1.3, 7.1.4 -------------------------------------------------------------------------------------

PHYSICAL, FIELD, PROJECTED = ("rntuple-alias-physical-exists", "rntuple-alias-field-exists",
                              "rntuple-alias-field-projected")
good(PHYSICAL, "cardinality", "A projected field.", base=projected, keeps=[FIELD, PROJECTED])


@valid("rntuple-alias-shared-target", base=projected)
def twice(file):
    "Two aliases of one column."
    ntuple = file.ntuple
    field = ntuple.field("m", "ROOT::Experimental::RNTupleCardinality<std::uint64_t>")
    ntuple.aliases.append(Alias(ntuple.column("v"), field))


bad(PHYSICAL, "number-of-columns", "The column is the number of columns.", base=projected,
    change=lambda file: put(file.ntuple.aliases[0], column=2))
bad("rntuple-alias-ids-after-physical", "alias-of-an-alias", "The column is the id of an alias.", base=projected,
    alias=PHYSICAL, change=lambda file: put(file.ntuple.aliases[0], column=2))
bad(FIELD, "number-of-fields", "The field is the number of fields.", base=base_of(("v", "std::vector<float>", LISTS)),
    change=lambda file: file.ntuple.aliases.append(Alias(0, 2)))
bad(PROJECTED, "own-column", "The field of an alias column has a column of its own.", base=two,
    change=lambda file: file.ntuple.aliases.append(Alias(0, 1)))
bad("rntuple-alias-no-pages", "listed", "The page list has a list for the alias column.", base=projected,
    alias="rntuple-page-list-columns",
    change=edit("pagelist", lambda parts: parts[2].items[0].items.append(listed([]))))


def extra(*numbers, content=b""):
    return record(b"".join(map(u32, numbers)), string("T"), content)


EXTRA, CONTENT = "rntuple-extra-type-unique", "rntuple-extra-type-content-known"
good(EXTRA, "two-ranges", "Two records for the versions 1 to 2 and 3 to 4.", keeps=[CONTENT],
     change=lambda file: put(file.ntuple, extra_types=[(False, extra(1, 2, 1, content=string("struct T;"))),
                                                       (False, extra(3, 4, 1))]))
good("rntuple-extra-type-optional", "none", "No extra type information.")
bad(EXTRA, "equal", "Two equal records.",
    change=lambda file: put(file.ntuple, extra_types=[(False, extra(1, 2, 1)), (False, extra(1, 2, 1))]))
bad(CONTENT, "seven", "Content identifier 7.", change=lambda file: put(file.ntuple, extra_types=[(False, extra(1, 2, 7))]))
bad("rntuple-dialect-streamer-info", "zero", "Serialized streamer info in class version 6.", base=later,
    change=lambda file: put(file.ntuple, extra_types=[(False, extra(0, 0, 0))]))
bad(CONTENT, "seven-in-version-6", "Content identifier 7 in class version 6.", base=later, also={"rntuple-dialect-max-key-size"},
    change=lambda file: put(file.ntuple, extra_types=[(False, extra(1, 2, 7))]))
good("rntuple-dialect-streamer-info", "one", "Content identifier 1 in class version 6.", base=later,
     also={"rntuple-dialect-max-key-size"},
     change=lambda file: put(file.ntuple, extra_types=[(False, extra(1, 2, 1))]))

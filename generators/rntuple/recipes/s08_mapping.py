"""8: how C++ types are mapped."""

from generators.rntuple import *

CHILD = "rntuple-map-child-type"


def role(value, *names):
    return lambda file: put(file.ntuple.find(*names), role=value)


def retyped(kind, *names, number=0):
    """The column has another type; its pages have as many bytes as this takes."""
    def change(file):
        column = file.ntuple.column(*names, number=number)
        for cluster in file.ntuple.clusters:
            for page in cluster.chunks[column].pages:
                size = TYPES[kind][1]
                page.plain = bytes((len(page.values) * size + 7) // 8)
        column.kind = kind
    return change


def more_column(kind, *names):
    """The field has one column more, with as many elements."""
    def change(file):
        ntuple = file.ntuple
        field = ntuple.find(*names)
        column = Column(kind, field)
        owned = [each for each in ntuple.columns if each.field is field]
        place = ntuple.columns.index(owned[-1]) + 1 if owned else len(ntuple.columns)
        ntuple.columns.insert(place, column)
        for cluster in ntuple.clusters:
            cluster.chunks[column] = Chunk([])
    return change


def without_columns(*names):
    """The columns of the field are those of a new field."""
    def change(file):
        ntuple = file.ntuple
        field = ntuple.find(*names)
        for column in [each for each in ntuple.columns if each.field is field]:
            ntuple.columns.remove(column)
            for cluster in ntuple.clusters:
                del cluster.chunks[column]
    return change


def renamed(*names, to):
    return lambda file: put(file.ntuple.find(*names), name=to)


def more_child(*names, child="_1", type="float"):
    """One subfield more, with a column without pages."""
    def change(file):
        ntuple = file.ntuple
        field = Field(child, type, parent=ntuple.find(*names))
        ntuple.fields.append(field)
        column = Column(PLAIN[type], field)
        ntuple.columns.append(column)
        for cluster in ntuple.clusters:
            cluster.chunks[column] = Chunk([])
    return change


def childless(*names):
    """The subfield is a top-level field; entries fit."""
    def change(file):
        ntuple = file.ntuple
        field = ntuple.find(*names)
        drop(ntuple, field)
    return change


def drop(ntuple, field):
    for child in [each for each in ntuple.fields if each.parent is field]:
        drop(ntuple, child)
    for column in [each for each in ntuple.columns if each.field is field]:
        ntuple.columns.remove(column)
        for cluster in ntuple.clusters:
            del cluster.chunks[column]
    ntuple.fields.remove(field)


def typed(type, *names):
    return lambda file: put(file.ntuple.find(*names), type=type)


both = lambda *changes: lambda file: [change(file) for change in changes]

# 8 ------------------------------------------------------------------------------------------------

good("rntuple-map-free-composition", "deep", "A deep composition.", keeps=["rntuple-map-type-supported", CHILD],
     base=base_of(("m", "std::vector<std::map<std::string,std::optional<std::array<std::variant<std::int32_t,std::pair<float,std::string>>,2>>>>",
                   [[[[("a", None), ("b", [(0, 1), (1, (2.0, "x"))])], []], []]])))
SUPPORTED = "rntuple-map-type-supported"
good(SUPPORTED, "vector", "A vector of integers.", base=base_of(("v", "std::vector<std::int32_t>", [[[1], []]])),
     keeps=["rntuple-dialect-late-std-types"])
for name in ("list", "deque", "multiset"):
    bad(SUPPORTED, name, f"std::{name} in class version 4.", base=lists, change=typed(f"std::{name}<float>", "v"))
bad(SUPPORTED, "user-class", "A user class in the namespace std.", base=records, change=typed("std::LV", "r"))
bad(SUPPORTED, "byte", "std::byte over a UInt8 column.", base=base_of(("b", "std::byte", [[1, 2]])), change=retyped("UInt8", "b"))
bad("rntuple-dialect-late-std-types", "byte", "std::byte over a Byte column.", base=base_of(("b", "std::byte", [[1, 2]])))
for name, type, values in (("multiset", "std::multiset<float>", [[[1.0], []]]),
                           ("unordered-multimap", "std::unordered_multimap<std::string,float>", [[[("a", 1.0)]]])):
    bad("rntuple-dialect-late-std-types", name, f"{type} in class version 6.",
        base=base_of(("s", type, values), version=6), also={"rntuple-dialect-max-key-size"})
good(CHILD, "spellings", "Spellings of one type.", base=base_of(("v", "std::vector<std::int32_t>", [[[1], []]])),
     change=typed("std::vector< Int_t >", "v"))
bad(CHILD, "double", "A vector of floats whose items are doubles.", base=base_of(("v", "std::vector<double>", [[[1.0], []]])),
    change=typed("std::vector<float>", "v"))
bad(CHILD, "pair", "The second member has another type.", base=pairs, change=typed("std::pair<float,float>", "p"))

# 8.1 ----------------------------------------------------------------------------------------------

LEAF, ONE = "rntuple-map-fundamental-leaf", "rntuple-map-fundamental-one-column"
good(LEAF, "float", "A float.", base=floats, keeps=[ONE, "rntuple-dialect-low-precision"])
bad(LEAF, "record", "A float with role 2.", base=floats, change=role(2, "f"))
bad(LEAF, "subfield", "An integer with a subfield.", change=more_child("x", child="_0"))
bad(ONE, "no-column", "A float without a column.", base=two, change=both(without_columns("x")))
bad(ONE, "two-columns", "A float with two columns.", base=floats, change=more_column("Real32", "f"))
WRONG = {"bool": ("UInt8", "Char"), "char": ("Int8", "Switch"), "int8": ("UInt8", "Switch"),
         "uint8": ("Byte", "Switch"), "int16": ("SplitUInt16", "Switch"), "uint16": ("Int16", "Switch"),
         "int32": ("UInt32", "Switch"), "uint32": ("SplitInt32", "Switch"), "int64": ("SplitInt32", "Switch"),
         "uint64": ("SplitIndex64", "Switch"), "float": ("SplitUInt32", "Switch"), "double": ("SplitUInt64", "Switch")}
for name, wrong in WRONG.items():
    type = f"std::{name}_t" if "int" in name else name
    clause = f"rntuple-map-{name}"
    values = [[0, 1, 1]]
    good(clause, "plain", f"{type} over {PLAIN[type]}.", base=base_of(("x", type, values)))
    if f"Split{PLAIN[type]}" in TYPES:
        good(clause, "split", f"{type} over Split{PLAIN[type]}.",
             base=base_of(("x", type, values, {"encoding": f"Split{PLAIN[type]}"})))
    for kind in wrong:
        bad(clause, kind.lower(), f"{type} over {kind}.", base=base_of(("x", type, values)), change=retyped(kind, "x"))
good("rntuple-map-uint8", "unsigned-char", "unsigned char.", base=base_of(("x", "std::uint8_t", [[1]])),
     change=typed("unsigned char", "x"))
good("rntuple-map-alternative-encoding", "raw-split", "SplitReal32 in uncompressed data.",
     base=base_of(("x", "float", [[1.0, 2.0]], {"encoding": "SplitReal32"})))
good("rntuple-map-qualifiers", "const-volatile", "const and volatile.", base=two,
     change=both(typed("const std::int32_t", "x"), typed("volatile double", "y")))
good("rntuple-map-qualifiers", "behind-the-type", "const behind the type.", base=two,
     change=both(typed("std::int32_t const", "x"), typed("double const volatile", "y")))
PRECISION = "rntuple-dialect-low-precision"
bad(PRECISION, "float-real16", "float over Real16.", base=base_of(("x", "float", [[1.0, 2.0]], {"encoding": "Real16"})))
bad(PRECISION, "double-split-real32", "double over SplitReal32 without type alias.",
    base=base_of(("x", "double", [[1.0, 2.0]], {"encoding": "SplitReal32"})))
bad("rntuple-map-double", "real16", "double over Real16 in class version 4.",
    base=base_of(("x", "double", [[1.0, 2.0]], {"encoding": "Real16"})))

# 8.2 ----------------------------------------------------------------------------------------------

DOUBLE32 = "rntuple-map-double32"
good(DOUBLE32, "split-real32", "double with alias Double32_t over SplitReal32.",
     base=base_of(("x", "double", [[1.0]], {"encoding": "SplitReal32", "alias": "Double32_t"})))
good(DOUBLE32, "real32", "double with alias Double32_t over Real32.",
     base=base_of(("x", "double", [[1.0]], {"encoding": "Real32", "alias": "Double32_t"})))
bad(DOUBLE32, "split-real64", "Alias Double32_t on a double over SplitReal64.",
    base=base_of(("x", "double", [[1.0]], {"encoding": "SplitReal64", "alias": "Double32_t"})))
bad(DOUBLE32, "float", "Alias Double32_t on a float.", base=base_of(("x", "float", [[1.0]], {"alias": "Double32_t"})))

# 8.3.1 --------------------------------------------------------------------------------------------

good("rntuple-map-string-leaf", "two-columns", "A string over Index64 and Char.", base=texts,
     keeps=["rntuple-map-string-columns", "rntuple-map-string-index", "rntuple-map-string-char"])
good("rntuple-map-string-index", "split-index32", "A string over SplitIndex32, as the text says.",
     base=base_of(("s", "std::string", [["a", "bc"]], {"encoding": "SplitIndex32"})))
bad("rntuple-map-string-leaf", "collection", "A string with role 1.", base=texts, change=role(1, "s"))
bad("rntuple-map-string-leaf", "subfield", "A string with a subfield.", base=texts, change=more_child("s", child="_0", type="char"))
bad("rntuple-map-string-columns", "one", "A string with one column.", base=texts, change=lambda file: drop_column(file, 1))
bad("rntuple-map-string-columns", "three", "A string with three columns.", base=texts, change=more_column("Char", "s"))
bad("rntuple-map-string-index", "uint64", "The first column is UInt64.", base=texts, change=retyped("UInt64", "s"))
bad("rntuple-map-string-char", "byte", "The second column is Byte.", base=texts, change=retyped("Byte", "s", number=1))
bad("rntuple-map-string-char", "uint8", "The second column is UInt8.", base=texts, change=retyped("UInt8", "s", number=1))


def drop_column(file, number):
    column = file.ntuple.columns.pop(number)
    for cluster in file.ntuple.clusters:
        del cluster.chunks[column]


# Collections --------------------------------------------------------------------------------------

for name, base, field in (("vector", lists, "v"), ("optional", optionals, "o"), ("set", sets, "s"), ("map", maps, "m")):
    clause = f"rntuple-map-{name}"
    good(f"{clause}-collection", "index64", f"{name} over Index64.", base=base,
         keeps=[f"{clause}-index", f"{clause}-child", CHILD])
    bad(f"{clause}-collection", "leaf", f"{name} with role 0.", base=base, change=role(0, field))
    bad(f"{clause}-collection", "record", f"{name} with role 2.", base=base, change=role(2, field))
    bad(f"{clause}-index", "uint64", f"{name} over UInt64.", base=base, change=retyped("UInt64", field))
    bad(f"{clause}-index", "two-columns", f"{name} with two index columns.", base=base, change=more_column("Index64", field))
    bad(f"{clause}-index", "no-column", f"{name} without a column.", base=base, change=without_columns(field))
    bad(f"{clause}-child", "item", f"The items of {name} are called item.", base=base, change=renamed(field, "_0", to="item"))
    bad(f"{clause}-child", "two", f"{name} with two subfields.", base=base, change=more_child(field))
    bad(f"{clause}-child", "none", f"{name} without subfield.", base=base, change=childless(field, "_0"))
good("rntuple-map-vector-index", "split-index32", "A vector over SplitIndex32.",
     base=base_of(("v", "std::vector<float>", LISTS, {"encoding": "SplitIndex32"})))
good("rntuple-map-rvec-name", "vecops", "ROOT::VecOps::RVec.", base=base_of(("v", "ROOT::VecOps::RVec<float>", LISTS)))
bad("rntuple-map-rvec-name", "rvec", "ROOT::RVec.", base=base_of(("v", "ROOT::RVec<float>", LISTS)))
bad("rntuple-map-rvec-name", "vec", "ROOT::Vec.", base=base_of(("v", "ROOT::Vec<float>", LISTS)))
good("rntuple-map-map-pair", "pair", "A map of pairs.", base=maps)
bad("rntuple-map-map-pair", "tuple", "The items of a map are tuples.", base=maps,
    change=typed("std::tuple<std::string,float>", "m", "_0"))
bad("rntuple-map-map-pair", "value", "The items of a map are the values alone.",
    base=base_of(("m", "std::vector<float>", LISTS)), change=typed("std::map<std::string,float>", "m"))
CARDINALITY = "rntuple-map-optional-cardinality"
good(CARDINALITY, "none-and-one", "0 and 1 value.", base=optionals)
good(CARDINALITY, "beside-others", "Optional numbers and texts before and behind fields that always have a value, in three clusters.",
     base=base_of(("o", "std::optional<float>", [[1.0, None], [None, 2.5, 3.0], [None]]),
                  ("s", "std::string", [["a", ""], ["bcd", "e", ""], ["fg"]]),
                  ("m", "std::optional<double>", [[None, 0.5], [1.5, None, 2.5], [3.5]], {"encoding": "Bit"}),
                  ("t", "std::optional<std::string>", [[None, "x"], ["", None, "yz"], ["w"]]),
                  ("x", "std::int32_t", [[1, -2], [3, 4, 5], [-6]]),
                  ("i", "std::optional<std::int16_t>", [[None, None], [7, None, -8], [9]]),
                  ("b", "bool", [[True, False], [True, True, False], [True]])))
good("rntuple-map-optional-dense", "mask", "A mask, and a value for each entry.", base=masks, keeps=["rntuple-map-optional-index"])
for name, values, shows in (("two", [[1.0], [], [2.0, 3.0]], "2 values in an entry."), ("first", [[1.0, 2.0]], "2 values in the first entry.")):
    bad(CARDINALITY, name, shows, base=base_of(("o", "std::vector<float>", [values])), change=typed("std::optional<float>", "o"))
bad("rntuple-map-optional-index", "uint8-mask", "A mask of UInt8.", base=masks, change=retyped("UInt8", "o"))

# 8.3.3 --------------------------------------------------------------------------------------------

ARRAY = "rntuple-map-array"
good(f"{ARRAY}-repetitive", "three", "std::array<float,3>.", base=arrays,
     keeps=[f"{ARRAY}-size", f"{ARRAY}-no-columns", f"{ARRAY}-child", CHILD])
good(f"{ARRAY}-size", "c-style", "float[2].", base=base_of(("a", "float[2]", [[[1.0, 2.0]]])))
good(f"{ARRAY}-repetitive", "of-no-elements", "std::array<float,0> without the flag.",
     base=base_of(("a", "std::array<float,0>", [[[], []]])))
good(f"{ARRAY}-nested", "two-by-three", "std::array<std::array<float,3>,2>.",
     base=base_of(("a", "std::array<std::array<float,3>,2>", [[[[1, 2, 3], [4, 5, 6]]]])))
bad(f"{ARRAY}-repetitive", "no-flag", "An array without flag 0x01.", base=arrays,
    change=lambda file: put(file.ntuple.find("a"), flags=0, size=None))
bad(f"{ARRAY}-size", "four", "Array size 4 of std::array<float,3>.", base=arrays, change=lambda file: put(file.ntuple.find("a"), size=4))
bad(f"{ARRAY}-size", "c-style", "Array size 3 of float[2].", base=arrays, change=typed("float[2]", "a"))
bad(f"{ARRAY}-no-columns", "column", "A column on the array.", base=arrays, change=more_column("Real32", "a"))
bad(f"{ARRAY}-child", "none", "An array without subfield.", base=arrays, change=childless("a", "_0"))
bad(f"{ARRAY}-child", "three", "Three subfields.", base=arrays, change=both(more_child("a"), more_child("a", child="_2")))

# 8.3.4 --------------------------------------------------------------------------------------------

VARIANT_OF = "rntuple-map-variant"
good(f"{VARIANT_OF}-role", "two", "A variant of two.", base=variants,
     keeps=[f"{VARIANT_OF}-type", f"{VARIANT_OF}-switch", f"{VARIANT_OF}-children", CHILD, "rntuple-switch-tag-range",
            "rntuple-switch-index-range", "rntuple-switch-index-order"])
for number in (1, 2):
    bad(f"{VARIANT_OF}-role", f"role-{number}", f"A variant with role {number}.", base=variants, change=role(number, "u"))
bad(f"{VARIANT_OF}-type", "user-class", "Role 3 on a user class.", base=variants, change=typed("MyVariant", "u"))
bad(f"{VARIANT_OF}-switch", "index64", "A variant over Index64.", base=variants, change=retyped("Index64", "u"))
bad(f"{VARIANT_OF}-switch", "two", "A variant with two columns.", base=variants, change=more_column("Index64", "u"))
bad(f"{VARIANT_OF}-switch", "none", "A variant without column.", base=variants, change=without_columns("u"))
bad(f"{VARIANT_OF}-children", "one-less", "A variant of three with two subfields.", base=variants,
    change=typed("std::variant<float,std::string,bool>", "u"))
bad(f"{VARIANT_OF}-children", "from-one", "The subfields are called _1 and _2.", base=variants,
    change=lambda file: [put(field, name=name) for field, name in zip([f for f in file.ntuple.fields if f.parent], ("_1", "_2"))])
good("rntuple-variant-invalid-state", "tag-0", "A value without alternative.", base=variants)
TAG, INDEX, ORDER = "rntuple-switch-tag-range", "rntuple-switch-index-range", "rntuple-switch-index-order"


def switched(*values):
    return lambda file: put(file.ntuple.page("u"), values=[*values])


bad(TAG, "third-of-two", "Tag 3 of 2.", base=variants, change=switched((0, 1), (0, 2), (0, 3), (1, 2), (1, 1)))
bad(TAG, "largest", "Tag 0xFFFFFFFF.", base=variants, change=switched((0, 1), (0, 2), (0, 0xFFFFFFFF), (1, 2), (1, 1)))
bad(INDEX, "number-of-instances", "An index equal to the number of instances.", base=variants,
    change=switched((0, 1), (0, 2), (0, 0), (1, 2), (2, 1)))
bad(INDEX, "over-clusters", "The index of the second cluster goes on from the first.",
    base=base_of(("u", "std::variant<float,bool>", [[(0, 1.0)], [(0, 2.0)]])),
    change=lambda file: put(file.ntuple.page("u", cluster=1), values=[(1, 1)]))
bad(ORDER, "backwards", "The first value has index 1.", base=variants, change=switched((1, 1), (0, 2), (0, 0), (1, 2), (0, 1)))
good(ORDER, "two-pages", "The indexes go on over two pages.", base=variants,
     change=lambda file: put(file.ntuple.chunk("u"), pages=[Page([(0, 1), (0, 2), (0, 0)]), Page([(1, 2), (1, 1)])]))
bad(ORDER, "two-pages", "The second page begins again.", base=variants,
    change=lambda file: put(file.ntuple.chunk("u"), pages=[Page([(0, 1), (0, 2), (0, 0)]), Page([(1, 2), (0, 1)])]))

# 8.3.5, 8.3.6 -------------------------------------------------------------------------------------

for name, base, field in (("pair", pairs, "p"), ("tuple", tuples, "t")):
    clause = f"rntuple-map-{name}"
    good(f"{clause}-record", "all", f"A {name}.", base=base, keeps=[f"{clause}-no-columns", f"{clause}-children", CHILD])
    for number in (0, 1):
        bad(f"{clause}-record", f"role-{number}", f"A {name} with role {number}.", base=base, change=role(number, field))
    bad(f"{clause}-no-columns", "index", f"An index column on the {name}.", base=base, change=more_column("Index64", field))
    bad(f"{clause}-children", "names", f"A subfield of the {name} is called first.", base=base, change=renamed(field, "_0", to="first"))
    bad(f"{clause}-children", "one-more", f"One subfield of the {name} more.", base=base, change=more_child(field, child="_9"))
    bad(f"{clause}-children", "one-less", f"One subfield of the {name} less.", base=base, change=childless(field, "_1"))

# 8.3.7 --------------------------------------------------------------------------------------------

BITSET = "rntuple-map-bitset"
good(f"{BITSET}-repetitive-leaf", "42", "std::bitset<42>.", base=bitsets, keeps=[f"{BITSET}-size", f"{BITSET}-bit"])
bad(f"{BITSET}-repetitive-leaf", "no-flag", "A bitset without flag 0x01.", base=bitsets,
    change=lambda file: put(file.ntuple.find("b"), flags=0, size=None))
bad(f"{BITSET}-repetitive-leaf", "collection", "A bitset with role 1.", base=bitsets, change=role(1, "b"))
bad(f"{BITSET}-size", "64", "Array size 64 of std::bitset<42>.", base=bitsets, change=lambda file: put(file.ntuple.find("b"), size=64))
bad(f"{BITSET}-bit", "uint64", "A bitset over UInt64.", base=bitsets, change=retyped("UInt64", "b"))
bad(f"{BITSET}-bit", "none", "A bitset without column.", base=bitsets, change=without_columns("b"))

# 8.4, 8.5 -----------------------------------------------------------------------------------------

ATOMIC, ENUM = "rntuple-map-atomic", "rntuple-map-enum"
good(f"{ATOMIC}-leaf", "int32", "An atomic integer.", base=atomics, keeps=[f"{ATOMIC}-no-columns", f"{ATOMIC}-child", CHILD])
bad(f"{ATOMIC}-leaf", "record", "An atomic with role 2.", base=atomics, change=role(2, "a"))
bad(f"{ATOMIC}-no-columns", "column", "A column on the atomic.", base=atomics, change=more_column("Int32", "a"))
bad(f"{ATOMIC}-child", "value", "The subfield is called value.", base=atomics, change=renamed("a", "_0", to="value"))
bad(f"{ATOMIC}-child", "none", "An atomic without subfield.", base=atomics, change=childless("a", "_0"))
good(f"{ENUM}-no-columns", "color", "An enum.", base=enums, keeps=[f"{ENUM}-child", f"{ENUM}-integer"])
bad(f"{ENUM}-no-columns", "column", "A column on the enum.", base=enums, change=more_column("Int32", "e"))
for clause, base, field in ((ENUM, enums, "e"), (ATOMIC, atomics, "a")):
    bad(f"{clause}-no-columns", "column-instead", "A column instead of the subfield.", base=base,
        change=both(childless(field, "_0"), more_column("Int32", field)))
bad(f"{ENUM}-child", "none", "An enum without subfield.", base=enums, change=childless("e", "_0"))
bad(f"{ENUM}-child", "two", "An enum with two subfields.", base=enums, change=more_child("e", type="std::int32_t"))
bad(f"{ENUM}-integer", "float", "An enum over a float.", base=base_of(("e", "std::atomic<float>", [[1.0]])), change=typed("Color", "e"))
bad(f"{ENUM}-integer", "string", "An enum over a string.", base=base_of(("e", "std::atomic<std::string>", [["a"]])), change=typed("Color", "e"))

# 8.6, 8.7 -----------------------------------------------------------------------------------------

CLASS, PROXY = "rntuple-map-class", "rntuple-map-proxy"
good(f"{CLASS}-no-columns", "members", "A class with two members.", base=records, keeps=[f"{CLASS}-bases"])
good(f"{CLASS}-bases", "two", "Two base classes beside a member.", base=records,
     change=both(renamed("r", "pt", to=":_0"), renamed("r", "id", to=":_1")))
good(f"{CLASS}-bases", "other-names", "Member names with colons.", base=records, change=renamed("r", "pt", to="EventInfoAux:"))
bad(f"{CLASS}-no-columns", "index", "An index column on the class.", base=records, change=more_column("Index64", "r"))
bad(f"{CLASS}-bases", "only-one", "Only :_1.", base=records, change=renamed("r", "pt", to=":_1"))
bad(f"{CLASS}-bases", "twice", ":_0 twice.", base=records, change=both(renamed("r", "pt", to=":_0"), renamed("r", "id", to=":_0")))
bad(f"{CLASS}-bases", "gap", ":_0 and :_2.", base=records, change=both(renamed("r", "pt", to=":_0"), renamed("r", "id", to=":_2")))
good(f"{PROXY}-index", "custom", "A custom collection.", base=lists, change=typed("Custom", "v"), keeps=[f"{PROXY}-child"])
good("rntuple-map-untyped-collection", "members", "An untyped collection with a member pt.", base=lists,
     change=both(typed("", "v"), renamed("v", "_0", to="pt")), keeps=[f"{PROXY}-index"])
bad(f"{PROXY}-index", "none", "A custom collection without column.", base=lists, change=both(typed("Custom", "v"), without_columns("v")))
bad(f"{PROXY}-child", "two", "A custom collection with two subfields.", base=lists, change=both(typed("Custom", "v"), more_child("v")))
bad(f"{PROXY}-child", "name", "The subfield is called x.", base=lists, change=both(typed("Custom", "v"), renamed("v", "_0", to="x")))
OF, SIZE = "rntuple-map-cardinality-index", "rntuple-map-cardinality-size-type"
good(OF, "alias", "An alias of the index column.", base=projected, keeps=[SIZE])


def more_alias(file):
    ntuple = file.ntuple
    ntuple.aliases.append(Alias(ntuple.column("v"), ntuple.find("n")))


bad(OF, "real32", "An alias of a Real32 column.", base=projected,
    change=lambda file: put(file.ntuple.aliases[0], column=file.ntuple.column("v", "_0")))
bad(OF, "two", "Two columns.", base=projected, change=more_alias)
bad(OF, "collection", "Role 1.", base=projected, change=role(1, "n"))
for name in ("int32", "uint16"):
    bad(SIZE, name, f"The size type is std::{name}_t.", base=projected,
        change=typed(f"ROOT::Experimental::RNTupleCardinality<std::{name}_t>", "n"))

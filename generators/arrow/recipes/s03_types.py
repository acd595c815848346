"""Schema.fbs: the types, what children they have, what their values may be."""

from generators.arrow import *

NEWER = "arrow-type-newer-than-1-0"

# UTF-8 --------------------------------------------------------------------------------------------

TEXT = "arrow-utf8-values-valid"


def of_bytes(f, values, type=UTF8):
    """The column "a" with bytes that need be no text."""
    large = type.kind == "LargeUtf8"
    made = array(field("a", LARGE_BINARY if large else BINARY), values)
    f.schema.fields = [field("a", type)]
    f.batches[0].batch = Batch([made])


@valid(TEXT, base=base_of((field("a", UTF8), ["a", "€", "𝄞\0", "\ufffe", None])))
def of_each_length(f):
    "Characters of 1 to 4 bytes, a NUL and a noncharacter."


@valid(TEXT, base=base_of((field("a", LARGE_UTF8), ["\U0010ffff", "\ud7ff", "\ue000"])))
def at_the_edges(f):
    "U+10FFFF, U+D7FF and U+E000."


for name, shows, values in (
        ("byte-ff", "the byte FF", [b"a\xff"]), ("overlong", "C0 80 for NUL", [b"ok", b"\xc0\x80"]),
        ("surrogate", "the surrogate ED A0 80", [b"\xed\xa0\x80", None]),
        ("above-10ffff", "F4 90 80 80, above U+10FFFF", [None, b"\xf4\x90\x80\x80"]),
        ("split", "a character that is split over two slots", ["é".encode()[:1], "é".encode()[1:]]),
        ("cut", "a character that is cut at the end of the data", [b"ok", b"\xe2\x82"])):
    @invalid(TEXT, name, f"A text has {shows}.")
    def no_text(f, values=values):
        of_bytes(f, values)

    @invalid(TEXT, f"{name}-large", f"A text with 64-bit offsets has {shows}.", base=ints_file)
    def no_large_text(f, values=values):
        of_bytes(f, values, LARGE_UTF8)


@invalid(TEXT, base=words)
def in_a_dictionary(f):
    "A dictionary of texts has the byte FF."
    f.dictionaries[0].batch = Batch([array(field("a", BINARY), [b"foo", b"\xff", b"baz"])])


@invalid(TEXT, base=sparse)
def in_an_unselected_slot(f):
    "A slot of a sparse union that is not selected has an overlong text."
    f.array("a").children[1] = array(field("s", BINARY), [b"\xc0\xaf", b"joe", b"", b"m", b"", b"x"])


@valid(TEXT, base=texts)
def under_nulls(f):
    "Bytes that are not text, under null slots only."
    of_bytes(f, [b"ok", b"\xff\xfe", b"\xc3"])
    f.array("a").hide(1, 2)


# V4 -----------------------------------------------------------------------------------------------

def of_v4(base, nulls):
    def made():
        f = base()
        f.version = V4
        union = f.array("a")
        union.buffers.insert(0, bits([i not in nulls for i in range(union.length)]))
        union.null_count = len(nulls)
        return f
    made.suffix = base.suffix
    return made


V4_BITMAP = "arrow-union-v4-bitmap"


@valid(V4_BITMAP, base=of_v4(dense, [1]), keeps=["arrow-batch-buffer-count"])
def dense_of_v4(f):
    "A dense union of V4: validity, type ids, offsets; the null slot has id 9 and offset 77."
    f.array("a").buffers[1].values[1], f.array("a").buffers[2].values[1] = 9, 77


@valid(V4_BITMAP, base=in_file(of_v4(sparse, [0, 4])), keeps=["arrow-message-version-readable"])
def sparse_of_v4(f):
    "A sparse union of V4 in a file: validity, type ids."


@valid(V4_BITMAP, base=of_v4(dense, []))
def elided(f):
    "A dense union of V4 whose bitmap is left out."
    f.array("a").buffers[0].values = []


@invalid("arrow-null-count-exact", "union-of-v4", "The null count of a union of V4 is 2, its bitmap "
         "has one zero bit.", base=of_v4(dense, [1]))
def count_of_v4(f):
    f.array("a").null_count = 2


@invalid("arrow-union-type-id-known", "union-of-v4", "A valid slot of a union of V4 has type id 9.",
         base=of_v4(dense, [1]))
def id_of_v4(f):
    f.array("a").buffers[1].values[0] = 9


@invalid("arrow-batch-buffer-count", "v4-without-bitmap", "A union of V4 with the buffers of V5.",
         base=dense)
def buffers_of_v5(f):
    f.version = V4


# Which type ---------------------------------------------------------------------------------------

@valid("arrow-field-type-present", base=bools)
def bool_without_parameters(f):
    "A Bool field: tag 6 and an empty table."


@invalid("arrow-field-type-present")
def absent(f):
    "A field without type."
    del f.field("a").type_type, f.field("a").type


@invalid("arrow-field-type-present", base=in_file(lists))
def none_written(f):
    "The child of a list has the type tag 0, written out."
    del f.field("a.item").type
    f.field("a.item").type_type = 0
    f.style = Style(defaults=True)


@valid("arrow-field-type-known", base=large_lists)
def large_list(f):
    "LargeList, tag 21."


for tag in (27, 200, 255):
    @invalid("arrow-field-type-known", f"tag-{tag}", f"A field with the type tag {tag}.",
             base=ints_file if tag == 200 else ints)
    def unknown(f, tag=tag):
        f.field("a").type_type = tag


@valid(NEWER, base=base_of((field("a", decimal(38)), [1])), until="arrow-columnar-1.0")
def decimal_128(f):
    "A decimal of 128 bits."


for bits_, precision in ((32, 9), (64, 18), (256, 76)):
    other(NEWER, f"decimal-{bits_}", f"A decimal of {bits_} bits.",
          base_of((field("a", decimal(38)), [999, None, -1])),
          base_of((field("a", decimal(precision, 0, bits_)), [10**precision - 1, None, -1])),
          revised=later("arrow-decimal-256" if bits_ == 256 else "arrow-decimal-narrow"))

other(NEWER, "month-day-nano", "An interval of months, days and nanoseconds.",
      base_of((field("a", interval(1)), [(1, -1), None])),
      base_of((field("a", interval(2)), [(1, -1, 5), None])),
      revised=later("arrow-interval-month-day-nano"))


def views(*values):
    return Buffer(content=b"".join(integer(len(v), 4) + v.ljust(12, b"\0") for v in values))


newer = base_of((field("a", I32), [1, 2]), (field("z", I32), [3, 4]))


def in_the_place_of(f, of, made, variadic=None):
    """Between the two columns of `newer`."""
    f.schema.fields.insert(1, of)
    f.batch.arrays.insert(1, made)
    f.batch.variadic = variadic


for type in (UTF8_VIEW, BINARY_VIEW):
    @invalid(NEWER, type.kind.lower(), f"A column of type {type.kind} with one data buffer.",
             base=newer, outcome="unchecked", informs={NEWER},
             revised=later("arrow-view-buffer-index-in-range"))
    def of_views(f, type=type):
        buffers = [Buffer([]), views(b"joe", b"mark"), Buffer(content=b"sixteen bytes...")]
        in_the_place_of(f, field("v", type), Array(type.kind, 2, 0, buffers), [1])


for type, width in ((LIST_VIEW, 4), (LARGE_LIST_VIEW, 8)):
    @invalid(NEWER, type.kind.lower(), f"A column of type {type.kind}.", base=newer,
             outcome="unchecked", informs={NEWER},
             revised=later("arrow-list-view-end-in-child"))
    def of_list_views(f, type=type, width=width):
        item = field("item", I8)
        buffers = [Buffer([]), Buffer([2, 0], width), Buffer([1, 2], width)]
        in_the_place_of(f, field("v", type, item),
                        Array(type.kind, 2, 0, buffers, [array(item, [1, 2, 3])]))


@invalid(NEWER, base=in_file(newer), outcome="unchecked", informs={NEWER},
         revised=later("arrow-run-ends-cover-length"))
def run_ends(f):
    "A run-end encoded column."
    ends, values = field("run_ends", I32, nullable=False), field("values", UTF8)
    in_the_place_of(f, field("v", RUN_END, ends, values),
                    Array("RunEndEncoded", 2, 0, [], [array(ends, [2]), array(values, ["x"])]))


# Children -----------------------------------------------------------------------------------------

@valid("arrow-primitive-no-children", base=texts)
def absent_children(f):
    "A Utf8 field whose vector of children is left out."
    del f.field("a").children


@invalid("arrow-primitive-no-children")
def child_of_an_integer(f):
    "An Int32 field with one child."
    f.field("a").children = [field("item", I32)]


@invalid("arrow-primitive-no-children", base=texts)
def child_of_a_text(f):
    'A Utf8 field with a child "item".'
    f.field("a").children = [field("item", U8)]


@invalid("arrow-primitive-no-children", base=in_file(texts))
def child_of_a_text_in_a_file(f):
    "A Utf8 field with a child, in the stream and in the footer."
    f.field("a").children = [field("item", U8)]


@invalid("arrow-primitive-no-children", base=words)
def child_of_a_dictionary(f):
    "A dictionary of texts whose children describe the keys."
    f.field("a").children = [field("indices", I32)]


ONE_CHILD = (("arrow-list-one-child", "list", lists), ("arrow-list-one-child", "large-list", large_lists),
             ("arrow-fixed-size-list-one-child", "fixed-size-list", fixed_lists))
for clause, name, base in ONE_CHILD:
    @valid(clause, name, f"One child: {name}.", base=base)
    def one_child(f):
        pass

    @invalid(clause, f"{name}-without", f"No child: {name}.", base=base)
    def no_child(f):
        f.field("a").children = []

    @invalid(clause, f"{name}-with-two", f"Two children: {name}.", base=in_file(base))
    def two_children(f):
        f.field("a").children += [field("more", I8)]


# Maps ---------------------------------------------------------------------------------------------

MAP_CLAUSES = ["arrow-map-entries-struct", "arrow-map-entries-two-children",
               "arrow-map-entries-not-nullable", "arrow-map-key-not-nullable",
               "arrow-map-entries-no-nulls", "arrow-map-keys-no-nulls"]


@valid("arrow-map-one-child", base=maps, keeps=MAP_CLAUSES)
def as_it_should_be(f):
    "A map of texts to integers."


for name, count in (("key-and-value", 2), ("without", 0)):
    @invalid("arrow-map-one-child", name, f"A map with {count} children.", base=maps)
    def other_children(f, count=count):
        f.field("a").children = f.field("a.entries").children[:count]


def with_entries(f, type, children, *values):
    """The entries of the map are of another type, and so are those in the batch."""
    f.field("a").children = [field("entries", type, *children, nullable=False)]
    f.batches[0].batch = Batch([array(f.field("a"), [[*values], None, []])])


KEY, VALUE = field("key", UTF8, nullable=False), field("value", I32)
for name, type, children, values in (
        ("list", LIST, [field("item", I8)], [[1, 2], []]),
        ("union", union(DENSE), [KEY, VALUE], [(0, "a"), (1, 2)]), ("int32", I32, [], [1, 2])):
    @invalid("arrow-map-entries-struct", name, f"The entries of a map are of another type: {name}.",
             base=maps)
    def other_type(f, type=type, children=children, values=values):
        with_entries(f, type, children, *values)


@invalid("arrow-map-entries-two-children", base=maps)
def keys_alone(f):
    "The entries have a key and no value."
    with_entries(f, STRUCT, [KEY], ("a",), ("b",))


@invalid("arrow-map-entries-two-children", base=in_file(maps))
def three_children(f):
    "The entries have three children."
    with_entries(f, STRUCT, [KEY, VALUE, field("more", I8)], ("a", 1, 2), ("b", None, 3))


@invalid("arrow-map-entries-not-nullable", base=maps)
def nullable_entries(f):
    "The entries are nullable."
    f.field("a.entries").nullable = True


@invalid("arrow-map-key-not-nullable", base=maps)
def nullable_key(f):
    "The key is nullable, the value is not."
    f.field("a.entries.key").nullable = True
    f.field("a.entries.value").nullable = False
    f.batches[0].batch = Batch([array(f.schema.fields[0], [[("a", 1)], None])])


@valid("arrow-map-key-not-nullable", base=in_file(maps))
def value_alone(f):
    "The key is not nullable, the value is."


@invalid("arrow-map-key-not-nullable", base=in_file(maps))
def key_and_value(f):
    "Key and value are nullable."
    f.field("a.entries.key").nullable = True


@invalid("arrow-map-entries-no-nulls", base=maps)
def null_entry(f):
    "An entry is null."
    f.array("a.entries").hide(1)


@invalid("arrow-map-keys-no-nulls", base=maps)
def null_key(f):
    "A key is null."
    f.array("a.entries.key").hide(1)


@valid("arrow-map-child-names-any", base=maps)
def other_names(f):
    'The children are named "some_entries", "some_key" and "some_value".'
    f.field("a.entries.key").name, f.field("a.entries.value").name = "some_key", "some_value"
    f.field("a.entries").name = "some_entries"


@valid("arrow-map-keys-equal", base=maps_of(values=[[("a", 1), ("a", 2)]]))
def twice_the_same(f):
    "{a: 1, a: 2}."


SORTED = "arrow-map-keys-sorted-true"
for name, shows, key, values in (
        ("texts", "texts, equal ones among them", UTF8, ["a", "a", "ab", "é"]),
        ("signed", "signed integers", I8, [-128, -1, 0, 127]),
        ("unsigned", "unsigned integers", U8, [0, 127, 128, 255]),
        ("floats", "floats", F64, [float("-inf"), -1.0, 0.0, 0.5]),
        ("halves", "floats of 16 bits, both zeros among them", F16, [float("-inf"), -1.0, 0.0, -0.0, 0.5]),
        ("dates", "dates", DAY, [-1, 0, 1])):
    of_keys = {"type": SORTED_MAP, "key": key, "value": I8}
    first, last = values[0], values[-1]

    @valid(SORTED, name, f"Sorted keys: {shows}.",
           base=maps_of(**of_keys, values=[[(v, 0) for v in values], [], [(first, 1)]]))
    def ascending(f):
        pass

    other(SORTED, f"{name}-descend", f"Keys that are stated to be sorted descend: {shows}.",
          maps_of(**of_keys, values=[[(v, 0) for v in values], [(first, 1), (last, 2)]]),
          maps_of(**of_keys, values=[[(v, 0) for v in values], [(last, 1), (first, 2)]]))


@valid(SORTED, base=maps_of(values=[[("b", 1), ("a", 2)]]))
def not_promised(f):
    "Keys that descend where nothing is said of them."


@valid(SORTED, base=maps_of(type=SORTED_MAP, values=[[("a", 1)], [("b", 1), ("a", 2)], [("c", 1)]]))
def under_a_null_map(f):
    "Keys that descend under a null slot only."
    f.array("a").hide(1)


# Unions -------------------------------------------------------------------------------------------

IDS = "arrow-union-type-ids"


@valid("arrow-union-mode-known", base=base_of((field("a", union(None), field("i", I8)), [(0, 1)])))
def absent_mode(f):
    "A union without mode is sparse."


for name, mode in (("2", 2), ("minus-1", -1)):
    @invalid("arrow-union-mode-known", name, f"The mode of a union is {mode}.", base=dense)
    def unknown_mode(f, mode=mode):
        f.field("a").type.mode = mode


@valid(f"{IDS}-count", base=sparse, keeps=[f"{IDS}-range", f"{IDS}-unique"])
def two_of_two(f):
    "Two ids for two children."


for name, ids in (("three", [5, 7, 9]), ("one", [5]), ("none", [])):
    @invalid(f"{IDS}-count", name, f"Ids {ids} for two children.", base=sparse)
    def other_count(f, ids=ids):
        f.field("a").type.typeIds = ids


@valid(f"{IDS}-range", base=base_of((field("a", union(DENSE, [127, 0]), *UNION_CHILDREN),
                                     [(127, 1.5), (0, 2)])))
def ends(f):
    "Ids 127 and 0."


for id in (128, -1, 256):
    @invalid(f"{IDS}-range", str(id).replace("-", "minus-"), f"A type id is {id}.", base=dense)
    def out_of_range(f, id=id):
        f.field("a").type.typeIds = [0, id]
        f.array("a").ids.values = [0, 0, 0, 0]
        f.array("a").offsets.values = [0, 1, 2, 2]


@invalid(f"{IDS}-unique", base=dense)
def same(f):
    "Two children have the id 5."
    f.field("a").type.typeIds = [5, 5]
    f.array("a").ids.values = [5, 5, 5, 5]
    f.array("a").offsets.values = [0, 0, 0, 0]


@invalid(f"{IDS}-unique", base=base_of((field("a", union(SPARSE), field("x", I8), field("y", I8),
                                              field("z", I8)), [(0, 1), (1, 2), (0, 3)])))
def first_and_third(f):
    "Ids 0, 1, 0."
    f.field("a").type.typeIds = [0, 1, 0]


@valid("arrow-union-default-type-ids", base=dense, keeps=["arrow-union-type-id-known"])
def positions(f):
    "A union without ids."


@valid("arrow-union-type-ids-any-values",
       base=base_of((field("a", union(DENSE, [9, 2]), *UNION_CHILDREN), [(9, 1.5), (2, 2)])))
def nine_and_two(f):
    "Ids 9 and 2."


# Parameters ---------------------------------------------------------------------------------------

def parameter(clause, type, values, right, wrong, name):
    """`right` and `wrong`: {slug: value} of a parameter, None where it is absent."""
    for slug, value in right.items():
        @valid(clause, f"{name}-{slug}".lower(), f"{type.kind}.{name} is {value}.".replace(
            "None", "absent"), base=base_of((field("a", type), values)))
        def fits(f, value=value):
            setattr(f.field("a").type, name, value)
    for slug, value in wrong.items():
        @invalid(clause, f"{name}-{slug}".lower(), f"{type.kind}.{name} is {value}.".replace(
            "None", "absent"), base=base_of((field("a", type), values)))
        def does_not(f, value=value):
            setattr(f.field("a").type, name, value)


UNKNOWN_UNITS = {"4": 4, "minus-1": -1}
parameter("arrow-int-width", I64, [1], {"64": 64}, {"absent": None, "24": 24, "128": 128,
                                                   "minus-32": -32}, "bitWidth")


@valid("arrow-int-width", base=base_of((field("a", U64), [(1 << 64) - 1]),
                                       (field("b", LIST, field("item", U8)), [[255]])))
def unsigned(f):
    "Unsigned integers, whose sign is left out."
    del f.field("a").type.is_signed


@invalid("arrow-int-width", base=lists)
def of_a_child(f):
    "The child of a list is an integer of 12 bits."
    f.field("a.item").type.bitWidth = 12


parameter("arrow-float-precision-known", F16, [0.5], {"absent": None},
          {"3": 3, "minus-1": -1}, "precision")
parameter("arrow-decimal-width", decimal(3), [5], {"absent": None, "128": 128},
          {"0": 0, "96": 96, "512": 512}, "bitWidth")
parameter("arrow-decimal-precision-positive", decimal(1), [5], {"1": 1},
          {"absent": None, "minus-3": -3}, "precision")
parameter("arrow-decimal-precision-fits-width", decimal(38), [5], {"38": 38},
          {"39": 39, "largest": (1 << 31) - 1}, "precision")


@invalid("arrow-decimal-precision-fits-width", also=[NEWER], revised={LATER: {"also": ()}},
         base=base_of((field("a", decimal(76, 0, 256)), [5])))
def of_256_bits(f):
    "77 digits in 256 bits."
    f.field("a").type.precision = 77


DIGITS = "arrow-decimal-value-fits-precision"


@valid(DIGITS, base=base_of((field("a", decimal(3)), [999, -999, None])))
def three_digits(f):
    "999 and -999 with precision 3."


@valid(DIGITS, base=in_order(1, base_of((field("a", decimal(38)), [10**38 - 1, 1 - 10**38]))))
def big_endian(f):
    "38 digits in big-endian order."


@invalid(DIGITS, base=base_of((field("a", decimal(3)), [999])), ambiguity="arrow-dates-and-decimals")
def four_digits(f):
    "1000 with precision 3."
    f.array("a").data.values[0] = 1000


@invalid(DIGITS, base=in_file(base_of((field("a", decimal(38, 5)), [0, 1]))))
def smallest(f):
    "The most negative number of 128 bits with precision 38."
    f.array("a").data.values[1] = -1 << 127


@invalid(DIGITS, base=in_order(1, base_of((field("a", decimal(2)), [-99]))))
def big_endian_three_digits(f):
    "-100 with precision 2, in big-endian order."
    f.array("a").data.values[0] = -100


for name, precision, scale in (("negative", 3, -2), ("larger", 3, 5)):
    @valid("arrow-decimal-scale-any", name, f"Precision {precision}, scale {scale}.",
           base=base_of((field("a", decimal(precision, scale)), [123])))
    def any_scale(f):
        pass


# Dates and times ----------------------------------------------------------------------------------

parameter("arrow-date-unit-known", DAY_MS, [86400000], {"absent": None}, {"2": 2, "minus-1": -1},
          "unit")
DAYS = "arrow-date-milliseconds-whole-days"


@valid(DAYS, base=base_of((field("a", DAY_MS), [-86400000, 0, None])))
def before_1970(f):
    "-86400000 milliseconds."


for name, value in (("one-more", 86400001), ("one", 1), ("minus-one", -1)):
    @invalid(DAYS, name, f"A date of {value} milliseconds.", ambiguity="arrow-dates-and-decimals",
             base=base_of((field("a", DAY_MS), [0, 86400000])))
    def no_day(f, value=value):
        f.array("a").data.values[1] = value


@invalid(DAYS, base=in_order(1, base_of((field("a", DAY_MS), [86400000]))))
def no_day_big_endian(f):
    "A date of 86400001 milliseconds in big-endian order."
    f.array("a").data.values[0] += 1


parameter("arrow-time-unit-known", time(MILLI, 32), [5], {"absent": None}, UNKNOWN_UNITS, "unit")

WIDTH = "arrow-time-width-fits-unit"
for name, unit, bits_ in (("nano-64", NANO, 64), ("micro-64", MICRO, 64), ("milli-absent", MILLI, None),
                          ("second-32", SECOND, 32)):
    @valid(WIDTH, name, f"A time of unit {unit} and {bits_ or 'no stated'} bits.",
           base=base_of((field("a", time(unit, bits_)), [5])))
    def fits_unit(f):
        pass

for name, unit, right, bits_ in (("micro-absent", MICRO, 64, None), ("second-64", SECOND, 32, 64),
                                 ("milli-16", MILLI, 32, 16), ("nano-32", NANO, 64, 32)):
    other(WIDTH, name, f"A time of unit {unit} and {bits_ or 'no stated'} bits.",
          base_of((field("a", time(unit, right)), [5])), base_of((field("a", time(unit, bits_)), [5])))

WITHIN_DAY = "arrow-time-value-range"
for name, type, last in (("seconds", time(SECOND, 32), 86400), ("millis", time(MILLI, 32), 86400000),
                         ("micros", time(MICRO, 64), 86400 * 10**6),
                         ("nanos", time(NANO, 64), 86400 * 10**9)):
    @valid(WITHIN_DAY, name, f"The first and the last of a day: {name}.",
           base=base_of((field("a", type), [0, last - 1])))
    def of_the_day(f):
        pass

    @invalid(WITHIN_DAY, name, f"The first of the next day: {name}.",
             base=base_of((field("a", type), [0, last - 1])), ambiguity="arrow-which-schema-fbs")
    def next_day(f):
        f.array("a").data.values[1] += 1


@invalid(WITHIN_DAY, base=base_of((field("a", time(MILLI, 32)), [0])))
def before_the_day(f):
    "-1 milliseconds."
    f.array("a").data.values[0] = -1


parameter("arrow-timestamp-unit-known", timestamp(SECOND), [5], {"absent": None}, UNKNOWN_UNITS,
          "unit")

ZONE = "arrow-timestamp-timezone-form"
for name, zone in (("name", "America/New_York"), ("offset", "+07:30"), ("negative", "-03:00"),
                   ("utc", "UTC"), ("sign-in-name", "Etc/GMT+5")):
    @valid(ZONE, name, f"A timezone {zone}.", base=base_of((field("a", timestamp(MILLI, zone)), [5])))
    def of_right_form(f):
        pass

for name, zone in (("one-digit", "+7:30"), ("no-colon", "+0730"), ("space", "UTC+1 "),
                   ("accent", "été"), ("digit-first", "5UTC")):
    @invalid(ZONE, name, f'A timezone "{zone}".',
             base=base_of((field("a", timestamp(NANO, "+00:00")), [5])))
    def of_other_form(f, zone=zone):
        f.field("a").type.timezone = zone


@valid("arrow-timestamp-without-timezone", base=base_of((field("a", timestamp(SECOND)), [5]),
                                                        (field("b", timestamp(NANO, "")), [5])),
       keeps=[ZONE])
def absent_and_empty(f):
    "One timestamp without timezone, one with an empty one."


parameter("arrow-interval-unit-known", interval(0), [5], {"absent": None}, {"3": 3, "minus-1": -1},
          "unit")
parameter("arrow-duration-unit-known", duration(MILLI), [5], {"absent": None}, UNKNOWN_UNITS, "unit")
parameter("arrow-fixed-size-binary-width-not-negative", binary(2), [b"ab"], {"2": 2},
          {"minus-1": -1, "smallest": -1 << 31}, "byteWidth")


@valid("arrow-zero-width-values", base=base_of((field("a", binary(0)), [b"", None, b""])),
       keeps=["arrow-fixed-size-binary-width-not-negative", "arrow-fixed-size-binary-data-size"])
def no_bytes(f):
    "FixedSizeBinary of width 0, three slots, no data."


# Dictionaries -------------------------------------------------------------------------------------

@valid("arrow-dictionary-index-width", base=base_of(
    *((field(name, UTF8, dictionary=encoding(0, keys)), [0, 1])
      for name, keys in (("a", I8), ("b", I16), ("c", I32), ("d", I64))),
    dictionaries=[(field("a", UTF8, dictionary=0), ["x", "y"])]))
def all_widths(f):
    "Keys of 8, 16, 32 and 64 bits."


for name, width in (("absent", None), ("12", 12), ("128", 128)):
    @invalid("arrow-dictionary-index-width", name, f"Keys of {width or 'no stated'} bits.", base=words)
    def other_width(f, width=width):
        f.field("a").dictionary.indexType.bitWidth = width


@valid("arrow-dictionary-index-default-int32", base=words, keeps=["arrow-dictionary-index-width"])
def no_index_type(f):
    "An encoding without type of keys: they have 32 bits."
    del f.field("a").dictionary.indexType


@valid("arrow-dictionary-kind-known", base=words)
def absent_kind(f):
    "An encoding without kind."


for name, kind in (("1", 1), ("minus-1", -1)):
    @invalid("arrow-dictionary-kind-known", name, f"The kind of a dictionary is {kind}.", base=words)
    def unknown_kind(f, kind=kind):
        f.field("a").dictionary.dictionaryKind = kind


inner = field("inner", UTF8, dictionary=1)
outer = field("a", STRUCT, inner, dictionary=0)


@valid("arrow-dictionary-nested-encoding", ambiguity="arrow-dictionary-inside-dictionary",
       base=base_of((outer, [0, 1, 1]), dictionaries=[(inner, ["x", "y"]), (outer, [(0,), (1,)])]))
def in_a_struct(f):
    "A dictionary of structs whose child is a dictionary of texts."


@valid("arrow-dictionary-ordered-any",
       base=base_of((field("a", UTF8, dictionary=encoding(0, I8, True)), [0, 1, 2]),
                    dictionaries=[(field("a", UTF8, dictionary=0), ["low", "high", "medium"])]))
def low_high_medium(f):
    "An ordered dictionary: low, high, medium."


# Schema and messages ------------------------------------------------------------------------------

@valid("arrow-schema-endianness-known", base=in_order(1, several),
       keeps=["arrow-schema-big-endian"])
def big(f):
    "Endianness Big."


for name, value in (("2", 2), ("minus-1", -1)):
    @invalid("arrow-schema-endianness-known", name, f"Endianness {value}.")
    def unknown_order(f, value=value):
        f.schema.endianness = value


FEATURES = "arrow-schema-features-known"


@valid(FEATURES)
def one_and_two(f):
    "Features 1 and 2, of which none is used."
    f.schema.features = [1, 2, 0]


for name, value in (("4", 4), ("minus-1", -1)):
    @invalid(FEATURES, name, f"Feature {value}.", base=ints_file)
    def unknown_feature(f, value=value):
        f.schema.features = [1, value]


VERSION = "arrow-message-version-readable"


@valid(VERSION, base=several_file)
def v4(f):
    "All messages have version V4."
    f.version = V4


for name, value in (("v3", V3), ("v6", 5), ("minus-1", -1)):
    @invalid(VERSION, name, f"The messages have version {name}.")
    def unreadable(f, value=value):
        f.version = value


@invalid(VERSION)
def absent_version(f):
    "The messages have no version, which is V1."
    f.version = V1


@invalid(VERSION, base=two_batches_file)
def second_batch_of_v6(f):
    "A file whose second batch has version V6."
    f.batches[1].table.version = 5


# Metadata -----------------------------------------------------------------------------------------

@valid("arrow-metadata-utf8")
def any_text(f):
    "Keys and values of any characters."
    f.schema.custom_metadata = pairs({"größe": "1 µm", "": ""})


@invalid("arrow-metadata-utf8")
def value(f):
    "A value is FF FE."
    f.schema.custom_metadata = pairs({"a": b"\xff\xfe"})


@invalid("arrow-metadata-utf8")
def key(f):
    "A key of a field has the byte 80."
    f.field("a").custom_metadata = pairs({b"a\x80": "b"})


@invalid("arrow-metadata-utf8")
def of_a_message(f):
    "A value of a message is half a character."
    f.batches[0].table.custom_metadata = pairs({"a": b"\xe2\x82"})

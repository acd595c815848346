"""Values at the ends of types and arrays at the borders of layouts, for programs that turn one format
into another: hepcheck import makes tables of them, which conformance/golden/exchange-in.txt shows."""

from generators.arrow import *

CONVERTS = "arrow-consumer-converts-unsupported"
NEWER = "arrow-type-newer-than-1-0"
UNSIGNED = "arrow-dictionary-index-signed-preferred"


def sound(slug, shows, *columns, dictionaries=(), length=None):
    """With a remark on keys that are not signed, if there are such."""
    keys = [of.dictionary.indexType for column, _ in columns for of in (column, *column.children)
            if of.dictionary is not None]
    remarks = {UNSIGNED} if any(not each.get("is_signed") for each in keys) else set()
    valid(CONVERTS, slug, shows, base=base_of(*columns, dictionaries=dictionaries, length=length),
          **({"informs": remarks} if remarks else {}))(lambda _: None)


def newer(slug, shows, base, now, **options):
    """A fixture with types that were added after format 1.0. `now`: the clause of format 1.5 that it keeps;
    with a sign before it, one that it breaks (-) or that is a remark (+)."""
    sets = {"-": {"broken": [now[1:]]}, "+": {"remarks": [now[1:]]}}.get(now[0], {})
    return invalid(NEWER, slug, shows, base=base, informs={NEWER},
                   revised=later(now.lstrip("+-"), **sets), **options)


# Numbers ------------------------------------------------------------------------------------------

def ends(bits_, signed):
    """The smallest and the largest, and those that tables take for missing."""
    half = 1 << bits_ - 1
    return [-half, 1 - half, half - 1, half - 2] if signed else [0, 2 * half - 1, half, half - 1]


INTEGERS = {f"{'iu'[not signed]}{n}": (type, n, signed)
            for n, types in ((8, (I8, U8)), (16, (I16, U16)), (32, (I32, U32)), (64, (I64, U64)))
            for type, signed in zip(types, (True, False))}
for slug, more, shows in (("ends-of-integers", [None], "and a null"), ("ends-without-nulls", [],
    "no null")):
    sound(slug, f"Both ends of integers of 8, 16 and 32 bits, the values next to them, {shows}.",
          *((field(name, type), [*ends(n, signed), *more])
            for name, (type, n, signed) in INTEGERS.items() if n < 64))
for name in ("i64", "u64"):
    type, n, signed = INTEGERS[name]
    low, high = min(ends(n, signed)), max(ends(n, signed))
    for slug, values in (("both-ends", [low, high]), ("lower-end", [low, 0, 1]), ("upper-end",
        [high, 0, 1]),
                         ("lower-end-and-what-is-missing", [low, low + 1, high - 1]),
                         ("what-is-missing", [low + 1 if signed else high, 5]),
                         ("what-is-missing-and-upper-end", [low + 1, high])):
        sound(f"{name}-{slug}", f"A null and {values}, of {name}.", (field("a", type), [*values, None]))
sound("all-of-8-bits", "All values of 8 bits, signed and unsigned.",
      (field("i", I8), [*range(-128, 128)]), (field("u", U8), [*range(256)]))
sound("all-but-one-of-8-bits", "255 of the 256 values of 8 bits: one of them is null instead.",
      (field("i", I8), [None if n == 5 else n for n in range(-128, 128)]),
      (field("u", U8), [None if n == 5 else n for n in range(256)]),
      (field("j", I8), [None if n == 127 else n for n in range(-128, 128)]),
      (field("v", U8), [None if n == 0 else n for n in range(256)]),
      (field("k", I8), [None if n == -128 else n for n in range(-128, 128)]))
sound("all-but-the-ends-of-8-bits", "All values of 8 bits but one end of the range.",
      (field("lower", I8), [None, *range(-127, 128)]), (field("upper", I8), [None, *range(-128, 127)]),
      (field("most", U8), [None, *range(255)]), (field("least", U8), [None, *range(1, 256)]))

INF, NAN = float("inf"), float("nan")
sound("ends-of-floats", "Zeros, infinities, NaNs, the largest numbers, and a null, of 16, 32 and 64 bits.",
      (field("h", F16), [0.0, -0.0, INF, -INF, NAN, 65504.0, None, 1.5]),
      (field("f", F32), [0.0, -0.0, INF, -INF, NAN, 3.4028234663852886e38, None, 1.5]),
      (field("d", F64), [0.0, -0.0, INF, -INF, NAN, 1.7976931348623157e308, None, 1.5]))
FILL = 9.969209968386869e36  # what tables take for missing
for slug, values in (
        ("alone", [FILL, 0.0, 1.0]), ("and-the-largest", [FILL, 1.7976931348623157e308]), ("and-infinity",
            [FILL, INF, 0.0]),
        ("and-both-ends", [FILL, 1.7976931348623157e308, -1.7976931348623157e308]), ("and-both-infinities",
            [FILL, INF, -INF]),
        ("and-nan", [FILL, NAN]), ("and-all", [FILL, INF, -INF, NAN])):
    sound(f"fill-of-floats-{slug}", f"A null and {values}.", (field("a", F64), [*values, None]))
for n in (8, 9, 16, 17):
    sound(f"{n}-truths", f"{n} booleans, the last one true, without nulls and with one.",
          (field("a", BOOL), [*(i % 3 == 0 for i in range(n - 1)), True]),
          (field("b", BOOL), [*(i % 3 == 0 or (None if i == 1 else False) for i in range(n - 1)), True]))


# Times and decimals -------------------------------------------------------------------------------

sound("times-of-all-units", "Dates, times of day, points in time and durations in all units, and nulls.",
      *((field(f"date{unit}", Table("Date", unit=unit)), [0, None, scale, -scale])
        for unit, scale in ((0, 1), (1, 86_400_000))),
      *((field(f"time{unit}", time(unit, 32 if unit < 2 else 64)), [0, None, 86_400 * 1000**unit - 1, 1])
        for unit in range(4)),
      *((field(f"duration{unit}", duration(unit)), [0, None, -1, 1 << 40]) for unit in range(4)),
      *((field(f"at{unit}", timestamp(unit)), [0, None, -1, 1 << 40]) for unit in range(4)),
      *((field(f"zone{i}", timestamp(NANO, zone)), [0, None, -1, 1 << 40]) for i, zone in
        enumerate(("UTC", "+05:30", "-00:00", "Europe/Zurich", "Etc/GMT+9", "America/Port-au-Prince",
                   "GMT0"))),
      (field("months", interval(0)), [0, None, -13, 12]))
sound("parts-of-intervals", "Days and milliseconds, negative ones, under a null too.",
      (field("a", interval(1)), [(1, -2), (-(1 << 31), (1 << 31) - 1), None, (0, -1), (7, 0)]))
sound("decimals-of-64-bits", "Decimals of 128 bits, all of whose values fit into 64; one under a null has not.",
      (field("a", decimal(19, 2)), [(1 << 63) - 1, -(1 << 63), -1, 0, 10**18, -(10**18)]),
      (field("b", decimal(38, -3)), [1, None, -1, 255, -256, None]))
for slug, value in (("above", 1 << 63), ("below", -(1 << 63) - 1), ("far-above", 10**37)):
    sound(f"decimal-{slug}-64-bits", f"The decimal {value}, which has no representation in 64 bits.",
          (field("a", decimal(38)), [1, None, value]))


@valid(CONVERTS, base=base_of((field("a", decimal(38)), [1, 2, -3])))
def large_decimal_under_a_null(f):
    "A null slot of a decimal has all bits of 100 set but the first."
    f.array("a").data.values[1] = (1 << 100) - 2
    f.array("a").hide(1)


@valid(CONVERTS, base=in_order(1, base_of(
    (field("a", decimal(38, 2)), [1, -2, None, (1 << 63) - 1]), (field("b", interval(1)),
        [(1, -2), None, (3, 4), (5, 6)]),
    (field("c", F64), [0.5, -0.0, None, 1e300]), (field("d", I16), [258, None, -2, 1]),
    (field("e", binary(3)), [b"abc", None, b"def", b"ghi"]), (field("f", UTF8), ["a", "bc", None, ""]),
    (field("g", timestamp(MILLI, "UTC")), [1, None, -1, 1 << 33]), (field("h", BOOL),
        [True, None, False, True]))))
def big_endian_of_all_kinds(f):
    "Columns of all kinds with the most significant byte first."




def of_widths(*widths):
    return base_of(*((field(f"d{n}", decimal(digits, 1, n)), [most, -most, -1, None, 0]) for n, digits,
                     most in widths))


other(NEWER, "decimals-of-all-widths", "Decimals of 32, 64 and 256 bits, negative ones and nulls.",
      of_widths((128, 9, 999_999_999), (128, 18, 10**18 - 1), (128, 38, (1 << 63) - 1)),
      of_widths((32, 9, 999_999_999), (64, 18, 10**18 - 1), (256, 76, (1 << 63) - 1)),
      revised=later("arrow-decimal-narrow"))
PARTS = [(1, -2, 1 << 40), None, (-1, 2, -(1 << 40)), (0, 0, -1)]
for order, word in enumerate(("little", "big")):
    other(NEWER, f"months-days-nanoseconds-{word}", "Months, days and more nanoseconds than 32 bits hold.",
          in_order(order, base_of((field("a", interval(1)), [parts and parts[:2] for parts in PARTS]))),
          in_order(order, base_of((field("a", interval(2)), PARTS))),
          revised=later("arrow-interval-month-day-nano"))


# Texts --------------------------------------------------------------------------------------------

sound("long-texts", "Texts of up to 1024 bytes, and of one more.",
      (field("a", UTF8), ["x" * 1024, None, "", "y"]), (field("b", UTF8), ["x" * 1025, None, "", "A"]),
      (field("c", LARGE_UTF8), ["é" * 512, None, "é", "B"]))
sound("texts-like-fill-values", "Texts that are what a missing one would be stored as.",
      (field("a", UTF8), ["", "A", "B", None]), (field("b", UTF8), ["", "A", "B", "C"]),
      (field("c", UTF8), ["", None, "Z", "Z"]), (field("d", UTF8), [*map(chr, range(65, 69))]),
      (field("e", UTF8), ["", "", "", None]))
sound("all-letters", "No text, and each letter, so that a missing one has to be longer.",
      (field("a", UTF8), ["", *map(chr, range(65, 91)), None, "AA"]))
sound("texts-with-a-nul", "Texts that hold a NUL, in the middle, at the end, alone.",
      (field("a", UTF8), ["a\0b", "c"]), (field("b", UTF8), ["x", "yz"]))
sound("texts-that-end-in-a-nul", "A text whose last character is a NUL.", (field("a", UTF8), ["a\0", "c"]))
sound("bytes", "Bytes of any length, of 8-bit values all, and of fixed lengths.",
      (field("a", BINARY), [b"", None, bytes(range(256)), b"\xff"]),
      (field("b", LARGE_BINARY), [b"\0", b"\0\0", None, b""]),
      (field("c", binary(1)), [b"\0", b"\1", None, b"\2"]), (field("d", binary(9)),
          [bytes(9), None, b"123456789", 9 * b"\xff"]))


@valid(CONVERTS, base=base_of((field("a", UTF8), ["ab", "cde", "f", ""]), (field("b", LARGE_BINARY),
    [b"1", b"23", b"", b"4"])))
def bytes_under_nulls(f):
    "Null slots whose offsets span bytes."
    f.array("a").hide(1)
    f.array("b").hide(0, 1)


# Lists and the like -------------------------------------------------------------------------------

def item(type=I32, *children, **options):
    return field("item", type, *children, **options)


deep = field("item", LIST, item(LIST, item(U8)))
sound("lists-of-everything", "Lists of texts, bytes, booleans, structs, fixed lists, lists of lists, with nulls at each level.",
      (field("texts", LIST, item(UTF8)), [["a", None, ""], None, [], ["bcd"]]),
      (field("bytes", LIST, item(BINARY)), [[b"a", None], [], [b""], None]),
      (field("floats", LARGE_LIST, item(F32)), [[0.5, None], [NAN], [], None]),
      (field("truths", LIST, item(BOOL)), [[True, False, None], [], None, [True]]),
      (field("whole truths", LIST, item(BOOL)), [[True, False], [], None, [True]]),
      (field("structs", LIST, item(STRUCT, field("x", I8), field("y", F32))), [[(1, 0.5), (2, 1.5)], [],
          None, [(3, 2.5)]]),
      (field("null structs", LIST, item(STRUCT, field("x", I8), field("y", F32))), [[(1, 0.5), None], [],
          None, [(3, 2.5)]]),
      (field("pairs", LIST, item(lists_of(2), item(I16))), [[[1, 2], [3, 4]], [], None, [None]]),
      (field("nothing", LIST, item(NULL)), [[None, None], [], None, [None]]),
      (field("three levels", LIST, deep), [[[[1], []], [], None], None, [], [[[2, 3], None, [4]]]]),
      (field("fixed bytes", LIST, item(binary(2))), [[b"ab", None], [], None, [b"cd"]]),
      (field("days", LIST, item(DAY)), [[1, None], [], None, [2]]),
      (field("labels", LIST, item(UTF8, dictionary=0)), [[0, 1, None], [], None, [1]]),
      dictionaries=[("labels.item", ["low", "high"])])
sound("lists-of-0-and-1", "Columns of lists without a row, with one empty one, with one of one element.",
      (field("a", LIST, item()), [[]]), (field("b", LIST, item()), [[7]]), (field("c", LIST, item()),
          [None]),
      (field("d", LIST, item(UTF8)), [[]]), (field("e", LIST, item(UTF8)), [[""]]))
sound("no-rows", "No row of any kind of column.",
      *((field(f"c{i}", *type), []) for i, type in enumerate((
          (I32,), (UTF8,), (BOOL,), (LIST, item()), (STRUCT, field("x", I8)), (lists_of(3), item()), (NULL,
              ), (BINARY,),
          (interval(1),), (decimal(38),)))))
sound("all-of-8-bits-in-lists",
      "All values of 8 bits as elements of lists, with a null element and without.",
      (field("a", LIST, item(I8)), [[*range(-128, 0)], [*range(128)]]),
      (field("b", LIST, item(I8)), [[*range(-128, 0)], [*range(128), None]]),
      (field("c", LIST, item(U8)), [[*range(255)], [None]]))


@valid(CONVERTS, base=base_of((field("a", LIST, item(I8)), [[1, 2], [3], [4, 5, 6], []]),
                              (field("b", LIST, item(LIST, item(I8))), [[[1], [2, 3]], [[4]], [], [[5]]]),
                              (field("c", LARGE_LIST, item(UTF8)), [["a"], ["bc", "d"], [], ["e"]])))
def lists_under_nulls(f):
    "Null slots whose lists are not empty, first, in the middle and last."
    f.array("a").hide(0, 2)
    f.array("b").hide(1, 3)
    f.array("b.item").hide(1)
    f.array("c").hide(1)


@valid(CONVERTS, base=base_of((field("a", LIST, item(I8)), [[1, 2], [3]])))
def more_values_than_lists(f):
    "The values of lists continue after the last one."
    f.array("a.item").length = 5
    f.array("a.item").data.values += [4, 5]


sound("fixed-lists", "Lists of one length: of texts, of fixed lists, of one element, of booleans.",
      (field("a", lists_of(2), item(lists_of(3), item(I8))), [[[1, 2, 3], [4, 5, 6]],
          [[7, 8, 9], [0, 1, 2]]]),
      (field("b", lists_of(1), item(F64)), [[0.5], [1.5]]), (field("c", lists_of(3), item(BOOL)),
          [3 * [True], [False, True, False]]),
      (field("d", lists_of(2), item(UTF8)), [["a", "bcd"], ["", "e"]]), (field("e", lists_of(2), item(I16)),
          [None, [1, 2]]))


@valid(CONVERTS, base=base_of((field("a", lists_of(2), item(I16)), [[1, 2], [3, 4], [5, 6]])))
def fixed_lists_under_nulls(f):
    "Null fixed lists, whose values are not zero."
    f.array("a").hide(0, 2)


sound("structs", "Structs of all kinds of members, one with a null struct.",
      (field("a", STRUCT, field("x", I8), field("y", UTF8), field("z", BOOL), field("w", binary(2))),
       [(1, "ab", True, b"xy"), (-1, "", False, b"\0z")]),
      (field("b", STRUCT, field("x", U16), field("y", F64)), [None, (2, 0.5)]),
      (field("c", STRUCT, field("only", DAY)), [(1,), (2,)]))
for slug, member, values in (
        ("null-member", field("x", I8), [(1,), (None,)]), ("list-member", field("x", LIST, item()),
                                                           [([1],), ([2],)]),
        ("struct-member", field("x", STRUCT, field("y", I8)), [((1,),), ((2,),)]),
        ("fixed-list-member", field("x", lists_of(2), item(I8)), [([1, 2],), ([3, 4],)]),
        ("nameless-member", field("", I8), [(1,), (2,)])):
    sound(f"struct-with-{slug}", f"A struct: {slug.replace('-', ' ')}.", (field("a", STRUCT, member),
        values))
sound("struct-with-two-of-a-name", "A struct whose two members have one name.",
      (field("a", STRUCT, field("x", I8), field("x", I8)), [(1, 2), (3, 4)]))
sound("struct-without-members", "A struct that has no member.", (field("a", STRUCT), [(), ()]))


# Views and runs -----------------------------------------------------------------------------------

def view(value, buffer=0, offset=0):
    rest = value.ljust(12, b"\0") if len(value) <= 12 else value[:4] + integer(buffer, 4) + integer(offset,
        4)
    return integer(len(value), 4) + rest


LONG = b"thirteen byte", b"a text that is longer than twelve bytes"


def views(kind, nulls=()):
    data = [b"--" + LONG[0], LONG[1] + b"--"]
    slots = [view(b""), view(b"a"), view(b"twelve bytes"), view(LONG[0], 0, 2), view(LONG[1], 1, 0),
             view(b"eleven byte")]
    made = Array(kind, 6, 0, [Buffer([]), Buffer(content=b"".join(slots)),
                              *(Buffer(content=each) for each in data)])
    return made.hide(*nulls) if nulls else made


@newer("views-of-all-lengths", "Texts and bytes as views: of 0 to 12 bytes, and longer ones in two buffers; two columns, one with nulls.",
       base=base_of((field("z", I32), [*range(6)])), now="arrow-view-inline-padding-zero",
       outcome="unchecked")
def all_lengths(f):
    f.schema.fields += [field("t", Table("Utf8View")), field("b", Table("BinaryView"))]
    f.batch.arrays += [views("Utf8View"), views("BinaryView", (1, 4))]
    f.batch.variadic = [2, 2]


for slug, slot, now in (
        ("buffer-that-is-none", view(LONG[0], 2, 0), "-arrow-view-buffer-index-in-range"),
        ("bytes-behind-the-end", view(LONG[0], 0, 3), "-arrow-view-range-in-buffer"),
        ("end-of-the-buffer", view(LONG[0], 0, 2), "arrow-view-range-in-buffer"),
        ("negative-length", integer(-1 % 2**32, 4) + bytes(12), "-arrow-view-length-not-negative")):
    @newer(f"view-of-{slug}", f"A view: {slug.replace('-', ' ')}.",
           base=base_of((field("z", I32), [*range(6)])), now=now, outcome="unchecked")
    def one_view(f, slot=slot):
        f.schema.fields.append(field("t", Table("Utf8View")))
        f.batch.arrays.append(views("Utf8View"))
        content = f.batch.arrays[1].buffers[1].content
        f.batch.arrays[1].buffers[1].content = content[:16] + slot + content[32:]
        f.batch.variadic = [2]


for kind, width in (("ListView", 4), ("LargeListView", 8)):
    @newer(f"{kind.lower()}s-in-any-order",
           "List views out of order, over each other, empty, and null where they lead nowhere.",
           base=base_of((field("z", I32), [*range(6)])), now="-arrow-list-view-offset-in-child",
           outcome="unchecked")
    def any_order(f, kind=kind, width=width):
        inside = item(UTF8)
        f.schema.fields.append(field("v", Table(kind), inside))
        made = Array(kind, 6, 0, [Buffer([]), Buffer([2, 0, 1, 0, 99, 4], width),
                                  Buffer([2, 2, 3, 0, 99, 0], width)],
                     [array(inside, ["a", "b", None, "cd"])])
        f.batch.arrays.append(made.hide(4))


def runs(ends_, values, length, width=I32):
    """A column of runs."""
    of, below = field("run_ends", width, nullable=False), field("values", *values[0])
    return field("v", Table("RunEndEncoded"), of, below), Array("RunEndEncoded", length, 0, [], [
        array(of, ends_), array(below, values[1])])


BEYOND = "+arrow-run-ends-not-beyond-length"
for slug, shows, ends_, values, now in (
        ("of-16-bits", "Runs of 1, 2 and 3, ends of 16 bits, the second null.", [1, 3, 6], [7, None, 9],
         "arrow-run-end-nulls-as-runs"),
        ("beyond-the-length", "The last run continues beyond the column.", [2, 9], [7, 8], BEYOND),
        ("of-one", "One run.", [6], [7], "arrow-run-ends-positive"),
        ("behind-the-last", "A run lies beyond the column.", [2, 6, 8], [7, 8, 9], BEYOND),
        ("that-end-too-soon", "The last run ends before the column.", [2, 5], [7, 8],
         "-arrow-run-ends-cover-length"),
        ("of-fewer-values", "Two runs and one value.", [2, 6], [7], "-arrow-run-end-values-not-shorter")):
    @newer(f"runs-{slug}", shows, base=base_of((field("z", I32), [*range(6)])), now=now,
           outcome="unchecked")
    def some_runs(f, ends_=ends_, values=values, slug=slug):
        of, made = runs(ends_, ((I16,), values), 6, I16 if "16" in slug else I64)
        f.schema.fields.append(of)
        f.batch.arrays.append(made)


@newer("runs-of-texts", "Runs of texts and of lists.", base=base_of((field("z", I32), [*range(6)])),
       now="arrow-run-end-any-values", outcome="unchecked")
def of_texts(f):
    for values in (((UTF8,), ["ab", ""]), ((LIST, item()), [[1, 2], None])):
        of, made = runs([4, 6], values, 6)
        of.name = f"c{len(f.schema.fields)}"
        f.schema.fields.append(of)
        f.batch.arrays.append(made)


# Dictionaries -------------------------------------------------------------------------------------

def labels(n):
    return [f"l{i}" for i in range(n)]


for n in (127, 128, 129):
    sound(f"{n}-labels", f"{n} labels, of which the last is used, with keys of 8 bits, signed or not.",
          (field("u", UTF8, dictionary=encoding(1, U8)), [0, n - 1, None]),
          *([(field("i", UTF8, dictionary=encoding(2, I8)), [0, n - 1, None])] if n <= 128 else []),
          dictionaries=[("u", labels(n)), *([("i", labels(n))] if n <= 128 else [])])
for n in (255, 256):
    sound(f"{n}-labels", f"{n} labels with unsigned keys of 8 bits, and of 16.",
          (field("u", UTF8, dictionary=encoding(1, U8)), [0, n - 1, None]),
          (field("v", UTF8, dictionary=encoding(2, U16)), [0, n - 1, None]),
          (field("w", UTF8, dictionary=encoding(3, U8)), [0, n - 1, 1]),
          dictionaries=[("u", labels(n)), ("v", labels(n)), ("w", labels(n))])
sound("labels-of-all-kinds", "Dictionaries of integers, floats, booleans, days, fixed bytes and texts with a null and a repeated one.",
      (field("i", I16, dictionary=encoding(0, I64)), [0, 1, None]),
      (field("f", F32, dictionary=encoding(1, I16, True)), [1, 0, 1]),
      (field("t", UTF8, dictionary=encoding(2, I8)), [0, 3, 2]),
      (field("d", DAY, dictionary=encoding(3, U32)), [0, 1, 0]),
      (field("b", binary(2), dictionary=encoding(4, I32)), [1, None, 0]),
      (field("s", UTF8, dictionary=encoding(5, I32)), [None, None, None]),
      dictionaries=[("i", [5, -5]), ("f", [0.5, NAN]), ("t", ["x", None, "y", "x"]), ("d", [1, 2]), ("b",
          [b"ab", b"cd"]), ("s", [])])
sound("dictionaries-inside", "Dictionary-encoded members of structs and elements of fixed lists, with keys that are null.",
      (field("p", STRUCT, field("k", UTF8, dictionary=0), field("n", I8)), [(1, 5), (0, 6)]),
      (field("q", lists_of(2), item(I16, dictionary=encoding(1, U8))), [[0, 1], [1, 1]]),
      (field("r", LIST, item(UTF8, dictionary=encoding(0, I8))), [[1, None], None]),
      dictionaries=[("p.k", ["x", "yz"]), ("q.item", [300, -300])])


@valid(CONVERTS, base=base_of((field("a", UTF8, dictionary=0), [0, 1, None]),
                              dictionaries=[("a", ["x", "y"])]))
def grown_and_replaced(f):
    "A dictionary grows by a repeated and a new value, and is replaced by one in another order."
    f.add_dictionary("a", ["x", "z"], delta=True)
    f.add([3, 2, 1])
    f.add_dictionary("a", ["z", "w", "x"])
    f.add([0, 1, 2])


# Batches, names, metadata -------------------------------------------------------------------------

@valid(CONVERTS, base=base_of((field("a", I32), []), (field("s", UTF8), []), (field("l", LIST, item()),
    [])))
def batches_of_0_and_some(f):
    "Batches of 0, 3, 0, 1 and 9 rows, nulls in the third and the last row only."
    f.add([1, 2, None], ["x", None, "yz"], [[1], [], None])
    f.add([], [], [])
    f.add([4], ["u"], [[2, 3]])
    f.add([*range(8), None], [*"abcdefgh", None], [*([i] for i in range(8)), None])


sound("no-columns", "A batch of 4 rows without a column.", length=4)
for slug, names in (("nameless", [""]), ("a-dot", ["."]), ("two-dots", [".."]), ("a-slash", ["a/b"]),
                    ("a-nul", ["a\0b"]), ("twice", ["a", "b", "a"]),
                    ("reserved", ["CATEGORIES"]), ("reserved-too", ["SEARCH_INDEXES"]), ("nearly-reserved",
                        ["categories", "NROWS"]),
                    ("other-letters", ["é", "z", "A", " "])):
    sound(f"names-{slug}", f"Columns named {names}.", *((field(name, I8), [1, None]) for name in names))

# Metadata that name attributes of a table, some of which it cannot have.
OF_FIELDS = {"units": "m", "empty": "", "a/b": "slash", "": "nameless", "arrow_type": "taken",
             "ordered": "taken", "valid_min": "3",
             "nul": "a\0b", "CLASS": "reserved", "hep001:units": "again", "hep001:attr:scale": "0x1.4p+1",
             "hep001:attr-type:scale": "float64", "hep001:attr:count": "7",
             "hep001:attr-type:count": "int16be",
             "hep001:attr:wrong": "seven", "hep001:attr-type:wrong": "int16", "hep001:attr:text": "x",
             "hep001:attr-type:text": "string(3,nullterm,ascii)", "hep001:attr:odd": "1",
             "hep001:attr-type:odd": "no type",
             "hep001:description": "what it is", "long": 60_000 * "x", "longer": 60_001 * "x"}


@valid(CONVERTS, base=base_of((field("a", I32, metadata=OF_FIELDS), [1, None]),
                              (field("l", LIST, item(metadata={"units": "s", "note": "of items"}),
                                     metadata={"units": "m"}), [[1], None]),
                              (field("t", timestamp(NANO, "UTC"), metadata={"units": "own"}), [1, None])))
def metadata_of_fields(f):
    "Fields whose metadata are what a table can have, and what it cannot."


for slug, metadata in (
        ("of-a-table", {"hep001:version": "1.1", "hep001:title": "A title",
                        "hep001:index_columns": '["a","b"]',
                        "hep001:column_order": "1", "note": "kept", "_index": "a",
                        "column-order": "taken"}),
        ("without-order", {"hep001:version": "1.0"}), ("of-no-version",
                                                       {"hep001:version": "2.0", "_index": "none"}),
        ("of-a-late-version", {"hep001:version": "1.99999"}), ("of-a-later-version",
            {"hep001:version": "1.999999"}),
        ("of-half-a-version", {"hep001:version": "1."}), ("of-a-column-that-is-none",
                                                          {"hep001:index_columns": '["a", "c"]'}),
        ("of-no-json", {"hep001:index_columns": '["a"'}), ("of-no-index",
                                                           {"hep001:index_columns": " [ ] "}),
        ("of-an-escape", {"hep001:index_columns": '["\\u0061", "b"]'}), ("of-a-list-in-the-index",
            {"hep001:index_columns": '["l"]'})):
    @valid(CONVERTS, f"metadata-{slug}", f"Metadata of the schema: {slug.replace('-', ' ')}.",
           base=base_of((field("a", I32), [1, 2]), (field("b", UTF8), ["x", "y"]),
                        (field("l", LIST, item()), [[1], []])))
    def of_the_schema(f, metadata=metadata):
        f.schema.custom_metadata = pairs(metadata)


def stated(of, values, **keys):
    return field("a", of, metadata={f"hep001:{key}": value for key, value in keys.items()}), values


for slug, column in (
        ("int32-in-3-bytes", stated(I32, [1, None, -1 << 23], type="int24", fill="5")),
        ("too-wide-for-3-bytes", stated(I32, [1, None, 1 << 23], type="int24")),
        ("int16-big-endian", stated(I16, [1, None, -2], type="int16be", fill="-7")),
        ("a-fill-that-occurs", stated(I8, [1, None, 5], fill="5")), ("a-fill-that-does-not",
            stated(I8, [1, None, 5], fill="6")),
        ("a-fill-that-is-none", stated(I8, [1, None, 5], fill="300")), ("a-range",
            stated(I8, [1, None, 5], valid_min="1", valid_max="5")),
        ("a-range-round-the-fill", stated(I8, [1, None, 5], fill="3", valid_min="1", valid_max="5")),
        ("half-a-range", stated(I8, [1, None, 5], valid_min="1")), ("a-range-of-doubles",
            stated(F64, [1, None, 5], valid_min="0.5", valid_max="0x1p+3")),
        ("a-text-of-5-bytes", stated(UTF8, ["ab", None, "abcde"], type="string(5,nullpad,utf8)", fill="-")),
        ("a-text-that-is-too-long", stated(UTF8, ["ab", None, "abcdef"], type="string(5,nullpad,utf8)")),
        ("a-text-padded-with-spaces", stated(UTF8, ["ab", None, "c"], type="string(3,spacepad,ascii)",
                                             fill="zz")),
        ("a-text-that-ends-in-a-space", stated(UTF8, ["ab", None, "c "], type="string(3,spacepad,ascii)")),
        ("bits", stated(U8, [1, None, 7], type="bits8(3,2)")),
        ("too-many-bits", stated(U8, [1, None, 8], type="bits8(3,2)")),
        ("no-type", stated(I8, [1, None, 5], type="int9")),
        *((f"of-{slug}", stated(I8, [1, None, 5], type=f"{text}")) for slug, text in (
            ("too-many-bits", "int72"), ("no-bits", "int0"), ("no-precision", "int8(0,0)"),
            ("bits-behind-the-end", "int8(7,2)"),
            ("all-bits-but-one", "int8(7,1)"), ("an-open-bracket", "int8(7,1"), ("more-behind", "int8 "),
            ("half-a-byte", "int12"),
            ("64-bits-big", "int64be"), ("floats", "float32"), ("a-float-of-24-bits", "float24"), ("bits",
                "bits16"))),
        *((f"text-of-{slug}", stated(UTF8, ["ab", None, "c"], type=text)) for slug, text in (
            ("no-bytes", "string(0,nullterm,ascii)"), ("no-set", "string(3,nullterm)"), ("no-padding",
                "string(3,ascii)"),
            ("any-length", "string(*,nullterm,utf8)"), ("another-set", "string(3,nullterm,latin)"),
            ("just-its-bytes", "string(2,nullpad,ascii)"),
            ("a-nul-too-many", "string(2,nullterm,ascii)"), ("names",
                'enum(int8,"ab"=1,"c"=-2,"MISSING"=0)'),
            ("names-without-missing", 'enum(int8,"ab"=1,"c"=-2)'), ("too-few-names",
                'enum(int8,"ab"=1,"MISSING"=0)'),
            ("one-name-twice", 'enum(int8,"ab"=1,"c"=2,"c"=3,"MISSING"=0)'), ("one-code-twice",
                'enum(int8,"ab"=1,"c"=1,"MISSING"=0)'),
            ("a-name-that-is-empty", 'enum(int8,"ab"=1,"c"=2,""=3,"MISSING"=0)'))),
        *((f"bytes-of-{slug}", stated(binary(2), [b"ab", None, b"\0\0"], type=text, fill=fill)) for slug,
          text, fill in (
            ("a-tag", 'opaque(2,"a \\"tag\\"")', "ffff"), ("other-length", 'opaque(3,"")', "ff"), ("no-hex",
                'opaque(2,"")', "gggg"),
            ("upper-hex", 'opaque(2,"")', "FFFE"), ("half-a-byte", 'opaque(2,"")', "fff"))),
        *((f"float-fill-{slug}", stated(F32, [0.5, None, -1.0], fill=text)) for slug, text in (
            ("nan", "nan(0x7fc00001)"), ("no-nan", "nan"), ("infinite", "-inf"), ("hexadecimal",
                "0x1.8p+1"), ("too-exact", "0.1"),
            ("decimal", "0.25"), ("occurs", "0.5"), ("empty", ""), ("words", "1x"), ("open-nan",
                "nan(0x7fc00001"))),
        *((f"half-fill-{slug}", stated(F16, [0.5, None, -1.0], fill=text)) for slug, text in (
            ("minus-zero", "-0x0p+0"), ("most", "65504"), ("too-much", "65520"), ("nan", "nan(0x7e01)"))),
        *((f"integer-fill-{slug}", stated(I16, [1, None, -1], fill=text)) for slug, text in (
            ("least", "-32768"), ("most", "32767"), ("beyond", "32768"), ("plus", "+7"), ("zeros", "007"),
            ("minus", "-"), ("minus-zero", "-0"),
            ("zero", "0"))),
        *((f"array-of-{slug}", (field("a", lists_of(2), item(I16), metadata={"hep001:type": text}), [[1, 2],
            [3, 4], None])) for slug, text in (
            ("2-big", "array(2,int16be)"), ("3", "array(3,int16)"), ("1-by-2", "array(1,2,int16)"), ("none",
                "array(0,int16)"),
            ("no-dimension", "array(int16)"), ("wide", "array(2,int24)"))),
        *((f"struct-of-{slug}", (field("a", STRUCT, field("x", I8), field("y", I16),
                                       metadata={"hep001:type": text, "hep001:fill": "0102030405"}),
                                 [(1, 2), None])) for slug, text in (
            ("gaps", 'compound(5,"x"@1 int8,"y"@3 int16be)'), ("behind-the-end",
                'compound(5,"x"@1 int8,"y"@4 int16)'),
            ("at-the-end", 'compound(5,"y"@3 int16,"x"@0 int8)'), ("other-names",
                'compound(5,"x"@1 int8,"z"@3 int16)'),
            ("one-name-twice", 'compound(5,"x"@0 int8,"x"@1 int16)'), ("fewer", 'compound(5,"x"@1 int8)'),
            ("none", "compound(5)"))),
        *((f"list-of-{slug}", (field("a", LIST, item(F32), metadata={"hep001:type": text}), [[0.5], None,
            []])) for slug, text in (
            ("floats-in-a-heap", "vlen(float32)"), ("floats-in-a-heap-big", "vlen(float32be)"), ("doubles",
                "vlen(float64)"), ("open", "vlen(float32"))),
        *((f"elements-of-{slug}", (field("a", LIST, field("item", *of,
                                                          metadata={"hep001:type": text, "hep001:fill": fill})), values))
          for slug, of, text, fill, values in (
            ("big-integers", (I16,), "int16be", "7", [[1, None], [2]]), ("bits", (U8,), "bits8(3,2)", "7",
                [[1, None], [2]]),
            ("fixed-texts", (UTF8,), "string(3,nullpad,ascii)", "-", [["a", None], ["bcd"]]),
            ("texts-too-long", (UTF8,), "string(2,nullpad,ascii)", "-", [["a", None], ["bcd"]]),
            ("texts-in-a-heap", (UTF8,), "string(*,nullterm,utf8)", "-", [["a", None], ["bcd"]]),
            ("names", (UTF8,), 'enum(int8,"a"=1,"b"=2,"MISSING"=0)', "0", [["a", None], ["b"]])))):
    valid(CONVERTS, f"stated-{slug}",
          f"Metadata that state how values are stored: {slug.replace('-', ' ')}.",
          base=base_of(column))(lambda _: None)

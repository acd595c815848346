"""Borders that lie in no chapter: the 64 slots that are looked at together, the last slot after them, the
256 KiB of a compressed buffer that are read at a time, what a null of a parent covers of a child."""

from generators.arrow import *
from generators.arrow.recipes.s03_types import of_v4

TEXT, RANGE, NEGATIVE = "arrow-utf8-values-valid", "arrow-dictionary-index-in-range", "arrow-dictionary-index-not-negative"
COUNT, NULLS = "arrow-null-count-exact", "arrow-field-not-nullable-no-nulls"
ASCENDING, INSIDE = "arrow-binary-offsets-ascending", "arrow-binary-offsets-in-data"

# Texts --------------------------------------------------------------------------------------------

ILL = [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc2", b"\xc2A", b"\xdf\xc0", b"\xe0\x9f\xbf",
       b"\xe0\xa0A", b"\xe0\xa0", b"\xed\xa0\x80",
       b"\xee\x80\xc0", b"\xef\xbf", b"\xf0\x8f\xbf\xbf", b"\xf0\x9f\x98A", b"\xf0\x9fA\x80",
       b"\xf0\x90\x80", b"\xf4\x90\x80\x80",
       b"\xf5\x80\x80\x80", b"\xff", b"ok\xe2\x82\xac\xe2\x82"]
WELL = [b"\x7f", b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xe0\xbf\xbf", b"\xed\x80\x80",
        b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbf",
        b"\xf0\x90\x80\x80", b"\xf0\xbf\xbf\xbf", b"\xf1\x80\x80\x80", b"\xf3\xbf\xbf\xbf",
        b"\xf4\x80\x80\x80", b"\xf4\x8f\xbf\xbf", b"\0"]


def texts_of(pieces):
    return base_of((field("a", UTF8), [*pieces]))


@valid(TEXT, base=texts_of(WELL))
def ends_of_all_lengths(f):
    "The first and the last characters of one, two, three and four bytes."


@invalid(TEXT, base=texts_of(["" for _ in ILL]))
def in_every_way(f):
    "Every way in which bytes can be no UTF-8, a text each."
    f.batch.arrays = [array(f.field("a"), ILL)]


for place in (3, 253, 256, 259, 300, 514):
    for name, piece in (("two-bytes", "é"), ("three-bytes", "€"), ("four-bytes", "😀")):
        many = place % 7 % 2
        before = "x" * (place - 2) + ("é" if many else "xx")
        good, bad = before.encode() + piece.encode(), before.encode() + piece.encode()[:-1] + b"x"

        @valid(TEXT, f"{name}-at-{place}",
               f"A character of {name.replace('-', ' ')} at byte {place}, and a slot after it.",
               base=texts_of([good, b"y" * 300]))
        def whole(f):
            pass

        @invalid(TEXT, f"{name}-at-{place}",
                 f"A character of {name.replace('-', ' ')} at byte {place} lacks its last.",
                 base=texts_of([good, b"y" * 300]))
        def lacks_one(f, bad=bad):
            f.array("a").data.content = bad + b"y" * 300


@invalid(TEXT, base=base_of((field("a", UTF8), [*("é" for _ in range(65)), "é"])))
def cut_between_the_last(f):
    "The last of 66 texts begins in the middle of a character."
    f.array("a").offsets.values[65] += 1


PART = 1 << 18  # bytes of a buffer that are read together


def in_parts(made):
    """The frames of a compressed batch take little."""
    made.batch.compression = "zstd"
    for buffer in made.batch.buffers():
        if len(buffer):
            buffer.frame = zstd_runs
    return made


def two_texts(first, rest, cut):
    """A text that ends `cut` bytes into the data."""
    def base():
        made = base_of((field("a", UTF8), [first, rest]))()
        made.array("a").offsets.values[1] = cut
        return in_parts(made)
    base.suffix = Stream.suffix
    return base


E2 = "é".encode()
for slug, size in (("before", PART - 2), ("over", PART - 1), ("behind", PART)):
    data = b"a" * size + E2 + b"b" * 10
    for cut, kind in ((size, valid), (size + 1, invalid), (size + 2, valid)):
        kind(TEXT, f"character-{slug}-the-border-cut-at-{cut - size}",
             f"Two bytes of a character {slug} the border of 256 KiB; a text ends {cut - size} bytes into it.",
             base=two_texts(data[:cut], data[cut:], cut))(lambda f: None)
    invalid(TEXT, f"half-a-character-{slug}-the-border",
            f"The first byte of a character stands alone {slug} the border of 256 KiB.",
            base=two_texts(b"a" * size + E2[:1], b"b" * 10, size + 1))(lambda f: None)


# Offsets ------------------------------------------------------------------------------------------

SLOTS = PART // 4 + 5


def offsets(*ends_):
    """Many empty texts, and some ends of the last."""
    def base():
        made = base_of((field("a", BINARY), [b""] * SLOTS))()
        made.array("a").offsets.values[-len(ends_):] = ends_
        made.array("a").data.content = b"xyz"
        return in_parts(made)
    base.suffix = Stream.suffix
    return base


valid(ASCENDING, "in-the-last-part", "The offsets of the last of many texts ascend.", base=offsets(0, 1,
    3))(lambda f: None)
for n in (3, 4, 5, 6, 7):
    invalid(ASCENDING, f"back-{n}-before-the-end", f"Of many offsets one goes back, {n} before the end.",
            base=offsets(*[2, 1], *[3] * (n - 2)))(lambda f: None)
invalid(INSIDE, "last-of-many", "The last of many offsets leads out of the data by one.", base=offsets(0, 1,
    4))(lambda f: None)


# Keys ---------------------------------------------------------------------------------------------

def keys(type, values, labels=3):
    return base_of((field("a", UTF8, dictionary=encoding(0, type)), values),
                   dictionaries=[("a", [f"w{i}" for i in range(labels)])])


for type, name in ((I8, "int8"), (I16, "int16"), (I32, "int32"), (I64, "int64")):
    @valid(RANGE, f"200-keys-{name}", f"200 {name} keys, the largest first and last.", base=keys(type,
        [2, *([0, 1] * 99), 2]))
    def all_inside(f):
        pass

    for at in (0, 63, 64, 65, 128, 199):
        @invalid(RANGE, f"{name}-key-3-at-{at}", f"Of 200 {name} keys into 3 values the one at {at} is 3.",
                 base=keys(type, [2, *([0, 1] * 99), 2]))
        def one_outside(f, at=at):
            f.array("a").data.values[at] = 3

    @invalid(NEGATIVE, f"{name}-in-the-third-word",
             f"Of 200 {name} keys the one at 130 is -1, and so is one under a null.",
             base=keys(type, [2, *([0, 1] * 99), 2]))
    def one_negative(f):
        f.array("a").data.values[130] = f.array("a").data.values[70] = -1
        f.array("a").hide(70)


@valid(RANGE, base=keys(I16, [0] * 200))
def large_keys_under_nulls(f):
    "Of 200 keys those that lead nowhere are null."
    for at in (0, 63, 64, 127, 128, 199):
        f.array("a").data.values[at] = 300
        f.array("a").hide(at)


def keys_in_parts(type, width, *last):
    def base():
        made = keys(type, [0] * (PART // width) + [*last])()
        return in_parts(made)
    base.suffix = Stream.suffix
    return base


for type, name, width in ((I8, "int8", 1), (I64, "int64", 8)):
    valid(RANGE, f"{name}-in-two-parts", f"More {name} keys than are read together.",
          base=keys_in_parts(type, width, 2, 1))(lambda f: None)
    other(RANGE, f"{name}-in-the-second-part", f"After the {name} keys that are read together one is 3.",
          keys_in_parts(type, width, 2, 1), keys_in_parts(type, width, 3, 1))


# Nulls --------------------------------------------------------------------------------------------

for n in (1, 7, 8, 9, 63, 64, 65, 128, 129):
    rows = [*range(n - 1), None]

    @valid(COUNT, f"last-of-{n}", f"The last of {n} slots is null.", base=base_of((field("a", I32), rows)))
    def last_null(f):
        pass

    for change in (-1, 1) if n > 1 else (-1,):
        @invalid(COUNT, f"{'more' if change > 0 else 'fewer'}-than-of-{n}",
                 f"The last of {n} slots is null, and the null count is {1 + change}.",
                 base=base_of((field("a", I32), rows)))
        def other_count(f, change=change):
            f.array("a").null_count += change

    if n % 8:
        @invalid("arrow-validity-padding-zero", f"behind-{n}", f"The bit after those of {n} slots is set.",
                 base=base_of((field("a", I32), rows)))
        def bit_behind(f, n=n):
            f.array("a").validity.values[n // 8] |= 1 << n % 8

    for parent, of, value, missing in (
            ("struct", (STRUCT, field("x", I8, nullable=False)), (1,), None),
            ("fixed-list", (lists_of(2), field("item", I8, nullable=False)), [1, 2], None),
            ("list", (LIST, field("item", I8, nullable=False)), [1, 2], None)):
        path, per = ("a.x", 1) if parent == "struct" else ("a.item", 2)

        def covered(of=of, value=value, n=n):
            return base_of((field("a", *of), [value] * n))

        @valid(NULLS, f"{parent}-null-at-the-end-of-{n}",
               f"The last of {n} {parent}s is null, and so is what lies in it.", base=covered())
        def under_a_null(f, n=n, path=path, per=per):
            f.array("a").hide(n - 1)
            f.array(path).hide(*range(per * (n - 1), per * n))

        if n > 1:
            @invalid(NULLS, f"{parent}-null-before-the-end-of-{n}",
                     f"The last of {n} {parent}s is null, what is null lies in the one before.",
                     base=covered())
            def beside_a_null(f, n=n, path=path, per=per):
                f.array("a").hide(n - 1)
                f.array(path).hide(per * (n - 1) - 1)


@invalid("arrow-list-first-offset-not-negative",
         base=base_of((field("a", LIST, field("item", UTF8)), [["x", "y"], ["z"], []])))
def under_a_null(f):
    "The first offset of lists is -1, the first list null, and the text of its first element is none."
    f.array("a").offsets.values[0] = -1
    f.array("a").hide(0)
    f.array("a.item").data.content = b"\xff" + f.array("a.item").data.content[1:]


# Unions -------------------------------------------------------------------------------------------

mixed = [(5, 5), (7, "joe"), (5, 4), (7, "mark"), (5, None), (7, "x")]
unions = base_of((field("a", union(SPARSE, [5, 7]), field("i", I32), field("s", UTF8)), mixed))


@valid("arrow-union-v4-bitmap", base=of_v4(unions, [1, 4]))
def sparse_over_bad_text(f):
    "A null slot of a sparse union of V4 selects a text that is none."
    f.array("a.s").data.content = b"\xff" + f.array("a.s").data.content[1:]


@invalid(TEXT, base=of_v4(unions, [0, 4]))
def sparse_of_v4(f):
    "A slot of a sparse union of V4 that is not null selects a text that is none."
    f.array("a.s").data.content = b"\xff" + f.array("a.s").data.content[1:]


pairs_of = [(0, 1.5), (0, None), (0, 3.5), (1, "joe"), (1, "x")]
dense_texts = base_of((field("a", union(DENSE), field("f", F32), field("s", UTF8)), pairs_of))


@valid("arrow-union-v4-bitmap", base=of_v4(dense_texts, [3]))
def dense_over_bad_text(f):
    "A null slot of a dense union of V4 selects a text that is none, and no other does."
    f.array("a.s").data.content = b"\xff" + f.array("a.s").data.content[1:]


@invalid(TEXT, base=of_v4(dense_texts, [3]))
def dense_of_v4_selected_twice(f):
    "Of two slots of a dense union of V4 that select one text, which is not valid, one is null."
    f.array("a.s").data.content = b"\xff" + f.array("a.s").data.content[1:]
    f.array("a").buffers[2].values[4] = 0


@valid("arrow-sparse-union-unselected-any", base=base_of(
    (field("a", union(SPARSE), field("i", I32), field("k", UTF8, dictionary=0)),
     [(0, 1)] * 65 + [(1, 1)] * 2)),)
def keys_of_the_65th(f):
    "Keys under 65 slots of another child lead nowhere."
    f.array("a.k").data.values[:65] = [9] * 65
    f.messages.insert(1, dictionary_batch(0, values_of(field("", UTF8), ["x", "y"])))


@invalid(RANGE, base=base_of(
    (field("a", union(SPARSE), field("i", I32), field("k", UTF8, dictionary=0)),
     [(0, 1)] * 65 + [(1, 1)] * 2)))
def key_of_the_66th(f):
    "The first key that a slot of a sparse union selects, the 66th, leads nowhere."
    f.array("a.k").data.values[:66] = [9] * 66
    f.messages.insert(1, dictionary_batch(0, values_of(field("", UTF8), ["x", "y"])))


# Values -------------------------------------------------------------------------------------------

for unit, day in ((SECOND, 86_400), (MILLI, 86_400_000), (MICRO, 86_400_000_000), (NANO,
    86_400_000_000_000)):
    type = time(unit, 32 if unit < MICRO else 64)

    @valid("arrow-time-value-range", f"last-of-the-day-{unit}",
           f"The first and the last moment of a day, in unit {unit}; what is null is beyond.",
           base=base_of((field("a", type), [0, day - 1, 1])))
    def last_moment(f, day=day):
        f.array("a").data.values[2] = day
        f.array("a").hide(2)

    for slug, value in (("next-day", day), ("before", -1)):
        @invalid("arrow-time-value-range", f"{slug}-{unit}",
                 f"A time of {value} in unit {unit}, after 70 that are right.",
                 base=base_of((field("a", type), [0] * 71)))
        def beyond(f, value=value):
            f.array("a").data.values[70] = value

for digits in (1, 9, 18, 19, 20, 37, 38):
    most = 10**digits - 1

    @valid("arrow-decimal-value-fits-precision", f"{digits}-nines",
           f"{digits} nines, negative too, and more under a null.",
           base=base_of((field("a", decimal(digits)), [most, -most, 1])))
    def nines(f, most=most):
        f.array("a").data.values[2] = most + 1
        f.array("a").hide(2)

    for slug, value in (("one-more", most + 1), ("one-less", -most - 1)):
        @invalid("arrow-decimal-value-fits-precision", f"{slug}-than-{digits}-nines",
                 f"{value}, of {digits} digits.",
                 base=base_of((field("a", decimal(digits)), [most, -most, 1])))
        def too_many(f, value=value):
            f.array("a").data.values[2] = value


# Strings ------------------------------------------------------------------------------------------

for clause, slug, pokes in (("arrow-fb-string-in-bounds", "the-end", {"count": 4, "end": ord("d")}),
                            ("arrow-fb-string-terminated", "the-last-byte", {"end": ord("d")})):
    @invalid(clause, f"name-up-to-{slug}", f"A name goes up to {slug.replace('-', ' ')} of the metadata.")
    def up_to_the_end(f, pokes=pokes):
        f.field("a").name = "abc"
        f.style = Style(last_first=True)
        f.messages[0].pokes = [(f"header.fields[0].name:{place}", value) for place, value in pokes.items()]

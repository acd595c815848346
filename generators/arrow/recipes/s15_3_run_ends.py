"""Format 1.5, 3.14: run-end encoded arrays."""

from generators.arrow import *

TWO, TYPE, NAMES = "arrow-run-end-two-children", "arrow-run-end-type", "arrow-run-end-child-names"
NULLABLE, ZERO = "arrow-run-end-field-not-nullable", "arrow-run-end-null-count-zero"
NO_NULLS, POSITIVE = "arrow-run-ends-no-nulls", "arrow-run-ends-positive"
ASCENDING, COVER = "arrow-run-ends-ascending", "arrow-run-ends-cover-length"
BEYOND = "arrow-run-ends-not-beyond-length"
SHORTER, LONGER = "arrow-run-end-values-not-shorter", "arrow-run-end-values-not-longer"
NO_NULL_RUNS = "arrow-run-end-not-nullable-no-nulls"
ALL = [TWO, TYPE, NAMES, NULLABLE, ZERO, NO_NULLS, POSITIVE, ASCENDING, COVER, BEYOND, SHORTER, LONGER]
EXAMPLE = [1.0] * 4 + [None] * 2 + [2.0]
runs = base_of((runs_of("a", F32), EXAMPLE))
texts_in_runs = base_of((runs_of("a", UTF8, ends=I16), ["x"] * 300 + ["y"]))
long_runs = base_of((runs_of("a", I32, ends=I64), [5, 5, 6]))


def keep(clause, slug, shows, base=runs, **options):
    valid_since_later(clause, slug, shows, base=base, **options)(lambda f: None)


keep(COVER, "example", "The example of the text.", keeps=ALL)
for base, word in ((texts_in_runs, "16-bits"), (long_runs, "64-bits"), (in_file(runs), "in-a-file"),
                   (in_order(1, texts_in_runs), "big-endian")):
    keep(TYPE, word, f"Run ends: {word}.", base=base, keeps=ALL)


@invalid_since_later(TWO, base=runs)
def one_child(f):
    "Run ends alone."
    f.field("a").children.pop()


@invalid_since_later(TWO, base=in_file(runs))
def three_children(f):
    "A third child."
    f.field("a").children += [field("more", I8)]


def of_type(slug, shows, type, **options):
    @invalid_since_later(TYPE, slug, shows, base=base_of((field("z", I32), [1, 2])), **options)
    def mutate(f):
        ends = field("run_ends", type, nullable=False)
        values = field("values", I32)
        f.schema.fields.append(field("a", RUN_END, ends, values))
        made = array(ends, ["a", "b"] if type is UTF8 else [1, 2])
        f.batch.arrays.append(Array("RunEndEncoded", 2, 0, [], [made, array(values, [1, 2])]))


of_type("int8", "Run ends of 8 bits.", I8)
of_type("uint32", "Run ends without a sign.", U32)
of_type("texts", "Texts for run ends.", UTF8)
of_type("floats", "Floating-point run ends.", F64)


@invalid_since_later(TYPE, base=base_of((runs_of("a", I32), [5, 5, 6])))
def dictionary(f):
    "Run ends that are dictionary-encoded."
    ends = f.field("a.run_ends")
    ends.dictionary = encoding(0)
    f.array("a.run_ends").data.values = [0, 1]
    f.messages.insert(1, f.add_dictionary(ends, [2, 3]))
    f.messages.pop()


@invalid_since_later(NAMES, base=runs)
def item(f):
    'The run ends are named "item".'
    f.field("a.run_ends").name = "item"


@invalid_since_later(NAMES, base=in_file(runs))
def capitals(f):
    'The values are named "Values".'
    f.field("a.values").name = "Values"


@invalid_since_later(NAMES, base=runs)
def none(f):
    "Neither child has a name."
    del f.field("a.run_ends").name, f.schema.fields[0].children[1].name


@invalid_since_later(NULLABLE, base=runs)
def nullable(f):
    "The run ends are nullable."
    f.field("a.run_ends").nullable = True


@invalid_since_later("arrow-run-end-no-buffers", alias="arrow-batch-buffer-count", base=runs)
def bitmap(f):
    "A bitmap for the array itself."
    f.array("a").buffers.append(bits([1, 1, 1, 1, 0, 0, 1]))


keep("arrow-run-end-no-buffers", "none", "Three nodes, four buffers.")


@invalid_since_later(ZERO, base=runs)
def logical_nulls(f):
    "A null count of 2: the null slots."
    f.array("a").null_count = 2


@invalid_since_later(ZERO, base=in_file(runs))
def null_runs(f):
    "A null count of 1: the null runs."
    f.array("a").null_count = 1


@invalid_since_later(NO_NULLS, base=runs)
def second_null(f):
    "The second run end is null."
    f.array("a.run_ends").hide(1)


@invalid_since_later(NO_NULLS, base=long_runs)
def count_without_bitmap(f):
    "A null count of 1 and no bitmap."
    f.array("a.run_ends").null_count = 1


@valid_since_later(NO_NULLS, base=runs)
def bitmap_of_ones(f):
    "A bitmap of ones for the run ends."
    f.array("a.run_ends").with_bitmap()


def ends(clause, slug, shows, values, base=runs, length=None, **options):
    @invalid_since_later(clause, slug, shows, base=base, **options)
    def mutate(f):
        f.array("a.run_ends").data.values = values
        if length is not None:
            f.array("a").length = f.batch.length = length


ends(POSITIVE, "zero", "A first run of no slots.", [0, 6, 7])
ends(POSITIVE, "minus-3", "A first run end of -3.", [-3, 2, 3], base=base_of(
    (runs_of("a", I32, ends=I64), [5, 6, 7])))
ends(ASCENDING, "equal", "A run of no slots.", [4, 4, 7])
ends(ASCENDING, "back", "Run ends that go back.", [4, 2, 7])
ends(ASCENDING, "lengths", "The lengths of the runs.", [4, 2, 1])
ends(ASCENDING, "behind-the-last", "Equal run ends behind the last slot.", [4, 7, 7])
ends(COVER, "one-slot", "Length 8, run ends 4, 6, 7.", [4, 6, 7], length=8)
ends(COVER, "int16", "40,000 slots, more than a run end of 16 bits can say.", [300, 32767],
     base=texts_in_runs, length=40000)
ends(BEYOND, "two-more", "Length 7, the last run end is 9.", [4, 6, 9])
keep(POSITIVE, "one", "A first run of one slot.", base=base_of((runs_of("a", I32), [1, 2, 2])))


@invalid_since_later(COVER, base=runs)
def no_runs(f):
    "Seven slots, no runs."
    f.array("a").children = [array(of, []) for of in f.field("a").children]


@invalid_since_later(BEYOND, base=base_of((runs_of("a", I32), [])))
def run_of_nothing(f):
    "No slots, one run."
    f.array("a").children = [array(of, [1]) for of in f.field("a").children]


@invalid_since_later(SHORTER, base=runs)
def two_values(f):
    "Three run ends, two values."
    f.array("a").children[1] = array(f.field("a.values"), [1.0, None])


@invalid_since_later(LONGER, base=runs)
def expanded(f):
    "Three run ends, seven values."
    f.array("a").children[1] = array(f.field("a.values"), EXAMPLE)


@invalid_since_later("arrow-run-end-in-stated-endianness", alias=ASCENDING, base=in_order(1, runs))
def little(f):
    "Little-endian run ends in a big-endian stream."
    f.array("a.run_ends").data.values = [4 << 24, 6 << 24, 7]


keep("arrow-run-end-in-stated-endianness", "big", "A big-endian stream.", base=in_order(1, runs))
keep("arrow-run-end-nulls-as-runs", "example", "A run of null.")
keep("arrow-run-end-empty", "no-slots", "No slots, no runs.", base=base_of((runs_of("a", UTF8), [])))


@valid_since_later("arrow-run-end-equal-neighbours", base=base_of((runs_of("a", I32), [1, 2, 3])))
def equal_values(f):
    "Three runs of equal values."
    f.array("a.values").data.values = [5, 5, 5]


keep("arrow-run-end-any-values", "lists-of-views", "Lists of views, runs of runs, and encoded texts.", base=base_of(
    (runs_of("a", LIST, field("item", UTF8_VIEW)), [["x"], ["x"], None]),
    (field("b", RUN_END, field("run_ends", I16, nullable=False), runs_of("values", I32)), [1, 1, 2]),
    (runs_of("c", UTF8, value_dictionary=0), [0, 0, 1]),
    dictionaries=[(field("", UTF8, dictionary=0), ["x", "y"])]))
keep("arrow-run-end-inside-others", "list-struct-dictionary", "Inside a list, inside a struct, as a dictionary.",
     base=base_of(
    (field("a", LIST, runs_of("item", I32)), [[1, 1, 1], [1, 2, 2], []]),
    (field("s", STRUCT, runs_of("x", UTF8)), [("y",), ("y",), ("z",)]),
    (runs_of("d", UTF8, dictionary=0), [4, 0, None]),
    dictionaries=[(runs_of("", UTF8, dictionary=0), ["x", "x", "x", "y", "y"])]))


@valid_since_later("arrow-run-end-long", base=base_of((runs_of("a", I32, ends=I64), [7])),
                   informs={"arrow-batch-length-within-int31"})
def two_to_40(f):
    "One run of 2^40 slots."
    f.array("a.run_ends").data.values = [1 << 40]
    f.array("a").length = f.batch.length = 1 << 40


not_nullable = base_of((runs_of("a", I32, nullable=False), [1, 1, 2]))
keep(NO_NULL_RUNS, "no-nulls", "Not nullable, and no null.", base=not_nullable)


@invalid_since_later(NO_NULL_RUNS, base=base_of((runs_of("a", I32, nullable=False), [1, None, None, 2])))
def one_null_run(f):
    "Not nullable, and a run of null."


@invalid_since_later(NO_NULL_RUNS, base=base_of(
    (runs_of("a", UTF8, nullable=False, value_dictionary=0), [0, None]),
    dictionaries=[(field("", UTF8, dictionary=0), ["x"])]))
def null_key(f):
    "Not nullable, and a run whose key is null."


@valid_since_later(NO_NULL_RUNS, base=not_nullable, informs={BEYOND})
def behind_the_length(f):
    "A null run behind the last slot."
    f.array("a").children = [array(of, values) for of, values in
                             zip(f.field("a").children, ([2, 3, 5], [1, 2, None]))]


def runs_of_runs(name, type, nullable):
    return field(name, RUN_END, field("run_ends", I32, nullable=False), runs_of("values", type), nullable=nullable)


@invalid_since_later(NO_NULL_RUNS, base=base_of((runs_of_runs("a", I32, False), [1, 1, None, 2])))
def null_run_of_runs(f):
    "Not nullable; its runs are run-end encoded, and one of those is null."


@valid_since_later(NO_NULL_RUNS, base=base_of((runs_of_runs("a", I32, False), [1, 1, 2])), informs={BEYOND})
def runs_behind_the_length(f):
    "Not nullable; a null run of the runs belongs to a run behind the last slot."
    f.array("a").children = [array(of, values) for of, values in
                             zip(f.field("a").children, ([2, 3, 5], [1, 1, None]))]


@valid_since_later(NO_NULL_RUNS, base=base_of(
    (field("s", STRUCT, runs_of("a", UTF8, nullable=False)), [("x",), ("",), ("",), ("z",)])),
    keeps=["arrow-utf8-values-valid"])
def under_null_structs(f):
    "A run under two null structs is null; its bytes are no text."
    below = f.array("s.a.values")
    f.array("s").hide(1, 2)
    below.data.content = b"x\xffz"
    below.offsets.values = [0, 1, 2, 3]
    below.hide(1)


@invalid_since_later("arrow-utf8-values-valid", "run-partly-hidden", base=base_of(
    (field("s", STRUCT, runs_of("a", UTF8)), [("x",), ("",), ("",), ("z",)])),
    shows="A run whose value is no text lies under one null struct and one that is not.")
def partly_hidden(f):
    below = f.array("s.a.values")
    f.array("s").hide(1)
    below.data.content, below.offsets.values = b"x\xffz", [0, 1, 2, 3]


# Keys of maps -------------------------------------------------------------------------------------

KEYS = "arrow-map-keys-no-nulls"


def maps_of_runs(*values, nullable=False, **options):
    return base_of((map_of("a", runs_of("key", UTF8, nullable=nullable, **options), field("value", I32)), list(values)))


keep(KEYS, "runs", "Keys that are run-end encoded.",
     base=maps_of_runs([("a", 1), ("a", None)], None, [("b", 3)]))


@invalid_since_later(KEYS, base=maps_of_runs([("a", 1), (None, 2)], [("c", 3)]))
def null_run(f):
    "A run of keys is null."


@invalid_since_later(KEYS, base=base_of(
    (map_of("a", runs_of_runs("key", UTF8, False), field("value", I32)), [[("a", 1), (None, 2)], [("c", 3)]])))
def null_run_of_runs_of_keys(f):
    "Keys in runs of runs, one of which is null."


@invalid_since_later(KEYS, base=maps_of_runs([("a", 1), (None, 2)], [("c", 3)], nullable=True),
                     also=["arrow-map-key-not-nullable"])
def null_run_of_a_nullable_key(f):
    "A run of keys is null, and the key is nullable."


@invalid_since_later(POSITIVE, base=base_of((runs_of("a", I8), [5, 5])))
def of_the_only_run(f):
    "The only run of two slots ends at 0."
    f.array("a").children[0].buffers[1].values[0] = 0

"""Format 1.5: types, dictionaries, streams and files."""

from generators.arrow import *

FIRST = "arrow-stream-initial-dictionaries-first"

for bits_, precision in ((32, 9), (64, 18)):
    for order in (0, 1):
        valid_since_later("arrow-decimal-narrow", f"{bits_}-{('little', 'big')[order]}",
                          f"The largest and the smallest decimal of {bits_} bits.",
                          base=in_order(order, base_of((field("a", decimal(precision, 2, bits_)),
                                                        [10**precision - 1, 1 - 10**precision, None]))),
                          keeps=["arrow-decimal-value-fits-precision",
                                 "arrow-decimal-precision-fits-width"])(lambda f: None)

valid_since_later("arrow-decimal-256", "big", "10^76 - 1 in a big-endian stream.", base=in_order(1, base_of(
    (field("a", decimal(76, 0, 256)), [10**76 - 1, -1]))),
    keeps=["arrow-decimal-value-fits-precision"])(lambda f: None)
valid_since_later("arrow-interval-month-day-nano", "signs", "Parts of different signs, more nanoseconds than a day has.",
                  base=base_of((field("a", interval(2)), [(1, -30, 90000000000000), (0, 0, -1 << 63)])),
                  keeps=["arrow-interval-unit-known", "arrow-primitive-data-size"])(lambda f: None)


@invalid_since_later("arrow-decimal-value-fits-precision", "32-bits", base=base_of(
    (field("a", decimal(3, 0, 32)), [999, 1])), shows="1000 with precision 3 in 32 bits.")
def four_digits(f):
    f.array("a").data.values[1] = 1000


@invalid_since_later("arrow-primitive-data-size", "month-day-nano", base=base_of(
    (field("a", interval(2)), [(1, 2, 3), (4, 5, 6)])), shows="Two intervals in 24 bytes.")
def two_of_twelve(f):
    f.array("a").data.content = f.array("a").data.bytes("little")[:24]


# Dictionaries -------------------------------------------------------------------------------------

two = base_of((field("a", UTF8, dictionary=0), [0, 1]), (field("b", UTF8, dictionary=1), [None, None]),
              dictionaries=[(field("a", UTF8, dictionary=0), ["x", "y"]),
                            (field("b", UTF8, dictionary=1), ["z"])])


@valid_since_later(FIRST, base=two)
def then_a_delta(f):
    "Both dictionaries, a batch, a delta."
    f.add_dictionary("a", ["w"], delta=True)
    f.add([2], [0])


@invalid_since_later(FIRST, base=two)
def second_after_a_batch(f):
    "The second dictionary comes after a batch of nulls."
    f.messages.append(f.messages.pop(2))
    f.add([0], [0])


@valid_since_later("arrow-dictionary-delta-any-type", base=base_of(
    (field("a", UTF8_VIEW, dictionary=0), [0, 1]), (runs_of("b", I32, dictionary=1), [0, 1]),
    (field("c", LIST_VIEW, field("item", I8), dictionary=2), [0, None]),
    dictionaries=[(field("", UTF8_VIEW, dictionary=0), ["foo", "thirteen byte"]),
                  (runs_of("", I32, dictionary=1), [7, 7]),
                  (field("", LIST_VIEW, field("item", I8), dictionary=2), [[1, 2]])]))
def views_runs_lists(f):
    "Deltas of views, of runs and of list views."
    f.add_dictionary("a", ["a longer text than that"], delta=True)
    f.add_dictionary("b", [8, 8, 9], delta=True)
    f.add_dictionary("c", [[3], []], delta=True)
    f.add([2, 0], [4, 0], [2, 1])


@invalid_since_later("arrow-dictionary-index-in-range", "delta-of-runs", base=base_of(
    (runs_of("b", I32, dictionary=1), [0, 1]),
    dictionaries=[(runs_of("", I32, dictionary=1), [7, 7])]), shows="A key behind the values of a delta of runs.")
def behind_the_runs(f):
    f.add_dictionary("b", [8, 8, 9], delta=True)
    f.add([5])


# Files --------------------------------------------------------------------------------------------

CUSTOM = "arrow-footer-custom-metadata-identical"


@valid_since_later(CUSTOM, base=two_batches_file)
def same_pairs(f):
    "The first message and the footer have the same pairs, in another order."
    f.messages[0].table.custom_metadata = pairs({"a": "1", "b": "2"})
    f.footer.custom_metadata = pairs({"b": "2", "a": "1"})


@invalid_since_later(CUSTOM, base=two_batches_file)
def of_the_message(f):
    "The pairs of the first message are not in the footer."
    f.messages[0].table.custom_metadata = pairs({"a": "1"})


@invalid_since_later("arrow-footer-schema-metadata-identical", base=two_batches_file)
def extension_in_the_stream(f):
    "An extension name is in the stream only."
    f.footer_schema()
    f.field("s").custom_metadata = pairs({"ARROW:extension:name": "my.text"})


@invalid_since_later("arrow-footer-schema-equal", "with-other-metadata", base=two_batches_file,
                     shows="The footer has another type and other metadata.")
def both_differ(f):
    f.footer_schema().fields[0].nullable = False
    f.footer_schema().fields[0].custom_metadata = pairs({"a": "1"})


@invalid_since_later("arrow-file-equivalent-to-stream", alias="arrow-footer-record-batches-complete",
                     base=two_batches_file)
def not_listed(f):
    "A batch is not listed in the footer."
    f.blocks.pop()


valid_since_later("arrow-file-equivalent-to-stream", "two-batches", "The footer lists what the stream has.",
                  base=two_batches_file)(lambda f: None)

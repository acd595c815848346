"""Inputs for reading programs, if no fixture of the other chapters is suitable."""

from generators.arrow import *


@valid("arrow-consumer-day-time-optional", base=base_of((field("a", interval(1)), [(1, 2), None, (-3, 86399999)])))
def three_slots(f):
    "Days and milliseconds: 1 and 2, null, -3 and 86399999."


@valid("arrow-consumer-offset-relative-to-body", base=two_batches)
def metadata_of_three_sizes(f):
    "Three batches, whose metadata take more and more bytes."
    f.add([6, 7, None], ["w", "", "t"])
    for i, message in enumerate(f.batches):
        message.table.custom_metadata = pairs({f"k{n}": n * "long " for n in range(3 * i)})


def mixed():
    """Of each nullable field one that is not next to it; metadata on all levels."""
    made = Stream([
        field("z", I32, nullable=False, metadata={"unit": "m", "": "empty key"}),
        field("a", UTF8, metadata={"note": "é"}),
        field("p", STRUCT, field("x", I64, nullable=False, metadata={"k": "v"}), field("y", F64),
              nullable=False),
        field("d", UTF8, nullable=False, dictionary=encoding(0, I16, True)),
        field("e", UTF8, dictionary=encoding(1, I8))])
    made.schema.custom_metadata = pairs({"title": "all of it", "empty": ""})
    made.add_dictionary("d", ["low", "high"])
    made.add_dictionary("e", ["low", "high"])
    made.add([1, 2], ["x", None], [(5, 0.5), (6, None)], [0, 1], [1, None])
    return made


mixed.suffix = Stream.suffix


@valid("arrow-consumer-nullable-round-trip", base=mixed)
def mixed_nullability(f):
    "Fields that are nullable next to fields that are not, metadata, one ordered dictionary."


@invalid("arrow-fb-vector-in-bounds", base=two_batches)
def before_a_body_of_2_62(f):
    "A batch with a body of 2^62 bytes, whose vector of nodes has 2^31 - 1 elements."
    f.batches[1].body_length = 1 << 62
    f.batches[1].pokes = [("header.nodes:count", 0x7FFFFFFF)]


@invalid("arrow-schema-features-known", "4-in-a-stream", "Feature 4 in a stream.", base=ints)
def unknown_feature(f):
    f.schema.features = [4]

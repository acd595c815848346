"""Valid streams and files from which recipes start, each as small as possible."""

import functools

from .ipc import File, Stream
from .tables import *

NAMES = ["joe", None, "", "mark"]


def base_of(*columns, kind=Stream, dictionaries=(), **options):
    """The base of a recipe: a stream of one batch, given as (field, values). `dictionaries` are
    (path or field, values)."""
    def base():
        made = kind([of.copy() for of, _ in columns])
        for of, values in dictionaries:
            made.add_dictionary(of, values)
        made.add(*(values for _, values in columns), **options)
        return made
    base.suffix = kind.suffix
    return base


def in_file(base):
    """The same as a file."""
    @functools.wraps(base)
    def filed():
        stream = base()
        made = File([])
        made.schema, made.messages = stream.schema, stream.messages
        made.version, made.old = stream.version, stream.old
        return made
    filed.suffix = File.suffix
    return filed


def in_order(endianness, base):
    """The same with another byte order."""
    @functools.wraps(base)
    def ordered():
        made = base()
        made.schema.endianness = endianness
        return made
    ordered.suffix = base.suffix
    return ordered


# The example in the specification.
ints = base_of((field("a", I32), [1, None, 2, 4, 8]))
ints_file = in_file(ints)
bools = base_of((field("a", BOOL), [True, None, False, True, True, False, True, True, True]))
floats = base_of((field("a", F64), [0.5, None, -1.0, 4.0]))
texts = base_of((field("a", UTF8), NAMES))
binaries = base_of((field("a", BINARY), [b"joe", None, b"", b"mark"]))
large_texts = base_of((field("a", LARGE_UTF8), NAMES))
fixed_binaries = base_of((field("a", binary(3)), [b"abc", None, b"def", b"ghi", b"jkl"]))
nulls = base_of((field("a", NULL), 10 * [None]))

LISTS = [[12, -7, 25], None, [0, -127, 127, 50], []]
lists = base_of((field("a", LIST, field("item", I8)), LISTS))
large_lists = base_of((field("a", LARGE_LIST, field("item", I8)), LISTS))
fixed_lists = base_of((field("a", lists_of(4), field("item", U8)),
                       [[192, 168, 0, 12], None, [192, 168, 0, 25], [192, 168, 0, 1]]))
# {"joe", 1}, {null, 2}, null, {"mark", 4}
structs = base_of((field("a", STRUCT, field("name", UTF8), field("age", I32)),
                   [("joe", 1), (None, 2), None, ("mark", 4)]))

UNION_CHILDREN = field("f", F32), field("i", I32)
dense = base_of((field("a", union(DENSE), *UNION_CHILDREN), [(0, 1.5), (0, None), (0, 3.5), (1, 5)]))
sparse = base_of((field("a", union(SPARSE, [5, 7]), field("i", I32), field("s", UTF8)),
                  [(5, 5), (7, "joe"), (5, 4), (7, "mark"), (5, None), (7, "x")]))

WORDS = ["foo", "bar", "baz"]
words = base_of((field("a", UTF8, dictionary=0), [0, 1, None, 2, 1, 0]),
                dictionaries=[("a", WORDS)])
words_file = in_file(words)


def maps_of(name="a", type=MAP, key=UTF8, value=I32, values=None):
    return base_of((map_of(name, field("key", key, nullable=False), field("value", value), type),
                    values or [[("a", 1), ("b", None)], None, [], [("c", 3)]]))


maps = maps_of()


# One column of each of several kinds, which do not conflict.
def several():
    return base_of((field("id", I64, nullable=False), [1, 2, 3]),
                   (field("x", F64), [0.5, None, 2.5]),
                   (field("s", UTF8), ["a", "bc", None]),
                   (field("l", LIST, field("item", I32)), [[1], None, [2, 3]]),
                   (field("p", STRUCT, field("u", I16), field("v", BOOL)),
                    [(1, True), None, (3, None)]))()


several.suffix = Stream.suffix
several_file = in_file(several)


def two_batches():
    """Two batches, of three rows and of two."""
    made = Stream([field("a", I32), field("s", UTF8)])
    made.add([1, 2, 3], ["x", None, "yz"])
    made.add([None, 5], ["u", "v"])
    return made


two_batches.suffix = Stream.suffix
two_batches_file = in_file(two_batches)


def no_batches():
    return Stream([field("a", I32)])


no_batches.suffix = Stream.suffix

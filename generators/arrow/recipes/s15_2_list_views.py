"""Format 1.5, 3.8.2: list views."""

from generators.arrow import *

ONE_CHILD = "arrow-list-view-one-child"
OFFSETS, SIZES = "arrow-list-view-offsets-size", "arrow-list-view-sizes-size"
OFFSET, SIZE, END = ("arrow-list-view-offset-in-child", "arrow-list-view-size-not-negative",
                     "arrow-list-view-end-in-child")
ALL = [ONE_CHILD, OFFSETS, SIZES, OFFSET, SIZE, END]
LISTS = [[12, -7, 25], None, [0, -127, 127, 50], []]
lists = base_of((field("a", LIST_VIEW, field("item", I8)), LISTS))
large = base_of((field("a", LARGE_LIST_VIEW, field("item", I8)), LISTS))


def example():
    "The second example of the text."
    made = lists()
    a = made.array("a")
    a.length, a.null_count, a.buffers[0] = 5, 1, bits([1, 0, 1, 1, 1])
    a.offsets.values, a.sizes.values = [4, 7, 0, 0, 3], [3, 0, 4, 0, 2]
    made.batch.length = 5
    return made


example.suffix = lists.suffix

for base, word in ((lists, "list-view"), (large, "large-list-view"), (in_file(large), "in-a-file"),
                   (in_order(1, large), "big-endian")):
    valid_since_later(OFFSETS, word, f"Lists in order: {word}.", base=base, keeps=ALL)(lambda f: None)

for base, word in ((lists, "list-view"), (large, "large-list-view")):
    @invalid_since_later(ONE_CHILD, f"{word}-without", f"No child: {word}.", base=base)
    def no_child(f):
        f.field("a").children = []

    @invalid_since_later(ONE_CHILD, f"{word}-with-two", f"Two children: {word}.", base=in_file(base))
    def two_children(f):
        f.field("a").children += [field("more", I8)]


def changed(clause, slug, shows, base=lists, **options):
    """`options`: the values of the buffers, by name."""
    @invalid_since_later(clause, slug, shows, base=base)
    def mutate(f):
        for name, values in options.items():
            getattr(f.array("a"), name).values = values


changed(OFFSETS, "three-for-four", "12 bytes of offsets for 4 slots.", offsets=[0, 3, 3])
changed(SIZES, "none", "No sizes for 4 slots.", sizes=[])


@invalid_since_later(OFFSETS, base=large)
def of_four_bytes(f):
    "A large list view with offsets of 4 bytes."
    f.array("a").offsets.width = 4


@invalid_since_later(SIZES, base=in_file(large))
def narrow_sizes(f):
    "A large list view with sizes of 4 bytes."
    f.array("a").sizes.width = 4


changed(OFFSET, "behind-the-child", "An empty list at 8 of a child of 7.", offsets=[0, 3, 3, 8])
changed(OFFSET, "minus-1-at-a-null", "The offset -1 at a null slot.", offsets=[0, -1, 3, 7])
changed(OFFSET, "large", "The offset 2^62.", base=large, offsets=[0, 3, 3, 1 << 62])
changed(SIZE, "sum-inside", "Offset 5 and size -2.", offsets=[5, 3, 3, 7], sizes=[-2, 0, 4, 0])
changed(SIZE, "as-a-mark", "The size -1 at a null slot.", sizes=[3, -1, 4, 0])
changed(END, "one-too-far", "A list ends one element behind the child.", sizes=[3, 0, 5, 0])
changed(END, "null-slot", "A null slot of 100 elements.", sizes=[3, 100, 4, 0])
changed(END, "wraps", "2^62 elements at offset 4; 4 times in the sum of 64 bits.", base=large,
        offsets=[4, 3, 3, 7], sizes=[(1 << 63) - 2, 0, 4, 0])


@invalid_since_later("arrow-list-view-in-stated-endianness", alias=END, base=in_order(1, lists))
def little_sizes(f):
    "Little-endian sizes in a big-endian stream."
    f.array("a").sizes.values = [3 << 24, 0, 4 << 16, 0]


valid_since_later("arrow-list-view-in-stated-endianness", "big", "A big-endian stream.",
                  base=in_order(1, lists))(lambda f: None)
valid_since_later("arrow-list-view-any-order", "example", "The second example of the text.", base=example,
                  keeps=ALL)(lambda f: None)


@valid_since_later(OFFSET, base=lists, keeps=[END])
def at_the_end(f):
    "An empty list right behind the last element."
    f.array("a").offsets.values[3] = 7


hidden = base_of((field("a", LIST_VIEW, field("item", UTF8)), [["a"], ["b"], ["c"], ["d"]]))


@valid_since_later("arrow-list-view-null-slot-not-empty", base=hidden, keeps=["arrow-utf8-values-valid"])
def garbage_under_a_null(f):
    "A null slot over a value that is no text, and over one that a valid slot shares."
    a = f.array("a")
    a.offsets.values, a.sizes.values = [0, 0, 2, 3], [1, 2, 1, 1]
    a.children[0].data.content = b"a\xffcd"
    a.hide(1)


@invalid_since_later("arrow-utf8-values-valid", "shared-with-a-null-list-view", base=hidden,
                     shows="A value that is no text, in a null list and in one that is not.")
def shared(f):
    a = f.array("a")
    a.offsets.values, a.sizes.values = [0, 0, 1, 2], [1, 4, 2, 2]
    a.children[0].data.content = b"ab\xffd"
    a.hide(1)


@invalid_since_later("arrow-list-view-map-is-no-view", alias="arrow-batch-buffer-count", base=maps)
def with_sizes(f):
    "A Map with a buffer of sizes."
    f.array("a").buffers.append(Buffer([2, 0, 0, 1], 4))


valid_since_later("arrow-list-view-map-is-no-view", "map", "A Map among list views.", base=base_of(
    (map_of("m", field("key", UTF8, nullable=False), field("value", I32)), [[("a", 1)], None]),
    (field("a", LIST_VIEW, field("item", I8)), [[1], None])))(lambda f: None)

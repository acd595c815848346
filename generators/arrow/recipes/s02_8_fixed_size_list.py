"""2.8: fixed-size lists."""

from generators.arrow import *

LENGTH, SIZE = "arrow-fixed-size-list-child-length", "arrow-fixed-size-list-size-not-negative"


@valid(SIZE, base=fixed_lists, keeps=[LENGTH])
def size_4(f):
    "Lists of 4, the example of the text."


@valid(SIZE, base=base_of((field("a", lists_of(0), field("item", U8)), [[], None, []])),
       keeps=["arrow-zero-width-values"])
def size_0(f):
    "Lists of size 0 over an empty child."


for name, size in (("minus-1", -1), ("smallest", -1 << 31)):
    @invalid(SIZE, name, f"The list size is {size}.", base=fixed_lists)
    def negative(f, size=size):
        f.field("a").type.listSize = size


def with_child(f, count):
    f.array("a").children = [array(field("item", U8), [*range(count)])]


@invalid(LENGTH, base=fixed_lists)
def one_short(f):
    "4 lists of 4 over a child of 15."
    with_child(f, 15)


@invalid(LENGTH, base=in_file(fixed_lists))
def without_the_null_slot(f):
    "The child has values for the valid slots only."
    with_child(f, 12)


@invalid(LENGTH, base=fixed_lists, also=["arrow-batch-length-within-int31"])
def product_wraps(f):
    "2^62 lists of 4: the product is 0 in 64 bits."
    f.array("a").validity.values, f.array("a").null_count = [], 0
    f.batch.length = f.array("a").length = 1 << 62


@valid("arrow-fixed-size-list-child-longer", base=fixed_lists)
def one_list_more(f):
    "4 lists of 4 over a child of 20."
    with_child(f, 20)


@valid(LENGTH, base=base_of((field("a", lists_of(2), field("item", lists_of(3), field("item", I16))),
                             [[[1, 2, 3], [4, 5, 6]], None])))
def lists_of_lists(f):
    "Lists of 2 lists of 3."

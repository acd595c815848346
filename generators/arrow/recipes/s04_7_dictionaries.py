"""4.7: dictionary batches."""

from generators.arrow import *

IN_SCHEMA, DATA = "arrow-dictionary-id-in-schema", "arrow-dictionary-data-present"
SAME_TYPE, HAS_BASE = "arrow-dictionary-shared-id-same-type", "arrow-dictionary-delta-has-base"


@valid(IN_SCHEMA, base=base_of((field("a", LIST, field("item", UTF8, dictionary=0)), [[0, 1], [1]]),
                               dictionaries=[("a.item", ["x", "y"])]))
def of_a_child(f):
    "Id 0 is that of the child of a list."


@invalid(IN_SCHEMA, base=words)
def other_id(f):
    "A dictionary with id 1, where the schema has 0 alone."
    f.messages.insert(1, dictionary_batch(1, values_of(field("", UTF8), ["x"])))


@invalid(IN_SCHEMA, base=ints_file)
def no_encoded_field(f):
    "A dictionary in a file without dictionary-encoded fields."
    f.messages.insert(1, dictionary_batch(0, values_of(field("", UTF8), ["x"])))


@valid(DATA, base=words_file, keeps=["arrow-dictionary-one-column"])
def data_of_one_column(f):
    "A dictionary of texts: one node, three buffers."


@invalid(DATA, base=in_file(base_of((field("a", UTF8, dictionary=0), [None, None]),
                                    dictionaries=[("a", ["x"])])))
def without_data(f):
    "A dictionary batch without data."
    message = f.dictionaries[0]
    message.batch = None
    del message.table.header.data


@invalid(DATA, base=base_of((field("a", UTF8, dictionary=0), [None, None]),
                            dictionaries=[("a", ["x"])]))
def without_data_in_a_stream(f):
    "A dictionary batch of a stream without data."
    without_data(f)


ONE_COLUMN = "arrow-dictionary-one-column"


@invalid(ONE_COLUMN, base=words, alias="arrow-batch-node-count",
         fails={"arrow-batch-node-count", "arrow-batch-buffer-count"})
def two_columns(f):
    "The data of a dictionary have two columns."
    f.dictionary.arrays.append(values_of(field("", I8), [1, 2, 3]))


@invalid(ONE_COLUMN, base=words, alias="arrow-batch-buffer-count")
def as_keys(f):
    "The data of a dictionary of texts have the two buffers of keys."
    f.dictionaries[0].batch = Batch([array(field("", I32), [0, 1, 2])])


@invalid(ONE_COLUMN, base=words_file, alias="arrow-batch-column-length")
def three_of_four(f):
    "The data of a dictionary have the length 4, its column has 3."
    f.dictionary.length = 4


# Shared -------------------------------------------------------------------------------------------

shared = base_of((field("a", UTF8, dictionary=encoding(0, I8)), [0, 1, 2]),
                 (field("b", UTF8, nullable=False, dictionary=encoding(0, I32, True)), [2, 1, 0]),
                 dictionaries=[("a", WORDS)])


@valid(SAME_TYPE, base=shared, keeps=["arrow-dictionary-shared-id"])
def other_keys(f):
    "Two fields with one dictionary of texts: keys of 8 and of 32 bits, one of them ordered."


@valid(SAME_TYPE, base=in_file(base_of(
    *((field(name, LIST, field(child, I32), dictionary=0), [0, 0]) for name, child in
      (("a", "item"), ("b", "item"))),
    dictionaries=[(field("a", LIST, field("item", I32), dictionary=0), [[1, 2]])])))
def two_of_lists(f):
    "Two fields with one dictionary of lists, in a file."


@invalid(SAME_TYPE, base=shared)
def text_and_integer(f):
    "A dictionary of texts and one of integers share id 0."
    f.schema.fields[1] = field("b", I32, dictionary=encoding(0, I32))


@invalid(SAME_TYPE, base=in_file(base_of(
    *((field(name, LIST, field("item", I32), dictionary=0), [0, 0]) for name in "ab"),
    dictionaries=[(field("a", LIST, field("item", I32), dictionary=0), [[1, 2]])])))
def lists_of_other_width(f):
    "Dictionaries of lists of 32-bit and of 64-bit integers share id 0."
    f.field("b.item").type = I64.copy()


@valid("arrow-dictionary-shared-id", base=in_file(shared))
def in_a_file(f):
    "Two fields and one dictionary, in a file."


# Deltas and replacements --------------------------------------------------------------------------

text = base_of((field("a", UTF8, dictionary=0), [0, 1, 2, 1]),
               dictionaries=[("a", ["A", "B", "C"])])


@valid(HAS_BASE, base=text, keeps=["arrow-dictionary-delta"])
def example_of_the_text(f):
    "A, B, C; then D and E as a delta: A B C B, D C E A."
    f.add_dictionary("a", ["D", "E"], delta=True)
    f.add([3, 2, 4, 0])


@valid("arrow-dictionary-delta", base=in_file(text), keeps=[HAS_BASE])
def two_in_a_file(f):
    "Two deltas in a file, one of them empty."
    f.add_dictionary("a", [], delta=True)
    f.add_dictionary("a", ["D", None], delta=True)
    f.add([3, 4, None])


@valid("arrow-dictionary-delta", base=text, keeps=[HAS_BASE])
def after_a_replacement(f):
    "A delta expands the dictionary that took the place of the first."
    f.add_dictionary("a", ["x"])
    f.add_dictionary("a", ["y"], delta=True)
    f.add([1, 0])


@invalid(HAS_BASE, base=text, ambiguity="arrow-delta-without-base")
def delta_first(f):
    "The first dictionary batch is a delta."
    f.dictionaries[0].wrap.isDelta = f.dictionaries[0].table.header.isDelta = True


@invalid(HAS_BASE, base=base_of((field("a", UTF8, dictionary=0), [None, None]),
                                (field("b", UTF8, dictionary=1), [0, 1]),
                                dictionaries=[("b", ["x", "y"])]))
def base_of_another_id(f):
    "A delta of id 0, where only id 1 has a dictionary."
    f.messages.insert(2, f.add_dictionary("a", ["x"], delta=True))
    f.messages.pop()


@invalid(HAS_BASE, base=in_file(text), also=["arrow-footer-blocks-in-stream-order"])
def listed_first(f):
    "The footer of a file lists the delta before its dictionary."
    f.add_dictionary("a", ["D"], delta=True)
    f.dictionary_blocks.reverse()


@valid("arrow-dictionary-replacement-in-stream", base=text)
def second_example_of_the_text(f):
    "A, B, C, then A, C, D, E in its place: A B C B, D C E A."
    f.add_dictionary("a", ["A", "C", "D", "E"])
    f.add([2, 1, 3, 0])


@valid("arrow-dictionary-unused", base=base_of((field("a", UTF8, dictionary=0), [None, None]),
                                               dictionaries=[("a", [])]))
def empty(f):
    "An empty dictionary and an all-null column."


@valid("arrow-dictionary-unused", base=in_file(base_of((field("a", UTF8, dictionary=0), [1]),
                                                       dictionaries=[("a", WORDS)])))
def two_of_three(f):
    "Two of three values are not used."


inner = field("inner", UTF8, dictionary=1)
outer = field("a", STRUCT, inner, dictionary=0)


@valid("arrow-dictionary-nested-order-any",
       base=base_of((outer, [0, 1, 1]), dictionaries=[(outer, [(0,), (1,)]), (inner, ["x", "y"])]))
def outer_first(f):
    "The outer dictionary, then the inner one."


@valid("arrow-dictionary-nested-order-any", base=in_file(
    base_of((outer, [0, 1, 1]), dictionaries=[(outer, [(0,), (1,)]), (inner, ["x", "y"])])))
def outer_first_in_a_file(f):
    "The outer dictionary, then the inner one, after the batch in a file."
    f.messages.append(f.messages.pop(2))


# Dictionaries that cannot be read -----------------------------------------------------------------

def with_deltas():
    """A dictionary, two deltas, and keys of all three, as a file."""
    made = in_file(words)()
    made.batches[0].batch.arrays[0].data.values[0] = 4
    made.add_dictionary("a", ["quux"], delta=True)
    made.add_dictionary("a", ["corge"], delta=True)
    return made


with_deltas.suffix = File.suffix


@invalid("arrow-dictionary-data-present", base=with_deltas)
def base_without_data(f):
    "A dictionary without data; deltas and keys follow."
    del f.dictionaries[0].wrap.data


@invalid("arrow-message-version-readable", "of-a-dictionary-with-deltas", base=with_deltas,
         shows="A dictionary of an unknown version; deltas and keys follow.")
def unknown_version(f):
    f.dictionaries[0].table.version = 6


@invalid("arrow-block-in-file", "of-a-dictionary-with-deltas", base=with_deltas,
         shows="The block of a dictionary leads astray; those of its deltas do not.")
def astray(f):
    f.dictionary_blocks[0].offset = 0


@invalid("arrow-block-points-to-message", "of-a-delta", base=with_deltas,
         shows="The block of a delta leads to the flatbuffer.")
def delta_astray(f):
    f.dictionary_blocks[1].offset = lambda right: right + 8


@invalid("arrow-fb-vtable-in-bounds", "of-a-dictionary-with-deltas", base=with_deltas,
         shows="A broken flatbuffer in a delta.")
def broken_delta(f):
    f.dictionaries[1].pokes = [("header.data:vtable", 3)]


@invalid("arrow-field-type-present", "with-a-child", "A field without type that has a child.", base=lists)
def no_type(f):
    del f.field("a").type_type, f.field("a").type

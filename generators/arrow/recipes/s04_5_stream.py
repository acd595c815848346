"""4.5: streams."""

from generators.arrow import *

FIRST = "arrow-stream-schema-first"
BEFORE_USE = "arrow-stream-dictionary-before-use"
INCLUDED = "arrow-stream-dictionary-included"


@valid(FIRST, base=two_batches, keeps=["arrow-stream-one-schema", "arrow-stream-eos-eight-bytes",
                                       "arrow-stream-nothing-after-eos"])
def schema_batches_end(f):
    "Schema, batches, end marker."


@invalid(FIRST)
def empty_input(f):
    "No bytes at all."
    f.messages, f.end = [], b""


@invalid(FIRST)
def end_alone(f):
    "The end marker and nothing else."
    f.messages = []


@invalid(FIRST, base=two_batches)
def batch_first(f):
    "A record batch before the schema."
    f.messages.insert(0, f.messages.pop(1))


@invalid(FIRST, base=words)
def dictionary_first(f):
    "A dictionary batch before the schema."
    f.messages.insert(0, f.messages.pop(1))


@invalid(FIRST, base=two_batches_file)
def behind_the_first_batch(f):
    "A file whose schema message follows its first batch."
    f.messages.insert(1, f.messages.pop(0))


ONE = "arrow-stream-one-schema"


@invalid(ONE, base=two_batches)
def equal_one(f):
    "The same schema again after the first batch."
    f.messages.insert(2, f.messages[0])


@invalid(ONE, base=two_batches)
def other_one(f):
    "Another schema after the batches."
    f.messages.append(Message(Table("Schema", fields=[field("other", F64)])))


# Dictionaries -------------------------------------------------------------------------------------

@valid(BEFORE_USE, base=words, keeps=[INCLUDED])
def dictionary_then_batch(f):
    "Dictionary, then batch."


@invalid(BEFORE_USE, base=words, ambiguity="arrow-dictionary-should-be-defined")
def behind_the_batch(f):
    "The dictionary follows the batch that uses it."
    f.messages.append(f.messages.pop(1))


@invalid(BEFORE_USE, base=words)
def missing(f):
    "There is no dictionary."
    f.messages.pop(1)


two_words = base_of((field("a", UTF8, dictionary=0), [0, 1]), (field("b", UTF8, dictionary=1), [1, 0]),
                    dictionaries=[("a", ["x", "y"]), ("b", ["u", "v"])])


@invalid(BEFORE_USE, base=two_words)
def one_of_two(f):
    "One of two dictionaries is missing."
    f.messages.pop(2)


inner = field("inner", UTF8, dictionary=1)
outer = field("a", STRUCT, inner, dictionary=0)
nested = base_of((outer, [0, 1, 1]), dictionaries=[(inner, ["x", "y"]), (outer, [(0,), (1,)])])


@invalid(BEFORE_USE, base=nested)
def inner_late(f):
    "The inner one of two nested dictionaries follows the batch."
    f.messages.append(f.messages.pop(1))


all_null = base_of((field("a", UTF8, dictionary=0), [None, None]))


@valid(INCLUDED, base=all_null, revised={LATER: {"informs": {"arrow-stream-initial-dictionaries-first"}}})
def behind_an_all_null_batch(f):
    "The dictionary follows a batch in which all slots are null."
    f.add_dictionary("a", ["x"])


@invalid(INCLUDED, base=base_of((field("a", UTF8, dictionary=0), [None, None]),
                                dictionaries=[("a", ["x"])]),
         ambiguity="arrow-no-dictionary-at-all")
def none_at_all(f):
    "All slots are null, and there is no dictionary at all."
    f.messages.pop(1)


@invalid(INCLUDED, base=base_of((field("a", UTF8, dictionary=0), []),
                                (field("b", I8, dictionary=1), [])))
def no_rows(f):
    "A batch of no rows, and one of two dictionaries."
    f.messages.insert(1, f.add_dictionary("a", []))
    f.messages.pop()


@valid("arrow-stream-all-null-before-dictionary", base=all_null,
       keeps=[BEFORE_USE], ambiguity="arrow-no-dictionary-at-all",
       revised={LATER: {"informs": {"arrow-stream-initial-dictionaries-first"}}})
def then_keys(f):
    "An all-null batch, the dictionary, a batch with keys."
    f.add_dictionary("a", ["x", "y"])
    f.add([0, None, 1])


@valid("arrow-stream-interleaved", base=base_of(
    (field("a", UTF8, dictionary=0), [0, 1]), (field("b", UTF8, dictionary=1), [None, None]),
    dictionaries=[(field("a", UTF8, dictionary=0), ["x", "y"])]),
       revised={LATER: {"informs": {"arrow-stream-initial-dictionaries-first"}}})
def in_turn(f):
    "Dictionary 0, a batch, a delta of 0, dictionary 1, a batch."
    f.add_dictionary("a", ["z"], delta=True)
    f.add_dictionary("b", ["u"])
    f.add([2, 0], [0, None])


# The end ------------------------------------------------------------------------------------------

@valid("arrow-stream-eos-optional", base=two_batches)
def schema_and_batches(f):
    "A stream without end marker."
    f.end = b""


@valid("arrow-stream-eos-optional", base=no_batches, keeps=["arrow-stream-without-batches"])
def schema_alone(f):
    "A schema and nothing else."
    f.end = b""


EIGHT = "arrow-stream-eos-eight-bytes"


@invalid(EIGHT, base=two_batches)
def four_zeros(f):
    "Four zero bytes at the end of a stream with continuation indicators."
    f.end = OLD_END


@invalid(EIGHT, base=in_file(ints))
def four_zeros_in_a_file(f):
    "Four zero bytes, and four more up to the footer, in a file with continuation indicators."
    f.end = OLD_END


@valid(EIGHT, base=two_batches, informs={"arrow-message-continuation-present"})
def old_end(f):
    "Old framing ends with four zero bytes."
    f.old = True


NOTHING = "arrow-stream-nothing-after-eos"


@invalid(NOTHING)
def four_bytes(f):
    "Four zero bytes after the marker."
    f.behind = bytes(4)


@invalid(NOTHING)
def second_stream(f):
    "A second stream after the first."
    f.behind = two_batches().bytes()


@invalid(NOTHING, base=two_batches)
def batch_behind(f):
    "The second batch follows the marker."
    f.messages.insert(2, END)
    f.end = b""


@valid("arrow-stream-without-batches", base=no_batches)
def schema_and_end(f):
    "Schema and end marker."


@valid("arrow-stream-without-batches", base=no_batches)
def dictionary_field(f):
    "A dictionary-encoded field, no dictionary, no batch."
    f.schema.fields = [field("a", UTF8, dictionary=0)]


# Zeros --------------------------------------------------------------------------------------------

ZEROS = "arrow-stream-end-not-zeros"


def ten_batches():
    made = Stream([field("a", I32)])
    for i in range(10):
        made.add([i, None, i])
    return made


ten_batches.suffix = Stream.suffix


@valid(ZEROS, base=ten_batches)
def marker_at_the_end(f):
    "Ten batches and the marker."


@invalid(ZEROS, base=ten_batches)
def second_half(f):
    "The second half of the stream is zero."
    f.messages = f.messages[:6] + [bytes(1000)]
    f.end = b""


@invalid(ZEROS, base=two_batches)
def nine_zeros(f):
    "Nine zero bytes in place of the marker."
    f.end = bytes(9)


@invalid(ZEROS, base=words)
def dictionary_lost(f):
    "Zeros from the dictionary on."
    f.messages, f.end = f.messages[:1] + [bytes(100)], b""

"""4.6 and File.fbs: files, their footers and blocks."""

from generators.arrow import *

two = two_batches_file


def three_batches():
    f = two()
    f.add([6], ["w"])
    return f


three_batches.suffix = File.suffix

# Magic --------------------------------------------------------------------------------------------

START, LAST = "arrow-file-magic-start", "arrow-file-magic-end"


@valid(START, base=several_file, keeps=[LAST, "arrow-file-magic-padding-zero",
                                        "arrow-file-stream-at-eight",
                                        "arrow-file-footer-size-in-range", "arrow-file-eos-present"])
def at_both_ends(f):
    "ARROW1 and two zero bytes, the stream, the footer, ARROW1."


for name, magic in (("arrow0", b"ARROW0"), ("spaces", 6 * b" "), ("arrow2", b"ARROW2")):
    @invalid(START, name, f'A file that starts with "{magic.decode()}".', base=two)
    def other_start(f, magic=magic):
        f.magic = magic


@invalid(LAST, base=two)
def cut_in_the_footer(f):
    "A file that was cut inside its footer."
    f.cut = 40


@invalid(LAST, base=two)
def cut_in_the_last_batch(f):
    "A file that was cut inside its last batch."
    f.cut = len(f.bytes()) - f.batches[1].at - 100


@invalid(LAST, base=ints_file)
def two_bytes_missing(f):
    "A file whose last two bytes are missing."
    f.cut = 2


@invalid(LAST, base=ints_file)
def bytes_appended(f):
    "A line feed after the file."
    f.last_magic = MAGIC + b"\n"


@invalid(LAST, base=ints_file)
def arrow0(f):
    "A file that ends with ARROW0."
    f.last_magic = b"ARROW0"


@invalid("arrow-file-magic-padding-zero", base=two)
def line_end(f):
    "A carriage return and a line feed after the magic."
    f.padding = b"\r\n"


AT_EIGHT = "arrow-file-stream-at-eight"


@invalid(AT_EIGHT, base=two, ambiguity="arrow-stream-inside-file")
def at_64(f):
    "The stream starts at byte 64, as arrow-rs writes it."
    f.gap = bytes(56)


@invalid(AT_EIGHT, base=several_file, ambiguity="arrow-stream-inside-file")
def at_16(f):
    "The stream starts at byte 16."
    f.gap = bytes(8)


# Footer -------------------------------------------------------------------------------------------

SIZE = "arrow-file-footer-size-in-range"
for name, size in (("0", 0), ("minus-1", -1), ("larger", 1 << 20), ("largest", (1 << 31) - 1)):
    @invalid(SIZE, name, f"The footer size is {size}.", base=two)
    def out_of_range(f, size=size):
        f.footer_size = size


@invalid(SIZE, base=ints_file)
def big_endian(f):
    "The footer size is big-endian."
    f.bytes()
    f.footer_size = (len(f._footer())).to_bytes(4, "big")


@invalid(SIZE, base=ints_file)
def one_byte_more(f):
    "The footer would begin one byte before the stream."
    size = len(f.bytes())
    f.footer_size = size - 18 + 1


@invalid(SIZE, base=ints_file)
def magic_twice(f):
    "24 bytes: the magic twice, and no footer."
    f.messages, f.end = [], b""
    f.footer_content = lambda content: bytes(6)
    f.footer_size = 0


MARKER, BETWEEN = "arrow-file-eos-present", "arrow-file-nothing-between-eos-and-footer"


@invalid(MARKER, base=two, ambiguity="arrow-eos-in-file")
def footer_behind_the_batch(f):
    "The footer follows the last batch at once."
    f.end = b""


@valid(BETWEEN, base=two)
def right_behind(f):
    "The footer follows the marker."


@invalid(BETWEEN, base=two)
def kibibyte_of_text(f):
    "1 KiB of text between the marker and the footer."
    f.behind = 128 * b"# text \n"


@invalid(BETWEEN, base=ints_file)
def zeros(f):
    "16 zero bytes between the marker and the footer."
    f.behind = bytes(16)


@invalid("arrow-block-message-in-stream", "behind-the-marker",
         "A batch follows the marker and is reached through the footer only.", base=two,
         also=[BETWEEN])
def hidden(f):
    f.messages.insert(2, END)
    f.end = b""


PRESENT = "arrow-footer-schema-present"


def no_schema(table):
    del table.schema


@valid(PRESENT, base=words_file)
def present(f):
    "A footer with a schema."


@invalid(PRESENT, base=two)
def in_the_stream_alone(f):
    "The schema is in the stream, but not in the footer."
    f.change_footer = no_schema


@invalid(PRESENT, base=two)
def nowhere(f):
    "The schema is neither in the stream nor in the footer."
    f.change_footer = no_schema
    f.messages.pop(0)


EQUAL = "arrow-footer-schema-equal"


@valid(EQUAL, base=several_file, keeps=["arrow-footer-schema-metadata-equal"])
def other_vtables(f):
    "The schema in the footer has its vtables elsewhere, and defaults written out."
    f.footer_style = Style(vtables="behind", defaults=True, fields="id", last_first=True)


@valid(EQUAL, base=in_file(base_of((field("a", union(DENSE), *UNION_CHILDREN), [(0, 1.5)]),
                                   (field("b", timestamp(SECOND)), [5]))))
def defaults_filled_in(f):
    "Type ids and a timezone are left out in the stream and stated in the footer."
    first, second = f.footer_schema().fields
    first.type.typeIds, second.type.timezone = [0, 1], ""


def differs(name, shows, change, base=two):
    """The schema in the footer is changed."""
    @invalid(EQUAL, name, shows, base=base, ambiguity="arrow-footer-disagrees")
    def mutate(f):
        change(f.footer_schema())


def set_in(path, name, value):
    def change(schema):
        found = schema
        for i in path:
            found = (found.fields if found.kind == "Schema" else found.children)[i]
        setattr(found, name, value)
    return change


differs("renamed", "A column has another name in the footer.", set_in([1], "name", "t"))
differs("type", "A column is int32 in the stream, int64 in the footer.", set_in([0], "type", I64.copy()))
differs("swapped", "The columns are swapped in the footer.", lambda schema: schema.fields.reverse())
differs("more", "The footer has a column more.", lambda schema: schema.fields.append(field("z", NULL)))
differs("less", "The footer has a column less.", lambda schema: schema.fields.pop())
differs("nullable", "A column is nullable in the stream alone.", set_in([0], "nullable", False))
differs("endianness", "The footer says Big.", set_in([], "endianness", 1))
differs("child", "The child of a list has another type in the footer.", set_in([3, 0], "type", U32.copy()),
        several_file)
differs("dictionary", "A field is a dictionary in the stream alone.", set_in([0], "dictionary", None),
        words_file)
differs("id", "The id of a dictionary is another one in the footer.",
        set_in([0], "dictionary", encoding(1)), words_file)
differs("keys", "The keys of a dictionary are 16 bits wide in the footer.",
        set_in([0], "dictionary", encoding(0, I16)), words_file)
differs("ordered", "A dictionary is ordered in the footer alone.",
        set_in([0], "dictionary", encoding(0, I32, True)), words_file)

METADATA = "arrow-footer-schema-metadata-equal"


@valid(METADATA, base=two)
def other_order(f):
    "The same pairs in another order."
    f.schema.custom_metadata = pairs({"a": "1", "b": "2"})
    f.footer_schema().custom_metadata.reverse()


@invalid(METADATA, base=two)
def stream_alone(f):
    "The pairs of the schema are in the stream alone."
    f.schema.custom_metadata = pairs({"a": "1"})
    del f.footer_schema().custom_metadata


@invalid(METADATA, base=two)
def of_a_field(f):
    "A pair of a field has another value in the footer."
    f.field("s").custom_metadata = pairs({"unit": "m"})
    f.footer_schema().fields[1].custom_metadata = pairs({"unit": "km"})


MESSAGE = "arrow-file-schema-message-present"


@valid(MESSAGE, base=two)
def at_byte_8(f):
    "The schema message at byte 8, and an equal schema in the footer."


@invalid(MESSAGE, base=two, ambiguity="arrow-stream-inside-file")
def batch_first(f):
    "The first message is a batch, the schema is in the footer alone."
    f.messages.pop(0)


@invalid(MESSAGE, base=words_file, ambiguity="arrow-stream-inside-file")
def dictionary_first(f):
    "The first message is a dictionary, the schema is in the footer alone."
    f.messages.pop(0)


@invalid(MESSAGE, base=in_file(no_batches), ambiguity="arrow-stream-inside-file")
def no_message(f):
    "There is no message but the marker."
    f.messages.pop(0)


# Blocks -------------------------------------------------------------------------------------------

IN_FILE, ALIGNED = "arrow-block-in-file", "arrow-block-offset-aligned"
POINTS, IN_STREAM = "arrow-block-points-to-message", "arrow-block-message-in-stream"
COMPLETE, DICTIONARIES = "arrow-footer-record-batches-complete", "arrow-footer-dictionaries-complete"
ONCE, ORDER = "arrow-footer-block-once", "arrow-footer-blocks-in-stream-order"
ALL = [IN_FILE, ALIGNED, POINTS, IN_STREAM, COMPLETE, ONCE, ORDER, "arrow-block-record-batch-kind",
       "arrow-block-metadata-length", "arrow-block-body-length"]


@valid(COMPLETE, base=three_batches, keeps=ALL)
def three_and_three(f):
    "Three batches, three blocks."


@valid(DICTIONARIES, base=words_file, keeps=["arrow-block-dictionary-kind"])
def one_and_one(f):
    "One dictionary, one block."


def second(clause, slug, shows, base=two, list="blocks", **stated):
    """The numbers of the last block of a list."""
    options = {key: stated.pop(key) for key in ("also", "ambiguity") if key in stated}

    @invalid(clause, slug, shows, base=base, **options)
    def mutate(f):
        for name, value in stated.items():
            setattr(getattr(f, list)[-1], name, value)


second(IN_FILE, "offset-0", "The offset of a block is 0.", offset=0)
second(IN_FILE, "offset-minus-8", "The offset of a block is -8.", offset=-8)
second(IN_FILE, "past-the-end", "The offset of a block is beyond the file.", offset=1 << 20)
second(IN_FILE, "metadata-minus-1", "The metadata length of a block is -1.", metadata=-1)
second(IN_FILE, "metadata-0", "The metadata length of a block is 0.", metadata=0)
second(IN_FILE, "body-2-to-62", "The body length of a block is 2^62.", body=1 << 62)
second(IN_FILE, "body-minus-8", "The body length of a block is -8.", body=-8)
second(IN_FILE, "sum-wraps", "Offset and body length of a block wrap to a small number.",
       body=(1 << 63) - 1)
second(IN_FILE, "into-the-footer", "A block reaches into the footer.", body=lambda right: right + 64)
second(IN_FILE, "of-a-dictionary", "The offset of a dictionary's block is 0.", base=words_file,
       list="dictionary_blocks", offset=0)
second(ALIGNED, "4-off", "A block leads to the size after the continuation indicator.",
       offset=lambda right: right + 4)
second(ALIGNED, "odd", "A block leads to an odd byte.", offset=lambda right: right + 1)
second(POINTS, "past-the-prefix", "A block leads to the flatbuffer, past the prefix.",
       offset=lambda right: right + 8, ambiguity="arrow-block-offset-meaning")
second(POINTS, "of-a-dictionary", "The block of a dictionary leads to its flatbuffer.",
       base=words_file, list="dictionary_blocks", offset=lambda right: right + 8)


@invalid(POINTS, base=two)
def body(f):
    "A block leads to the body of its message."
    message = f.batches[0]
    length = len(message.encoded(f)[0]) + len(message.encoded(f)[1])
    f.blocks[0].offset = lambda right: right + length


@invalid(POINTS, base=two)
def eight_early(f):
    "A block leads 8 bytes before its message."
    f.blocks[1].offset = lambda right: right - 8


@invalid(IN_STREAM, base=two, also=["arrow-file-nothing-between-eos-and-footer"])
def copy_behind_the_marker(f):
    "A third batch follows the marker, and the footer lists it."
    third = f.add([6], ["w"])
    f.blocks
    f.messages.insert(3, END)
    f.end = b""
    assert f.blocks[2].message is third


@invalid(IN_STREAM, base=in_file(base_of((field("a", BINARY), [b""]))))
def inside_a_body(f):
    "A block leads to a whole message inside the body of another."
    inside = record_batch(array(f.schema.fields[0], [b"hidden"]))
    inside.batch.align = 64
    content = b"".join(inside.encoded(f))
    f.batches[0].batch = Batch([array(f.schema.fields[0], [content])])
    outer, prefix = f.batches[0], inside.encoded(f)

    class Inner:
        lengths = (len(prefix[0]) + len(prefix[1]), len(prefix[2]))

        @property
        def at(self):
            return outer.at + outer.lengths[0] + 64

    f.blocks.append(Block(Inner()))


@invalid(COMPLETE, base=three_batches)
def last_not_listed(f):
    "The last batch is not listed."
    f.blocks.pop()


@invalid(COMPLETE, base=two)
def absent_list(f):
    "The footer has no vector of record batches."
    def change(table):
        del table.recordBatches
    f.change_footer = change


def with_delta():
    f = words_file()
    f.add_dictionary("a", ["qux"], delta=True)
    f.add([3, 0])
    return f


with_delta.suffix = File.suffix


@invalid(DICTIONARIES, base=with_delta)
def delta_not_listed(f):
    "A delta is not listed."
    f.dictionary_blocks.pop()


@invalid(DICTIONARIES, base=words_file)
def not_listed(f):
    "The dictionary is not listed."
    f.dictionary_blocks.pop()


@valid(DICTIONARIES, base=with_delta, keeps=["arrow-file-no-dictionary-replacement"])
def base_and_delta(f):
    "A dictionary and its delta are listed."


@invalid(ONCE, base=two)
def batch_twice(f):
    "A batch is listed twice."
    f.blocks.append(Block(f.batches[1]))


@invalid(ONCE, base=with_delta)
def delta_twice(f):
    "A delta is listed twice."
    f.dictionary_blocks.append(Block(f.dictionaries[1]))


@invalid(ORDER, base=two)
def swapped(f):
    "Two batches are swapped in the footer."
    f.blocks.reverse()


# Dictionaries -------------------------------------------------------------------------------------

DEFINED, REPLACED = "arrow-file-dictionary-defined", "arrow-file-no-dictionary-replacement"


@valid(DEFINED, base=words_file, keeps=["arrow-file-dictionary-anywhere"])
def behind_the_batch(f):
    "The dictionary follows the batch."
    f.messages.append(f.messages.pop(1))


@valid(DEFINED, base=in_file(base_of((field("a", UTF8, dictionary=0), [None, None]))))
def no_key(f):
    "No dictionary, and no key that is valid."


@invalid(DEFINED, base=words_file)
def missing(f):
    "The dictionary is missing."
    f.messages.pop(1)


two_words = in_file(base_of(
    (field("a", UTF8, dictionary=0), [0, 1]), (field("b", UTF8, dictionary=1), [1, 0]),
    dictionaries=[("a", ["x", "y"]), ("b", ["u", "v"])]))


@invalid(DEFINED, base=two_words)
def one_of_two(f):
    "One of two dictionaries is missing."
    f.messages.pop(2)


inner = field("inner", UTF8, dictionary=1)
outer = field("a", STRUCT, inner, dictionary=0)


@invalid(DEFINED, base=in_file(base_of((outer, [0, 1, 1]), dictionaries=[(outer, [(0,), (1,)]),
                                                                         (inner, ["x", "y"])])))
def inner_missing(f):
    "The inner one of two nested dictionaries is missing."
    f.messages.pop(2)


@valid("arrow-file-dictionary-anywhere", base=two_words)
def one_before_one_behind(f):
    "One dictionary before the batch, one after it."
    f.messages.append(f.messages.pop(1))


@invalid(REPLACED, base=words_file)
def another(f):
    "Two dictionaries with one id."
    f.add_dictionary("a", ["x", "y", "z"])


@invalid(REPLACED, base=words_file)
def the_same_again(f):
    "The same dictionary again."
    f.add_dictionary("a", WORDS)


@valid("arrow-file-footer-order-differs", base=with_delta, informs={ORDER},
       revised={LATER: {"kind": "invalid", "clause": "arrow-footer-blocks-as-in-stream",
                        "warns": {"arrow-footer-blocks-as-in-stream"}, "informs": set()}})
def deltas_swapped(f):
    "The second delta is listed before the first."
    f.add_dictionary("a", ["quux"], delta=True)
    f.dictionary_blocks[1:] = f.dictionary_blocks[:0:-1]


# File.fbs -----------------------------------------------------------------------------------------

VERSION = "arrow-footer-version-equal"


@valid(VERSION, base=two)
def v4_and_v4(f):
    "Footer and messages have V4."
    f.version = V4


@invalid(VERSION, base=two, ambiguity="arrow-footer-version-one")
def v1_over_v4(f):
    "The footer has no version, the messages have V4."
    f.version, f.footer.version = V4, V1


@invalid(VERSION, base=several_file)
def v4_over_v5(f):
    "The footer has V4, the messages V5."
    f.footer.version = V4


@valid("arrow-footer-custom-metadata", base=two,
       revised={LATER: {"kind": "invalid", "clause": "arrow-footer-custom-metadata-identical",
                        "warns": {"arrow-footer-custom-metadata-identical"}}})
def one_pair(f):
    "A footer with one pair."
    f.footer.custom_metadata = pairs({"written by": "hand"})


BATCH_KIND, DICTIONARY_KIND = "arrow-block-record-batch-kind", "arrow-block-dictionary-kind"


@invalid(BATCH_KIND, base=words_file)
def dictionary_listed(f):
    "A dictionary is listed under the record batches, too."
    f.blocks.insert(0, Block(f.dictionaries[0]))


@invalid(BATCH_KIND, base=two)
def schema_listed(f):
    "The schema message is listed under the record batches."
    f.blocks.insert(0, Block(f.messages[0]))


@invalid(DICTIONARY_KIND, base=words_file)
def batch_listed(f):
    "A record batch is listed under the dictionaries, too."
    f.dictionary_blocks.append(Block(f.batches[0]))


METADATA_LENGTH, BODY_LENGTH = "arrow-block-metadata-length", "arrow-block-body-length"
second(METADATA_LENGTH, "without-prefix", "The metadata length of a block is 8 too small.",
       metadata=lambda right: right - 8)
second(METADATA_LENGTH, "without-padding", "The metadata length of a block is 3 too small.",
       metadata=lambda right: right - 3)
second(METADATA_LENGTH, "4-more", "The metadata length of a dictionary's block is 4 too large.",
       base=words_file, list="dictionary_blocks", metadata=lambda right: right + 4)
second(BODY_LENGTH, "0", "The body length of a block is 0.", body=0)
second(BODY_LENGTH, "without-padding", "The body length of a block does not count the padding.",
       body=lambda right: right - 7)


@invalid(BODY_LENGTH, base=two)
def eight_more(f):
    "The body length of the first block is 8 too large."
    f.blocks[0].body = lambda right: right + 8


@valid(METADATA_LENGTH, base=two, informs={"arrow-message-continuation-present"})
def old_framing(f):
    "In the old framing a prefix has 4 bytes."
    f.old = True


@invalid("arrow-file-magic-start", base=ints_file)
def eight_bytes(f):
    "Eight bytes, the last six are the magic."
    whole = f.bytes
    f.bytes = lambda: bytes(2) + whole()[-len(MAGIC):]

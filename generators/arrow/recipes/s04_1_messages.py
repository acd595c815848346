"""4, 4.1 and 4.2: batches and their columns, encapsulated messages, the schema message."""

from generators.arrow import *

OLD = "arrow-message-continuation-present"
LENGTH = "arrow-batch-column-length"


def old(base):
    """In the framing of before 0.15."""
    def made():
        f = base()
        f.old = True
        return f
    made.suffix = base.suffix
    return made


# 4 ------------------------------------------------------------------------------------------------

@valid(LENGTH, base=several)
def all_three(f):
    "Five columns of 3 in a batch of 3."


@invalid(LENGTH, base=base_of((field("a", I32), [1, 2, 3, 4, 5]), (field("b", I32), [1, 2, 3, 4, 5])))
def four_in_five(f):
    "A column of 4 in a batch of 5."
    f.batch.arrays[1] = array(f.field("b"), [1, 2, 3, 4])


@invalid(LENGTH, base=in_file(base_of((field("a", I32), [1, 2]), (field("b", I32), [1, 2]))))
def second_longer(f):
    "The second column is longer than the batch."
    f.batch.arrays[1] = array(f.field("b"), [1, 2, 3])


@invalid(LENGTH, base=base_of((field("a", I32), [1, 2, 3, 4, 5])))
def batch_of_none(f):
    "A column of 5 in a batch of length 0."
    f.batch.length = 0


@valid("arrow-batches-of-any-length", base=base_of((field("a", I32), [])))
def of_0_7_and_10(f):
    "Batches of 0, 7 and 10 rows."
    f.add([*range(7)])
    f.add([*range(10)])


KINDS = "arrow-stream-message-kinds"


def tensor(sparse=False):
    shape = [Table("TensorDim", size=2)]
    content = Table("Tensor", type_type=TYPES.index("Int"), type=I64.copy(), shape=shape,
                    data=[0, 16])
    if sparse:
        content = Table("SparseTensor", type_type=TYPES.index("Int"), type=I64.copy(), shape=shape,
                        non_zero_length=2, sparseIndex_type=3,
                        sparseIndex=Table("SparseTensorIndexCSF"), data=[0, 16])
    return Message(content, body=bytes(64))


@valid(KINDS, base=words)
def dictionary_and_batch(f):
    "Schema, dictionary, batch."


@invalid(KINDS, base=two_batches, ambiguity="arrow-tensor-messages")
def tensor_between(f):
    "A Tensor message between two batches."
    f.messages.insert(2, tensor())


@invalid(KINDS, base=two_batches, ambiguity="arrow-tensor-messages")
def sparse_tensor_between(f):
    "A SparseTensor message between two batches."
    f.messages.insert(2, tensor(sparse=True))


@invalid(KINDS, base=two_batches_file, ambiguity="arrow-tensor-messages")
def tensor_in_a_file(f):
    "A Tensor message between two batches of a file."
    f.messages.insert(2, tensor())


@invalid(KINDS, ambiguity="arrow-tensor-messages")
def tensor_alone(f):
    "A Tensor message and nothing else."
    f.messages, f.end = [tensor()], b""


# 4.1 ----------------------------------------------------------------------------------------------

@valid("arrow-message-prefix-complete", keeps=["arrow-stream-eos-optional"])
def ends_behind_a_body(f):
    "The stream ends directly after a body."
    f.end = b""


for count in (1, 2, 3):
    @invalid("arrow-message-prefix-complete", f"{count}-stray", f"{count} stray bytes at the end.")
    def stray(f, count=count):
        f.end = bytes([0x41, 0x42, 0x43])[:count]


@invalid("arrow-message-prefix-complete", base=two_batches)
def continuation_alone(f):
    "The last four bytes are a continuation indicator."
    f.end = CONTINUATION


CONTINUES = "arrow-message-continuation"


@valid(CONTINUES, base=two_batches, keeps=[OLD, "arrow-message-metadata-size-positive"])
def before_each(f):
    "A continuation indicator before each message."


for name, shows, start in (("first-bit", "FE FF FF FF", b"\xfe\xff\xff\xff"),
                           ("last-byte", "FF FF FF FE", b"\xff\xff\xff\xfe"),
                           ("sign", "00 00 00 80", b"\0\0\0\x80"), ("text", "text", b"ABCD")):
    @invalid(CONTINUES, name, f"Before the second batch stands {shows}.", base=two_batches)
    def other_start(f, start=start):
        f.batches[1].start = start


@invalid(CONTINUES, base=two_batches)
def inside_a_body(f):
    "The body length of the first batch is 8 too small, so that bytes of the body follow."
    body = f.batch.laid_out("little")[0]
    f.batches[0].body, f.batches[0].body_length = body + 8 * b"\xaa", len(body)


@valid(OLD, base=old(several), informs={OLD}, ambiguity="arrow-continuation-required")
def none(f):
    "The framing of before 0.15, without continuation indicators."


@invalid(OLD, base=two_batches, ambiguity="arrow-continuation-required")
def before_0_15(f):
    "Each message begins with its metadata size."
    f.old = True


@invalid(OLD, base=two_batches_file, ambiguity="arrow-continuation-required")
def in_a_file(f):
    "A file of before 0.15: prefixes have 4 bytes."
    f.old = True


POSITIVE = "arrow-message-metadata-size-positive"


@valid(POSITIVE, base=several_file)
def positive(f):
    "Sizes above 0, and 0 at the end."


for name, size in (("minus-1", -1), ("smallest", -1 << 31)):
    @invalid(POSITIVE, name, f"The metadata size of the second batch is {size}.", base=two_batches)
    def not_positive(f, size=size):
        f.batches[1].size = size


IN_INPUT = "arrow-message-metadata-in-input"


@valid(IN_INPUT, base=no_batches)
def last_message(f):
    "The last message, which has no body, ends with the stream."
    f.end = b""


@invalid(IN_INPUT)
def cut_in_the_metadata(f):
    "The stream was cut inside the metadata of its batch."
    f.end = b""
    f.cut = len(f.batch.laid_out("little")[0]) + 40


@invalid(IN_INPUT, base=two_batches)
def largest_size(f):
    "The metadata size of the second batch is 0x7FFFFFFF."
    f.batches[1].size = (1 << 31) - 1


@invalid(IN_INPUT, base=no_batches)
def one_byte_more(f):
    "The schema's metadata end one byte beyond the stream."
    f.end, f.cut = b"", 1


PADDED = "arrow-message-metadata-padded"


@valid(PADDED, base=old(ints), informs={OLD})
def old_framing(f):
    "In the old framing the metadata size is 4 modulo 8."


@invalid(PADDED, base=two_batches)
def five_more(f):
    "The metadata have 5 more bytes, the body follows at once."
    f.batches[0].further = b"\0\0\0\0\0"


@invalid(PADDED, base=no_batches)
def three_more(f):
    "The metadata of the schema, with which the stream ends, have 3 more bytes."
    f.messages[0].further, f.end = bytes(3), b""


@invalid(PADDED, base=old(ints), also=[OLD])
def old_multiple_of_8(f):
    "Old framing with a metadata size that is a multiple of 8."
    f.batches[0].further = bytes(4)


UNIFORM = "arrow-message-version-uniform"


@valid(UNIFORM, base=two_batches)
def all_v5(f):
    "All messages have V5."


@invalid(UNIFORM, base=two_batches)
def batches_of_v5(f):
    "The schema has V4, the batches V5."
    f.messages[0].table.version = V4


@invalid(UNIFORM, base=in_file(two_batches))
def one_of_v4(f):
    "The schema has V5, one batch V4."
    f.batches[1].table.version = V4


@valid("arrow-message-header-present", base=words, keeps=["arrow-message-header-known"])
def all_three_kinds(f):
    "Schema, dictionary and batch."


@invalid("arrow-message-header-present", base=two_batches)
def absent_header(f):
    "The second message has no header."
    def change(table):
        del table.header_type, table.header
    f.batches[0].change = change


@invalid("arrow-message-header-present", base=two_batches)
def header_0(f):
    "The second message has the header type 0, written out."
    def change(table):
        table.header_type = 0
        del table.header
    f.batches[0].change, f.batches[0].style = change, Style(defaults=True)


BODY = "arrow-message-body"


@valid(f"{BODY}-length-not-negative", base=no_batches)
def absent_length(f):
    "A schema message without body length."


for name, length in (("minus-8", -8), ("smallest", -1 << 63)):
    @invalid(f"{BODY}-length-not-negative", name, f"The body length is {length}.", base=two_batches)
    def negative(f, length=length):
        f.batches[1].body_length = length


@valid(f"{BODY}-padded", base=two_batches_file, keeps=[f"{BODY}-in-input"])
def multiple(f):
    "Body lengths that are multiples of 8."


def texts_of_13(f):
    f.schema.fields = [field("a", BINARY)]
    f.messages[1:] = []
    f.add([b"thirteen byte"])
    return f.batch


@invalid(f"{BODY}-padded")
def thirteen(f):
    "A body that ends with a text of 13 bytes; the next message follows at once."
    texts_of_13(f).end_align = 1
    f.add([b"x"])


@invalid(f"{BODY}-padded")
def padding_not_in_it(f):
    "A body length that is 5 modulo 8, and 3 bytes of padding after it."
    texts_of_13(f).end_align = 8
    f.batches[0].body_length = 64 + 13
    f.add([b"x"])


@invalid(f"{BODY}-in-input", base=two_batches)
def cut_in_a_body(f):
    "The stream was cut inside the body of its last batch."
    f.end, f.cut = b"", 8


@invalid(f"{BODY}-in-input", base=two_batches)
def two_to_62(f):
    "The last body length is 2^62."
    f.batches[1].body_length = 1 << 62


@invalid(f"{BODY}-in-input", base=two_batches)
def eight_more(f):
    "The last body length is 8 too large."
    f.end = b""
    f.batches[1].body_length = len(f.batches[1].batch.laid_out("little")[0]) + 8


@valid("arrow-message-multiple-of-8", base=several)
def all_multiples(f):
    "Prefix, metadata and bodies are multiples of 8."


@invalid("arrow-message-multiple-of-8", base=old(two_batches), alias=PADDED, also=[OLD])
def padded_to_4(f):
    "Metadata that are padded to 4 bytes, so that the message is 4 modulo 8 long."
    f.batches[1].further = bytes(4)


@invalid("arrow-message-multiple-of-8", base=old(two_batches), alias=PADDED, also=[OLD])
def padded_to_4_before_another(f):
    "Metadata that are padded to 4 bytes, and another message after it."
    f.batches[0].further = bytes(4)


@invalid("arrow-message-multiple-of-8", base=base_of((field("a", I32), [1, 2, 3, 4, 5])),
         alias=f"{BODY}-padded")
def body_of_20(f):
    "A body of 20 bytes."
    f.batch.end_align = 4


LITTLE = "arrow-message-length-little-endian"


@valid(LITTLE, base=in_order(1, two_batches))
def in_a_big_endian_stream(f):
    "A big-endian stream: the sizes are little-endian all the same."


@invalid(LITTLE, base=two_batches, alias=IN_INPUT)
def big_endian_size(f):
    "The metadata size of the last batch is big-endian."
    message = f.batches[1]
    message.further = bytes(-len(message.encoded(f)[1]) % 256)
    message.size = lambda size: size.to_bytes(4, "big")


@invalid(LITTLE, base=old(two_batches), alias=CONTINUES, also=[OLD])
def big_endian_in_old_framing(f):
    "The metadata size of the last batch, which begins it in the old framing, is big-endian."
    f.batches[1].size = lambda size: size.to_bytes(4, "big")


@valid("arrow-message-padding-any", base=two_batches_file)
def of_ff(f):
    "Metadata that are padded with the byte FF."
    for message in f.messages:
        message.pad = 0xFF


@valid("arrow-message-custom-metadata", base=two_batches)
def one_pair(f):
    "A batch with one pair."
    f.batches[0].table.custom_metadata = pairs({"run": "17"})


# 4.2 ----------------------------------------------------------------------------------------------

NO_BODY = "arrow-schema-message-no-body"


@valid(NO_BODY, base=two_batches_file)
def without(f):
    "A schema message without body."


@invalid(NO_BODY, base=two_batches)
def eight_bytes(f):
    "The schema message has a body of 8 bytes."
    f.messages[0].body = bytes(8)


@invalid(NO_BODY, base=in_file(words))
def of_a_dictionary(f):
    "The buffers of the dictionary follow the schema, too."
    f.messages[0].body = f.dictionary.laid_out("little")[0]


NAME = "arrow-field-name-present"


@valid(NAME)
def empty_name(f):
    "A field whose name is empty."
    f.field("a").name = ""


for name, base, path in (("top-level", ints, "a"), ("list-child", lists, "a.item"),
                         ("union-child", dense, "a.i"), ("entries", maps, "a.entries")):
    @invalid(NAME, name, f"A field without name: {name}.", base=base,
             ambiguity="arrow-field-without-name")
    def unnamed(f, path=path):
        del f.field(path).name


@valid("arrow-field-names-any", base=base_of((field("ints", I32), [1]), (field("ints", I64), [2]),
                                             (field("", I8), [3]), (field("a/b\0\n", I8), [4])))
def twice_ints(f):
    'Two columns named "ints", one without a letter, one with a slash, a NUL and a line feed.'


@valid("arrow-schema-without-fields", base=base_of(length=3), keeps=["arrow-batch-node-count"])
def three_rows(f):
    "A schema of no fields and a batch of 3 rows."


@valid("arrow-schema-without-fields", base=in_file(base_of(length=0)))
def no_rows(f):
    "A file of no fields and no rows."


NULLS = "arrow-field-not-nullable-no-nulls"


@valid(NULLS, base=several)
def without_nulls(f):
    "A field that is not nullable and has no nulls."


@valid(NULLS, base=base_of((field("a", STRUCT, field("x", I32, nullable=False)), [(1,), (2,)])),
       ambiguity="arrow-nulls-in-non-nullable")
def under_a_null_struct(f):
    "A child that is not nullable is null where its struct is."
    f.array("a").hide(1)
    f.array("a.x").hide(1)


@valid(NULLS, base=base_of((field("a", NULL, nullable=False), [None, None])))
def null_type(f):
    "A field of type Null that is not nullable."


@invalid(NULLS, ambiguity="arrow-nulls-in-non-nullable")
def one_null(f):
    "A column that is not nullable has a null."
    f.field("a").nullable = False


@invalid(NULLS, base=in_file(structs), ambiguity="arrow-nulls-in-non-nullable")
def null_child(f):
    "A child that is not nullable is null under a valid struct."
    f.field("a.name").nullable = False

"""Malicious streams and files: see generators/hostile.py. The expected reports are given as ids of
clauses, or as text about what was left out."""

from generators.arrow import *
from generators.hostile import collector

HOSTILE = []
stream, file = collector(HOSTILE, ".arrows"), collector(HOSTILE, ".arrow")
LEFT_OUT = "limit|budget|memory|too many|too deep|too often"
HUGE = 1 << 62


def written(made, path):
    path.write_bytes(made.bytes())


def columns(*made, length=None):
    """A stream of these (field, array) in one batch."""
    made_of = Stream([of for of, _ in made])
    made_of.messages.append(record_batch(*(array for _, array in made), length=length))
    return made_of


# --- Numbers that wrap ----------------------------------------------------------------------------

@stream({"": "arrow-primitive-data-size"})
def eight_times_2_to_61(path):
    "2^61 slots of 8 bytes and no bytes: the product is 0 in 64 bits."
    f = base_of((field("a", I64), []))()
    f.batch.length = f.array("a").length = 1 << 61
    written(f, path)


@stream({"": "arrow-binary-offsets-size"})
def one_offset_more_than_fits(path):
    "2^63 - 1 texts: one more is negative."
    f = base_of((field("a", LARGE_UTF8), []))()
    f.batch.length = f.array("a").length = (1 << 63) - 1
    written(f, path)


@stream({"": "arrow-fixed-size-list-child-length"})
def lists_of_2_to_31(path):
    "2^62 lists of 2147483647 values each over a child of 3."
    f = base_of((field("a", lists_of((1 << 31) - 1), field("item", I8)), []))()
    f.array("a").children = [array(field("item", I8), [1, 2, 3])]
    f.batch.length = f.array("a").length = HUGE
    written(f, path)


@stream({"": "arrow-buffer-in-body"})
def ends_before_it_begins(path):
    "Offset and length of a buffer add up to 8, in 64 bits."
    f = base_of((field("a", I64), [1]))()
    f.array("a").data.offset, f.array("a").data.length = (1 << 63) - 8, (1 << 63) - 8
    written(f, path)


@file({"": "arrow-block-in-file"})
def blocks_that_wrap(path):
    "Blocks at negative places, and of lengths that wrap back into the file."
    f = two_batches_file()
    f.blocks[0].body, f.blocks[1].offset = (1 << 63) - 8, -1 << 63
    written(f, path)


# --- Lengths without bytes ------------------------------------------------------------------------

@stream({"": "arrow-null-array-null-count"})
def slots_of_nothing(path):
    "2^62 slots of every type that needs no bytes, nested in each other; one null count is wrong."
    nothing = Array("Null", HUGE, HUGE, [])
    empty = Buffer([])
    made = [
        (field("null", NULL), nothing),
        (field("binary", binary(0)), Array("FixedSizeBinary", HUGE, 0, [empty, Buffer([])])),
        (field("list", lists_of(0), field("item", I8)),
         Array("FixedSizeList", HUGE, 0, [Buffer([])], [array(field("item", I8), [])])),
        (field("one", lists_of(1), field("item", NULL)),
         Array("FixedSizeList", HUGE, 0, [Buffer([])], [nothing])),
        (field("struct", STRUCT, field("n", NULL), field("l", lists_of(0), field("item", NULL))),
         Array("Struct_", HUGE, 0, [Buffer([])],
               [nothing, Array("FixedSizeList", HUGE, 0, [Buffer([])],
                               [Array("Null", 0, 0, [])])])),
        (field("wrong", NULL), Array("Null", HUGE, 1, []))]
    written(columns(*made), path)


@stream({"": "arrow-validity-size"})
def lists_of_slots_of_nothing(path):
    "One list of 2^31 - 1 structs of nothing, one of which is stated to be null."
    count = (1 << 31) - 1
    child = field("item", STRUCT, field("n", NULL))
    made = array(field("a", LIST, child), [[]])
    made.offsets.values[1] = count
    made.children = [Array("Struct_", count, 1, [Buffer([0xFE])], [Array("Null", count, count, [])])]
    written(columns((field("a", LIST, child), made)), path)


@stream({"": "arrow-validity-present"})
def dictionary_of_nothing(path):
    "A dictionary of 2^62 values of width 0, one of them null, without bitmap."
    f = base_of((field("a", binary(0), dictionary=encoding(0, I64)), [0, HUGE - 1]))()
    values = Array("FixedSizeBinary", HUGE, 1, [Buffer([]), Buffer([])])
    f.messages.insert(1, dictionary_batch(0, values))
    written(f, path)


# --- Flatbuffers ----------------------------------------------------------------------------------

SHARING = Style(vtables="shared", deep=False)


@stream({"": LEFT_OUT})
def fields_of_2_to_60(path):
    "A struct whose two children are one table, 60 levels deep: 2^60 fields."
    of = field("leaf", I8)
    for _ in range(60):
        of = Table("Field", name="s", type_type=TYPES.index("Struct_"), type=STRUCT.copy(),
                   children=[of, of])
    f = Stream([])
    metadata, _ = flatbuffer(Table("Message", version=V5, header_type=1, header=Table(
        "Schema", fields=[of])), SHARING)
    f.messages = [CONTINUATION + integer(len(metadata), 4) + metadata]
    written(f, path)


@stream({"": LEFT_OUT})
def thousand_levels(path):
    "A list of a list of a list, 1,000 levels deep."
    of = field("item", I8)
    for _ in range(1000):
        of = Table("Field", name="item", type_type=TYPES.index("List"), type=LIST.copy(), children=[of])
    metadata, _ = flatbuffer(Table("Message", version=V5, header_type=1,
                                   header=Table("Schema", fields=[of])), SHARING)
    f = Stream([])
    f.messages = [CONTINUATION + integer(len(metadata), 4) + metadata]
    written(f, path)


@stream({"": "arrow-fb-vector-in-bounds"})
def fields_that_are_not_there(path):
    "A vector of 0x10000001 fields in metadata of a hundred bytes."
    f = ints()
    f.messages[0].pokes = [("header.fields:count", 0x10000001)]
    written(f, path)


@stream({"": LEFT_OUT})
def pairs_with_one_value(path):
    "200,000 pairs of metadata that are one pair, whose value has a mebibyte of text."
    f = ints()
    one = pair("key", "x" * (1 << 20))
    f.schema.custom_metadata = 200000 * [one]
    f.field("a").type_type = 200
    f.style = SHARING
    metadata, _ = flatbuffer(Table("Message", version=V5, header_type=1, header=f.schema), SHARING)
    f.messages[0] = CONTINUATION + integer(len(metadata), 4) + metadata
    written(f, path)


@stream({"": LEFT_OUT})
def fields_with_one_name(path):
    "4,000 fields that have one name, of 256 KiB."
    name = Shared("n" * (1 << 18))
    fields = [Table("Field", name=name, type_type=2, type=I32) for _ in range(4000)]
    fields[-1].type_type = 99
    metadata, _ = flatbuffer(Table("Message", version=V5, header_type=1,
                                   header=Table("Schema", fields=fields)), SHARING)
    f = Stream([])
    f.messages = [CONTINUATION + integer(len(metadata), 4) + metadata]
    written(f, path)


# --- The same bytes again -------------------------------------------------------------------------

@stream({"": LEFT_OUT})
def columns_over_one_buffer(path):
    "5,000 columns of texts over one mebibyte: 5 GiB of text to look at."
    count = 1 << 18
    shared = [Buffer([]), Buffer(content=b"".join(integer(4 * i, 4) for i in range(count + 1))),
              Buffer(content=b"text" * count)]
    written(columns(*((field(f"c{i}", UTF8), Array("Utf8", count, 0, shared)) for i in range(5000))),
            path)


@file({"": "arrow-footer-block-once"})
def one_block_for_all(path):
    "The footer lists one batch 100,000 times."
    f = base_of((field("a", I32), [*range(10000)]), kind=File)()
    f.bytes()
    entry = f.blocks[0].entry()
    f.footer.recordBatches = 100000 * [entry]
    written(f, path)


@stream({"": "arrow-dictionary-index-in-range"})
def columns_with_one_dictionary(path):
    "20,000 columns with one dictionary of 10,000 texts; the last key is wrong."
    count = 20000
    f = base_of(*((field(f"c{i}", UTF8, dictionary=0), [i % 10000]) for i in range(count)),
                dictionaries=[(field("", UTF8, dictionary=0), [f"v{i}" for i in range(10000)])])()
    f.batch.arrays[-1].data.values[0] = 10000
    written(f, path)


@stream({"": "arrow-dictionary-index-in-range"})
def deltas_without_end(path):
    "5,000 deltas of one value, each followed by a batch; the last key is one too far."
    f = base_of((field("a", UTF8, dictionary=0), [0]),
                dictionaries=[(field("a", UTF8, dictionary=0), ["first"])])()
    for i in range(5000):
        f.add_dictionary("a", [f"v{i}"], delta=True)
        f.add([i + 1])
    f.add([5001])
    written(f, path)


@stream({"": "arrow-message-prefix-complete"})
def batches_of_no_rows(path):
    "20,000 batches of no rows, and two stray bytes."
    f = base_of((field("a", NULL), []))()
    f.messages += 20000 * [f.batches[0]]
    f.end = b"\1\2"
    written(f, path)


@stream({"": "arrow-dictionary-shared-id-same-type"})
def dictionary_in_itself(path):
    "The values of a dictionary are structs with keys of the same dictionary."
    inner = field("inner", UTF8, dictionary=0)
    outer = field("a", STRUCT, inner, dictionary=0)
    written(base_of((outer, [0, 1]), dictionaries=[(outer, [(0,), (1,)])])(), path)


# --- Bombs ----------------------------------------------------------------------------------------

def bomb(frame, codec, stated, length):
    """A column of `length` bytes in a frame."""
    made = array(field("a", I8), [])
    made.length, made.data.stored = length, integer(stated, 8) + frame
    return columns((field("a", I8), made), length=length), codec


def burst(path, frame, codec, stated, length):
    f, codec = bomb(frame, codec, stated, length)
    f.batch.compression = codec
    written(f, path)


@stream({"": LEFT_OUT})
def bomb_of_zstd(path):
    "A frame of ZSTD with 64 GiB of zeros in 2 MiB."
    burst(path, zstd_repeated(0, 1 << 36), "zstd", 1 << 36, 1 << 36)


@stream({"": LEFT_OUT})
def bomb_of_lz4(path):
    "600 columns that are one frame of LZ4 with 256 MiB of zeros in 1 MiB."
    length = 1 << 28
    frame = integer(length, 8) + lz4_repeated(0, length)
    data = Buffer([])
    data.stored = frame
    f = columns(*((field(f"c{i}", I8), Array("Int", length, 0, [Buffer([]), data])) for i in range(600)))
    f.batch.compression = "lz4"
    written(f, path)


@stream({"": "arrow-compression-size-exact"})
def states_2_to_62(path):
    "A frame of 20 bytes that states that it has 2^62."
    burst(path, zstd_frame(bytes(20), stated=False), "zstd", HUGE, 20)


@stream({"": "arrow-compression-size-exact"})
def states_16_of_4_gib(path):
    "A frame with 4 GiB of zeros that states that it has 16 bytes."
    burst(path, zstd_repeated(0, 1 << 32), "zstd", 16, 16)


@stream({"": "arrow-compression-(decodes|size-exact)"})
def frame_that_states_more(path):
    "A frame of ZSTD whose own header states 2^62 bytes."
    frame = bytearray(zstd_frame(bytes(20)))
    frame[5:13] = integer(HUGE, 8)
    burst(path, bytes(frame), "zstd", 20, 20)


# --- Ends -----------------------------------------------------------------------------------------

@file({"": "arrow-file-footer-size-in-range"})
def thirty_bytes(path):
    "30 bytes: the magic twice and a footer size of 2^31 - 1."
    path.write_bytes(MAGIC + bytes(14) + integer((1 << 31) - 1, 4) + MAGIC)


@file({"": "arrow-file-(footer-size-in-range|magic-end)"})
def six_bytes(path):
    "6 bytes: one magic that is the first and the last."
    path.write_bytes(MAGIC)


@stream({"": "arrow-message-metadata-in-input"})
def metadata_of_2_gib(path):
    "A metadata size of 2^31 - 1 and 8 bytes."
    path.write_bytes(CONTINUATION + integer((1 << 31) - 1, 4) + bytes(8))


@stream({"": "arrow-message-body-in-input"})
def body_of_2_to_63(path):
    "The body of the only batch has 2^63 - 8 bytes."
    f = ints()
    f.batches[0].body_length = (1 << 63) - 8
    written(f, path)

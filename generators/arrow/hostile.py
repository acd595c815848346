"""Malicious streams and files: see generators/hostile.py. The expected reports are given as ids of
clauses, or as text about what was left out."""

from generators.arrow import *
from generators.hostile import collector

HOSTILE = []
stream, file = collector(HOSTILE, ".arrows"), collector(HOSTILE, ".arrow")
later_stream = collector(HOSTILE, ".arrows", LATER)
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
    "5,000 columns with one dictionary of 40,000 texts; the last key is wrong."
    f = base_of(*((field(f"c{i}", UTF8, dictionary=0), [i]) for i in range(5000)),
                dictionaries=[(field("", UTF8, dictionary=0), [f"v{i}" for i in range(40000)])])()
    f.batch.arrays[-1].data.values[0] = 40000
    written(f, path)


@stream({"": "arrow-dictionary-index-in-range"})
def deltas_without_end(path):
    "2,500 deltas of one value, each followed by a batch; the last key is one too far."
    f = base_of((field("a", UTF8, dictionary=0), [0]),
                dictionaries=[(field("a", UTF8, dictionary=0), ["first"])])()
    for i in range(2500):
        f.add_dictionary("a", [f"v{i}"], delta=True)
        f.add([i + 1])
    f.add([2501])
    written(f, path)


@stream({"": "arrow-message-prefix-complete"})
def batches_of_no_rows(path):
    "20,000 batches of no rows, and two stray bytes."
    f = base_of((field("a", NULL), []))()
    f.messages += 20000 * [b"".join(f.batches[0].encoded(f))]
    f.end = b"\1\2"
    written(f, path)


@stream({"": "arrow-batch-node-count"})
def batches_of_nothing_for_many_fields(path):
    "20,000 batches without a node, for a schema of 2,000 fields."
    f = base_of(*((field(f"a{i}", NULL), []) for i in range(2000)))()
    f.batch.list_nodes = lambda entries: entries.clear()
    f.messages += 20000 * [b"".join(f.batches[0].encoded(f))]
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


# --- Format 1.5 -----------------------------------------------------------------------------------

@later_stream({"": "arrow-batch-buffer-count"})
def count_of_2_to_62(path):
    "A view column that claims 2^62 data buffers, and one that claims 2^62 + 1."
    f = base_of((field("a", UTF8_VIEW), ["x"]), (field("b", UTF8_VIEW), ["y"]))()
    f.batch.variadic = [HUGE, HUGE + 1]
    written(f, path)


@later_stream({"": "arrow-view-buffer-size"})
def views_of_2_to_60(path):
    "2^60 views in 16 bytes: the product is 0 in 64 bits."
    f = base_of((field("a", UTF8_VIEW), ["x"]))()
    f.batch.length = f.array("a").length = 1 << 60
    written(f, path)


@later_stream({"": "arrow-utf8-view-values-valid"})
def views_of_one_value(path):
    "100,000 views of the same 8 MiB of text, which end one byte too early; other bytes follow."
    f = base_of((field("a", UTF8_VIEW), []))()
    made, text = f.array("a"), "é" * (4 << 20)
    content = text.encode() + b"\xff"
    view = View(text.encode()[:13], 0, 0)
    view.length = len(content) - 2
    made.buffers[1:] = [Views([]), Buffer(content=content)]
    made.buffers[1].content = 100000 * view.bytes("little")
    made.length = f.batch.length = 100000
    written(f, path)


@later_stream({"": "arrow-list-view-end-in-child"})
def lists_over_the_child(path):
    "200,000 list views over the whole child of 200,000, null or not; the last one ends behind it."
    count = 200000
    item = field("item", UTF8)
    below = array(item, ["x"] * count)
    made = Array("ListView", count, 0, [Buffer([]), Buffer([0] * count, 4),
                                        Buffer([count] * (count - 1) + [count + 1], 4)], [below])
    made.hide(*range(0, count, 2))
    written(columns((field("a", LIST_VIEW, item), made)), path)


@later_stream({"": "arrow-utf8-values-valid"})
def lists_that_hide_nothing(path):
    "200,000 list views over the whole child, every second one null; the last value is no text."
    count = 200000
    item = field("item", UTF8)
    below = array(item, ["x"] * count)
    below.data.content = b"x" * (count - 1) + b"\xff"
    made = Array("ListView", count, 0, [Buffer([]), Buffer([0] * count, 4), Buffer([count] * count, 4)],
                 [below])
    made.hide(*range(0, count, 2))
    written(columns((field("a", LIST_VIEW, item), made)), path)


@later_stream({"": "arrow-run-ends-cover-length"})
def run_of_2_to_62(path):
    "One run of 2^62 slots in a column of 2^62 + 1, and nothing else."
    f = base_of((runs_of("a", I32, ends=I64), [7]))()
    f.array("a.run_ends").data.values = [HUGE]
    f.batch.length = f.array("a").length = HUGE + 1
    written(f, path)


@later_stream({"": "which slots are null could not be examined"})
def long_run_under_a_null(path):
    "A run of 2^40 slots in a struct of 8, of which one is null; its value is no text."
    f = base_of((field("s", STRUCT, runs_of("a", UTF8, ends=I64)), [("x",)] * 8))()
    f.array("s").hide(3)
    f.array("s.a.run_ends").data.values = [1 << 40]
    f.array("s.a").length = 1 << 40
    f.array("s.a.values").data.content = b"\xff"
    written(f, path)


@later_stream({"": "arrow-list-offsets-in-child"})
def list_over_a_long_run(path):
    "A large list over one run of 2^40 slots; a null list hides all of them, and one ends behind."
    f = base_of((field("a", LARGE_LIST, runs_of("item", UTF8, ends=I64)), [["x"], None, ["x"]]))()
    f.array("a.item.run_ends").data.values = [1 << 40]
    f.array("a.item").length = 1 << 40
    f.array("a").offsets.values = [0, 0, 1 << 40, (1 << 40) + 1]
    written(f, path)


@later_stream({"": "which slots are null could not be examined"})
def null_list_over_a_long_run(path):
    "A null list that hides 2^40 slots of one run, whose value is no text."
    f = base_of((field("a", LARGE_LIST, runs_of("item", UTF8, ends=I64)), [["x"], None]))()
    f.array("a.item.run_ends").data.values = [1 << 40]
    f.array("a.item").length = 1 << 40
    f.array("a.item.values").data.content = b"\xff"
    f.array("a").offsets.values = [0, 0, 1 << 40]
    written(f, path)


@later_stream({"": "arrow-dictionary-index-in-range"})
def dictionary_of_2_to_40(path):
    "A dictionary of 2^40 values in one run; the last key is one too far."
    f = base_of((runs_of("a", UTF8, ends=I64, dictionary=encoding(0, I64)), [0, 1]),
                dictionaries=[(runs_of("", UTF8, ends=I64, dictionary=0), ["x"])])()
    made = f.dictionary.arrays[0]
    made.children[0].data.values, made.length = [1 << 40], 1 << 40
    f.dictionary.length = 1 << 40
    f.array("a").data.values = [(1 << 40) - 1, 1 << 40]
    written(f, path)


@later_stream({"": "arrow-fixed-tensor-metadata-object|arrow-opaque-metadata-object|too deeply"})
def brackets(path):
    "Extension metadata of 100,000 brackets."
    f = ints()
    f.field("a").custom_metadata = pairs(extension("arrow.opaque", 100000 * "["))
    written(f, path)


@later_stream({"": "too deeply"})
def brackets_in_values(path):
    "A JSON value of 8 MiB of brackets."
    f = base_of((field("a", UTF8, metadata=extension("arrow.json")), ["[" * (8 << 20)]))()
    written(f, path)


@later_stream({"": "arrow-fixed-tensor-metadata-object"})
def digits_of_a_shape(path):
    "A tensor whose shape has a number of 100,000 digits."
    f = base_of((field("a", lists_of(1), field("item", I8),
                       metadata=extension("arrow.fixed_shape_tensor", '{"shape": [%s]}' % ("9" * 100000))),
                 [[1]]))()
    written(f, path)


@later_stream({"": "arrow-dictionary-index-in-range"})
def nested_deltas_without_end(path):
    "1,500 deltas of a dictionary of lists with keys of another one, each followed by a batch."
    inner = field("item", UTF8, dictionary=1)
    f = base_of((field("a", LIST, inner, dictionary=0), [0]),
                dictionaries=[(field("", UTF8, dictionary=1), ["first"]),
                              (field("", LIST, inner, dictionary=0), [[0]])])()
    of = f.schema.fields[0]
    for i in range(1500):
        f.add_dictionary(of.children[0], [f"v{i}"], delta=True)
        f.add_dictionary(of, [[i + 1, i]], delta=True)
        f.add([i + 1])
    f.add([1501])
    written(f, path)

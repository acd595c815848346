"""Message.fbs: what kinds of messages there are, the length of a batch, compressed bodies."""

from generators.arrow import *

KNOWN = "arrow-message-header-known"


@valid(KNOWN, base=two_batches)
def record_batches(f):
    "Schema and record batches."


for number in (6, 255):
    @invalid(KNOWN, f"type-{number}", f"The second message has the header type {number}.",
             base=two_batches)
    def unknown_header(f, number=number):
        f.batches[0].table.header_type = number


NEGATIVE = "arrow-batch-length-not-negative"


@valid(NEGATIVE, base=base_of((field("a", UTF8), [])))
def no_rows(f):
    "A batch of length 0."


for name, length in (("minus-1", -1), ("smallest", -1 << 63)):
    @invalid(NEGATIVE, name, f"The length of a batch is {length}.", base=two_batches)
    def negative(f, length=length):
        f.batches[1].batch.length = length


@invalid(NEGATIVE, base=in_file(words))
def of_a_dictionary(f):
    "The length of a dictionary's data is -2."
    f.dictionary.length = -2


# Compression --------------------------------------------------------------------------------------

def compressed(codec, base=ints):
    def made():
        f = base()
        for message in f.batches + f.dictionaries:
            message.batch.compression = codec
        return f
    made.suffix = base.suffix
    return made


lz4, zstd = compressed("lz4"), compressed("zstd")
CODEC, METHOD = "arrow-compression-codec-known", "arrow-compression-method-known"
EMITTED = ["arrow-compression-prefix-present", "arrow-compression-length-valid",
           "arrow-compression-decodes", "arrow-compression-size-exact",
           "arrow-compression-no-trailing-bytes", "arrow-primitive-data-size"]
BOTH = {"lz4": "arrow-compression-lz4-frame", "zstd": "arrow-compression-zstd-frame"}

for name, base in (("ints", ints), ("several", several), ("words", words_file), ("maps", maps),
                   ("big-endian", in_order(1, several)), ("sparse", sparse)):
    for codec, clause in BOTH.items():
        @valid(clause, name, f"A body compressed with {codec}: {name}.", base=compressed(codec, base),
               keeps=EMITTED if name == "ints" else ())
        def decodes(f):
            pass


@valid(CODEC, base=lz4, keeps=[METHOD], ambiguity="arrow-compression-in-1-0")
def absent_codec(f):
    "A codec that is left out is LZ4_FRAME."


for name, number in (("2", 2), ("minus-1", -1)):
    @invalid(CODEC, name, f"The codec is {number}.", base=lz4)
    def unknown_codec(f, number=number):
        f.batch.codec = number


@invalid(METHOD, base=in_file(zstd))
def method_1(f):
    "The method of compression is 1."
    f.batch.method = 1


one = base_of((field("a", I32), [1, 2, 3, 4, 5]))
one_lz4, one_zstd = compressed("lz4", one), compressed("zstd", one)
DATA = b"".join(integer(n, 4) for n in (1, 2, 3, 4, 5))


def store(f, content):
    """In the place of the compressed values of the one column."""
    f.array("a").data.stored = content


PREFIX = "arrow-compression-prefix-present"
for count in (5, 7):
    @invalid(PREFIX, f"{count}-bytes", f"A compressed buffer of {count} bytes.", base=one_lz4)
    def without_prefix(f, count=count):
        store(f, bytes(count))

LENGTH = "arrow-compression-length-valid"
for name, value in (("minus-2", -2), ("smallest", -1 << 63)):
    @invalid(LENGTH, name, f"The uncompressed length is {value}.", base=one_zstd)
    def wrong_length(f, value=value):
        f.array("a").data.prefix = value


@invalid(BOTH["lz4"], base=one_lz4)
def raw_block(f):
    "A raw LZ4 block of literals, without frame."
    store(f, integer(20, 8) + b"\xf0\x05" + DATA)


@invalid(BOTH["lz4"], base=one_lz4)
def zstd_under_lz4(f):
    "A ZSTD frame where LZ4_FRAME is stated."
    f.array("a").data.frame = zstd_frame


@invalid(BOTH["lz4"], base=in_file(one_lz4))
def plain(f):
    "Plain bytes without the length -1."
    store(f, integer(20, 8) + DATA)


@invalid(BOTH["zstd"], base=one_zstd)
def lz4_under_zstd(f):
    "An LZ4 frame where ZSTD is stated."
    f.array("a").data.frame = lz4_frame


@invalid(BOTH["zstd"], base=one_zstd)
def zlib_data(f):
    "Data of zlib."
    stored = b"\x78\x01\x01" + integer(20, 2) + integer(~20, 2) + DATA + bytes.fromhex("00a10010")
    store(f, integer(20, 8) + stored)


@invalid(BOTH["zstd"], base=one_zstd)
def skippable(f):
    "A skippable frame and nothing else."
    store(f, integer(20, 8) + b"\x50\x2a\x4d\x18" + integer(20, 4) + DATA)


ONE_FRAME = "arrow-compression-lz4-one-frame"


@valid(ONE_FRAME, base=one_lz4)
def five_blocks(f):
    "One frame of five blocks."
    f.array("a").data.frame = lambda content: lz4_frame(content, block=4)


@invalid(ONE_FRAME, base=one_lz4)
def two_frames(f):
    "Two frames one after the other, which together are the values."
    f.array("a").data.frame = lambda content: lz4_frame(content[:8]) + lz4_frame(content[8:])


@invalid(ONE_FRAME, base=in_file(one_lz4))
def empty_frame_behind(f):
    "A frame of no bytes after the frame."
    f.array("a").data.frame = lambda content: lz4_frame(content) + lz4_frame(b"")


DECODES = "arrow-compression-decodes"
for codec, base, frame in (("lz4", one_lz4, lz4_frame), ("zstd", one_zstd, zstd_frame)):
    @valid(DECODES, f"{codec}-checksum", f"A frame of {codec} with a checksum of its content.",
           base=base, keeps=["arrow-compression-size-exact"])
    def with_checksum(f, frame=frame):
        f.array("a").data.frame = lambda content: frame(content, checksum=True)

    @valid(DECODES, f"{codec}-other-header", f"A frame of {codec} with another header.", base=base)
    def other_header(f, frame=frame, codec=codec):
        f.array("a").data.frame = lambda content: frame(content, stated=codec == "lz4")

    @invalid(DECODES, f"{codec}-content-checksum", f"The checksum of the content is wrong: {codec}.",
             base=base)
    def wrong_checksum(f, frame=frame):
        def corrupted_frame(content):
            made = frame(content, checksum=True)
            return made[:-1] + bytes([made[-1] ^ 1])
        f.array("a").data.frame = corrupted_frame

    @invalid(DECODES, f"{codec}-byte-flipped", f"A byte of the values was changed, and the checksum "
             f"tells: {codec}.", base=base)
    def flipped(f, frame=frame):
        def corrupted_frame(content):
            made = bytearray(frame(content, checksum=True))
            made[-10] ^= 0x40
            return bytes(made)
        f.array("a").data.frame = corrupted_frame

    @invalid(DECODES, f"{codec}-cut", f"A frame that is cut short: {codec}.", base=in_file(base))
    def cut_short(f, frame=frame):
        f.array("a").data.frame = lambda content: frame(content)[:-6]


@invalid(DECODES, base=one_lz4)
def lz4_header_checksum(f):
    "The checksum of an LZ4 frame's header is wrong."
    def corrupted_frame(content):
        made = bytearray(lz4_frame(content))
        made[6] ^= 1
        return bytes(made)
    f.array("a").data.frame = corrupted_frame


@invalid(DECODES, base=one_zstd)
def zstd_reserved_block(f):
    "A ZSTD block of the reserved type."
    def corrupted_frame(content):
        made = bytearray(zstd_frame(content))
        made[13] |= 6
        return bytes(made)
    f.array("a").data.frame = corrupted_frame


EXACT = "arrow-compression-size-exact"
for codec, base in (("lz4", one_lz4), ("zstd", one_zstd)):
    for name, size in (("24", 24), ("16", 16), ("2-to-40", 1 << 40), ("0", 0)):
        @invalid(EXACT, f"{codec}-{name}", f"{name.replace('-to-', '^')} bytes are stated, the frame "
                 f"of {codec} has 20.", base=base)
        def other_size(f, size=size, codec=codec):
            if codec == "zstd":
                f.array("a").data.frame = lambda content: zstd_frame(content, stated=False)
            f.array("a").data.prefix = size


@invalid(EXACT, base=one_zstd)
def size_in_the_frame(f):
    "24 bytes are stated, and the frame of ZSTD itself states the 20 that it has."
    f.array("a").data.prefix = 24


TRAILING = "arrow-compression-no-trailing-bytes"


@invalid(TRAILING, base=one_lz4)
def rounded_to_8(f):
    "The length of a buffer is rounded up to 8 over zero bytes."
    f.array("a").data.frame = lambda content: (made := lz4_frame(content)) + bytes(-len(made) % 8)


@invalid(TRAILING, base=one_zstd)
def rounded_to_64(f):
    "The length of a buffer is rounded up to 64 over zero bytes."
    f.array("a").data.frame = lambda content: (made := zstd_frame(content)) + bytes(-len(made) % 56)


@invalid(TRAILING, base=in_file(one_zstd))
def garbage(f):
    "Text follows the frame."
    f.array("a").data.frame = lambda content: zstd_frame(content) + b"garbage"


DECLARED = "arrow-compression-declared-in-batch"


@valid(DECLARED, base=one_lz4)
def in_the_batch(f):
    "A BodyCompression table."


@invalid(DECLARED, base=one_lz4, outcome="unchecked", warns={DECLARED})
def of_0_17(f):
    "The form of Arrow 0.17: a pair in the metadata of a message of V4."
    stored = f.batch._stored(f.array("a").data, "little")
    f.batch.compression, f.version = None, V4
    store(f, stored)
    f.batches[0].table.custom_metadata = pairs({"ARROW:experimental_compression": "lz4"})


# What is free -------------------------------------------------------------------------------------

@valid("arrow-compression-stored", base=lz4)
def minus_1_and_plain(f):
    "One buffer has the length -1 and plain bytes after it."
    store(f, integer(-1, 8) + DATA)


@valid("arrow-compression-stored", base=in_file(compressed("zstd", texts)))
def text_stored(f):
    "The data of a column of texts are stored in a batch of ZSTD."
    f.array("a").data.stored = integer(-1, 8) + b"joemark"


EMPTY = "arrow-compression-empty-buffer"


@valid(EMPTY, base=one_zstd)
def no_bytes(f):
    "A bitmap of no bytes, without prefix."


for name, content in (("length-0", bytes(8)), ("length-minus-1", b"\xff" * 8),
                      ("lz4-frame", bytes(8) + lz4_frame(b""))):
    @valid(EMPTY, name, f"An empty bitmap: {name.replace('-', ' ')}.", base=one_lz4)
    def empty(f, content=content):
        f.array("a").validity.stored = content


@valid(EMPTY, base=one_zstd)
def zstd_empty_frame(f):
    "An empty bitmap: a frame of ZSTD that has no bytes."
    f.array("a").validity.stored = bytes(8) + zstd_frame(b"")


@valid("arrow-compression-per-batch", base=words)
def each_its_own(f):
    "A dictionary of LZ4, then batches of ZSTD, of LZ4, and not compressed."
    f.dictionary.compression = "lz4"
    f.batch.compression = "zstd"
    f.add([0, 1, 2], compression="lz4")
    f.add([2, 1, 0])


@valid("arrow-compression-prefix-little-endian", base=in_order(1, zstd))
def in_a_big_endian_stream(f):
    "A big-endian stream with little-endian lengths."


@invalid("arrow-compression-prefix-little-endian", base=in_order(1, one_lz4), alias=EXACT)
def big_endian_length(f):
    "A big-endian stream whose lengths are big-endian, too."
    f.array("a").data.prefix = int.from_bytes((20).to_bytes(8, "big"), "little")


@invalid("arrow-compression-prefix-little-endian", base=one_lz4, alias=LENGTH)
def read_as_negative(f):
    "A length of 240 bytes in big-endian order, which reads as negative."
    f.batches[0].batch = Batch([array(field("a", I32), [*range(60)])], compression="lz4")
    f.array("a").data.prefix = int.from_bytes((240).to_bytes(8, "big"), "little")

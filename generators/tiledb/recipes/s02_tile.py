"""Chunks, and what filters leave behind in them."""

import hashlib
import struct
import zlib

from generators.tiledb import *

LEVEL1 = compressor(GZIP, 1)


def filtered(*filters, make=dense, **values):
    """A base whose tile has these filters."""
    def base():
        f = make()
        f.tile.pipeline = Pipeline(*filters)
        for name, value in values.items():
            setattr(f.tile, name, value)
        return f
    return base


stored, gzip = filtered(), filtered(LEVEL1)


def metadata(fields, at=0, keep=None):
    """Other bytes in the metadata of the first chunk, from `at` on."""
    def change_one(c):
        c.metadata = c.metadata[:at] + fields + c.metadata[at + len(fields):]
        if keep is not None:
            c.metadata = c.metadata[:keep]
    return chunk(change_one)


valid("chunk-count-positive", "one", "One chunk.", nothing, keeps=["chunk-count-fits", "chunk-complete",
      "chunks-fill-payload", "chunk-original-length", "chunk-max-size", "chunk-metadata-consumed",
      "compress-part-table", "compress-parts-fill-data", "compress-part-decodes", "compress-part-ends"])
invalid("chunk-count-positive", "nothing-behind", "The number of chunks is 0, and none is stored.",
        lambda f: setattr(f.tile, "change", lambda chunks: chunks.clear()))
invalid("chunk-count-positive", "chunk-behind", "The number of chunks is 0, and one is stored.",
        tile(chunk_count=0))
valid("chunk-count-fits", "two", "Two chunks.", tile(piece=64), keeps=["chunk-complete"])
invalid("chunk-count-fits", "largest", "There are 2^64 - 1 chunks.", tile(chunk_count=2**64 - 1))
invalid("chunk-count-fits", "wraps", "12 times the number of chunks is 12 in 64 bits.",
        tile(chunk_count=2**62 + 1))
invalid("chunk-count-fits", "two-of-one", "Two chunks are counted, and there are bytes for one.",
        lambda f: (setattr(f.tile, "chunk_count", 20)))
invalid("chunk-count-fits", "payload-of-4", "The payload has 4 bytes.",
        patch(lambda b: b[:4] + u64(4) + b[12:56]))


def add_filtered(by):
    def change_one(c):
        c.filtered = len(c.data) + by
    return chunk(change_one)


invalid("chunk-complete", "one-too-large", "The filtered length is one too large.", add_filtered(1))
invalid("chunk-complete", "metadata-largest", "The metadata length is 4294967295.",
        chunk(lambda c: setattr(c, "metadata_size", 0xFFFFFFFF)))
invalid("chunk-complete", "second-head-cut", "The payload ends inside the head of the second chunk.",
        all_of(tile(chunk_count=2, behind_chunks=bytes(11))))
invalid("chunk-complete", "lengths-swapped", "Filtered length and metadata length are exchanged.",
        chunk(lambda c: (setattr(c, "filtered", len(c.metadata) + 1000), setattr(c, "metadata_size", len(c.data)))))
invalid("chunks-fill-payload", "one-byte", "A byte follows the last chunk.", tile(behind_chunks=b"\0"))
invalid("chunks-fill-payload", "eight-bytes", "Eight zero bytes follow the last chunk.",
        tile(behind_chunks=bytes(8)))
invalid("chunks-fill-payload", "second-chunk", "One chunk is counted, and two are stored.",
        lambda f: setattr(f.tile, "behind_chunks", f.tile.chunks(f.content())[0].bytes()))

invalid("chunk-original-length", "one-less", "The original length is one less than what its part gives.",
        chunk(lambda c: setattr(c, "original", c.original - 1)), base=gzip)
invalid("chunk-original-length", "larger", "The original length is larger than the decoded bytes.",
        chunk(lambda c: setattr(c, "original", c.original + 5)), base=gzip)
invalid("chunk-original-length", "byteshuffle", "The filtered length of a shuffled chunk is another one.",
        chunk(lambda c: setattr(c, "original", c.original + 1)), base=filtered(Filter(BYTESHUFFLE)))
invalid("chunk-max-size", "sixteen", "The maximum is 16, and the chunk is larger.",
        lambda f: (setattr(f.tile, "pipeline", Pipeline(LEVEL1, max_chunk=16)), setattr(f.tile, "piece", 1000))
        and None)


@invalid("chunk-max-size")
def one_more(f):
    "The chunk is one byte larger than the maximum."
    size = len(f.content())
    f.tile.pipeline, f.tile.piece = Pipeline(LEVEL1, max_chunk=size - 1), size


@valid("chunk-max-size")
def exactly(f):
    "The chunk is as large as the maximum."
    f.tile.pipeline = Pipeline(LEVEL1, max_chunk=len(f.content()))


invalid("chunk-identity-without-filters", "metadata", "A chunk without filters has metadata.",
        chunk(lambda c: setattr(c, "metadata", bytes(4))), base=stored)
invalid("chunk-identity-without-filters", "one-less", "The filtered length is one less than the original length.",
        chunk(lambda c: setattr(c, "data", c.data[:-1])), base=stored)


def four_byte_cells():
    f = dense(attrs=[Attribute("abc")])
    f.attrs[0].name = "a" * (4 - (len(f.content()) - 3) % 4)
    assert len(f.content()) % 4 == 0
    f.tile.cell_size = 4
    return f


valid("chunk-cells-whole", "four", "Cells of 4 bytes in chunks of 64.", tile(piece=64), base=four_byte_cells)
invalid("chunk-cells-whole", "66", "Cells of 4 bytes in chunks of 66.", tile(piece=66), base=four_byte_cells)
valid("chunk-cells-whole", "version-10", "Before version 11 cells may be divided.",
      lambda f: (f.tile.__setattr__("piece", 66), setattr(f, "version", 10), setattr(f.attrs[0], "name", "a" * 4),
                 setattr(f.attrs[0], "name", "a" * (4 + -len(f.content()) % 4))) and None, base=four_byte_cells)

invalid("chunk-metadata-consumed", "four-left", "Four bytes of metadata are left.",
        chunk(lambda c: setattr(c, "metadata", c.metadata + bytes(4))), base=gzip)
invalid("chunk-metadata-consumed", "checksum-table",
        "The metadata begin with a table of digests, and the pipeline has no such filter.",
        lambda f: (setattr(f.tile, "change", lambda chunks: setattr(
            chunks[0], "metadata", chunks[0].metadata + u32(0) + u32(1) + u64(3) + bytes(16)))))

for slug, shows, change in (
        ("12-bytes", "The metadata have 12 bytes.", metadata(b"", keep=12)),
        ("largest", "There are 4294967295 data parts.", metadata(u32(0xFFFFFFFF), 4)),
        ("one-pair", "Two parts are counted, and one is stored.", metadata(u32(1))),
        ("none", "There are no metadata.", metadata(b"", keep=0))):
    invalid("compress-part-table", slug, shows, change, base=gzip)
valid("compress-part-table", "zstd", "The table of a part of zstd.", nothing, base=filtered(compressor(ZSTD)))


def part(by_original=0, by_size=0, original=None, data=None, tail=b""):
    """Changes the stated lengths of the first part, or its bytes."""
    def change_one(c):
        old, size = struct.unpack("<II", c.metadata[8:16])
        c.data = (c.data if data is None else data(c.data)) + tail
        if data is not None:
            size = len(c.data)
        c.metadata = c.metadata[:8] + u32(old + by_original if original is None else original) \
            + u32(size + by_size) + c.metadata[16:]
    return chunk(change_one)


invalid("compress-parts-fill-data", "one-less", "The part is one byte shorter than the data.",
        part(tail=b"\0"), base=gzip)
invalid("compress-parts-fill-data", "larger", "The part is longer than the data.", part(by_size=7), base=gzip)
invalid("compress-parts-fill-data", "two-parts", "Two parts are longer than the data.",
        chunk(lambda c: setattr(c, "metadata", u32(0) + u32(2) + c.metadata[8:] + u32(0) + u32(50))), base=gzip)


def flipped(at):
    return lambda data: data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:]


invalid("compress-part-decodes", "bit-flipped", "A bit of the deflate data is another one.",
        part(data=flipped(2)), base=gzip)
invalid("compress-part-decodes", "adler", "The checksum of the zlib stream is wrong.",
        part(data=lambda d: d[:-1] + bytes([d[-1] ^ 1])), base=gzip)
invalid("compress-part-decodes", "largest", "The original length of the part is 4294967295.",
        part(original=0xFFFFFFFF), base=gzip)
invalid("compress-part-decodes", "cut", "The zlib stream is cut before its end.",
        part(data=lambda d: d[:-6]), base=gzip)
invalid("compress-part-decodes", "one-less", "The original length of the part is one less.",
        part(by_original=-1), base=gzip)
invalid("compress-part-decodes", "zstd-one-more", "The original length of a part of zstd is one more.",
        part(by_original=1), base=filtered(compressor(ZSTD)))
invalid("compress-part-decodes", "bzip2", "A bit of a part of bzip2 is another one.",
        part(data=flipped(20)), base=filtered(compressor(BZIP2)))
invalid("compress-part-decodes", "lz4", "A part of LZ4 has more literals than bytes.",
        part(data=lambda d: d[:-4]), base=filtered(compressor(LZ4)))
for name, filter in (("zstd", ZSTD), ("lz4", LZ4), ("bzip2", BZIP2), ("rle", RLE)):
    valid("compress-part-decodes", name, f"A part of {name}.", nothing, base=filtered(compressor(filter)))
invalid("compress-part-ends", "three-bytes", "Three bytes follow the end of the zlib stream.",
        part(data=lambda d: d + b"abc"), base=gzip)
invalid("compress-part-ends", "bzip2", "A byte follows the end of the bzip2 stream.",
        part(data=lambda d: d + b"\0"), base=filtered(compressor(BZIP2)))
invalid("compress-part-ends", "zstd", "A byte follows the end of the zstd frame.",
        part(data=lambda d: d + b"\0"), base=filtered(compressor(ZSTD)))


def gzip_member(d):
    data = zlib.decompress(d)
    raw = zlib.compressobj(1, zlib.DEFLATED, -15)
    deflated = raw.compress(data) + raw.flush()
    return bytes.fromhex("1f8b08000000000004ff") + deflated + u32(zlib.crc32(data)) + u32(len(data))


invalid("gzip-is-zlib", "gzip-member", "A part is a gzip member.", part(data=gzip_member), base=gzip,
        alias="compress-part-decodes", ambiguity="gzip-name")
invalid("gzip-is-zlib", "raw", "A part is a raw deflate stream.", part(data=lambda d: d[2:-4]), base=gzip,
        alias="compress-part-decodes")
rle = filtered(compressor(RLE))
invalid("rle-runs", "length", "The part is no multiple of 3 bytes.", part(data=lambda d: d[:-1]), base=rle,
        alias="compress-part-decodes")
invalid("rle-runs", "low-byte-first", "The run lengths have the low byte first.",
        part(data=lambda d: b"".join(d[i:i + 1] + d[i + 2:i + 3] + d[i + 1:i + 2] for i in range(0, len(d), 3))),
        base=rle, alias="compress-part-decodes")
invalid("rle-runs", "too-few", "The runs give fewer bytes than the original length.",
        part(data=lambda d: d[:-3]), base=rle, alias="compress-part-decodes")

md5, sha256 = filtered(LEVEL1, Filter(MD5)), filtered(LEVEL1, Filter(SHA256))
plain_md5, plain_sha = filtered(Filter(MD5)), filtered(Filter(SHA256))
valid("checksum-table", "md5", "MD5 over metadata and data of gzip.", nothing, base=md5,
      keeps=["checksum-covers-input", "checksum-md5"])
valid("checksum-table", "sha256", "SHA-256 over metadata and data of gzip.", nothing, base=sha256,
      keeps=["checksum-covers-input", "checksum-sha256"])
invalid("checksum-table", "largest", "There are 4294967295 data entries.", metadata(u32(0xFFFFFFFF), 4),
        base=md5)
invalid("checksum-table", "cut", "The table ends inside the digest.", metadata(b"", keep=20), base=plain_md5)
invalid("checksum-table", "longer-than-data", "An entry is longer than the data.", metadata(u64(5000), 8),
        base=plain_md5)
invalid("checksum-table", "short-digest", "An entry of SHA-256 has a digest of 16 bytes.",
        metadata(b"", keep=32), base=plain_sha)


def last_uncovered(c):
    c.metadata = u32(0) + u32(1) + u64(len(c.data) - 1) + hashlib.md5(c.data[:-1]).digest()


invalid("checksum-covers-input", "last-byte", "The digest covers all but the last byte.", chunk(last_uncovered),
        base=plain_md5)
invalid("checksum-covers-input", "no-entry", "There is no entry at all.",
        chunk(lambda c: setattr(c, "metadata", u32(0) + u32(0))), base=plain_sha)


def digest_changed(offset, by=1):
    def change_one(c):
        at = offset if offset >= 0 else len(c.metadata) + offset
        c.metadata = c.metadata[:at] + bytes([c.metadata[at] ^ by]) + c.metadata[at + 1:]
    return chunk(change_one)


invalid("checksum-md5", "bit-flipped", "A bit of the digest is another one.", digest_changed(16),
        base=plain_md5)
invalid("checksum-md5", "data-changed", "A byte of the data changed after the digest was made.",
        chunk(lambda c: setattr(c, "data", c.data.replace(b"rows", b"rowz"))), base=plain_md5)
invalid("checksum-md5", "of-the-original", "The digest is that of the bytes before gzip.",
        chunk(lambda c: setattr(c, "metadata", c.metadata[:56 - 16] + hashlib.md5(b"before").digest()
                                + c.metadata[56:])), base=md5)
invalid("checksum-sha256", "bit-flipped", "A bit of the digest is another one.", digest_changed(16),
        base=plain_sha)
invalid("checksum-sha256", "reversed", "The bytes of the digest are reversed.",
        chunk(lambda c: setattr(c, "metadata", c.metadata[:16] + c.metadata[16:48][::-1])), base=plain_sha)

shuffle = filtered(Filter(BYTESHUFFLE))
valid("shuffle-parts", "one", "One part.", nothing, base=shuffle)
invalid("shuffle-parts", "largest", "There are 4294967295 parts.", metadata(u32(0xFFFFFFFF)), base=shuffle)
invalid("shuffle-parts", "one-less", "The part is one byte shorter than the data.",
        chunk(lambda c: setattr(c, "metadata", u32(1) + u32(len(c.data) - 1))), base=shuffle)
invalid("shuffle-parts", "cut", "The table ends after the number of parts.", metadata(b"", keep=4), base=shuffle)
invalid("shuffle-parts", "bitshuffle", "The part of a bit shuffle is one byte shorter than the data.",
        chunk(lambda c: setattr(c, "metadata", u32(1) + u32(len(c.data) - 1))), base=filtered(Filter(BITSHUFFLE)))


def encrypted():
    f = filtered(LEVEL1, Filter(ENCRYPTION))()
    f.tile.encryption = 1
    return f


invalid("encrypt-part-table", "largest", "There are 4294967295 data parts.", metadata(u32(0xFFFFFFFF), 4),
        base=encrypted)
invalid("encrypt-part-table", "44-bytes", "The metadata have 44 bytes for two parts.", metadata(b"", keep=44),
        base=encrypted)
invalid("encrypt-part-table", "one-less", "The encrypted lengths add up to one less than the data.",
        chunk(lambda c: setattr(c, "data", c.data + b"\0")), base=encrypted)
invalid("encrypt-part-table", "longer", "An encrypted length is not the plain length.",
        chunk(lambda c: setattr(c, "metadata", c.metadata[:8] + u32(15) + c.metadata[12:])), base=encrypted)

for name, filter in (("positive-delta", window(POSITIVE_DELTA)), ("bitshuffle", Filter(BITSHUFFLE)),
                     ("bit-width", window(BIT_WIDTH)), ("double-delta", delta(DOUBLE_DELTA)),
                     ("delta", delta(DELTA)), ("dictionary", compressor(DICTIONARY)),
                     ("float-scale", float_scale()), ("xor", Filter(XOR)), ("webp", webp())):
    valid("tile-filter-not-undone", name, f"The tile has the filter {name}, which is not undone.", nothing,
          base=filtered(filter, LEVEL1), outcome="unchecked", unchecked=["schema-end"])

# Filters over values that are applied, and not only named. Their content is judged.


def whole_words():
    """A schema of a whole number of 4-byte values."""
    return dense(attrs=[Attribute("a" * WORDS)])


WORDS = next(n for n in range(1, 9) if len(dense(attrs=[Attribute("a" * n)]).content()) % 4 == 0)
OVER_VALUES = {"delta": delta(DELTA), "positive-delta": window(POSITIVE_DELTA), "bit-width": window(BIT_WIDTH)}
for name, filter in OVER_VALUES.items():
    for slug, type in (("bytes", CHAR), ("int32", INT32), ("uint16", UINT16)):
        valid("tile-filter-not-undone", f"{name}-of-{slug}", f"The filter {name} over values of datatype {type}.", nothing,
              base=filtered(filter, make=whole_words, encodes=True, datatype=type), keeps=["schema-array-type"])
    invalid("schema-array-type", f"behind-{name}", f"The array type is 2, behind the filter {name} and gzip.",
            put({"array type": 2}), base=filtered(filter, LEVEL1, make=whole_words, encodes=True, datatype=INT32))
    valid("tile-filter-not-undone", f"{name}-under-a-digest", f"The filter {name} below MD5 and gzip.", nothing,
          base=filtered(filter, Filter(MD5), LEVEL1, make=whole_words, encodes=True), keeps=["checksum-md5"])
valid("tile-filter-not-undone", "delta-as-int32", "The filter delta, which takes bytes for INT32.", nothing,
      base=filtered(delta(DELTA, reinterpret=INT32), make=whole_words, encodes=True), keeps=["schema-array-type"])
valid("tile-filter-not-undone", "bit-width-then-delta", "Metadata of bit width reduction below delta.", nothing,
      base=filtered(window(BIT_WIDTH, 64), delta(DELTA), make=whole_words, encodes=True), keeps=["schema-array-type"])


def metadata_changed(at, fields):
    return metadata(fields, at)


# What is not laid out as the filter writes it stays unknown.
for slug, shows, filter, change in (
        ("delta-one-value-more", "The part of delta counts one value more.", delta(DELTA),
         chunk(lambda c: setattr(c, "data", u64(int.from_bytes(c.data[:8], "little") + 1) + c.data[8:]))),
        ("delta-longer-part", "The part of delta is longer than the data.", delta(DELTA), metadata_changed(12, u32(0xFFFFFFFF))),
        ("delta-many-parts", "Delta has 4294967295 parts.", delta(DELTA), metadata_changed(4, u32(0xFFFFFFFF))),
        ("delta-byte-behind", "A byte follows the part of delta.", delta(DELTA), chunk(lambda c: setattr(c, "data", c.data + b"\0"))),
        ("positive-delta-many-windows", "Positive delta has 4294967295 windows.", window(POSITIVE_DELTA),
         metadata_changed(0, u32(0xFFFFFFFF))),
        ("positive-delta-longer-window", "A window of positive delta is longer than the data.", window(POSITIVE_DELTA),
         metadata_changed(5, u32(0xFFFFFFFF))),
        ("bit-width-many-windows", "Bit width reduction has 4294967295 windows.", window(BIT_WIDTH),
         metadata_changed(4, u32(0xFFFFFFFF))),
        ("bit-width-largest-length", "Bit width reduction makes 4294967295 bytes.", window(BIT_WIDTH),
         metadata_changed(0, u32(0xFFFFFFFF))),
        ("bit-width-of-12", "A window has values of 12 bits.", window(BIT_WIDTH), metadata_changed(9, b"\x0c")),
        ("bit-width-of-16", "A window of bytes has values of 16 bits.", window(BIT_WIDTH), metadata_changed(9, b"\x10")),
        ("bit-width-with-an-offset", "A window keeps its width, and has an offset.", window(BIT_WIDTH), metadata_changed(8, b"\1"))):
    valid("tile-filter-not-undone", slug, shows, change, base=filtered(filter, make=whole_words, encodes=True),
          outcome="unchecked", unchecked=["schema-end"])

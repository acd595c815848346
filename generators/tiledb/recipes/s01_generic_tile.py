"""Generic tiles: the header."""

import struct

from generators.tiledb import *

LEVEL1 = compressor(GZIP, 1)


def stored():
    """A schema in a tile without filters, whose bytes are those of the schema."""
    f = dense()
    f.tile.pipeline = Pipeline()
    return f


def plain_enumeration():
    f = colours()
    f.tile.pipeline = Pipeline()
    return f


def encrypted():
    f = dense()
    f.tile.encryption, f.tile.pipeline = 1, Pipeline(LEVEL1, Filter(ENCRYPTION))
    return f


def old_layout(compressor=1):
    """An array schema of TileDB 1.3."""
    class Old(Schema):
        def bytes(self):
            content = bytes(range(1, 82))
            return struct.pack("<QQBQBi", len(content), 120, CHAR, 1, compressor, -1) + content
    return Old()


valid("file-single-tile", "one-tile", "The file ends with its tile.", nothing,
      keeps=["tile-header-complete", "tile-pipeline-fits", "tile-payload-complete", "tile-pipeline-size",
             "file-pre-format", "tile-cell-size", "tile-version-equals-schema", "tile-datatype-known",
             "tile-encryption-known", "tile-encryption-filter", "tile-size"])
valid("file-single-tile", "enumeration", "The file of an enumeration ends with its tile.", nothing, base=colours)
invalid("file-single-tile", "zero-byte", "A zero byte follows the tile.", tile(behind=b"\0"))
invalid("file-single-tile", "newline", "A newline follows the tile of an enumeration.", tile(behind=b"\n"),
        base=colours)
invalid("file-single-tile", "second-tile", "A second tile follows.",
        lambda f: setattr(f.tile, "behind", dense().bytes()))
invalid("file-single-tile", "padding", "Zeros fill the file up to 512 bytes.",
        patch(lambda b: b + bytes(512 - len(b))))

for size, slug in ((0, "empty"), (4, "version-only"), (33, "33-bytes")):
    invalid("tile-header-complete", slug, f"The file ends after {size} bytes.",
            patch(lambda b, size=size: b[:size]))

invalid("tile-pipeline-fits", "largest", "The pipeline has 4294967295 bytes.", tile(pipeline_size=0xFFFFFFFF))
invalid("tile-pipeline-fits", "one-more", "The pipeline has one byte more than what follows the header.",
        patch(lambda b: b[:30] + u32(len(b) - 33) + b[34:]))
invalid("tile-pipeline-fits", "cut", "The file ends inside the pipeline.", patch(lambda b: b[:40]))

invalid("tile-payload-complete", "cut-by-one", "The last byte is missing.", patch(lambda b: b[:-1]))
invalid("tile-payload-complete", "largest", "The payload has 2^64 - 1 bytes.", tile(persisted=2**64 - 1))
invalid("tile-payload-complete", "wraps", "Header, pipeline and payload add up to the size of the file in 64 bits.",
        tile(persisted=2**64 - 52 + 1))
invalid("tile-payload-complete", "after-pipeline", "The file ends after the pipeline.", patch(lambda b: b[:52]))

valid("tile-pipeline-size", "no-filter", "A pipeline of 8 bytes without filters.", nothing, base=stored,
      keeps=["chunk-identity-without-filters"])
invalid("tile-pipeline-size", "spare-byte", "A spare byte follows the gzip filter.",
        lambda f: setattr(f.tile, "pipeline_bytes", f.tile.pipeline.bytes() + b"\0"))
invalid("tile-pipeline-size", "count-0", "The pipeline has 18 bytes and no filter.",
        lambda f: setattr(f.tile, "pipeline_bytes", u32(65536) + u32(0) + f.tile.pipeline.bytes()[8:]))


@invalid("tile-pipeline-size")
def count_lowered(f):
    "Two filters are stored, and one is counted."
    f.tile.pipeline = Pipeline(LEVEL1, Filter(MD5), count=1)


for number in (1, 23):
    valid("tile-version-known", f"version-{number}", f"Tile and schema of version {number}.", nothing,
          base=version(number), keeps=["schema-version-known", "schema-version-newer",
                                       "schema-version-experimental"])
invalid("tile-version-known", "zero", "The version of the tile is 0.", tile(version=0))
invalid("tile-version-known", "zero-around-enumeration", "The tile of an enumeration has version 0.",
        tile(version=0), base=colours)

for outer, inner in ((21, 22), (22, 5), (10, 9)):
    invalid("tile-version-equals-schema", f"{outer}-around-{inner}",
            f"A tile of version {outer} around a schema of version {inner}.", tile(version=outer),
            base=version(inner), ambiguity="two-versions")

valid("tile-datatype-known", "uint8", "The tile is of UINT8.", tile(datatype=UINT8))
for datatype in (44, 128, 255):
    invalid("tile-datatype-known", f"{datatype}", f"The datatype is {datatype}.", tile(datatype=datatype))

invalid("tile-cell-size", "zero", "The cell size is 0.", tile(cell_size=0))
invalid("tile-cell-size", "seven", "The cell size is 7, and does not divide the tile size.",
        all_of(tile(cell_size=7, version=10), put({"version": 10})), base=version(10))
invalid("tile-cell-size", "largest", "The cell size is 2^64 - 1.", tile(cell_size=2**64 - 1), base=version(10))

valid("tile-encrypted-not-judged", "gzip", "An encrypted schema: only its tile is judged.", nothing,
      base=encrypted, outcome="unchecked", keeps=["encrypt-part-table"], unchecked=["schema-end"])
valid("encrypt-part-table", "alone", "An encrypted schema without another filter.",
      tile(pipeline=Pipeline(Filter(ENCRYPTION))), base=encrypted, outcome="unchecked")
for kind in (2, 128, 255):
    invalid("tile-encryption-known", f"{kind}", f"The encryption type is {kind}.", tile(encryption=kind))
invalid("tile-encryption-filter", "gzip-alone", "An encrypted tile has no encryption filter.",
        tile(encryption=1), ambiguity="encryption-filter-stored")
invalid("tile-encryption-filter", "not-encrypted", "A tile that is not encrypted has the filter.",
        tile(encryption=0), base=encrypted, ambiguity="encryption-filter-stored")
invalid("tile-encryption-filter", "not-last", "The encryption filter comes before gzip.",
        tile(pipeline=Pipeline(Filter(ENCRYPTION), LEVEL1)), base=encrypted)
invalid("tile-encryption-filter", "twice", "There are two encryption filters.",
        tile(pipeline=Pipeline(Filter(ENCRYPTION), Filter(ENCRYPTION))), base=encrypted)

ANY_PIPELINE = {
    "gzip-9": [compressor(GZIP, 9)], "zstd": [compressor(ZSTD)], "lz4": [compressor(LZ4)],
    "bzip2": [compressor(BZIP2)], "rle": [compressor(RLE)], "none": [Filter(NONE)],
    "byteshuffle-gzip": [Filter(BYTESHUFFLE), LEVEL1], "gzip-md5": [LEVEL1, Filter(MD5)],
    "sha256-gzip": [Filter(SHA256), LEVEL1], "gzip-zstd": [LEVEL1, compressor(ZSTD)],
    "md5-gzip-sha256": [Filter(MD5), LEVEL1, Filter(SHA256)]}
for slug, filters in ANY_PIPELINE.items():
    valid("tile-any-pipeline", slug, "The tile has the filters " + slug.replace("-", ", ") + ".",
          lambda f, filters=filters: setattr(f.tile, "pipeline", Pipeline(*filters)))
valid("tile-any-pipeline", "small-chunks", "The chunks have 16 bytes.",
      tile(pipeline=Pipeline(LEVEL1, max_chunk=16)), keeps=["chunk-max-size", "chunk-count-fits"])
valid("tile-any-pipeline", "no-chunk-size", "The maximum chunk size is 0.",
      tile(pipeline=Pipeline(LEVEL1, max_chunk=0)))
valid("tile-any-pipeline", "int32-shuffled", "Four bytes of a tile of INT32 are shuffled.",
      tile(pipeline=Pipeline(Filter(BYTESHUFFLE), LEVEL1), datatype=INT32), keeps=["shuffle-parts"])

invalid("tile-size", "one-less", "The tile size is one less than the chunk says.",
        lambda f: setattr(f.tile, "size", len(f.content()) - 1))
invalid("tile-size", "zero", "The tile size is 0.", tile(size=0))
invalid("tile-size", "largest", "The tile size is 2^64 - 1.", tile(size=2**64 - 1))
invalid("tile-size", "two-chunks", "Two chunks have more bytes than the tile size.",
        all_of(tile(piece=100, size=100)))
invalid("tile-size", "encrypted", "The tile size of an encrypted tile is wrong.", tile(size=1), base=encrypted)

invalid("little-endian", "header", "The header is written with the high byte first.",
        patch(lambda b: struct.pack(">IQQBQBI", *struct.unpack("<IQQBQBI", b[:34])) + b[34:]),
        alias="schema-version-newer", warns=["schema-version-newer"], outcome="unsupported")
invalid("little-endian", "pipeline-count", "The number of filters has the high byte first.",
        put({"coords.count": (1).to_bytes(4, "big")}), alias="filter-count-fits")

valid("file-pre-format", "version-1", "A schema of version 1 is not taken for an older one.", nothing,
      base=version(1))
for number, slug in ((1, "tiledb-1-3"), (2, "another-compressor")):
    invalid("file-pre-format", slug, f"An array schema of TileDB 1.3 with the compressor {number}.",
            other(lambda number=number: old_layout(number)), warns=["file-pre-format"],
            outcome="unsupported", ambiguity="unknown-version")

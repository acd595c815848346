"""Malicious files: false claims, bombs, and archives that lead elsewhere. See generators/hostile.py."""

import bz2
import zlib

from generators.hostile import collector
from generators.tiledb import *

HOSTILE = []
file, archive = collector(HOSTILE, ".tdb"), collector(HOSTILE, ".tdb.tar")
LEFT_OUT = "limit|more than"


def written(f, path):
    path.write_bytes(f.bytes())


def one_part(data, original, filter=GZIP):
    """A file with one compressed part, which states its original length."""
    f = dense()
    f.tile.pipeline = Pipeline(compressor(filter))
    f.tile.size = original
    f.tile.change = lambda chunks: chunks.__setitem__(slice(None), [
        Chunk(original, u32(0) + u32(1) + u32(original) + u32(len(data)), data)])
    return f


def deflated_zeros(size):
    """A zlib stream that is never read to its end: the same block of zeros again and again."""
    step = 1 << 20
    pack = zlib.compressobj(9)
    first = pack.compress(bytes(step)) + pack.flush(zlib.Z_FULL_FLUSH)
    again = pack.compress(bytes(step)) + pack.flush(zlib.Z_FULL_FLUSH)
    return first + again * (size // step - 1) + pack.flush()


@file({"": LEFT_OUT})
def bomb_of_gzip(path):
    "3 MiB of deflate with 3 GiB of zeros."
    written(one_part(deflated_zeros(3 << 30), 3 << 30), path)


@file({"": LEFT_OUT})
def bomb_of_bzip2(path):
    "A hundred bytes of bzip2 with 64 MiB of zeros."
    pack = bz2.BZ2Compressor(9)
    zeros = bytes(1 << 24)
    written(one_part(b"".join(pack.compress(zeros) for _ in range(4)) + pack.flush(), 1 << 30, BZIP2), path)


@file({"": "tiledb-compress-part-decodes"})
def bomb_that_states_little(path):
    "A part of a gigabyte of zeros that states 111 bytes."
    written(one_part(deflated_zeros(1 << 30), 111), path)


@file({"": LEFT_OUT})
def bomb_of_runs(path):
    "50,000 runs of 65,535 zeros."
    written(one_part(b"\0\xff\xff" * 50000, 50000 * 65535, RLE), path)


@file({"": "tiledb-compress-part-decodes"})
def states_4_gib(path):
    "A hundred bytes that state 4 GiB."
    written(one_part(zlib.compress(bytes(100), 1), 0xFFFFFFFF), path)


@file({"": "tiledb-chunk-count-fits"})
def chunks_that_wrap(path):
    "12 times the number of chunks is 12 in 64 bits."
    f = dense()
    f.tile.chunk_count = (1 << 62) + 1
    written(f, path)


@file({"": "tiledb-tile-payload-complete"})
def payload_that_wraps(path):
    "The payload wraps around the end of 64 bits to the end of the file."
    f = dense()
    f.tile.persisted = (1 << 64) - 20
    written(f, path)


@file({"": "tiledb-compress-part-table"})
def parts_that_wrap(path):
    "2^32 - 1 metadata parts and as many data parts."
    f = dense()

    def change(chunks):
        chunks[0].metadata = b"\xff" * 8 + chunks[0].metadata[8:]
    f.tile.change = change
    written(f, path)


@file({"": "not undone|more than 32 filters"})
def filters_without_end(path):
    "A tile with 100,000 filters that do nothing, and a chunk of nothing else."
    f = dense()
    f.tile.pipeline = Pipeline(*100000 * [Filter(NONE)])
    written(f, path)


@file({"": "more than 100000 attributes"})
def a_million_attributes(path):
    "A million attributes without names."
    f = dense(17, attrs=[])
    each = u32(0) + u8(0) + u32(1) + u32(0) + u32(0) + u64(0) + bytes(3)
    f["attrs.count"] = 1000000
    f.tail = each * 1000000
    f.tile.piece = 1 << 30
    f.tile.pipeline = Pipeline()
    written(f, path)


@file({"": "tiledb-schema-names-unique"})
def names_that_are_equal(path):
    "90,000 attributes of one name."
    f = dense(attrs=[Attribute("a")] * 90000)
    f.tile.piece = 1 << 30
    written(f, path)


@file({"": "tiledb-enum-values-unique"})
def a_million_equal_values(path):
    "An enumeration of a million equal values."
    f = Enumeration("c", (), INT32, 1, data=bytes(4 << 20))
    f.tile.piece = 1 << 30
    f.tile.pipeline = Pipeline()
    written(f, path)


@file({"": "tiledb-enum-offsets-ascending"})
def offsets_that_descend(path):
    "Offsets whose differences are negative lengths."
    written(Enumeration("c", (), UTF8, VAR, data=b"abcdefgh", offsets=[0, (1 << 64) - 1, 0, 8]), path)


@file({"": "tiledb-domain-dim-count-fits"})
def four_billion_dimensions(path):
    "2^32 - 1 dimensions in 200 bytes."
    f = dense()
    f["domain.count"] = 0xFFFFFFFF
    written(f, path)


@archive({"": "tiledb-schema-enum-filename-component"})
def enumerations_outside(path):
    "File names of enumerations that lead out of the array."
    written(Array().schema(dense(enums=[("a", "../../../../etc/passwd"), ("b", "/etc/passwd")])), path)


@archive({"": "a name that is not one of a member"})
def members_outside(path):
    "A member of an archive whose name leads out of it."
    written(Array(**{"../../etc/x": b"?"}).schema(dense()), path)


@archive({"": "the archive ends inside an entry"})
def entry_of_8_gib(path):
    "An entry that states 8 GiB."
    made = bytearray(Array().schema(dense()).bytes())
    made[124:136] = b"77777777777\0"
    made[148:156] = b" " * 8
    made[148:156] = b"%06o\0 " % sum(made[:512])
    path.write_bytes(made)


@archive({"": "tiledb-dir-schema-entries"})
def links_to_everything(path):
    "Links in place of schemas."
    made = Array().schema(dense())
    for i in range(200):
        made.members[f"__schema/__{i + 5}_{i + 5}_{UUID(i)}"] = Link("/proc/self/mem")
    written(made, path)

"""Writes RNTuples for the benchmark: `make_rntuple.py FILE MEBIBYTES` writes a file of about that size with zstd pages
of 64 KiB, and MEBIBYTES-zstd.pages next to it, a line for each page: its offset, stored size and uncompressed size."""

import ctypes
import ctypes.util
import sys
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generators.rntuple import *  # noqa: E402,F403

ELEMENTS, COLUMNS, CLUSTER_PAGES = 8192, 8, 16
LIBRARY = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
LIBRARY.ZSTD_compress.restype = LIBRARY.ZSTD_compressBound.restype = ctypes.c_size_t


def compressed(plain):
    bound = LIBRARY.ZSTD_compressBound(ctypes.c_size_t(len(plain)))
    into = ctypes.create_string_buffer(bound)
    size = LIBRARY.ZSTD_compress(into, ctypes.c_size_t(bound), plain, ctypes.c_size_t(len(plain)), 5)
    return chunk(b"ZS\x01", into.raw[:size], len(plain))


def page(numbers):
    made = Page(range(ELEMENTS))
    content = numbers.tobytes()
    made.plain = b"".join(content[k::8] for k in range(8))
    made.stored = compressed(made.plain)
    return made


def main():
    path, size = Path(sys.argv[1]), int(sys.argv[2]) << 20
    random = numpy.random.default_rng(1)
    ntuple = Ntuple(settings=505)
    columns = []
    for i in range(COLUMNS):
        field = Field(f"x{i}", "double")
        ntuple.fields.append(field)
        columns.append(Column("SplitReal64", field))
    ntuple.columns = columns
    ntuple.codec = {name: zstd_whole for name in ("header", "footer", "pagelist0")}
    total = 0
    while total < size:
        cluster = Cluster(ELEMENTS * CLUSTER_PAGES)
        cluster.first = len(ntuple.clusters) * cluster.entries
        for column in columns:
            pages = [page(numpy.round(16 * random.normal(0, 100, ELEMENTS)) / 16) for _ in range(CLUSTER_PAGES)]
            total += sum(len(each.stored) for each in pages)
            cluster.chunks[column] = Chunk(pages)
        for column in columns:
            cluster.chunks[column].offset = cluster.first
        ntuple.clusters.append(cluster)
    path.write_bytes(RootFile(ntuple).bytes())
    pages = [each for cluster in ntuple.clusters for held in cluster.chunks.values() for each in held.pages]
    path.with_name(f"{sys.argv[2]}-zstd.pages").write_text("".join(f"{each.place} {len(each.stored)} {8 * ELEMENTS}\n" for each in pages))


def zstd_whole(envelope):
    return compressed(envelope)


if __name__ == "__main__":
    main()

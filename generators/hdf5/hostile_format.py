"""Malicious containers, judged by the File Format Specification: see hostile.py."""

import struct

from generators.hdf5 import *
from generators.hdf5.global_heap import element
from generators.hdf5.recipes import (s20_superblock_and_drivers as drivers, s26_free_space as space,
                                     s27_cache_image as image, s28_selections as selections,
                                     s30_filtered_and_huge as heaps, s42_filter_values as filtering,
                                     s43_layouts as layouts, s46_values as values)
from generators.hostile import collector

OF_THE_FORMAT = []
hostile = collector(OF_THE_FORMAT, ".h5", "hdf5-file-format-4.0")
LARGEST = (1 << 64) - 1


def written(file, path):
    path.write_bytes(file.bytes())


# --- Sizes near 2^64, and counts without end ------------------------------------------------------

@hostile({"": "h5-driver-block-inside-file"})
def driver_block_of_4_gib(path):
    "A driver block of 2^32 - 1 bytes."
    written(drivers.with_block(b"NCSAfami", bytes(8), size=(1 << 32) - 1)(), path)


@hostile({"": "h5-fractal-heap-huge-inside-file"})
def huge_object_round_the_corner(path):
    "A huge object of 2^40 bytes that begins at 2^64 - 16."
    f = heaps.indirect()
    f[heaps.RECORDS]["record 2.address"], f[heaps.RECORDS]["record 2.length"] = LARGEST - 15, 1 << 40
    written(f, path)


@hostile({"": "which exceeds the limit"})
def huge_object_of_2_60_in_memory(path):
    "A deflated huge object of a hundred bytes that should have 2^60 in memory."
    f = heaps.filtered()
    f[heaps.RECORDS]["record 2.memory"] = 1 << 60
    written(f, path)


@hostile({"": "h5-free-space-file-inside"})
def free_section_round_the_corner(path):
    "A free section of forty bytes that begins at 2^64 - 8."
    f = space.three()
    f[space.L]["set 1.offset 0"] = LARGEST - 7
    written(f, path)


@hostile({"": "h5-free-space-section-fits"})
def free_sections_without_end(path):
    "A manager with 2^60 sections, and a list of some bytes."
    f = space.three()
    f[space.M]["stored"] = f[space.M]["sections"] = 1 << 60
    written(f, path)


@hostile({"": "h5-global-heap-size|swmr-block-inside-eof"})
def collection_of_2_40(path):
    "A collection of 2^40 bytes in a file of some thousands."
    f = values.holding(values.SEQUENCE, [values.at(3, 1)], values.THREE)()
    f["GCOL /d"]["size"] = 1 << 40
    written(f, path)


@hostile({"": "h5-global-heap-(free-last|object-fits)"})
def object_of_no_size(path):
    "The free object of a collection has no size, so that a walk by sizes never ends."
    f = values.holding(values.SEQUENCE, [values.at(3, 1)], values.THREE)()
    f["GCOL /d"]["free.size"] = 0
    written(f, path)


@hostile({"": "h5-cache-image-entry-fits|h5-cache-image-length"})
def cache_image_of_2_32_entries(path):
    "A cache image of 2^32 - 1 entries, the first of 2^64 - 8 bytes."
    f = image.imaged()
    f["MDCI"]["entries"], f["MDCI"]["entry 0.size"] = (1 << 32) - 1, LARGEST - 7
    written(f, path)


@hostile({"": "h5-efl-|swmr-ohdr-message-fits"})
def external_list_of_65535_slots(path):
    "A list of 65,535 external files in a message of one."
    f = layouts.external()()
    f["OHDR /d"]["external files.allocated"] = f["OHDR /d"]["external files.used"] = 65535
    written(f, path)


# --- Datatypes ------------------------------------------------------------------------------------

@hostile({"": "nested|levels|deep"})
def sequences_of_sequences(path):
    "A datatype of 5,000 sequences inside one another, each of eight bytes."
    f = extensible(header=Header(size_width=4))
    level = bytes([0x19, 0, 0, 0]) + struct.pack("<I", 16)
    body = bytearray()
    I32.encode().write(body)
    f["OHDR /d"]["datatype"] = Struct(
        ("message type", 3, 1), ("message size", len(level) * 5000 + len(body), 2), ("message flags", 1, 1),
        ("levels", level * 5000), ("integer", bytes(body)))
    written(f, path)


@hostile({"": "swmr-datatype-(array-size|size|fits)"})
def array_of_32_dimensions(path):
    "An array of 32 dimensions of 2^32 - 1 elements: more than 2^1024."
    f = extensible(type=array((1,) * 32, I8, version=3))
    for number in range(32):
        f["OHDR /d"][f"datatype.dimension {number}"] = (1 << 32) - 1
    written(f, path)


@hostile({"": "swmr-datatype-|h5-datatype-enum"})
def enumeration_of_4_gib_values(path):
    "An enumeration of 65,535 values of 2^32 - 1 bytes each."
    f = extensible(type=enum({"a": 1, "b": 2}, I32))
    f["OHDR /d"]["datatype.bits"] = 65535
    f["OHDR /d"]["datatype.base.size"] = f["OHDR /d"]["datatype.size"] = (1 << 32) - 1
    written(f, path)


@hostile({"": "swmr-datatype-"})
def compound_of_65535_members(path):
    "A compound of 65,535 members in a message of two."
    f = extensible(type=compound([("x", I32), ("y", compound([("z", I16)]))]), shape=(4,))
    f["OHDR /d"]["datatype.bits"] = 65535
    written(f, path)


@hostile({"": "h5-nbit-|not examined|filtered by 5"})
def nbit_arrays_in_arrays(path):
    "The client values of n-bit describe 5,000 arrays inside one another."
    described = (2, 4) * 5000 + (1, 4, 0, 17, 4)
    f = filtering.chunked(filtering.N17, [Filter(5, (len(described) + 3, 0, 12, *described))], bytes(26),
                          header=Header(size_width=4))()
    written(f, path)


@hostile({"": "swmr-filters-fit"})
def filter_of_65535_values(path):
    "A filter of 65,535 client values in a message of one."
    f = filtering.DEFLATED()
    f["OHDR /d"]["filters.filter 0.values"] = 65535
    written(f, path)


# --- Values ---------------------------------------------------------------------------------------

@hostile({"": "h5-vlen-object-exists"})
def one_object_of_all_elements(path):
    "200,000 sequences that all are one object of 4,000 bytes, and one that does not exist."
    count = 200_000
    f = values.holding(values.SEQUENCE, [values.at(3, 1)], {1: bytes(4000)})()
    f.at("/d").shape = (count,)
    data, heap = f["data /d"], f["GCOL /d"]
    f.image.arrange()
    for name in list(data.fields):
        del data[name]
    data.add("elements", bytes(count * 16))
    f.image.arrange()
    one = struct.pack("<IQI", 1000, heap.address, 1)
    data["elements"] = one * (count - 1) + struct.pack("<IQI", 3, heap.address, 9)
    written(f, path)


@hostile({"": "h5-global-heap-signature|h5-vlen-object-exists"})
def sparse_dataset_of_10_9_sequences(path):
    "10^9 sequences, of which one chunk of four exists; its values name nothing."
    f = extensible(type=vlen(I32), shape=(10**9,), chunk=(4,), written={
        (0,): Chunk(content=struct.pack("<IQI", 5, 8, 7) * 4)})
    written(f, path)


for slug, selection, pattern in (
        ("2-63-points", selections.points_2(8, 0, 1, count=1 << 63), "h5-selection-fits"),
        ("2-63-blocks", selections.u32(2, 3) + bytes([0, 8]) + selections.u32(2)
         + selections.wide(8, 1 << 63, 0, 0, 1, 1), "h5-selection-fits"),
        ("2-32-points", selections.points_1(0, 1, count=(1 << 32) - 1), "h5-selection-fits"),
        ("stride-0", selections.regular_2(0, 0, LARGEST - 1, LARGEST - 1, 0, 0, LARGEST - 1, LARGEST - 1),
         "h5-selection-|h5-region-reference"),
        ("rank-2-32", selections.regular_2(*selections.STEPS, rank=(1 << 32) - 1), "h5-selection-")):
    @hostile({"": pattern})
    def selection_of(path, selection=selection):
        "A selection of very many elements."
        written(values.regions(("/t", selection))(), path)

    OF_THE_FORMAT[-1] = type(OF_THE_FORMAT[-1])(
        f"selection-{slug}.h5", *[getattr(OF_THE_FORMAT[-1], name) for name in ("shows", "make", "meets", "spec")])


# --- Heaps ----------------------------------------------------------------------------------------

@hostile({"": "h5-fractal-heap-filtered-decodes"})
def heap_block_that_swells(path):
    "A block of a heap that is deflated twice and would have 512 MiB; it should have 256 bytes."
    pipeline = [gzip(9), gzip(9)]
    f = heaps.of_links(10, filters=pipeline)()
    bomb = encoded(encoded(bytes(64 << 20), [gzip(9)], 0, 1) * 8, [gzip(9)], 0, 1)
    f["FHDB /"].changed = lambda stored: bomb
    written(f, path)


@hostile({"": "which exceeds the limit"})
def heap_block_of_2_38(path):
    "A deflated block of a hundred bytes that should have 2^38."
    f = heaps.of_attributes([20] * 6, filters=[gzip()])()
    f["FRHP"]["start"] = f["FRHP"]["max direct"] = 1 << 38
    written(f, path)


@hostile({"": "swmr-block-inside-eof"})
def filtered_heap_of_many_rows(path):
    "A heap with filters of 18 rows, 32,768 blocks wide: its root would have 12 MB."
    f = heaps.rows()
    header = f["FRHP"]
    header["width"], header["start"], header["max direct"], header["rows"] = 1 << 15, 1, 1 << 30, 18
    written(f, path)


# --- Links ----------------------------------------------------------------------------------------

@hostile({"": "h5-risk-soft-link-loop"})
def soft_links_in_a_long_chain(path):
    "3,000 soft links, each to the next, and a reference count of 0."
    count = 3000
    f = File(Group(links={f"{i}": soft(b"%d" % (i + 1)) for i in range(count)}, info={"phase": (count, 0)}))
    f.root.header.count = 2
    f["OHDR /"]["reference count.count"] = 0
    written(f, path)


@hostile({"": r"h5-risk-link-name.*h5-ohdr|\\u001b|\\x1b|control"})
def control_characters(path):
    "The name of a link and that of a file in an external link change the colours of a terminal."
    f = File(Group(links={"\x1b[31mred": soft(b"/"), "e": Link(b"\0\x1b]0;title\x07.h5\0/\0", EXTERNAL)}))
    f.root.header.count = 2
    f["OHDR /"]["reference count.count"] = 0
    written(f, path)

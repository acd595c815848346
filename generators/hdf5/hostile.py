"""Malicious containers: see generators/hostile.py. The expected reports are given as ids of clauses,
or as text about what was left out."""

import struct
import zlib

from generators.hdf5 import *
from generators.hdf5.blocks import Checksum
from generators.hostile import collector

HOSTILE = []
hostile = collector(HOSTILE, ".h5")


def written(file, path):
    path.write_bytes(file.bytes())


# --- Loops ----------------------------------------------------------------------------------------

@hostile({"": "swmr-ohdr-continuation-once"})
def continuations_in_a_circle(path):
    "A header whose second continuation block leads back to the first."
    f = File(Group(header=Header(split=(1, 2), extra=[raw("nil", bytes(16))])))
    first, last = f["OCHK / 0"], f["OCHK / 1"]
    f.image.arrange()
    last["nil.message type"] = 16
    last["nil.bytes"] = struct.pack("<QQ", first.address, first.size())
    written(f, path)


@hostile({"": "swmr-ohdr-continuation-once|swmr-metadata-no-overlap"})
def extension_is_the_root(path):
    "The extension of the superblock is a header that continues in itself."
    f = File(Group(header=Header(version=1, split=(1,)), storage=SymbolTable()))
    header = f["OHDR /"]
    header["continuation.address"] = At(header, 16)
    header["continuation.length"] = header.size() - 16
    f["superblock"]["extension"] = header
    written(f, path)


@hostile({"": "swmr-btree1-(level|node-once)"})
def tree_in_itself(path):
    "A tree of version 1 at level 63 whose nodes all have the root as each of their children."
    f = chunk_tree_deep()
    root = f["TREE /d 6"]
    root["level"] = 63
    root["child 0"] = root["child 1"] = root
    written(f, path)


@hostile({"": "swmr-btree2-(node-once|node-signature|node-checksum|child-records|child-total)"})
def tree_of_diamonds(path):
    "A version 2 tree of depth 30: in each node both children are the same, 2^30 ways to one leaf."
    f = btree2_leaf(storage=Tree(256), shape=(1, 2), chunk=(1, 1), type=U8)
    header, leaf = f["BTHD"], f["BTLF"]
    below, count, total = leaf, 2, 2
    reach = (256 - 10) // 24  # records of a full tree, which determine the width of totals
    for depth in range(1, 31):
        pointer = 8 + 1 + (enough(reach) if depth > 1 else 0)
        node = f.image.add(Block("BTIN", f"/d {depth}"))
        node.add("signature", b"BTIN").add("version", 0, 1).add("type", 10, 1)
        node.add("record", bytes(24))
        for side in ("left", "right"):
            node.add(side, below, 8).add(f"{side} records", count, 1)
            if depth > 1:
                node.add(f"{side} total", min(total, 256 ** enough(reach) - 1), enough(reach))
        node.add("checksum", Checksum())
        node.add("behind", bytes(256 - node.size()))
        capacity = (256 - 10 - pointer) // (24 + pointer)
        reach = (capacity + 1) * reach + capacity
        below, count, total = node, 1, 2 * total + 1
    header["root"], header["depth"] = below, 30
    header["root records"], header["total"] = 1, total
    written(f, path)


@hostile({"": "swmr-local-heap-free-list"})
def free_blocks_in_a_circle(path):
    "The free blocks of a local heap lead to each other."
    f = old(free=48)
    names = f["names /"]
    begin = f["HEAP /"]["free list"]
    names["next free"], names["free size"] = begin + 16, 16
    names["free bytes"] = struct.pack("<QQ", begin, 16) + bytes(16)
    written(f, path)


@hostile({"": "swmr-ohdr-reference-count"})
def groups_in_their_children(path):
    "A group has its parent, the root and itself as members."
    f = links()
    inner = f.at("/a")
    inner.links = {"root": f.root, "self": inner, "b": Group(links={"up": inner, "root": f.root})}
    written(f, path)


@hostile({"": "swmr-shared-message-form"})
def types_that_name_each_other(path):
    "Two committed datatypes each of which is the other, and one that is itself."
    names = {name: NamedDatatype(type=I32) for name in "abc"}
    f = extensible()
    f.root.links.update(names)
    f.at("/d").type = names["a"]
    for name, other in zip("abc", "bac"):
        header = f[f"OHDR /{name}"]
        header["datatype"] = Struct(("message type", 3, 1), ("message size", 10, 2),
                                    ("message flags", 2, 1), ("version", 3, 1), ("type", 2, 1),
                                    ("address", f[f"OHDR /{other}"], 8))
    written(f, path)


@hostile({"": "swmr-metadata-no-overlap|swmr-fractal-heap-block-(offset|checksum|signature)"})
def heap_in_itself(path):
    "An indirect block of a heap is its own child, and the child of that."
    f = dense_deep()
    inner = f["FHIB / 1"]
    for number in range(4):
        inner[f"child {number}"] = inner
    f["FHIB / 0"]["child 0"] = inner
    written(f, path)


# --- Counts that multiply -------------------------------------------------------------------------

@hostile({"": "swmr-farray-count"})
def maxima_that_overflow(path):
    "The number of chunks of the maxima overflows 64 bits to the number in the header."
    f = fixed(shape=(4, 6), maximum=(20, 10), chunk=(2, 3), storage=FixedArray(6))
    header = f["OHDR /d"]
    header["dataspace.maximum 0"] = 2 * ((1 << 62) + 10)
    header["dataspace.maximum 1"] = 3 * 4
    written(f, path)


@hostile({"": "swmr-block-inside-eof"})
def array_of_2_32_elements(path):
    "A fixed array of 2^32 elements, whose data block has fifty bytes."
    f = fixed(maximum=(4 << 32,), unused="blocks")
    block = f.image.add(Block("FADB", "/d", ("signature", b"FADB"), ("version", 0, 1),
                              ("client", 0, 1), ("header", f["FAHD"], 8), ("bytes", bytes(36))))
    f["FAHD"]["block"] = block
    written(f, path)


@hostile({"": "swmr-block-inside-eof|swmr-farray-(count|page-bits-range)"})
def pages_of_2_63(path):
    "A fixed array with page bits 63 and almost 2^63 elements."
    f = fixed(maximum=((1 << 63) - 1,), chunk=(1,), type=U8, unused="blocks",
              storage=FixedArray(63))
    block = f.image.add(Block("FADB", "/d", ("signature", b"FADB"), ("bytes", bytes(100))))
    f["FAHD"]["block"] = block
    written(f, path)


@hostile({"": "swmr-block-inside-eof|swmr-earray"})
def array_of_64_bits(path):
    "An extensible array of 64 bits, whose last super block should name 2^28 data blocks."
    f = extensible(storage=ExtensibleArray(64, 2, 128, 128, 14))
    f["EAIB"]["super block 43"] = f.image.add(Block(
        "EASB", "/d", ("signature", b"EASB"), ("version", 0, 1), ("client", 0, 1),
        ("header", f["EAHD"], 8), ("offset", 128 * ((1 << 57) - 1), 8), ("bytes", bytes(50))))
    written(f, path)


@hostile({"": "swmr-block-inside-eof|swmr-btree2"})
def nodes_of_4_gib(path):
    "A version 2 tree of depth 32 whose nodes have 2^32 - 1 bytes."
    f = btree2_leaf()
    f["BTHD"]["node size"] = f["OHDR /d"]["layout.node size"] = (1 << 32) - 1
    f["BTHD"]["depth"] = 32
    written(f, path)


@hostile({"": "swmr-btree2-depth"})
def depth_of_65535(path):
    "The trees of links and of chunks have depth 65535."
    f = dense()
    f["BTHD"]["depth"] = 65535
    written(f, path)


@hostile({"": "swmr-btree2-(root-records|node-checksum)"})
def node_of_any_count(path):
    "A node of a mebibyte with a wrong checksum: any of 43,000 counts might be the right one."
    f = btree2_leaf(storage=Tree(1 << 20))
    f["BTLF"].corrupt("record 0")
    written(f, path)


@hostile({"": "swmr-block-inside-eof|swmr-symbol-node-count|swmr-metadata-no-overlap"})
def k_of_65535(path):
    "All K are 65535, so that the nodes of old trees have megabytes."
    f = old_dataset()
    for word in ("leaf k", "internal k", "chunk k"):
        f["superblock"][word] = 65535
    written(f, path)


@hostile({"": "swmr-datatype-member-inside|swmr-datatype-fits"})
def members_that_overflow(path):
    "A member of a version 1 compound has dimensions whose product overflows 64 bits to 1."
    f = extensible(type=compound([("x", I32), ("y", I16)], version=1), shape=(4,))
    header = f["OHDR /d"]
    header["datatype.member 1 rank"] = 4
    header["datatype.member 1 dimensions"] = struct.pack("<4I", 0x80000001, 0x80000001,
                                                         0xFFFFFFFF, 0xFFFFFFFF)
    written(f, path)


@hostile({"": "swmr-contiguous-size"})
def elements_that_overflow(path):
    "2^32 by 2^32 contiguous elements of 8 bytes: the size overflows to 0."
    f = contiguous(type=I64, shape=(1, 1))
    header = f["OHDR /d"]
    header["dataspace.size 0"] = header["dataspace.size 1"] = 1 << 32
    header["layout.size"] = 0
    written(f, path)


@hostile({"": "swmr-attribute-fits"})
def attribute_that_overflows(path):
    "An attribute of 2^61 by 2^61 elements of 4 bytes."
    f = attributes()
    f.root.attributes = [Attribute(b"huge\0", I32, (1, 1), bytes(4))]
    for number in (0, 1):
        f["OHDR /"][f"attribute.dataspace.size {number}"] = 1 << 61
    written(f, path)


@hostile({"": "swmr-fractal-heap-(geometry|id)|swmr-block-inside-eof"})
def heap_of_many_rows(path):
    "A heap of 60 rows, 32768 blocks wide, of blocks of one byte."
    f = dense_with_rows()
    header = f["FRHP"]
    header["width"], header["start"], header["max direct"] = 1 << 15, 1, 1 << 62
    header["bits"], header["rows"] = 64, 49
    written(f, path)


@hostile({"": "swmr-early-allocation-complete|swmr-contiguous-size|swmr-farray"})
def chunks_that_should_be_there(path):
    "Early allocation of 2^60 chunks, of which none exists."
    f = fixed(shape=(1 << 60,), maximum=(1 << 60,), chunk=(1,), type=U8,
              fill=Fill(allocation=1), unused="blocks", storage=FixedArray(10))
    f["FAHD"]["count"] = (1 << 60) - 1
    written(f, path)


@hostile({"": "swmr-chunk-no-overlap"})
def one_chunk_a_hundred_thousand_times(path):
    "An extensible array, 100,000 elements of which name one chunk."
    f = bytewise(1 << 17, [0, 1], storage=ExtensibleArray(20, 2, 2, 2, 17))
    chunk, array = f["chunk /d 0"], f["EAHD"]
    f["EAIB"]["element 1.address"] = None
    f.image.arrange()
    level, length = 16, 2 << 8
    pointers = []
    for number in range(1 << level // 2):
        block = f.image.add(Block("EADB", "/d"))
        block.add("signature", b"EADB").add("version", 0, 1).add("client", 0, 1)
        block.add("header", array, 8)
        block.add("offset", 2 * ((1 << level) - 1) + number * length, 3)
        block.add("elements", chunk.address.to_bytes(8, "little") * length)
        block.add("checksum", Checksum())
        pointers.append(block)
    above = f.image.add(Block("EASB", "/d"))
    above.add("signature", b"EASB").add("version", 0, 1).add("client", 0, 1)
    above.add("header", array, 8).add("offset", 2 * ((1 << level) - 1), 3)
    for number, block in enumerate(pointers):
        above.add(f"data block {number}", block, 8)
    above.add("checksum", Checksum())
    f["EAIB"][f"super block {level - 2}"] = above
    array["super blocks"], array["super block bytes"] = 1, above.size()
    array["data blocks"] = len(pointers)
    array["data block bytes"] = sum(block.size() for block in pointers)
    array["maximum index"] = 1 << 18
    array["realized"] = 2 + len(pointers) * length
    written(f, path)


@hostile({"": "swmr-ohdr-reference-count|limit|memory|repeatedly"})
def names_in_names(path):
    "4,000 names in a heap of a mebibyte, each of which is the end of the one that follows."
    count, length = 4000, 1 << 20
    f = old()
    f.at("/c").links = {}
    f.k_leaf = count // 2
    segment, heap, tree = f["names /c"], f["HEAP /c"], f["TREE /c"]
    segment["bytes"] = bytes(8) + b"a" * (length - 1) + b"\0"
    target = f["OHDR /b"]
    node = f.image.add(Block("SNOD", "/c"))
    node.add("signature", b"SNOD").add("version", 1, 1).add("reserved", 0, 1)
    node.add("count", count, 2)
    for number in range(count):
        node.add(f"name {number}", 8 + count - number, 8).add(f"header {number}", target, 8)
        node.add(f"rest {number}", bytes(24))
    tree["used"] = 1
    tree["key 0"] = bytes(8)
    inner = tree["behind"]
    tree["behind"] = Struct(("child 0", node, 8), ("key 1", 9, 8), ("rest", inner[16:]))
    written(f, path)


# --- Depth ----------------------------------------------------------------------------------------

@hostile({"group-depth=1000": "limit of 1000"})
def groups_in_groups(path):
    "1,100 groups, each in the one before."
    inner = Group()
    for _ in range(1100):
        inner = Group(links={"g": inner}, info=None)
    written(File(inner), path)


@hostile({"objects=100": "limit of 100 objects", "links=1000": "limit of 1000 links"})
def groups_that_hold_each_other(path):
    "120 groups, each of which is in each."
    groups = [Group(info=None, header=Header(count=121)) for _ in range(120)]
    for group in groups:
        group.links = {f"{number}": other for number, other in enumerate(groups)}
    written(File(Group(links=dict(groups[0].links))), path)


@hostile({"": "nested|levels|deep"})
def datatype_nested_deep(path):
    "A datatype inside a datatype, 3,000 times: as deep as a message holds."
    level = bytes([0x3A, 0, 0, 0]) + struct.pack("<I", 4) + b"\1" + struct.pack("<I", 1)
    f = extensible(header=Header(size_width=4))
    body = bytearray()
    I32.encode().write(body)
    f["OHDR /d"]["datatype"] = Struct(
        ("message type", 3, 1), ("message size", len(level) * 3000 + len(body), 2),
        ("message flags", 1, 1), ("levels", level * 3000), ("integer", bytes(body)))
    written(f, path)


@hostile({"": "swmr-btree1-signature"})
def level_255(path):
    "A tree of version 1 whose root is at level 255, and a group tree likewise."
    f = chunk_tree()
    f["TREE"]["level"] = 255
    written(f, path)


# --- Sizes near 2^64 ------------------------------------------------------------------------------

@hostile({"": "swmr-chunk-inside-file|swmr-block-inside-eof|swmr-contiguous"})
def contiguous_at_the_end_of_all(path):
    "Contiguous data at 2^64 - 16 that would end at 24."
    f = contiguous()
    f["OHDR /d"]["layout.address"] = (1 << 64) - 16
    written(f, path)


@hostile({"": "swmr-chunk-inside-file"})
def chunk_round_the_corner(path):
    "A filtered chunk of 2^24 + 16 bytes at 2^64 - 2^24."
    f = extensible(filters=[gzip()], chunk=(1 << 16,))
    f["EAIB"]["element 0.address"] = (1 << 64) - (1 << 24)
    f["EAIB"]["element 0.size"] = (1 << 24) + 16
    written(f, path)


@hostile({"": "swmr-local-heap-segment"})
def heap_of_all_bytes(path):
    "The segment of a local heap has 2^64 - 1 bytes."
    f = old()
    f["HEAP /"]["size"] = (1 << 64) - 1
    written(f, path)


@hostile({"": "swmr-block-inside-eof"})
def header_of_all_bytes(path):
    "The first block of an object header has 2^64 - 8 bytes."
    f = extensible(header=Header(size_width=8))
    f["OHDR /d"]["size"] = (1 << 64) - 8
    written(f, path)


@hostile({"": "swmr-link-message-fits|swmr-link"})
def name_of_all_bytes(path):
    "The name of a link has 2^64 - 1 bytes."
    f = links()
    f.root.links["b"] = soft(b"a", width=8)
    f["OHDR /"]["link 1.name length"] = (1 << 64) - 1
    written(f, path)


@hostile({"": "swmr-chunk-inside-maximum|swmr-btree2-record|swmr-chunk-inside-file"})
def offsets_that_overflow(path):
    "Scaled offsets of 2^63 and more, and a chunk that is not there."
    f = btree2_leaf()
    for number, offset in ((2, 1 << 63), (3, (1 << 64) - 1)):
        f["BTLF"][f"record {number}.offset 0"] = offset
    f["BTLF"]["record 3.address"] = (1 << 64) - 2
    written(f, path)


@hostile({"": "swmr-earray"})
def statistics_of_all_bits(path):
    "All statistics of an extensible array are 2^64 - 1."
    f = super_blocks()
    for field in ("super blocks", "super block bytes", "data blocks", "data block bytes",
                  "maximum index", "realized"):
        f["EAHD"][field] = (1 << 64) - 1
    written(f, path)


# --- Zero -----------------------------------------------------------------------------------------

@hostile({"": "swmr-layout-chunk-positive"})
def chunks_of_nothing(path):
    "A dataset of each index, in which a chunk has no element."
    f = every_index()
    for name in f.root.links:
        f[f"OHDR /{name}"]["layout.size 0"] = 0
    written(f, path)


@hostile({"": "swmr-datatype-size|swmr-datatype-array-size"})
def elements_of_nothing(path):
    "Elements of size 0 in arrays of arrays of size 0."
    f = extensible(type=array((2,), array((2,), I8)))
    header = f["OHDR /d"]
    for at in ("datatype", "datatype.base", "datatype.base.base"):
        header[f"{at}.size"] = 0
    written(f, path)


# --- Bombs ----------------------------------------------------------------------------------------

@hostile({"": "swmr-chunk-decodes"})
def chunk_that_swells(path):
    "A chunk of 16 bytes whose deflate stream gives 64 MiB."
    written(extensible(filters=[gzip()], written={
        (0,): Chunk(content=zlib.compress(bytes(64 << 20), 9)), (1,): Chunk(), (2,): Chunk()}),
        path)


@hostile({"": "swmr-chunk-decodes"})
def bomb_in_a_bomb(path):
    "Deflate thirty times over: each would give a thousand times more than it takes."
    content = bytes(1 << 20)
    for _ in range(30):
        content = zlib.compress(content, 9)
    written(extensible(filters=[gzip()] * 30, written={
        (0,): Chunk(content=content), (1,): Chunk(mask=(1 << 30) - 1),
        (2,): Chunk(mask=(1 << 30) - 1)}), path)


@hostile({"chunk-size=1GiB": "limit of 1073741824 bytes"})
def chunk_without_end(path):
    "A filtered chunk of almost 4 GiB."
    written(extensible(type=U8, chunk=((1 << 32) - 8,), shape=(10,), filters=[gzip()], written={
        (0,): Chunk(content=zlib.compress(bytes(1 << 20), 9))}), path)


from .hostile_format import OF_THE_FORMAT  # noqa: E402, judged by another specification

HOSTILE += OF_THE_FORMAT

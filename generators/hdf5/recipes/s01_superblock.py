"""FF-II.A, section 3: the start of a file, its superblock, and the marks of an open file."""

from generators.hdf5 import *


@valid("swmr-user-block-allowed", base=every_index, keeps=["swmr-chunk-no-overlap"])
def text_of_512_bytes(f):
    "The file begins after 512 bytes of text; it has an index of each kind."
    f.user_block = b"# Not HDF5 yet.\n".ljust(512, b"\n")


@valid("swmr-user-block-allowed", base=every_index)
def text_of_2048_bytes(f):
    "The file begins after 1025 bytes of text, at 2048."
    f.user_block = 1025 * b"a"


# The version --------------------------------------------------------------------------------------

for version in range(4):
    @valid("swmr-superblock-version", f"version-{version}",
           f"The superblock has version {version}.", base=old if version < 2 else empty,
           keeps=["swmr-superblock-subversions", "swmr-superblock-free-space-undefined",
                  "swmr-superblock-k-positive"] if version < 2 else ["swmr-superblock-checksum"])
    def of_version(f, version=version):
        f.superblock = version

for version in (4, 255):
    changed("swmr-superblock-version", f"version-{version}",
            f"The superblock has version {version}.",
            {"superblock: version": version}, base=old)

changed("swmr-superblock-version", "version-9",
        "Version 9 in a superblock whose checksum is right.",
        {"superblock: version": 9})

for name, byte, value in (("free-space", "free space version", 1),
                          ("root-entry", "root entry version", 1),
                          ("shared-messages", "shared message version", 2)):
    changed("swmr-superblock-subversions", name, f"The {byte} is {value}.",
            {f"superblock: {byte}": value}, base=old)


# Sizes --------------------------------------------------------------------------------------------

@valid("swmr-superblock-offset-size")
def of_4_bytes(f):
    "Offsets of 4 bytes, lengths of 8."
    f.w = Widths(4, 8)


@valid("swmr-superblock-offset-size", base=fixed, keeps=["swmr-superblock-length-size"])
def of_2_bytes(f):
    "Offsets and lengths of 2 bytes."
    f.w = Widths(2, 2)


@valid("swmr-superblock-offset-size", outcome="unchecked", base=empty)
def of_16_bytes(f):
    "Offsets of 16 bytes: no fault, but no address fits into 64 bits."
    f.w = Widths(16, 8)


@valid("swmr-superblock-length-size", base=fixed)
def lengths_of_4_bytes(f):
    "Offsets of 8 bytes, lengths of 4."
    f.w = Widths(8, 4)


@valid("swmr-superblock-length-size")
def unlimited_in_4_bytes(f):
    "Lengths of 4 bytes, in which the unlimited size is 0xffffffff."
    f.w = Widths(8, 4)


@valid("swmr-superblock-length-size", outcome="unchecked", base=empty)
def lengths_of_32_bytes(f):
    "Lengths of 32 bytes: no fault, but no length fits into 64 bits."
    f.w = Widths(8, 32)


for size in (0, 3, 64):
    changed("swmr-superblock-offset-size", f"size-{size}", f"The size of offsets is {size}.",
            {"superblock: offset size": size})

changed("swmr-superblock-offset-size", "size-3-in-version-0",
        "The size of offsets is 3 in a superblock of version 0.",
        {"superblock: offset size": 3}, base=old)

for size in (0, 5, 255):
    changed("swmr-superblock-length-size", f"size-{size}", f"The size of lengths is {size}.",
            {"superblock: length size": size}, base=old if size == 5 else extensible)


# K ------------------------------------------------------------------------------------------------

@valid("swmr-superblock-k-positive", base=old_dataset, keeps=["swmr-btree1-entries-used"])
def two_three_five(f):
    "A superblock of version 1 with K 2, 3 and 5."
    f.k_leaf, f.k_internal, f.k_chunk = 2, 3, 5


for name, field in (("group-leaf", "leaf k"), ("group-internal", "internal k"),
                    ("indexed-storage", "chunk k")):
    changed("swmr-superblock-k-positive", name, f"The {field.upper()} of groups is 0."
            if name != "indexed-storage" else "The K of indexed storage is 0.",
            {f"superblock: {field}": 0}, base=old_dataset, less=old_dataset.reports)


@valid("swmr-superblock-k-message", base=chunk_tree)
def in_the_extension(f):
    "The K values in the extension of the superblock are 5, 2 and 3."
    f.k_chunk, f.k_internal, f.k_leaf = 5, 2, 3


@valid("swmr-superblock-k-message", base=old, also=[])
def of_version_2_with_old_groups(f):
    "A superblock of version 2 over old groups, whose nodes have the K of the message."
    f.superblock, f.k_leaf, f.k_internal, f.k_message = 2, 3, 2, True


changed("swmr-superblock-k-message", "version-1", "The K message has version 1.",
        {"OHDR extension: k values.version": 1}, base=chunk_tree, less=chunk_tree.reports)
changed("swmr-superblock-k-message", "leaf-0", "The K of symbol table nodes is 0 in the K message.",
        {"OHDR extension: k values.leaf": 0}, base=chunk_tree, less=chunk_tree.reports)


@invalid("swmr-superblock-k-message", base=chunk_tree, less=chunk_tree.reports)
def six_bytes(f):
    "The K message is too short for the third value."
    del f["OHDR extension"]["k values.leaf"]
    f["OHDR extension"]["k values.internal"] = b"\x10"


# Checksum, end of file, addresses -----------------------------------------------------------------

corrupted("swmr-superblock-checksum", "one-bit", "One bit of the checksum is wrong.",
       "superblock: checksum")
corrupted("swmr-superblock-checksum", "flags", "The flags were set without a new checksum.",
       "superblock: flags")
corrupted("swmr-superblock-checksum", "root", "The root address was changed without a new checksum.",
       "superblock: root", base=empty)


@valid("swmr-superblock-eof", base=empty)
def longer_file(f):
    "The file continues beyond its end-of-file address."
    f.image.behind = b"more"


@invalid("swmr-superblock-eof")
def cut_by_one_byte(f):
    "The last byte of the file is missing."
    f.image.cut = 1


def end(further):
    def compute(f):
        f.image.arrange()
        return f.image.end + further
    return compute


changed("swmr-superblock-eof", "one-too-large", "The end-of-file address is one byte too far.",
        {"superblock: end of file": end(1)})
changed("swmr-superblock-eof", "zero", "The end-of-file address is 0.",
        {"superblock: end of file": 0})
changed("swmr-superblock-eof", "inside-the-superblock",
        "The end-of-file address lies inside the superblock.", {"superblock: end of file": 40})
changed("swmr-superblock-eof", "zero-in-version-0",
        "The end-of-file address is 0 in a superblock of version 0.",
        {"superblock: end of file": 0}, base=old)


@invalid("swmr-superblock-eof", base=empty)
def cut_inside_the_superblock(f):
    "The file ends after 30 bytes."
    f.image.cut = len(f.bytes()) - 30


for base, version, sizes in ((old, 0, (9, 13, 14, 15, 19)), (empty, 3, (9, 10, 11))):
    for size in sizes:
        @invalid("swmr-superblock-eof", f"version-{version}-of-{size}-bytes",
                 f"A file of version {version} ends after {size} bytes: its sizes are not there, and are not judged.",
                 base=base)
        def cut_before_the_addresses(f, size=size):
            f.image.cut = len(f.bytes()) - size


for name, value, shows in (
        ("zero", 0, "The address of free-space information is 0."),
        ("root-header", lambda f: f["OHDR /"], "It is the address of the root header."),
        ("one", 1, "The address of free-space information is 1."),
        ("last-bit-clear", (1 << 64) - 2, "All bits of the address are set but the last.")):
    changed("swmr-superblock-free-space-undefined", name, shows,
            {"superblock: free space": value}, base=old)


@valid("swmr-superblock-root-address", keeps=["swmr-ohdr-version"])
def of_a_new_group(f):
    "The superblock leads to a group with a link info message."


changed("swmr-superblock-root-address", "undefined", "The root address is undefined.",
        {"superblock: root": None})
changed("swmr-superblock-root-address", "dataset", "The root address is that of a dataset.",
        {"superblock: root": lambda f: f["OHDR /d"]})


@invalid("swmr-superblock-root-address", base=empty)
def datatype(f):
    "The root address is that of a committed datatype."
    f.root.links = {"t": NamedDatatype(type=I32)}
    f["superblock"]["root"] = f["OHDR /t"]


changed("swmr-superblock-root-address", "with-a-layout",
        "The link info message of the root became a layout message.",
        {"OHDR /: link info.message type": 8}, base=empty)
changed("swmr-superblock-root-address", "undefined-in-version-0",
        "The header address in the root entry of a version 0 superblock is undefined.",
        {"superblock: root.header": None}, base=old)


# Status flags -------------------------------------------------------------------------------------

for flags, words in ((0, "no process has it open"), (1, "open for writing"),
                     (5, "open for SWMR writing"), (2, "it was closed well")):
    @valid("swmr-superblock-status-reserved", f"flags-{flags}",
           f"The status flags are {flags}: {words}.",
           also=["swmr-superblock-status-closed"] if flags & 5 else [],
           ambiguity="swmr-status-bit-1" if flags == 2 else None,
           keeps=["swmr-superblock-status-swmr-with-write",
                  *([] if flags & 5 else ["swmr-superblock-status-closed"])])
    def with_flags(f, flags=flags):
        f.flags = flags

for flags in (8, 0x80, 0x0D):
    changed("swmr-superblock-status-reserved", f"flags-{flags:02x}",
            f"The status flags are {flags:#04x}.", {"superblock: flags": flags})

changed("swmr-superblock-status-swmr-with-write", "flags-4",
        "Open for SWMR writing, but not for writing.", {"superblock: flags": 4})
changed("swmr-superblock-status-swmr-with-write", "flags-6",
        "Open for SWMR writing and closed well, but not open for writing.",
        {"superblock: flags": 6})
changed("swmr-superblock-status-swmr-with-write", "every-index",
        "Flags 4 in a file with an index of each kind, all of them sound.",
        {"superblock: flags": 4}, base=every_index, less=every_index.reports)

for flags, words in ((1, "open for writing"), (5, "open for SWMR writing")):
    changed("swmr-superblock-status-closed", f"flags-{flags}",
            f"The status flags of a complete file say that it is {words}.",
            {"superblock: flags": flags}, ambiguity="swmr-flags-left-set")


@invalid("swmr-superblock-status-closed", also=["swmr-chunk-inside-extent"],
         ambiguity="swmr-flags-left-set")
def in_the_midst_of_an_append(f):
    "A SWMR writer has written chunk and index of an append, but not yet the size of the dataset."
    f.flags = 5
    f.at("/d").written = [0, 1, 2, 3]


# Where addresses count from -----------------------------------------------------------------------

@valid("swmr-superblock-relocated", also=["swmr-eligible-superblock"],
       keeps=["swmr-superblock-eof"])
def put_behind_1024_bytes(f):
    "1024 bytes were put in front of a file; its superblock still says that it begins at 0."
    f.user_block, f.stored_base, f.superblock = bytes(1024), 0, 2


@valid("swmr-superblock-relocated")
def user_block_taken_off(f):
    "The user block of 512 bytes was taken off; the superblock still says that it begins at 512."
    f.stored_base = 512


@valid("swmr-eof-lags-while-writing", also=["swmr-superblock-status-closed"])
def newest_chunk_behind(f):
    "Flags 5, and the end-of-file address lies before the newest chunk and its data block."
    f.flags = 5
    f.image.arrange()
    f["superblock"]["end of file"] = f["chunk /d 2"].address


# Blocks inside the file ---------------------------------------------------------------------------

@valid("swmr-block-inside-eof")
def last_block_ends_with_the_file(f):
    "The index block of an array ends with the file."
    blocks = f.image.blocks
    blocks.append(blocks.pop(blocks.index(f["EAIB"])))


@invalid("swmr-block-inside-eof", base=empty)
def continuation_too_long(f):
    "A continuation message gives a length that reaches past the file."
    f.root.links = {"a": Group(header=Header(split=(1,)))}
    f["OHDR /a"]["continuation.length"] = 4096


@invalid("swmr-block-inside-eof", base=btree2_leaf)
def node_does_not_fit(f):
    "The root of a version 2 B-tree is intact, but the node that it begins goes past the file."
    blocks = f.image.blocks
    blocks.append(blocks.pop(blocks.index(f["BTLF"])))
    del f["BTLF"]["behind"]


changed("swmr-block-inside-eof", "data-block-at-2-63",
        "The address of a data block of an extensible array is 2^63.",
        {"EAIB: data block 0": 1 << 63})


@invalid("swmr-block-inside-eof")
def behind_the_end(f):
    "The end-of-file address lies one byte before the end of the last block."
    last_block_ends_with_the_file(f)
    f["superblock"]["end of file"] = end(-1)(f)


@invalid("swmr-block-inside-eof", base=old)
def heap_in_the_last_bytes(f):
    "The local heap of a group begins 8 bytes before the end of the file."
    heap = Block("HEAP", "end", ("signature", b"HEAP"), ("version", 0, 1), ("reserved", 0, 3))
    f.image.add(heap)
    f["OHDR /c"]["symbol table.heap"] = heap
    f["SNOD /"]["entry 2.heap"] = heap


# Blocks that share bytes --------------------------------------------------------------------------

@valid("swmr-metadata-no-overlap", base=every_index)
def without_a_gap(f):
    "All blocks touch."


@invalid("swmr-metadata-no-overlap", base=super_blocks)
def one_data_block_twice(f):
    "Two pointers of a super block name the same data block."
    f["EASB /d 0"]["data block 1"] = f["EASB /d 0"]["data block 0"]


@invalid("swmr-metadata-no-overlap", base=lambda: of(
    d=btree2_leaf().at("/d"), e=btree2_leaf().at("/d")))
def leaf_of_another(f):
    "The trees of two datasets have the same leaf."
    f["BTHD /e"]["root"] = f["BTLF /d"]


@invalid("swmr-metadata-no-overlap", base=old)
def k_of_symbol_nodes_raised(f):
    "The K of symbol table nodes in the superblock was raised; they run into what follows."
    f["superblock"]["leaf k"] = 4


@invalid("swmr-metadata-no-overlap", base=old)
def continuation_inside_its_header(f):
    "A continuation of a version 1 header leads into the block that names it."
    f.at("/c").header.extra = [raw("nil", bytes(16)), raw("nil", bytes(8))]
    f.at("/c").header.split = (3,)
    header = f["OHDR /c"]
    f.image.blocks.remove(f["OCHK /c"])
    f.image.arrange()
    header["continuation.address"] = At(header, header.place("nil.bytes")[0])
    header["continuation.length"] = 16
    header["messages"] = 6

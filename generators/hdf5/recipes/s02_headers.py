"""FF-IV.A.1, FF-IV.A.2.q: object headers, their blocks and messages."""

from generators.hdf5 import *


def two_groups(**header):
    """A group in the root with such a header."""
    return File(Group(links={"a": Group(header=Header(**header))}))


def version_1(**header):
    """The same by symbol tables: messages of version 1."""
    made = old()
    made.at("/c").header = Header(version=1, **header)
    return made


# How a header begins ------------------------------------------------------------------------------

@valid("swmr-ohdr-version", base=old)
def of_either_version(f):
    "Old groups with headers of version 1; the root is a group with a header of version 2."
    f.superblock = 2
    f.k_message = True
    f.root.header = Header()


@invalid("swmr-ohdr-version", base=links)
def zeros(f):
    "A link leads to zeros, as where a header was never flushed."
    f["OHDR /"]["link.address"] = f.image.add(Block("zeros", "", ("bytes", bytes(64))))


changed("swmr-ohdr-version", "version-3", "A header with OHDR has version 3.",
        {"OHDR /a: version": 3}, base=links)


@invalid("swmr-ohdr-version", base=links)
def version_2_without_signature(f):
    "A header begins with the byte 2, without OHDR."
    f["OHDR /a"]["signature"] = b"\2\0\0\0"


@invalid("swmr-ohdr-version", base=old_dataset, less=old_dataset.reports)
def entry_leads_into_raw_data(f):
    "The header address of a symbol table entry is that of a chunk."
    f["SNOD"]["entry 0.header"] = f["chunk /d 4"]


# Checksums ----------------------------------------------------------------------------------------

@valid("swmr-ohdr-checksum", base=two_groups, keeps=["swmr-ohdr-phase-change",
                                                     "swmr-ohdr-flags-reserved"])
def with_times_and_phase_values(f):
    "A header with times, and with attribute phase values of 8 and 6."
    f.at("/a").header = Header(times=(1, 2, 3, 4), phase=(8, 6))


corrupted("swmr-ohdr-checksum", "layout", "A byte of the layout message was changed.",
       "OHDR /d: layout.address")
corrupted("swmr-ohdr-checksum", "prefix", "A byte of the prefix of a header was changed.",
       "OHDR /a: birth time", base=lambda: two_groups(times=(1, 2, 3, 4)))
changed("swmr-ohdr-checksum", "zero", "The checksum of a header is 0.",
        {"OHDR /d: checksum": 0})
corrupted("swmr-ohdr-checksum", "gap", "A byte of the gap before the checksum was changed.",
       "OHDR /a: gap", base=lambda: two_groups(gap=3))


@valid("swmr-ohdr-continuation-checksum", keeps=["swmr-ohdr-continuation-signature"])
def three_continuations(f):
    "The header of a dataset has three continuation blocks."
    f.at("/d").header.split = (1, 2, 3)


def continued():
    """A group whose second message stands in a continuation block, with a gap."""
    return two_groups(split=(1,), gap=2)


corrupted("swmr-ohdr-continuation-checksum", "message",
       "A byte of a message in a continuation block was changed.", "OCHK: group info.flags",
       base=continued)
changed("swmr-ohdr-continuation-checksum", "zero", "The checksum of a continuation block is 0.",
        {"OCHK: checksum": 0}, base=continued)
changed("swmr-ohdr-continuation-checksum", "without-the-signature",
        "The checksum of a continuation block leaves out the signature.",
        {"OCHK: checksum": lambda f: lookup3(f.bytes_of(f["OCHK"])[4:-4])}, base=continued)
corrupted("swmr-ohdr-continuation-checksum", "gap", "A byte of the gap of a continuation was changed.",
       "OCHK: gap", base=continued)


# Flags of the header ------------------------------------------------------------------------------

@valid("swmr-ohdr-flags-reserved", base=two_groups)
def times_and_creation_order(f):
    "Flags 0x24: times, and the order in which messages were created."
    f.at("/a").header = Header(times=(1, 2, 3, 4), ordered=True)


for flags in (0x40, 0x80, 0xC0):
    changed("swmr-ohdr-flags-reserved", f"flags-{flags:02x}",
            f"The flags of a header are {flags:#x}.",
            {"OHDR /a: flags": flags}, base=links)

for most, least in ((2, 6), (0, 1)):
    changed("swmr-ohdr-phase-change", f"{most}-and-{least}",
            f"Attributes become dense above {most} and compact again below {least}.",
            {"OHDR /a: maximum compact": most, "OHDR /a: minimum dense": least},
            base=lambda: two_groups(phase=(8, 6)))


# Continuations ------------------------------------------------------------------------------------

@valid("swmr-ohdr-continuation-signature", base=lambda: version_1(split=(1,)))
def in_version_1(f):
    "The continuation of a version 1 header has no beginning of its own."
    f.at("/c").header.extra = [raw("comment", b"a comment\0")]


changed("swmr-ohdr-continuation-signature", "ohdr", "A continuation block begins with OHDR.",
        {"OCHK: signature": b"OHDR"}, base=continued)
changed("swmr-ohdr-continuation-signature", "zeros", "A continuation block begins with zeros.",
        {"OCHK: signature": bytes(4)}, base=continued)
changed("swmr-ohdr-continuation-signature", "off-by-one",
        "The continuation address is one byte too far.",
        {"OHDR /a: continuation.address": lambda f: At(f["OCHK"], 1),
         "OHDR /a: continuation.length": lambda f: f["OCHK"].size() - 1}, base=continued)


@valid("swmr-ohdr-continuation-size", base=two_groups)
def of_24_bytes(f):
    "A continuation block of 24 bytes, 16 of them a message."
    f.at("/a").header = Header(split=(2,), extra=[raw("comment", b"eleven char\0")])


for length in (7, 0):
    changed("swmr-ohdr-continuation-size", f"{length}-bytes",
            f"A continuation of a version 2 header has {length} bytes.",
            {"OHDR /a: continuation.length": length}, base=continued)


def old_continued():
    made = version_1(split=(1,), extra=[raw("comment", b"a comment\0")])
    return made


changed("swmr-ohdr-continuation-size", "version-1-12-bytes",
        "A continuation of a version 1 header has 12 bytes.",
        {"OHDR /c: continuation.length": 12}, base=old_continued)


@valid("swmr-ohdr-continuation-once", base=two_groups)
def chain_of_ten(f):
    "A header with a chain of ten continuation blocks."
    f.at("/a").header = Header(split=tuple(range(1, 11)),
                               extra=[raw("nil", bytes(4)) for _ in range(10)])


def chained():
    """A group with two continuation blocks, the second of which has a NIL message."""
    return two_groups(split=(1, 2), extra=[raw("nil", bytes(16))])


changed("swmr-ohdr-continuation-once", "itself",
        "The message in a continuation block names that block.",
        {"OCHK /a 0: continuation 1.address": lambda f: f["OCHK /a 0"],
         "OCHK /a 0: continuation 1.length": lambda f: f["OCHK /a 0"].size()}, base=chained)


@invalid("swmr-ohdr-continuation-once", base=lambda: two_groups(
    split=(1,), extra=[raw("continuation", bytes(16))]))
def two_messages(f):
    "Two continuation messages name the same block."
    header, block = f["OHDR /a"], f["OCHK"]
    f.image.arrange()
    block["continuation.bytes"] = (block.address.to_bytes(8, "little")
                                   + block.size().to_bytes(8, "little"))


@invalid("swmr-ohdr-continuation-once", base=chained)
def earlier_one(f):
    "The last continuation block leads back to the first."
    first, last = f["OCHK /a 0"], f["OCHK /a 1"]
    f.image.arrange()
    last["nil.message type"] = 16
    last["nil.bytes"] = first.address.to_bytes(8, "little") + first.size().to_bytes(8, "little")


# Messages -----------------------------------------------------------------------------------------

@valid("swmr-ohdr-message-fits", base=lambda: two_groups(gap=3),
       keeps=["swmr-ohdr-gap-without-nil"])
def gap_of_3_bytes(f):
    "A header with a gap of three bytes: less than a message needs."


@invalid("swmr-ohdr-message-fits", base=links)
def longer_than_the_block(f):
    "The last message of a header claims one byte more than there is."
    header = f["OHDR /a"]
    header["group info.message size"] = header["group info.message size"] + 1


@invalid("swmr-ohdr-message-fits", base=version_1)
def four_bytes_left(f):
    "The messages of a version 1 header leave four bytes of it over."
    f["OHDR /c"].add("left", bytes(4))


@invalid("swmr-ohdr-message-fits", base=continued)
def short_continuation(f):
    "A continuation message of 15 bytes."
    header = f["OHDR /a"]
    header["continuation.length"] = bytes(7)
    header["continuation.message size"] = 15


@invalid("swmr-ohdr-message-fits", base=lambda: File(Group(links={"a": Group(info=None)})))
def flag_of_creation_order(f):
    "The flag that says that messages have a creation order was set, so all are two bytes longer."
    f["OHDR /a"]["flags"] = 4


@valid("swmr-ohdr-message-alignment", base=old, keeps=["swmr-ohdr-message-count"])
def as_the_library_writes_it(f):
    "The messages of version 1 headers have sizes of 8 and 16."
    f.at("/c").header.extra = [raw("comment", b"seven b\0")]


def old_attribute():
    made = version_1()
    made.at("/c").attributes = [Attribute(b"a\0", U8, (), b"\1", version=1)]
    return made


changed("swmr-ohdr-message-alignment", "12", "A message of a version 1 header has size 12.",
        {"OHDR /c: attribute.message size": 12}, base=old_attribute)
changed("swmr-ohdr-message-alignment", "1", "A message of a version 1 header has size 1.",
        {"OHDR /c: symbol table.message size": 1}, base=old)
changed("swmr-ohdr-message-alignment", "7", "The last message of a continuation has size 7.",
        {"OCHK: comment.message size": 7}, base=old_continued)


@valid("swmr-ohdr-gap-without-nil", base=lambda: two_groups(gap=2))
def gap_without_nil(f):
    "A block with a gap of two bytes, and no NIL message."


def with_nil():
    return two_groups(extra=[raw("nil", bytes(4))])


@invalid("swmr-ohdr-gap-without-nil", base=with_nil)
def nil_shortened(f):
    "The NIL message at the end of a header is two bytes short of it."
    f["OHDR /a"]["nil.message size"] = 2


@invalid("swmr-ohdr-gap-without-nil", base=lambda: two_groups(gap=1))
def nil_of_size_0(f):
    "A NIL message of size 0 before a gap of one byte."
    f.at("/a").header.extra = [raw("nil", b"")]


@valid("swmr-ohdr-message-count", base=version_1)
def continuation_and_nil(f):
    "A version 1 header with a continuation and two NIL messages, all of which count."
    f.at("/c").header = Header(version=1, split=(2,),
                               extra=[raw("nil", bytes(8)), raw("nil", bytes(16))])


for count, words in ((0, "too small"), (2, "too large")):
    changed("swmr-ohdr-message-count", f"one-too-{words.split()[1]}",
            f"The number of messages of a version 1 header is one {words}.",
            {"OHDR /c: messages": count}, base=version_1)
changed("swmr-ohdr-message-count", "0", "The number of messages is 0, where there are three.",
        {"OHDR /c: messages": 0}, base=old_continued)


# Flags of messages --------------------------------------------------------------------------------

@valid("swmr-ohdr-message-flags")
def all_that_go(f):
    "Messages with flags 1, 2, 4 and 0x14."
    f.root.links["t"] = f.at("/d").type = NamedDatatype(type=I32)
    f.at("/d").attributes = [Attribute(b"a\0", U8, (), b"\1"), Attribute(b"b\0", U8, (), b"\1")]
    header = f["OHDR /d"]
    header["attribute.message flags"], header["attribute 1.message flags"] = 4, 0x14


for flags, words in ((0x06, "shared and never to be shared"),
                     (0x20, "was unknown, but need not be marked so"),
                     (0x38, "was unknown, and is to fail")):
    changed("swmr-ohdr-message-flags", f"flags-{flags:02x}",
            f"The flags of a message are {flags:#04x}: {words}.",
            {"OHDR /a: group info.message flags": flags}, base=links)

changed("swmr-ohdr-message-flags", "of-nil", "The flags of a NIL message are 0x06.",
        {"OHDR /a: nil.message flags": 6}, base=with_nil)


@valid("swmr-ohdr-message-flags", base=extensible_filtered, also=["swmr-ohdr-no-bogus"])
def what_may_be_shared(f):
    "All messages that may be shared, and some of unknown types, are flagged as such."
    f.at("/d").attributes = [Attribute(b"a\0", U8, (), b"\1")]
    f.at("/d").header.extra = [raw("old fill", bytes(4), 0x40), raw("bogus", b"", 0x40),
                               raw("first unknown", b"whatever", 0x40)]
    for name in ("dataspace", "datatype", "fill", "filters", "attribute"):
        f["OHDR /d"][f"{name}.message flags"] = 0x40


@valid("swmr-ohdr-message-flags", "free-space", "Free space that was a shared message.")
def was_shared(f):
    f.at("/d").header.extra = [raw("nil", bytes(8), 2)]


for name in ("layout", "nil", "comment", "cache image"):
    @invalid("swmr-ohdr-message-flags", f"{name.replace(' ', '-')}-to-be-shared",
             f"Of a message of type {NUMBERS[name]:#x} the flags say that it may be shared.")
    def never_shared(f, name=name):
        f.at("/d").header.extra = [] if name == "layout" else [raw(name, bytes(8))]
        f["OHDR /d"][f"{name}.message flags"] = 0x40


changed("swmr-ohdr-message-flags", "shared-layout", "The flags of a layout say that it is shared.",
        {"OHDR /d: layout.message flags": 2})

for flags in (0, 0x08, 0x10):
    @valid("swmr-ohdr-unknown-message-ignored", f"flags-{flags:02x}",
           f"A dataset with a message of type 0x40 and flags {flags:#x}.")
    def unknown(f, flags=flags):
        f.at("/d").header.extra = [raw("unknown", b"whatever", flags)]


@valid("swmr-ohdr-unknown-message-ignored", outcome="unchecked")
def that_says_to_fail(f):
    "A message of type 0x40 with the flag that readers which do not know it must fail."
    f.at("/d").header.extra = [raw("unknown", b"whatever", 0x80)]


@valid("swmr-ohdr-no-bogus")
def of_ordinary_types(f):
    "Messages of ordinary types, among them a comment and a time."
    f.at("/d").header.extra = [raw("comment", b"a comment\0"),
                               raw("time", b"\1\0\0\0\1\0\0\0")]


@invalid("swmr-ohdr-no-bogus")
def bogus(f):
    "A dataset has a message of type 9."
    f.at("/d").header.extra = [raw("bogus", b"\xef\xbe\xad\xde")]


@valid("swmr-ohdr-no-repeat", base=attributes)
def attributes_and_links(f):
    "Two attribute and three link messages in one header."
    f.root.links = {"a": soft(b"x"), "b": soft(b"x"), "c": soft(b"x")}


for name, body in (("layout", b"\4\1" + b"\xff" * 8 + bytes(8)), ("dataspace", b"\2\0\0\0")):
    @invalid("swmr-ohdr-no-repeat", f"two-{name}s", f"A dataset has two {name} messages.")
    def twice(f, name=name, body=body):
        f.at("/d").header.extra = [raw(name, body)]


@invalid("swmr-ohdr-no-repeat", base=extensible_filtered)
def nil_turned_into_filters(f):
    "A NIL message became a second filter pipeline message."
    f.at("/d").header.extra = [raw("filters", b"\2\1\1\0\0\0\1\0\6\0\0\0")]

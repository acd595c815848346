"""II.A to II.C, IV.A.2.u of the File Format Specification: flags, reserved bytes, drivers, the extension."""

from generators.hdf5 import *
from generators.hdf5 import messages


@reports("h5-symbol-soft-link-address")
def old_0():
    return old()


@reports("h5-symbol-soft-link-address")
def old_1():
    return old(version=1)


def superblock_2():
    made = extensible()
    made.superblock = 2
    return made


superblock_2.reports = ("swmr-eligible-superblock",)


@valid("h5-superblock-flags-known", base=old_0, keeps=["h5-superblock-reserved-zero"])
def version_0(f):
    "Flags 0 in a superblock of version 0."


@valid("h5-superblock-flags-known", base=superblock_2)
def version_2(f):
    "Flags 0 in a superblock of version 2."


changed("h5-superblock-flags-known", "version-0-bit-8", "A superblock of version 0 has the flags 0x100.",
        {"superblock: flags": 0x100}, base=old_0)
changed("h5-superblock-flags-known", "version-1-bit-3", "A superblock of version 1 has the flags 8.",
        {"superblock: flags": 8}, base=old_1)
changed("h5-superblock-flags-known", "version-2-bit-7", "A superblock of version 2 has the flags 0x80.",
        {"superblock: flags": 0x80}, base=superblock_2)
for field, value in (("reserved", 1), ("reserved too", 0xFF), ("reserved more", 0x100)):
    changed("h5-superblock-reserved-zero", field.replace(" ", "-"),
            "A reserved field of a superblock of version 1 is not zero.",
            {f"superblock: {field}": value}, base=old_1)


@valid("h5-trailing-bytes-allowed", informs={"h5-risk-trailing-bytes"})
def four_thousand(f):
    "4,096 foreign bytes follow the end of the file."
    f.image.behind = b"x" * 4096


@valid("h5-undefined-address-all-bits", base=fixed)
def of_four_bytes(f):
    "Offsets and lengths of four bytes, whose undefined address is 0xffffffff."
    f.w = Widths(4, 4)


# Drivers ------------------------------------------------------------------------------------------

DRIVER_RISK = {"h5-risk-driver"}


def block(name, content, version=0, size=None):
    return (bytes([version, 0, 0, 0]) + (len(content) if size is None else size).to_bytes(4, "little")
            + name + content)


def with_block(*arguments, **options):
    def made():
        f = old()
        f.driver_block = block(*arguments, **options)
        return f
    return made


def number(*values):
    return b"".join(value.to_bytes(8, "little") for value in values)


def members(map, starts, names):
    made = bytes(map) + b"\0\0"
    for start in starts:
        made += number(start, 1 << 40)
    for name in names:
        made += name + bytes(8 - len(name) % 8)
    return made


SPLIT = members((1, 1, 3, 3, 1, 1), (0, (1 << 63) - 1), (b"%s-m.h5", b"%s-r.h5"))
SIX = members((0,) * 6, [i << 40 for i in range(6)], [b"%%s-%c.h5" % c for c in b"sbrglo"])
FAMILY = number(4096)
SOFT = "h5-symbol-soft-link-address"
SEVERAL = {"outcome": "unchecked", "informs": DRIVER_RISK, "fails": (), "warns": ()}


def one_of_several(clause, slug, shows, name, content, **options):
    valid(clause, slug, shows, base=with_block(name, content), **{**SEVERAL, **options})(lambda f: None)


one_of_several("h5-driver-family-size", "of-4096-bytes", "A member of a family of 4,096 bytes.",
               b"NCSAfami", FAMILY,
               keeps=["h5-driver-block-inside-file", "h5-driver-block-version",
                      "h5-driver-identification"])
one_of_several("h5-driver-multi-map", "split", "Metadata and raw data are in two files.",
               b"NCSAmult", SPLIT, keeps=["h5-driver-multi-members"])
one_of_several("h5-driver-multi-members", "six", "Six members by the default map, which is all zeros.",
               b"NCSAmult", SIX, keeps=["h5-driver-multi-map"])


@valid("h5-driver-identification", base=with_block(b"MYDRIVER", b"\1\2"), informs=DRIVER_RISK, warns={SOFT})
def of_somebody(f):
    "A driver that HDF5 does not know: its block is not read, and the file is."


def broken_block(clause, slug, shows, name, content, level="fails", **options):
    several = name in (b"NCSAfami", b"NCSAmult")
    outside = clause == "h5-driver-block-inside-file"
    expected = {"fails": set(), "warns": set() if several else {SOFT},
                "informs": set() if outside else DRIVER_RISK}
    expected[level] = expected[level] | {clause}
    invalid(clause, slug, shows, base=with_block(name, content, **options), **expected)(lambda f: None)


broken_block("h5-driver-block-inside-file", "size", "The driver block states 2 MiB in a small file.",
             b"MYDRIVER", b"", size=1 << 21)
changed("h5-driver-block-inside-file", "address", "The driver block lies past the file.",
        {"superblock: driver": 1 << 40}, base=with_block(b"MYDRIVER", b""), also={SOFT})
broken_block("h5-driver-block-version", "1", "The driver block has version 1.", b"MYDRIVER", b"", version=1)
broken_block("h5-driver-block-version", "255", "The driver block has version 255.", b"MYDRIVER", b"",
             version=255)
broken_block("h5-driver-identification", "zeros", "The name of the driver is eight zeros.", bytes(8), b"",
             level="warns")
broken_block("h5-driver-identification", "ncsamulx", "The driver is NCSAmulx.", b"NCSAmulx", SPLIT,
             level="warns")
for slug, map in (("7", (1, 1, 3, 3, 1, 7)), ("255", (1, 1, 255, 3, 1, 1)),
                  ("exchanged", (2, 1, 3, 4, 5, 6))):
    broken_block("h5-driver-multi-map", slug, f"The map of a multi driver is {map}.", b"NCSAmult",
                 bytes(map) + SPLIT[6:])
broken_block("h5-driver-multi-map", "short", "The information of a multi driver has five bytes.",
             b"NCSAmult", SPLIT[:5])
broken_block("h5-driver-multi-members", "cut", "The information ends in the second member.", b"NCSAmult",
             SPLIT[:32])
broken_block("h5-driver-multi-members", "no-nul", "The second name does not end.", b"NCSAmult",
             SPLIT[:-1] + b"x")
broken_block("h5-driver-multi-members", "starts", "Both members start at 0.", b"NCSAmult",
             members((1, 1, 3, 3, 1, 1), (0, 0), (b"%s-m.h5", b"%s-r.h5")))
broken_block("h5-driver-multi-members", "not-padded", "The first name is not padded.", b"NCSAmult",
             members((1, 1, 3, 3, 1, 1), (0, 1), ())[:40] + b"m\0r\0" + bytes(12))
broken_block("h5-driver-family-size", "zero", "The members of a family have 0 bytes.", b"NCSAfami",
             bytes(8))
broken_block("h5-driver-family-size", "short", "The information of a family has four bytes.", b"NCSAfami",
             bytes(4))


def with_message(content=FAMILY, name=b"MYDRIVER"):
    def made():
        f = empty()
        f.extension = [Message("driver", messages.driver(f.w, name, content))]
        return f
    return made


def spread(name=b"NCSAmult"):
    """A member of a split file, whose raw data is in the other one."""
    f = of(d=Dataset(shape=(3,), storage=Contiguous()))
    f.extension = [Message("driver", messages.driver(f.w, name, SPLIT))]
    f["OHDR /d"]["layout.address"] = (1 << 62) + 100
    return f


corrupted("swmr-ohdr-checksum", "of-an-extension-with-a-driver",
          "The extension of a split file, which names the driver, has a wrong checksum.",
          "OHDR extension: driver.version", base=spread, informs=set(), warns=set(), fails={"swmr-ohdr-checksum"})
changed("h5-driver-identification", "of-a-message", "The driver of a split file is NCSAmulx.",
        {"OHDR extension: driver.name": b"NCSAmulx"}, base=spread, informs=DRIVER_RISK, fails=set(),
        warns={"h5-driver-identification"}, outcome="unchecked")


def spread_by_a_block():
    f = old_dataset(chunk=None, maximum=None, storage=Contiguous())
    f.driver_block = block(b"NCSAmult", SPLIT)
    f["OHDR /d"]["layout.address"] = (1 << 62) + 100
    return f


changed("h5-driver-block-inside-file", "of-a-split-file", "The driver block of a split file lies past the file.",
        {"superblock: driver": 1 << 40}, base=spread_by_a_block)


@valid("h5-driver-message-fits", base=with_message(), informs=DRIVER_RISK,
       keeps=["h5-driver-message-version", "h5-extension-message-once",
              "h5-superblock-extension-header"])
def eight_bytes(f):
    "A driver info message with eight bytes of information."


for version in (1, 255):
    changed("h5-driver-message-version", f"version-{version}", f"A driver info message has version {version}.",
            {"OHDR extension: driver.version": version}, base=with_message(), informs=DRIVER_RISK,
            fails={"h5-driver-message-version"})
for slug, size in (("zero", 0), ("large", 65535)):
    changed("h5-driver-message-fits", slug, f"A driver info message states {size} bytes.",
            {"OHDR extension: driver.size": size}, base=with_message(), informs=DRIVER_RISK,
            fails={"h5-driver-message-fits"})


valid("h5-risk-driver", "none", "A file without a driver.", base=empty)(lambda f: None)
invalid("h5-risk-driver", "message", "A message names a driver.", base=with_message())(lambda f: None)

# The extension ------------------------------------------------------------------------------------

def extended():
    made = links()
    made.k_message = True
    return made


@valid("h5-superblock-extension-header", base=extended, keeps=["h5-extension-message-place"])
def with_k_values(f):
    "An extension with a B-tree K message."


@valid("h5-superblock-extension-other-messages-allowed", base=extended)
def link_info(f):
    "The extension has a link info message, a group info message and an empty one, too."
    f.extension = [Message("link info", messages.link_info(f.w)), Message("group info", messages.group_info(f.w)),
                   raw("nil", bytes(8))]


@invalid("h5-superblock-extension-header", base=extended)
def the_root_group(f):
    "The address of the extension is that of the root group."
    f["superblock"]["extension"] = f["OHDR /"]


@invalid("h5-superblock-extension-header", base=extended)
def linked(f):
    "A hard link of the root group leads to the extension."
    f["OHDR /"]["link.address"] = f["OHDR extension"]


for slug, type in (("k", "k values"),):
    @invalid("h5-extension-message-place", slug, "The root group has a B-tree K message.", base=links)
    def misplaced(f):
        f.root.header.extra = [Message("k values", messages.k_values(f.w))]


@invalid("h5-extension-message-once", "drivers", "The extension has two driver info messages.",
         base=with_message(), fails={"h5-extension-message-once"}, informs=DRIVER_RISK)
def twice(f):
    f.extension = 2 * f.extension

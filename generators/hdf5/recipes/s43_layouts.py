"""IV.A.2.h and IV.A.2.i of the File Format Specification: external files and layouts."""

from generators.hdf5 import *
from generators.hdf5 import messages

from .s40_datatype_classes import plain, sound

# Layouts ------------------------------------------------------------------------------------------


def old(version=1, **options):
    return plain(I32, shape=(4, 6), layout_version=version, **options)


def layout(clause, slug, shows, base, fields, **options):
    changed(clause, slug, shows, {f"OHDR /d: layout.{name}": value for name, value in fields.items()},
            base=base, **options)


sound("h5-layout-reserved", "zeros", "Layouts of versions 1 and 2.",
      lambda: of(a=old()().at("/d"), b=old(2)().at("/d")), keeps=["h5-layout-old-dimensions"])
layout("h5-layout-reserved", "byte-3", "Byte 3 is 1.", old(), {"reserved": 1})
layout("h5-layout-reserved", "version-2", "Byte 7 of version 2 is 1.", old(2),
       {"reserved too": 1 << 24})
sound("h5-layout-old-dimensions", "4-6-4", "The sizes and that of an element.", old())
layout("h5-layout-old-dimensions", "first-5", "The size 5, where the dataset has 4.", old(),
       {"size 0": 5})
layout("h5-layout-old-dimensions", "second-4", "The size 4, where the dataset has 6.", old(2),
       {"size 1": 4})

sound("h5-layout-edge-flag", "deflate", "Edge chunks that are not filtered.",
      lambda: extensible(filters=[gzip()], edge_unfiltered=True))
layout("h5-layout-edge-flag", "no-filters", "The flag without filters.", extensible, {"flags": 1})

sound("h5-layout-fixed-extendable", "fixed", "Contiguous and compact datasets that cannot grow.",
      lambda: of(a=plain(I32)().at("/d"), b=plain(I32, maximum=(3,))().at("/d"),
                 c=plain(I32, storage=Compact())().at("/d")))
invalid("h5-layout-fixed-extendable", "unlimited", "A contiguous dataset without a maximum.",
        base=plain(I32, maximum=(UNLIMITED,)))(lambda f: None)
invalid("h5-layout-fixed-extendable", "compact", "A compact dataset of 3 elements that may have 20.",
        base=plain(I32, maximum=(20,), storage=Compact()))(lambda f: None)

UNALLOCATED = plain(I32, storage=Contiguous(allocated=False))

sound("h5-contiguous-size-exact", "12", "12 bytes of three int32.", plain(I32))


@invalid("h5-contiguous-size-exact", "13", "13 bytes of three int32.", base=plain(I32))
def size_13(f):
    f.image.add(Block("end", "", ("bytes", bytes(8))))
    f["OHDR /d"]["layout.size"] = 13


sound("h5-contiguous-size-unallocated", "late", "12 bytes that are not allocated.", UNALLOCATED)


@valid("h5-contiguous-size-unallocated", "0", "0 bytes that are not allocated.", base=UNALLOCATED)
def size_0(f):
    f["OHDR /d"]["layout.size"] = 0


for size in (11, 13, 20971524):
    layout("h5-contiguous-size-unallocated", str(size), f"{size} bytes for 12.", UNALLOCATED,
           {"size": size})

sound("h5-virtual-undefined-allowed", "nothing", "A virtual dataset that maps nothing.",
      plain(I32, storage=Virtual()))

# External files -----------------------------------------------------------------------------------

NO_LIMIT = (1 << 64) - 1


def external(slots=((b"raw.dat", 100, 12),), heap=None, **options):
    """`slots`: name, offset, size."""
    def base():
        made = plain(I32, **{"storage": Contiguous(allocated=False), **options})()
        node = made.at("/d")
        before = node.body

        def body(file, image):
            names = bytearray(8)
            offsets = []
            for name, _, _ in slots:
                offsets.append(len(names))
                names += name + bytes(8 - len(name) % 8)
            made_heap = image.add(Block("HEAP", "/d"))
            segment = image.add(Block("names", "/d"))
            segment.add("bytes", bytes(names))
            made_heap.add("signature", b"HEAP").add("version", 0, 1).add("reserved", 0, 3)
            made_heap.add("size", len(names), 8).add("free list", 1, 8).add("segment", segment, 8)
            list_of_files = Struct(("version", 1, 1), ("reserved", 0, 3),
                                   ("allocated", len(slots), 2), ("used", len(slots), 2),
                                   ("heap", made_heap, 8))
            for number, ((_, offset, size), name) in enumerate(zip(slots, offsets)):
                list_of_files.add(f"name {number}", name, 8).add(f"offset {number}", offset, 8)
                list_of_files.add(f"size {number}", size, 8)
            return before(file, image) + [Message("external files", list_of_files)]

        node.body = body
        return made
    base.reports = ("h5-risk-external-storage",)
    return base


TWO = ((b"a.dat", 0, 4), (b"b.dat", 100, 8))


def efl(clause, slug, shows, fields, base=external(TWO), **options):
    changed(clause, slug, shows,
            {f"OHDR /d: external files.{name}": value for name, value in fields.items()}, base=base,
            **options)


UNREAD = {"less": ["h5-risk-external-storage"]}

sound("h5-efl-version", "two-files", "Two files.", external(TWO), keeps=[
    "h5-efl-reserved", "h5-efl-slots", "h5-efl-fits", "h5-efl-heap-address",
    "h5-efl-heap-empty-name", "h5-efl-name-in-heap", "h5-efl-name-not-empty", "h5-efl-size",
    "h5-efl-layout"])
for version in (0, 2):
    efl("h5-efl-version", str(version), f"Version {version}.", {"version": version}, **UNREAD)
sound("h5-efl-reserved", "zeros", "Reserved bytes of zero.", external())
efl("h5-efl-reserved", "byte-2", "Byte 2 is 1.", {"reserved": 0x0100})
valid("h5-efl-slots", "2-of-4", "Two slots of four are in use.", base=external(TWO),
      also=["h5-risk-external-storage"])(
    lambda f: f["OHDR /d"].__setitem__("external files.allocated", 4))
efl("h5-efl-slots", "2-of-1", "Two of one slot.", {"allocated": 1}, **UNREAD)
efl("h5-efl-slots", "used-0", "No slot in use.", {"used": 0}, **UNREAD)
efl("h5-efl-slots", "allocated-0", "No slot allocated.", {"allocated": 0}, **UNREAD)
sound("h5-efl-fits", "one", "One slot.", external())
efl("h5-efl-fits", "65535", "65,535 slots in a message of two.", {"allocated": 65535, "used": 65535},
    **UNREAD)
efl("h5-efl-fits", "3-of-2", "Three slots in a message of two.", {"allocated": 3, "used": 3},
    **UNREAD)


@invalid("h5-efl-fits", "cut", "The message ends after the heap address.", base=external(),
         **UNREAD)
def cut(f):
    for name in ("name 0", "offset 0", "size 0"):
        del f["OHDR /d"][f"external files.{name}"]


sound("h5-efl-heap-address", "heap", "The address of a heap.", external())
efl("h5-efl-heap-address", "undefined", "No heap.", {"heap": None}, **UNREAD)
sound("h5-efl-heap-empty-name", "empty", "A heap that begins with a zero.", external())


@invalid("h5-efl-heap-empty-name", "letter", "A heap that begins with a letter.", base=external())
def letter(f):
    f["names /d"]["bytes"] = b"x" + f["names /d"]["bytes"][1:]


sound("h5-efl-name-in-heap", "last", "A name at the end of the heap.", external(TWO))
efl("h5-efl-name-in-heap", "outside", "A name after the end of the heap.", {"name 1": 24}, **UNREAD)


@invalid("h5-efl-name-in-heap", "no-nul", "The last name has no NUL.", base=external(TWO), **UNREAD)
def name_without_nul(f):
    f["names /d"]["bytes"] = f["names /d"]["bytes"].rstrip(b"\0").ljust(24, b"x")


sound("h5-efl-name-not-empty", "one-letter", "A name of one letter.", external(((b"a", 0, 12),)))
efl("h5-efl-name-not-empty", "offset-0", "The empty name.", {"name 0": 0}, **UNREAD)

MOST = (1 << 63) - 1

sound("h5-efl-segment", "largest", "A piece that ends at 2^63 - 1.",
      external(((b"raw.dat", MOST - 12, 12),)))
efl("h5-efl-segment", "offset", "An offset of 0xffe2000000000000.", {"offset 1": 0xFFE2 << 48})
efl("h5-efl-segment", "size-0", "A piece of 0 bytes.", {"size 0": 0})
efl("h5-efl-segment", "end", "A piece that ends after 2^63 - 1.", {"offset 1": MOST, "size 1": 8})
sound("h5-efl-unlimited-last", "last", "The last file has no limit.",
      external(((b"a.dat", 0, 4), (b"b.dat", 0, NO_LIMIT))),
      also=["h5-risk-external-storage-unlimited"])
efl("h5-efl-unlimited-last", "first", "The first of two files has no limit.", {"size 0": NO_LIMIT},
    also=["h5-risk-external-storage-unlimited"])
sound("h5-efl-size", "12", "Four and eight bytes for twelve.", external(TWO))
efl("h5-efl-size", "11", "One byte less.", {"size 1": 7})
sound("h5-efl-layout", "contiguous", "Contiguous storage without an address.", external())
invalid("h5-efl-layout", "chunked", "Chunks and external files.",
        base=external(shape=(10,), maximum=(UNLIMITED,), chunk=(4,), storage=ExtensibleArray(),
                      slots=((b"raw.dat", 0, 40),)))(lambda f: None)
invalid("h5-efl-layout", "allocated", "Storage in the file, and external files.",
        base=external(storage=Contiguous()))(lambda f: None)
sound("h5-efl-extendable-first", "first", "The first dimension has no maximum.",
      external(shape=(3, 2), maximum=(UNLIMITED, 2), slots=((b"raw.dat", 0, 24),)))
invalid("h5-efl-extendable-first", "second", "The second dimension has no maximum.",
        base=external(shape=(3, 2), maximum=(3, UNLIMITED), slots=((b"raw.dat", 0, 24),)))(
            lambda f: None)

# Risks --------------------------------------------------------------------------------------------

sound("h5-risk-external-storage", "none", "Values in the file.", plain(I32), keeps=[
    "h5-risk-external-storage-path", "h5-risk-external-storage-unlimited",
    "h5-risk-shared-storage"])
invalid("h5-risk-external-storage", "raw-dat", "Values in raw.dat.", base=external())(
    lambda f: None)
sound("h5-risk-external-storage-path", "origin", "A file beside this one.",
      external(((b"${ORIGIN}/raw.dat", 0, 12),)))
for slug, name in (("absolute", b"/etc/passwd"), ("dots", b"../../id_rsa"), ("device", b"/dev/zero"),
                   ("proc", b"/proc/self/environ"), ("drive", b"C:/x"), ("url", b"http://x/y")):
    invalid("h5-risk-external-storage-path", slug, f"Values in {name.decode()}.",
            base=external(((name, 0, 12),)))(lambda f: None)
sound("h5-risk-external-storage-unlimited", "100", "100 bytes of a file.",
      external(((b"raw.dat", 0, 100),)))
invalid("h5-risk-external-storage-unlimited", "last", "A file without a limit.",
        base=external(((b"raw.dat", 0, NO_LIMIT),)))(lambda f: None)


def two_datasets(second):
    def base():
        made = external(((b"raw.dat", 0, 12),))()
        other = external(((b"raw.dat", second, 12),))().at("/d")
        other_body = other.body
        made.root.links["e"] = other

        def body(file, image):
            messages_of = other_body(file, image)
            for block in image.blocks[-2:]:
                block.owner = "/e"
            return messages_of

        other.body = body
        return made
    base.reports = ("h5-risk-external-storage",)
    return base


sound("h5-risk-shared-storage", "beside", "Two datasets over bytes 0 to 11 and 12 to 23.",
      two_datasets(12))
invalid("h5-risk-shared-storage", "overlapping", "Two datasets over bytes 0 to 11 and 11 to 22.",
        base=two_datasets(11))(lambda f: None)


def sparse(elements, type=I64, chunk=(4,)):
    return lambda: extensible(shape=(elements,), maximum=(UNLIMITED,), chunk=chunk, unused="index",
                              type=type)


sound("h5-risk-expansion", "1-gib", "1 GiB that was never written.",
      sparse(1 << 27, chunk=(1 << 20,)))
invalid("h5-risk-expansion", "more-than-1-gib", "More than 1 GiB that was never written.",
        base=sparse((1 << 27) + 1, chunk=(1 << 20,)))(lambda f: None)
sound("h5-risk-chunk-tiny", "4096", "4,096 chunks of 32 bytes.", sparse(4096 * 4))
invalid("h5-risk-chunk-tiny", "4097", "4,097 chunks of 32 bytes.", base=sparse(4096 * 4 + 1))(
    lambda f: None)
sound("h5-risk-chunk-tiny", "of-4096-bytes", "4,097 chunks of 4,096 bytes.",
      sparse(4096 * 512 + 1, chunk=(512,)))

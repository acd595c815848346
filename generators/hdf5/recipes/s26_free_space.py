"""III.H of the File Format Specification: free-space managers of the file."""

from generators.hdf5 import *
from generators.hdf5.blocks import Block
from generators.hdf5.free_space import MOST, write_manager

from .s21_space_info import info

HOLE, END = 784, 1408


def managed(*managers, strategy=0, spare=0, page=4096, most=MOST):
    """A file whose free space persists: managers by number, {number: [(offset, size, type)]}. Nothing is used from
    byte 784 on."""
    def made():
        f = links()
        named = {}
        f.extension = [Message("file space", lambda w: info(
            w, strategy=strategy, persist=1, managers=named, page=page, end=END))]
        image = f.image
        for number, sections in enumerate(managers):
            if sections is not None:
                named[number] = write_manager("free " + "ab"[number], sections, f.w, image, most=most, spare=spare)
        for number, block in named.items():
            f["OHDR extension"][f"file space.manager {number}"] = block
        end = image.add(Block("end", "", ("bytes", bytes(64))))
        end.address, end.fixed = END - 64, True
        return f
    return made


SECTIONS = [(HOLE, 24, 0), (HOLE + 64, 24, 0), (HOLE + 256, 40, 0)]
ALL = ["h5-free-space-header-version", "h5-free-space-header-checksum", "h5-free-space-client",
       "h5-free-space-counts", "h5-free-space-classes", "h5-free-space-percentages",
       "h5-free-space-address-bits", "h5-free-space-list-defined", "h5-free-space-list-size",
       "h5-free-space-list-signature", "h5-free-space-list-version", "h5-free-space-list-owner",
       "h5-free-space-list-checksum", "h5-free-space-section-fits", "h5-free-space-set-not-empty",
       "h5-free-space-set-order", "h5-free-space-section-type", "h5-free-space-section-size",
       "h5-free-space-total", "h5-free-space-file-inside", "h5-free-space-file-apart",
       "h5-free-space-file-unused", "h5-paged-section", "h5-fsinfo-managers",
       "h5-fsinfo-end-of-allocation", "h5-fsinfo-persist-strategy"]
three = managed(SECTIONS)
two = managed(SECTIONS, [(HOLE + 512, 100, 0)])


@valid("h5-free-space-header-signature", base=three, keeps=ALL)
def three_sections(f):
    "Three free sections of two sizes."


@valid("h5-free-space-file-apart", base=two, keeps=["h5-fsinfo-managers"])
def two_managers(f):
    "Sections of two managers."


@valid("h5-free-space-list-tail-any", base=managed(SECTIONS, spare=18))
def spare_bytes(f):
    "Eighteen bytes lie between the last section and the checksum."


@valid("h5-free-space-file-small-tracked", base=managed([(HOLE, 6, 0)]))
def six_bytes(f):
    "A section of six bytes."


M, L = "FSHD free a", "FSSE free a"
changed("h5-free-space-header-signature", "changed", "A manager begins with FSHE.",
        {f"{M}: signature": b"FSHE"}, base=three)
for version in (1, 255):
    changed("h5-free-space-header-version", f"{version}", f"A manager has version {version}.",
            {f"{M}: version": version}, base=three)
corrupted("h5-free-space-header-checksum", "sections", "The number of sections was changed.",
          f"{M}: sections", base=three)
for client in (0, 2):
    changed("h5-free-space-client", f"{client}", f"The manager of a file has the client {client}.",
            {f"{M}: client": client}, base=three)
changed("h5-free-space-counts", "total", "The number of sections is one too large.", {f"{M}: sections": 4},
        base=three)
changed("h5-free-space-counts", "unstored", "A section of a file is not stored.",
        {f"{M}: unstored": 1, f"{M}: sections": 4}, base=three)
for classes in (4, 65535):
    changed("h5-free-space-classes", f"{classes}", f"The manager of a file has {classes} section classes.",
            {f"{M}: classes": classes}, base=three)
changed("h5-free-space-percentages", "shrink", "The list shrinks at 200 percent.", {f"{M}: shrink": 200},
        base=three)
changed("h5-free-space-percentages", "expand", "The list grows to 0 percent.", {f"{M}: expand": 0}, base=three)
for bits in (0, 65, 200):
    changed("h5-free-space-address-bits", f"{bits}", f"The address space has {bits} bits.",
            {f"{M}: bits": bits}, base=three)
changed("h5-free-space-address-bits", "most", "Sections have 0 bytes at most.", {f"{M}: most": 0}, base=three)
changed("h5-free-space-list-defined", "undefined", "Three stored sections without a list.",
        {f"{M}: list": None}, base=three)
changed("h5-free-space-list-size", "larger", "The list uses more than is allocated.",
        {f"{M}: allocated": lambda f: f[M]["used"] - 1}, base=three)
changed("h5-free-space-list-size", "8", "The list uses 8 bytes.", {f"{M}: used": 8}, base=three)
changed("h5-free-space-list-signature", "changed", "A list begins with FSSF.", {f"{L}: signature": b"FSSF"},
        base=three)
changed("h5-free-space-list-version", "1", "A list has version 1.", {f"{L}: version": 1}, base=three)
changed("h5-free-space-list-owner", "another", "A list names another manager.",
        {f"{L}: header": lambda f: f["FSHD free b"]}, base=two)
changed("h5-free-space-list-owner", "zero", "A list names the superblock.", {f"{L}: header": 0}, base=three)
corrupted("h5-free-space-list-checksum", "section", "A byte of a section was changed.",
          f"{L}: set 0.offset 0", base=three)
changed("h5-free-space-section-fits", "200", "The last set states 200 sections.", {f"{L}: set 1.count": 200},
        base=three)
changed("h5-free-space-section-fits", "one-more", "The header states one section more.",
        {f"{M}: stored": 4, f"{M}: sections": 4}, base=three)
changed("h5-free-space-section-fits", "one-more-in-a-set", "The first of three sets states a section more than it has.",
        {f"{L}: set 0.count": 3}, base=managed([*SECTIONS, (HOLE + 384, 56, 0)]))
changed("h5-free-space-section-fits", "none-in-a-set", "The first set states no section; it has two.",
        {f"{L}: set 0.count": 0}, base=three)
changed("h5-free-space-section-type", "3", "A section of a file has type 3.", {f"{L}: set 1.type 0": 3},
        base=three)
changed("h5-free-space-section-type", "255", "A section has type 255.", {f"{L}: set 1.type 0": 255}, base=three)
changed("h5-free-space-section-size", "zero", "A section has 0 bytes.",
        {f"{L}: set 0.size": 0, f"{M}: total": 40}, base=three)
changed("h5-free-space-section-size", "above-the-most", "A section is larger than the largest.",
        {f"{M}: most": 39}, base=managed(SECTIONS, most=200))
changed("h5-free-space-section-size", "all-bits", "A section is larger than any file.",
        {f"{L}: set 1.size": (1 << 64) - 1}, base=three)
changed("h5-free-space-total", "one-more", "The total space is one byte too large.",
        {f"{M}: total": 89}, base=three)
changed("h5-free-space-total", "zero", "The total space is 0.", {f"{M}: total": 0}, base=three)


@invalid("h5-free-space-set-order", base=three)
def sets_exchanged(f):
    "The larger sections come first."
    f[L].exchange("set 0", "set 1")


@invalid("h5-free-space-set-not-empty", base=managed(SECTIONS, spare=9))
def empty_set(f):
    "A set has no section."
    w = f[L]["set 0"].place("size")[1]
    f[L]["set 0"] = Struct(("before", bytes([0]) + (1).to_bytes(w, "little")), ("old", f[L]["set 0"]))
    f[L]["spare"] = b""


for slug, offset, size in (("long", HOLE, 1 << 40), ("after", 1 << 20, 40), ("superblock", 0, 40)):
    changed("h5-free-space-file-inside", slug, "A free section does not lie in the file.",
            {f"{L}: set 1.offset 0": offset, f"{L}: set 1.size": size, f"{M}: total": size + 48}, base=three)
changed("h5-free-space-file-apart", "over-another", "Two sections share eight bytes.",
        {f"{L}: set 1.offset 0": HOLE + 16}, base=three)
changed("h5-free-space-section-type", "most-of-one-byte",
        "The manager states that sections have a byte at most, and numbers of that width.",
        {f"{M}: most": 1}, base=three)
changed("h5-free-space-file-unused", "over-a-header", "A section lies over the header of the root group.",
        {f"{L}: set 1.offset 0": lambda f: f.image.arrange() or f["OHDR /"].address}, base=three)


def before_a_manager():
    """The last section ends where its manager begins."""
    f = managed([*SECTIONS[:2], (END - 200, 40, 0)])()
    for block, address in ((M, END - 160), (L, END - 300)):
        f[block].address, f[block].fixed = address, True
    return f


changed("h5-free-space-file-unused", "one-more",
        "A section is one byte longer than the space up to its manager.", {f"{L}: set 1.size": 41},
        base=before_a_manager)
changed("h5-free-space-file-apart", "over-a-section-and-a-block",
        "A section reaches over the others, and over the last block of the file.",
        {f"{L}: set 1.offset 0": HOLE - 40, f"{L}: set 1.size": END - HOLE + 40, f"{M}: total": END - HOLE + 88},
        base=three)


@invalid("swmr-metadata-no-overlap", "list-over-two-headers", "A list of sections is allocated over two headers, and free space between them.",
         base=managed([(HOLE, 24, 0)]), since="hdf5-file-format-4.0")
def list_over_two_headers(f):
    f.image.arrange()
    at = HOLE - 64
    f[L].address, f[L].fixed = at, True
    f[M]["allocated"] = 512
    for i, name in enumerate(("/", "/a")):
        block = f[f"OHDR {name}"]
        block.address, block.fixed = HOLE + 64 + 200 * i, True


changed("h5-paged-section", "type-1", "A section has type 1 in a file without pages.",
        {f"{L}: set 1.type 0": 1}, base=three)
changed("h5-fsinfo-managers", "twice", "Two managers are one.",
        {"OHDR extension: file space.manager 6": lambda f: f[M]}, base=three)
changed("h5-fsinfo-persist-strategy", "3", "A manager with strategy 3.",
        {"OHDR extension: file space.strategy": 3}, base=three)

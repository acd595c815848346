"""IV.A.2.x of the File Format Specification: file space info, and pages."""

from generators.hdf5 import *
from generators.hdf5.blocks import Struct

SMALL = 6
INSIDE = 64    # an address inside every one of these files


def info(w, version=1, strategy=0, persist=0, threshold=1, page=4096, end=None, managers=None):
    made = Struct(("version", version, 1), ("strategy", strategy, 1))
    if version == 0:
        made.add("threshold", threshold, w.length)
    else:
        made.add("persist", persist, 1).add("threshold", threshold, w.length)
        made.add("page size", page, w.length).add("page end", 0, 2)
        made.add("end of allocation", end, w.offset)
    number = (6 if strategy == 1 else 0) if version == 0 else (12 if persist else 0)
    for i in range(number):
        made.add(f"manager {i}", (managers or {}).get(i), w.offset)
    return made


def spaced(**options):
    def made():
        f = links()
        f.extension = [Message("file space", info(f.w, **options))]
        return f
    return made


def sound(clause, slug, shows, keeps=(), **options):
    valid(clause, slug, shows, base=spaced(**options), keeps=keeps)(lambda f: None)


def broken(clause, slug, shows, fields, level="fails", **options):
    changed(clause, slug, shows, {f"OHDR extension: file space.{k}": v for k, v in fields.items()},
            base=spaced(**options))


sound("h5-fsinfo-version", "version-0", "Version 0, without managers.", version=0, strategy=2,
      keeps=["h5-fsinfo-fits", "h5-fsinfo-strategy"])
sound("h5-fsinfo-version", "version-1", "Version 1, nothing persists.",
      keeps=["h5-fsinfo-persist", "h5-fsinfo-persist-strategy", "h5-fsinfo-page-size",
             "h5-fsinfo-end-of-allocation"])
for version in (2, 255):
    broken("h5-fsinfo-version", f"{version}", f"A file space info message has version {version}.",
           {"version": version})
sound("h5-fsinfo-fits", "six-managers", "Version 0 with six undefined managers.", version=0, strategy=1,
      keeps=["h5-fsinfo-managers"])
sound("h5-fsinfo-fits", "twelve-managers", "Version 1 with twelve undefined managers.", persist=1,
      end=INSIDE, keeps=["h5-fsinfo-managers", "h5-fsinfo-end-of-allocation"])
broken("h5-fsinfo-fits", "strategy-1", "Version 0 and strategy 1, without the managers.", {"strategy": 1},
       version=0, strategy=2)
broken("h5-fsinfo-fits", "persist", "Version 1 with persist 1, without the managers.", {"persist": 1})
broken("h5-fsinfo-end-of-allocation", "undefined", "Free space is kept; there are no managers, and no end of allocation.",
       {"end of allocation": None}, persist=1, end=INSIDE)


@invalid("h5-fsinfo-fits", base=spaced())
def cut(f):
    "A message without the end of allocation."
    del f["OHDR extension"]["file space.end of allocation"]


broken("h5-fsinfo-managers", "of-another-version", "A message of version 1 with version 0: its managers are not where they are read.",
       {"version": 0}, strategy=1, page=0, persist=1, end=0)
for strategy in (1, 2, 3):
    sound("h5-fsinfo-strategy", f"version-1-{strategy}", f"Strategy {strategy} in version 1.",
          **({"strategy": strategy, "page": 1 << 20} if strategy != 1 else {"strategy": 2}))
broken("h5-fsinfo-strategy", "4-of-version-1", "Strategy 4 in version 1.", {"strategy": 4})
broken("h5-fsinfo-strategy", "0-of-version-0", "Strategy 0 in version 0.", {"strategy": 0}, version=0,
       strategy=2)
for value in (2, 128):
    broken("h5-fsinfo-persist", f"{value}", f"The flag that free space persists is {value}.",
           {"persist": value}, persist=1, end=INSIDE)
for page in (512, 65536, 1 << 30):
    sound("h5-fsinfo-page-size", f"{page}", f"Pages of {page} bytes.", page=page)
for page in (0, 511, 1 << 31, 1 << 62):
    broken("h5-fsinfo-page-size", f"{page}", f"Pages of {page} bytes.", {"page size": page})


@invalid("h5-fsinfo-end-of-allocation", base=spaced())
def past_the_end(f):
    "The end of allocation lies past the end of the file."
    f["OHDR extension"]["file space.end of allocation"] = 1 << 40


@valid("h5-fsinfo-unknown-ignored", base=spaced(), informs={"h5-ohdr-marked-not-understood"})
def marked(f):
    "A message that an older library marked as unknown, with a version that does not exist."
    f["OHDR extension"]["file space.version"] = 77
    f["OHDR extension"]["file space.message flags"] = 0x34


# Pages --------------------------------------------------------------------------------------------

def paged(f, size=512):
    """Moves the blocks after the superblock so that each lies in one page."""
    at = f["superblock"].size()
    for block in f.image.blocks:
        if block.fixed:
            continue
        length = block.size()
        if at // size != (at + length - 1) // size:
            at = -(-at // size) * size
        block.address, block.fixed = at, True
        at += length
    return at


def pages(size=512):
    def made():
        f = spaced(strategy=1, page=size)()
        paged(f, size)
        pad = Block("padding", "", ("bytes", b""))
        end = max(block.address + block.size() for block in f.image.blocks)
        pad["bytes"] = bytes(-end % size)
        pad.address, pad.fixed = end, True
        f.image.add(pad)
        return f
    return made


@valid("h5-paged-end", base=pages(), keeps=["h5-paged-block"])
def of_512_bytes(f):
    "A file of pages of 512 bytes."


@invalid("h5-paged-end", base=pages())
def one_short(f):
    "The last page lacks eight bytes."
    f["padding"]["bytes"] = f["padding"]["bytes"][:-8]


changed("h5-paged-end", "page-size", "The pages of 512 bytes are said to have 520.",
        {"OHDR extension: file space.page size": 520}, base=pages())


@invalid("h5-paged-block", base=pages())
def over_a_border(f):
    "A header lies over the border of two pages."
    f["OHDR /a"].address = 512 - 8
    f["padding"].address = f["OHDR /a"].address + f["OHDR /a"].size()
    f["padding"]["bytes"] = bytes(-f["padding"].address % 512)

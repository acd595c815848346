"""III.F of the File Format Specification: the mappings of virtual datasets."""

from generators.hdf5 import *
from generators.hdf5.library import Library, virtual_parts, virtual_series
from generators.hdf5.virtual import Mapping, mapped, mapping_block

from .s28_selections import (ALL_OF_IT, NONE, UNLIMITED_8, blocks_1, points_1, points_2, regular_2,
                             regular_3)
from .s40_datatype_classes import plain, sound, text

ELSEWHERE, OUTSIDE = "h5-risk-virtual-source", "h5-risk-virtual-source-path"
NUMBERED, LOOP = "h5-risk-virtual-pattern", "h5-risk-virtual-loop"
BLOCK = "GCOL /d: object 1.data."


def rows(first, last):
    return blocks_1(first, last, rank=1)


def without_limit(start=0, block=1):
    return regular_2(start, block, UNLIMITED_8, block, rank=1)


SIX = rows(0, 5)


def all_rows(**options):
    return Mapping(SIX, SIX, **options)


def dataset_over(*mappings, shape=(6,), maximum=None, **block):
    made = plain(I32, shape=shape, maximum=maximum, storage=Virtual())().at("/d")
    return mapped(made, mapping_block(mappings, **block))


def over(*mappings, others=None, **options):
    """A virtual dataset /d, by default of the six elements of /s; and further objects."""
    def base():
        made = of(d=dataset_over(*(mappings or (all_rows(),)), **options),
                  s=plain(I32, shape=(6,))().at("/d"))
        for name, node in (others or {}).items():
            made.root.links[name] = node() if callable(node) else node
        return made
    return base


def broken(clause, slug, shows, bad, good=over(), **options):
    """`good`: what `hepcheck explain` shows beside it."""
    invalid(clause, slug, shows, base=good, **options)(lambda f: bad())


def changes(clause, slug, shows, fields, base=over(), **options):
    changed(clause, slug, shows, {BLOCK + name: value for name, value in fields.items()}, base=base,
            **options)


# The object of the heap -----------------------------------------------------------------------------

sound("h5-virtual-block-exists", "one", "A virtual dataset with one mapping.", over(),
      keeps=["h5-virtual-block-version", "h5-virtual-block-checksum",
             "h5-virtual-block-entries-fit", "h5-virtual-names-not-empty", "h5-virtual-bounds",
             "h5-virtual-counts", "h5-virtual-here-exists", ELSEWHERE, OUTSIDE, NUMBERED, LOOP])
sound("h5-vlen-object-exists", "virtual", "A virtual dataset of strings of variable length.",
      lambda: of(d=mapped(plain(text(), shape=(6,), storage=Virtual())().at("/d"), mapping_block((all_rows(),))),
                 s=plain(text(), shape=(6,), storage=Contiguous(allocated=False))().at("/d")))
for index in (0, 2, 65536):
    changed("h5-virtual-block-exists", str(index), f"Mappings in object {index} of one.",
            {"OHDR /d: layout.index": index}, base=over())

# The block ------------------------------------------------------------------------------------------

TWO = (Mapping(rows(0, 2), rows(0, 2)), Mapping(rows(3, 5), rows(3, 5)))

sound("h5-virtual-block-version", "0", "A block of version 0.", over())
sound("h5-virtual-block-version", "1", "A block of version 1.", over(all_rows(), version=1))
for version in (2, 255):
    changes("h5-virtual-block-version", str(version), f"Version {version}.", {"version": version})
sound("h5-virtual-block-checksum", "13-bytes", "The shortest block: no mapping, 13 bytes.",
      lambda: of(d=dataset_over()), keeps=["h5-virtual-block-entries-fit"])
corrupted("h5-virtual-block-checksum", "name", "A letter of a name was changed.",
          BLOCK + "mapping 0.dataset", base=over())
changes("h5-virtual-block-checksum", "zero", "The checksum is 0.", {"checksum": bytes(4)})
for size in (0, 8, 12):
    broken("h5-virtual-block-checksum", f"{size}-bytes", f"A block of {size} bytes.",
           lambda size=size: of(d=mapped(plain(I32, storage=Virtual())().at("/d"),
                                         Struct(("bytes", bytes(size))))))

sound("h5-virtual-block-entries-fit", "ten", "Ten mappings.",
      over(*(Mapping(points_1(i, rank=1), points_1(i, rank=1)) for i in range(6)),
           *(Mapping(NONE, NONE) for _ in range(4))), keeps=["h5-virtual-counts"])
changes("h5-virtual-block-entries-fit", "one-more", "Two mappings stated of one.", {"count": 2})
changes("h5-virtual-block-entries-fit", "2-60", "2^60 mappings stated of one.", {"count": 1 << 60})
changes("h5-virtual-block-entries-fit", "one-less", "One mapping stated of two.", {"count": 1},
        base=over(*TWO))
broken("h5-virtual-block-entries-fit", "1-byte-left", "A byte between mappings and checksum.",
       over(all_rows(), rest=b"\0"))
broken("h5-virtual-block-entries-fit", "4-bytes-left", "Four bytes between mappings and checksum.",
       over(all_rows(), rest=bytes(4)))
broken("h5-virtual-block-entries-fit", "no-nul", "The last name has no NUL.",
       over(all_rows(), count=2, rest=b".\0sss"))
broken("h5-virtual-block-entries-fit", "no-nul-in-file", "The last file name has no NUL.",
       over(all_rows(), count=2, rest=b"src.h5"))
broken("h5-virtual-block-entries-fit", "cut-index", "The block ends inside a shared name.",
       over(all_rows(), version=1, count=2, rest=b"\1" + bytes(7)))
broken("h5-virtual-block-entries-fit", "flags-only", "The block ends after the flags of a mapping.",
       over(all_rows(), version=1, count=2, rest=b"\0"))

# Names ----------------------------------------------------------------------------------------------


def part(i, **options):
    return Mapping(points_1(i, rank=1), points_1(i, rank=1), **options)


sound("h5-virtual-block-flags", "each", "The flags 0, 1, 2, 3, 4 and 6.",
      over(part(0), part(1, file=0), part(2, dataset=0), part(3, file=0, dataset=0),
           part(4, file=None), part(5, file=None, dataset=0), version=1),
      keeps=["h5-virtual-block-shared-name", ELSEWHERE])
for flags, shows in ((8, "bit 3"), (0x80, "bit 7")):
    changes("h5-virtual-block-flags", f"{flags:02x}", f"Flags with {shows}.",
            {"mapping 0.flags": flags}, base=over(all_rows(), version=1))
changes("h5-virtual-block-flags", "05", "A shared file name, and the same file.",
        {"mapping 1.flags": 5}, base=over(part(0), part(1, file=0), version=1))
sound("h5-virtual-block-shared-name", "ten", "Ten mappings of one file and one dataset.",
      over(part(0), *(part(i % 6, file=0, dataset=0) for i in range(1, 10)), version=1))
sound("h5-virtual-block-shared-name", "last", "The name of the mapping just before.",
      over(part(0), part(1), part(2, file=1, dataset=1), version=1))
SHARING = over(part(0), part(1), part(2, file=0), part(3, dataset=1), version=1)
for slug, shows, fields in (
        ("itself", "A mapping shares the file name of itself.", {"mapping 2.file": 2}),
        ("after-the-last", "A mapping shares the file name of number 4 of 4.", {"mapping 2.file": 4}),
        ("dataset-itself", "A mapping shares the dataset name of itself.", {"mapping 3.dataset": 3})):
    changes("h5-virtual-block-shared-name", slug, shows, fields, base=SHARING)
broken("h5-virtual-block-shared-name", "of-a-shared-one", "The mapping that is named shares its name.",
       over(part(0), part(1, file=0), part(2, file=1), version=1))
broken("h5-virtual-block-shared-name", "dataset-of-a-shared-one",
       "The mapping that is named shares its dataset name.",
       over(part(0), part(1, dataset=0), part(2, dataset=1), version=1))
broken("h5-virtual-block-shared-name", "of-an-absent-one", "The mapping that is named has no file name.",
       over(part(0, file=None), part(1, file=0), version=1))
changes("h5-virtual-block-shared-name", "flag-01", "The flag of a shared file name, in front of a name.",
        {"mapping 0.flags": 1}, base=over(all_rows(), version=1))
broken("h5-virtual-block-shared-name", "first", "The first mapping shares its names.",
       over(part(0, file=0, dataset=0), version=1))
sound("h5-virtual-names-not-empty", "one-letter", "Names of one letter.", over())
changes("h5-virtual-names-not-empty", "file", "No name of the file.",
        {"mapping 0.file": b"\0", "mapping 0.dataset": b"/s\0"})
broken("h5-virtual-names-not-empty", "dataset", "No name of the dataset.",
       over(all_rows(dataset=b"")))

changes("h5-selection-type", "after-an-empty-name", "The file name of a mapping is zeros, so that what follows it is no selection.",
        {"mapping 0.file": bytes(2)})

# Selections -----------------------------------------------------------------------------------------

changes("h5-selection-block-order", "after-a-rank-of-2",
        "The source selection has the rank 2 and the length of rank 1, so that what follows it is no selection.",
        {"mapping 0.source": SIX[:16] + b"\2" + SIX[17:]})

GROWS = {"maximum": (UNLIMITED,)}

sound("h5-virtual-bounds", "last-row", "The rows 0 to 5 of 6.", over())
sound("h5-virtual-bounds", "growth", "Rows that the dataset may have later.",
      over(Mapping(SIX, rows(6, 11)), maximum=(12,)))
sound("h5-virtual-bounds", "no-maximum", "Rows far away in a dataset without a maximum.",
      over(Mapping(SIX, rows(1 << 30, (1 << 30) + 5)), **GROWS))
sound("h5-virtual-bounds", "all", "All of the dataset, and nothing of it.",
      over(Mapping(ALL_OF_IT, ALL_OF_IT), Mapping(NONE, NONE)))
sound("h5-virtual-bounds", "no-limit", "Rows without a limit, from the last one on.",
      over(Mapping(without_limit(), without_limit(5))))
broken("h5-virtual-bounds", "start-6", "Row 6 of 6.", over(part(0), Mapping(rows(0, 0), rows(6, 6))))
broken("h5-virtual-bounds", "end-6", "The rows 3 to 6 of 6.", over(Mapping(rows(0, 3), rows(3, 6))))
broken("h5-virtual-bounds", "maximum", "Row 12 of 12 at most.",
       over(Mapping(rows(0, 0), rows(12, 12)), maximum=(12,)))
broken("h5-virtual-bounds", "no-limit", "Rows without a limit, from row 6 of 6 on.",
       over(Mapping(without_limit(), without_limit(6))))
broken("h5-virtual-bounds", "far", "The rows 0 to 2^30 of 6.", over(Mapping(SIX, rows(0, 1 << 30))))
broken("h5-virtual-bounds", "column", "The columns 1 and 2 of two.",
       over(Mapping(rows(0, 3), blocks_1(0, 1, 1, 2)), shape=(3, 2)))

sound("h5-virtual-counts", "6-and-6", "Six elements of each.",
      over(Mapping(points_1(*range(6), rank=1), regular_3(2, 0, 1, 6, 1, rank=1))))
sound("h5-virtual-counts", "no-limits", "Both without a limit.",
      over(Mapping(without_limit(), without_limit()), **GROWS))
sound("h5-virtual-counts", "by-number", "No limit, and a file for each row.",
      over(Mapping(rows(0, 0), without_limit(), file=b"f-%b.h5"), **GROWS),
      also=[ELSEWHERE, NUMBERED])
sound("h5-virtual-counts", "dataset-by-number", "No limit, and a dataset for each row.",
      over(Mapping(rows(0, 0), without_limit(), dataset=b"s-%b"), **GROWS), also=[NUMBERED])
sound("h5-virtual-counts", "all-of-it", "All of a source, of whatever size.",
      over(Mapping(ALL_OF_IT, rows(0, 3))))
sound("h5-virtual-counts", "into-all", "Six elements for all of the dataset.",
      over(Mapping(SIX, ALL_OF_IT)))
sound("h5-virtual-counts", "into-all-that-grows", "All of a dataset that may grow.",
      over(Mapping(rows(0, 3), ALL_OF_IT), maximum=(12,)))
for slug, source, here in (("5", rows(0, 4), SIX), ("7", rows(0, 6), SIX), ("5-into-all", rows(0, 4), ALL_OF_IT),
                           ("none", NONE, SIX), ("6-for-none", SIX, NONE)):
    broken("h5-virtual-counts", slug, f"Different numbers of elements: {slug}.",
           over(Mapping(source, here)))
broken("h5-virtual-counts", "no-limit-here", "A virtual selection without a limit, and one file.",
       over(Mapping(SIX, without_limit()), **GROWS))
broken("h5-virtual-counts", "no-limit-there", "A source without a limit for six elements.",
       over(Mapping(without_limit(), SIX)))
broken("h5-virtual-counts", "no-limit-there-by-number",
       "A source without a limit for six elements, of files by number.",
       over(Mapping(without_limit(), SIX, file=b"f-%b.h5")), also=[ELSEWHERE, NUMBERED])
broken("h5-selection-rank", "virtual", "A virtual selection of rank 2 in one dimension.",
       over(Mapping(SIX, blocks_1(0, 0, 0, 5))))

# Sources in this file -------------------------------------------------------------------------------

sound("h5-virtual-here-exists", "paths", "Paths with and without a slash, through groups.",
      over(part(0), part(1, dataset=b"/s"), part(2, dataset=b"./s"), part(3, dataset=b"/g//s"),
           others={"g": lambda: Group(links={"s": plain(I32, shape=(6,))().at("/d")})}))
sound("h5-virtual-here-exists", "soft", "A path over a soft link.",
      over(all_rows(dataset=b"soft"), others={"soft": soft(b"s")}))
sound("h5-virtual-here-exists", "rank-2", "A selection of rank 2 in two dimensions.",
      over(Mapping(blocks_1(0, 0, 1, 2), SIX, dataset=b"t"),
           others={"t": lambda: plain(I32, shape=(2, 3))().at("/d")}))
sound("h5-virtual-here-exists", "percent", "The name a%%b stands for the dataset a%b.",
      over(all_rows(dataset=b"a%%b"), others={"a%b": lambda: plain(I32, shape=(6,))().at("/d")}),
      keeps=[NUMBERED])
for slug, shows, options in (
        ("nothing", "A path of nothing.", {"dataset": b"x"}),
        ("below-nothing", "A path below a group that does not exist.", {"dataset": b"x/s"}),
        ("same-file-flag", "A path of nothing, by the flag of the same file.",
         {"dataset": b"x", "file": None})):
    broken("h5-virtual-here-exists", slug, shows,
           over(all_rows(**options), version=int("file" in options)))
changes("h5-virtual-here-exists", "other-letter", "The path t, where the dataset is s.",
        {"mapping 0.dataset": b"t\0"})
broken("h5-virtual-here-exists", "group", "A path of a group.",
       over(all_rows(dataset=b"g"), others={"g": Group}))
broken("h5-virtual-here-exists", "rank", "A selection of rank 2 in one dimension.",
       over(Mapping(blocks_1(0, 0, 0, 5), SIX)))
broken("h5-virtual-here-exists", "two", "Two paths of nothing.",
       over(part(0, dataset=b"x"), part(1, dataset=b"y")))

# Risks ----------------------------------------------------------------------------------------------

sound(ELSEWHERE, "same-file", "A dot, and the flag of the same file.",
      over(part(0), part(1, file=None), version=1))
broken(ELSEWHERE, "src-h5", "The source src.h5.", over(all_rows(file=b"src.h5")))
changes(ELSEWHERE, "one-letter", "The source t.", {"mapping 0.file": b"t\0"})
broken(ELSEWHERE, "shared", "The source src.h5, which a second mapping shares.",
       over(part(0, file=b"src.h5"), part(1, file=0), version=1))
for slug, name in (("file", b"src.h5"), ("folder", b"sub/src.h5"), ("dots", b"a..b/c.h5")):
    sound(OUTSIDE, slug, f"The source {name.decode()}.", over(all_rows(file=name)), also=[ELSEWHERE])
for slug, name in (("absolute", b"/data/x.h5"), ("dots", b"../x.h5"), ("drive", b"C:/x.h5"),
                   ("url", b"https://h/x.h5")):
    broken(OUTSIDE, slug, f"The source {name.decode()}.", over(all_rows(file=name)), also=[ELSEWHERE])
for slug, name in (("escaped", b"100%%b.h5"), ("at-the-end", b"100%"), ("letter", b"%d-b%c.h5")):
    sound(NUMBERED, slug, f"The source {name.decode()}.", over(all_rows(file=name)), also=[ELSEWHERE])
broken(NUMBERED, "file", "The sources f-%b.h5.", over(all_rows(file=b"f-%b.h5")), also=[ELSEWHERE])
broken(NUMBERED, "after-an-escape", "The sources %%%b.h5.", over(all_rows(file=b"%%%b.h5")),
       also=[ELSEWHERE])
broken(NUMBERED, "dataset", "The sources s-%b in this file.", over(all_rows(dataset=b"s-%b")))


def virtual(name):
    return lambda: dataset_over(all_rows(dataset=name))


sound(LOOP, "two-levels", "A virtual dataset over a virtual dataset.",
      over(all_rows(dataset=b"v"), others={"v": virtual(b"s")}))
sound(LOOP, "diamond", "Two virtual datasets over one, under a third.",
      over(part(0, dataset=b"u"), part(1, dataset=b"v"),
           others={"u": virtual(b"w"), "v": virtual(b"w"), "w": virtual(b"s")}))
changes(LOOP, "itself", "A virtual dataset over itself.", {"mapping 0.dataset": b"d\0"})
broken(LOOP, "two", "Two virtual datasets over each other.",
       over(all_rows(dataset=b"v"), others={"v": virtual(b"d")}))
broken(LOOP, "below", "A virtual dataset over two others, which form a loop.",
       over(all_rows(dataset=b"u"), others={"u": virtual(b"v"), "v": virtual(b"u")}))


# What the library writes ----------------------------------------------------------------------------

@valid("h5-virtual-block-entries-fit", "library", base=lambda: Library("v110"),
       also=[ELSEWHERE], keeps=["h5-virtual-block-version", "h5-virtual-counts"])
def parts(f):
    "Virtual datasets over parts of others, in this file and in another one, by libhdf5."
    f.fill = virtual_parts


@valid("h5-virtual-counts", "library", base=lambda: Library("latest"),
       also=[ELSEWHERE, NUMBERED, "h5-risk-hidden-bytes"], keeps=["h5-virtual-bounds"])
def series(f):
    "A dataset without a limit over files by number, and one over a source without a limit."
    f.fill = virtual_series

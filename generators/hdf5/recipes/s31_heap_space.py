"""III.G and III.H of the File Format Specification: the free space of fractal heaps."""

from generators.hdf5 import *

from .s23_fractal_heap_further import STATISTICS

NAMES = [f"n{i}" for i in range(60)]


def of_links(count, **heap):
    """A root group with dense soft links to itself, in a heap with a manager of its free space."""
    return lambda: File(Group(links={name: soft(b"/") for name in NAMES[:count]},
                              storage=dense_links(**{"manager": True, **heap})))


SPACE = [f"h5-free-space-{word}" for word in (
    "unstored", "heap-single", "heap-complete", "heap-row", "total", "counts", "section-type", "client")]
M, L = "FSHD / heap", "FSSE / heap"
# Two gaps of one block: one before the sixth link, and one at the end.
GAPS = {5: 20}
single = of_links(10, holes=GAPS)
# Three blocks in two rows of two places; the last place is empty.
rows = of_links(60)
# Blocks of two rows, the places between them empty, and below an indirect block.
deep = of_links(20, holes={5: 700, 10: 1500, 15: 1000})


@valid("h5-fractal-heap-manager", base=single, keeps=["h5-free-space-heap-single", "h5-free-space-heap-complete"])
def one_block(f):
    "A block with two gaps."


@valid("h5-free-space-heap-row", base=rows, keeps=SPACE + STATISTICS + ["h5-fractal-heap-manager"])
def two_rows(f):
    "Three blocks, and a place for a fourth one."


@valid("h5-free-space-unstored", base=deep, keeps=SPACE + STATISTICS + ["h5-fractal-heap-manager"])
def over_rows(f):
    "Row sections over several rows, of the root and of an indirect block below it."


@valid("h5-free-space-heap-complete", base=of_links(24, start=128), keeps=SPACE)
def two_blocks(f):
    "Two blocks of one row, and a gap at the end of each."


def with_type_3(writer, sections):
    return [(offset, size, 3 * kind, *places) for offset, size, kind, *places in sections]


@valid("h5-free-space-heap-row", base=of_links(60, manager=with_type_3))
def of_type_3(f):
    "A row section of type 3."


# Empty places of two rows of direct blocks, and of the row of indirect blocks after them.
inner_empty = of_links(20, holes={5: 700, 10: 2300})


def over_indirect(number, **first):
    """A section over places of indirect blocks instead of that of row 2."""
    return lambda writer, sections: [each for each in sections if each[0] != 1024] + [
        writer.row_section(**{"block": 0, "row": 2, "column": 0, "number": number, **first})]


for slug, shows, change in (
        ("over-an-indirect-block", "A row section over two direct blocks and an indirect one.", over_indirect(3)),
        ("of-an-indirect-block", "A row section of a place for an indirect block.",
         over_indirect(1, row=3, size=491))):
    valid("h5-free-space-heap-row", slug, shows, outcome="unchecked", unchecked=["h5-free-space-total"],
          base=of_links(20, holes={5: 700, 10: 2300}, manager=change))(lambda f: None)


# The manager --------------------------------------------------------------------------------------

for bits, most in ((40, 512), (32, 1024), (32, 256)):
    changed("h5-fractal-heap-manager", f"{bits}-{most}",
            f"The manager of a heap of 32 bits and blocks of 512 bytes is for {bits} bits and {most} bytes.",
            {f"{M}: bits": bits, f"{M}: most": most}, base=single)
changed("h5-fractal-heap-manager", "of-the-file", "The manager of a heap is one of the file.",
        {f"{M}: client": 1}, base=single)
changed("h5-free-space-client", "2-of-a-heap", "The manager of a heap has the client 2.", {f"{M}: client": 2},
        base=single)

for base, slug in ((single, "without-rows"), (rows, "of-one-row")):
    changed("h5-free-space-unstored", slug, "Seven sections are not listed, and no section spans so many rows.",
            {f"{M}: unstored": 7, f"{M}: sections": lambda f: f[M]["stored"] + 7}, base=base)
changed("h5-free-space-unstored", "none", "A section spans several rows, and none is said to be unlisted.",
        {f"{M}: unstored": 0, f"{M}: sections": lambda f: f[M]["stored"]}, base=deep)


changed("h5-free-space-total", "of-a-heap", "The total space of a heap is one byte too large.",
        {f"{M}: total": lambda f: f[M]["total"] + 1}, base=deep)
changed("h5-free-space-total", "each-place", "The total space of a heap has the two places of a row section twice.",
        {f"{M}: total": lambda f: f[M]["total"] + 491}, base=deep)
changed("h5-free-space-counts", "of-a-heap", "The manager of a heap states one section more than there are.",
        {f"{M}: sections": lambda f: f[M]["sections"] + 1}, base=deep)


# Sections -----------------------------------------------------------------------------------------

def with_sections(clause, slug, shows, change, base=single, **options):
    """A broken file: the list has other sections. `change(writer, sections)` returns them."""
    heap = base().root.storage.heap
    options.setdefault("also", ())
    invalid(clause, slug, shows, base=base, **options)(
        lambda f, heap=heap: setattr(f.root, "storage", dense_links(**{**vars(heap), "manager": change})))


def moved(by, number=-1, longer=0):
    """Section `number` begins elsewhere."""
    def change(writer, sections):
        offset, size, kind, *places = sections[number]
        made = list(sections)
        made[number] = (offset + by, size + longer, kind, *places)
        return made
    return change


SINGLE = "h5-free-space-heap-single"
with_sections(SINGLE, "over-a-link", "A section begins four bytes before the end of the last link.",
              moved(-4, longer=4))
with_sections(SINGLE, "over-the-next-link", "A section ends one byte after the beginning of a link.",
              moved(0, 0, longer=1))
with_sections(SINGLE, "over-the-end", "A section ends one byte after its block.", moved(0, longer=1))
with_sections(SINGLE, "no-block", "A section lies where the heap has no block.", moved(1024))
with_sections(SINGLE, "before-all", "A section lies in the prefix of a block.", moved(-100, longer=-30))
with_sections(SINGLE, "in-the-prefix", "A section lies in the prefix of a block.",
              lambda writer, sections: [(4, 10, 0), *sections])
with_sections(SINGLE, "one-twice", "Two sections share eight bytes.",
              lambda writer, sections: [*sections[:-1], (sections[-1][0], 40, 0),
                                        (sections[-1][0] + 32, sections[-1][1] - 32, 0)])
with_sections(SINGLE, "in-an-empty-place", "A section lies in a place without a block.",
              lambda writer, sections: [*sections, (800, 20, 0)], rows)

COMPLETE = "h5-free-space-heap-complete"
with_sections(COMPLETE, "removed", "The first gap of a block is not listed.",
              lambda writer, sections: sections[1:])
with_sections(COMPLETE, "shorter", "A section is four bytes shorter than the gap.", moved(0, longer=-4))
with_sections(COMPLETE, "later", "A section begins four bytes after the gap.", moved(4, longer=-4))
with_sections(COMPLETE, "in-two", "A gap is listed as two sections.",
              lambda writer, sections: [*sections[:-1], (sections[-1][0], 32, 0),
                                        (sections[-1][0] + 32, sections[-1][1] - 32, 0)])
with_sections(COMPLETE, "none", "A heap with gaps, and a manager without sections.",
              lambda writer, sections: [])

changed("h5-fractal-heap-free", "flags-0", "A heap with checksums in its blocks says that there are none.",
        {"FRHP /: flags": 0}, base=single)

ROW = "h5-free-space-heap-row"


def another_row(**other):
    """The only row section is of other places: those of the root from row 1, column 1 on, unless stated."""
    def change(writer, sections):
        return [each for each in sections if each[2] == 0] + [
            writer.row_section(**{"block": 0, "row": 1, "column": 1, "number": 1, **other})]
    return change


for slug, shows, other in (
        ("60-places", "A section of 60 places in a block of four.", {"number": 60}),
        ("2-places", "A section of two places, where there is one until the end of the block.", {"number": 2}),
        ("no-place", "A section of no place.", {"number": 0}),
        ("column-2", "A section of column 2 where rows have two places.", {"row": 0, "column": 2, "offset": 768}),
        ("row-2", "A section of row 2 in a block of two rows.", {"row": 2, "column": 0}),
        ("taken", "A section of a place with a block.", {"column": 0}),
        ("first-taken", "A section of two places, of which the first has a block.", {"column": 0, "number": 2}),
        ("no-indirect-block", "A section of an indirect block that does not exist.", {"block": 512, "offset": 768}),
        ("offset", "A section at another offset than its first place.", {"offset": 767}),
        ("size", "A section of the size of its block, without a prefix.", {"size": 256})):
    with_sections(ROW, slug, shows, another_row(**other), rows)

with_sections(ROW, "indirect-block-taken", "A section of a place with an indirect block.",
              over_indirect(1, row=3, column=1, size=491), inner_empty)
with_sections(ROW, "offset-in-an-indirect-row", "A section at another offset than its place for an indirect block.",
              over_indirect(1, row=3, size=491, offset=2047), inner_empty)

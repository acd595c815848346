"""IV.A.2 of the File Format Specification: the image of the metadata cache."""

from generators.hdf5 import *
from generators.hdf5 import messages
from generators.hdf5.blocks import Block, Checksum, Computed, Struct

from .s21_space_info import info, paged

HEADER = 5


def _entry(f, block, flags=0, children=0, parents=()):
    made = Struct(("type", HEADER, 1), ("flags", flags, 1), ("ring", 1, 1), ("age", 0, 1),
                  ("children", children, 2), ("dirty", 0, 2), ("parents", len(parents), 2), ("rank", 0, 4),
                  ("address", block, f.w.offset), ("size", block.size(), f.w.length))
    for i, parent in enumerate(parents):
        made.add(f"parent {i}", parent, f.w.offset)
    return made.add("bytes", f.bytes_of(block))


def _with_image(f, place=lambda f, block: None):
    """Adds the image that the extension names. `place` gives all blocks their addresses."""
    block = Block("MDCI", "")
    f["OHDR extension"]["cache image.address"] = block
    f["OHDR extension"]["cache image.size"] = Computed(block.size)
    root, inner = f["OHDR /"], f["OHDR /a"]
    place(f, block)
    f.image.add(block)
    block.add("signature", b"MDCI").add("version", 0, 1).add("flags", 0, 1)
    block.add("length", Computed(block.size), f.w.length).add("entries", 2, 4)
    block.add("entry 0", _entry(f, root, 4, 1)).add("entry 1", _entry(f, inner, 8, 0, [root]))
    block.add("checksum", Checksum())
    return f


@reports("h5-risk-cache-image")
def imaged(spare=0):
    """The header of the root group and that of a group in it are in an image; the second depends on the first. `spare`:
    bytes after the contents of the message."""
    f = links()
    f.extension = [Message("cache image", messages.cache_image(f.w, None, 0).add("spare", bytes(spare)))]
    return _with_image(f)


PAGE = 512


@reports("h5-risk-cache-image")
def paged_image(pages=1, behind=0):
    """The same in a file of pages: the image begins on the border after so many of them, and bytes lie `behind` it."""
    def place(f, block):
        assert paged(f, PAGE) <= PAGE * pages
        block.address, block.fixed = PAGE * pages, True

    f = links()
    f.extension = [Message("cache image", messages.cache_image(f.w, None, 0)),
                   Message("file space", info(f.w, strategy=1, page=PAGE))]
    _with_image(f, place)
    if behind:
        f.image.add(Block("behind", "", ("bytes", bytes(behind))))
    return f


@valid("h5-cache-image-message", base=imaged, keeps=[
    "h5-cache-image-inside-file", "h5-cache-image-signature", "h5-cache-image-checksum",
    "h5-cache-image-version", "h5-cache-image-length", "h5-cache-image-entry-fits",
    "h5-cache-image-entry-kind", "h5-cache-image-entry-once", "h5-cache-image-parents"])
def two_headers(f):
    "An image of two headers."


@valid("h5-cache-image-replaces", base=imaged)
def zeros_in_the_file(f):
    "The headers in the file begin with zeros; those in the image are sound."
    f["OHDR /"]["signature"] = f["OHDR /a"]["signature"] = bytes(4)


@valid("h5-paged-end", base=paged_image, keeps=["h5-paged-block"])
def image_after_the_pages(f):
    "A file of pages that ends with the image of the metadata cache, as the library leaves it."


invalid("h5-paged-end", "after-an-image", "Eight bytes lie after the image of a file of pages.", base=paged_image)(
    lambda f: paged_image(behind=8))


M = "OHDR extension: cache image"
changed("h5-cache-image-message", "version", "The message has version 1.", {f"{M}.version": 1}, base=imaged,
        less=imaged.reports)
changed("h5-cache-image-message", "undefined", "The address of the image is undefined.",
        {f"{M}.address": None}, base=imaged, less=imaged.reports)


@invalid("h5-cache-image-message", base=imaged, less=imaged.reports)
def cut(f):
    "The message has no length."
    del f["OHDR extension"]["cache image.size"]


changed("h5-cache-image-inside-file", "long", "The image has 2^28 bytes.", {f"{M}.size": 1 << 28},
        base=imaged, less=imaged.reports)
changed("h5-cache-image-inside-file", "after", "The image lies past the file.", {f"{M}.address": 65792},
        base=imaged, less=imaged.reports)
changed("h5-cache-image-signature", "changed", "The image begins with MDCJ.", {"MDCI: signature": b"MDCJ"},
        base=imaged)
corrupted("h5-cache-image-checksum", "entry", "A byte of an entry was changed.", "MDCI: entry 1.ring",
          base=imaged)
changed("h5-cache-image-checksum", "zero", "The checksum is 0.", {"MDCI: checksum": 0}, base=imaged)
changed("h5-cache-image-version", "1", "The image has version 1.", {"MDCI: version": 1}, base=imaged)
changed("h5-cache-image-version", "resize-status", "The image has a resize status.", {"MDCI: flags": 1},
        base=imaged)
changed("h5-cache-image-length", "short", "The image states a byte less.",
        {"MDCI: length": lambda f: f["MDCI"].size() - 1}, base=imaged)
changed("h5-cache-image-length", "empty", "The image states no entry.", {"MDCI: entries": 0}, base=imaged)
changed("h5-cache-image-entry-fits", "one-more", "The image states three entries.", {"MDCI: entries": 3},
        base=imaged)
changed("h5-cache-image-entry-fits", "one-less", "The image states one entry, and has two.", {"MDCI: entries": 1},
        base=imaged)
for slug, field, value in (("long", "size", 1 << 40), ("zero", "size", 0), ("parents", "parents", 65535)):
    changed("h5-cache-image-entry-fits", slug, "An entry does not fit into the image.",
            {f"MDCI: entry 1.{field}": value}, base=imaged)
for field, value in (("ring", 7), ("type", 30), ("type", 22), ("age", 101), ("dirty", 5)):
    changed("h5-cache-image-entry-kind", f"{field}-{value}", f"The {field} of an entry is {value}.",
            {f"MDCI: entry 1.{field}": value}, base=imaged)
changed("h5-cache-image-entry-once", "twice", "Two entries have one address.",
        {"MDCI: entry 1.address": lambda f: f["OHDR /"]}, base=imaged)
changed("h5-cache-image-parents", "unknown", "The parent is no entry.",
        {"MDCI: entry 1.parent 0": lambda f: f["OHDR extension"]}, base=imaged)
changed("h5-cache-image-parents", "children", "A parent states no children.", {"MDCI: entry 0.children": 0},
        base=imaged)


valid("h5-risk-cache-image", "none", "A file without an image.", base=links)(lambda f: None)
invalid("h5-risk-cache-image", "image", "A file with an image.", base=imaged)(lambda f: None)

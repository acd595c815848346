"""VIII.A of the File Format Specification: selections, here of a dataset of 6 rows and 4 columns."""

from generators.hdf5 import *

from generators.hdf5.recipes.s46_values import regions, u32

ALL = {"h5-selection-type", "h5-selection-version", "h5-selection-fits"}
UNLIMITED_4, UNLIMITED_8 = (1 << 32) - 1, (1 << 64) - 1


def wide(width, *numbers):
    return b"".join(number.to_bytes(width, "little") for number in numbers)


NONE, ALL_OF_IT = u32(0, 1) + bytes(8), u32(3, 1) + bytes(8)


def points_1(*numbers, rank=2, count=None, length=None, reserved=0):
    body = u32(rank, len(numbers) // max(rank, 1) if count is None else count, *numbers)
    return u32(1, 1, reserved, len(body) if length is None else length) + body


def points_2(width, *numbers, rank=2, count=None):
    return (u32(1, 2) + bytes([width]) + u32(rank)
            + wide(width if width in (2, 4, 8) else 4, len(numbers) // 2 if count is None else count, *numbers))


def blocks_1(*numbers, rank=2, count=None, length=None, reserved=0):
    body = u32(rank, len(numbers) // (2 * rank) if count is None else count, *numbers)
    return u32(2, 1, reserved, len(body) if length is None else length) + body


def regular_2(*numbers, rank=2, flags=1, length=None):
    body = u32(rank) + wide(8, *numbers)
    return u32(2, 2) + bytes([flags]) + u32(len(body) if length is None else length) + body


def regular_3(width, *numbers, rank=2, flags=1):
    return u32(2, 3) + bytes([flags, width]) + u32(rank) + wide(width if width in (2, 4, 8) else 4, *numbers)


def blocks_3(width, *numbers, flags=0, rank=2):
    return (u32(2, 3) + bytes([flags, width]) + u32(rank)
            + wide(width, len(numbers) // (2 * rank), *numbers))


# Start, stride, count and block of each dimension: rows 0, 1, 3 and 4, columns 1 and 3.
STEPS = (0, 3, 2, 2, 1, 2, 2, 1)
EVERY = {"none": NONE, "all": ALL_OF_IT, "points-1": points_1(0, 1, 5, 3), "points-2": points_2(2, 0, 1, 5, 3),
         "points-2-wide": points_2(8, 4, 1), "hyperslab-1": blocks_1(0, 0, 1, 1, 3, 2, 4, 3),
         "hyperslab-2": regular_2(*STEPS), "hyperslab-3": regular_3(4, *STEPS),
         "hyperslab-3-blocks": blocks_3(2, 1, 1, 2, 2)}
KEEPS = {"none": "type", "all": "reserved", "points-1": "length", "points-2": "encode-size",
         "points-2-wide": "rank", "hyperslab-1": "block-order", "hyperslab-2": "flags",
         "hyperslab-3": "regular", "hyperslab-3-blocks": "fits"}


def sound(clause, slug, shows, selection, keeps=()):
    valid(f"h5-selection-{clause}", slug, shows, base=regions(("/t", selection)),
          keeps=[*ALL - {f"h5-selection-{clause}"}, *keeps])(lambda f: None)


def broken(clause, slug, shows, selection):
    invalid(f"h5-selection-{clause}", slug, shows, base=regions(("/t", selection)))(lambda f: None)


for name, selection in EVERY.items():
    sound(KEEPS[name], name, f"A selection: {name}.", selection)
sound("version", "points-1", "Points of version 1.", points_1(2, 2))
sound("one-unlimited", "rows", "A block of rows without a limit.", regular_2(0, 1, 1, UNLIMITED_8, 0, 1, 1, 1))
broken("type", "4", "A selection of type 4.", u32(4, 1) + bytes(8))
for slug, selection in (("points-3", u32(1, 3) + points_1(0, 1)[8:]), ("hyperslabs-0", u32(2, 0) + blocks_1(0, 0, 1, 1)[8:]),
                        ("all-2", u32(3, 2) + bytes(8))):
    broken("version", slug, f"A version that the type does not have: {slug}.", selection)
broken("fits", "many-points", "2^63 points.", points_2(8, 0, 1, count=1 << 63))
broken("fits", "one-block-more", "Three blocks, of which there are two.", blocks_1(0, 0, 1, 1, 3, 2, 4, 3, count=3))
broken("fits", "cut", "A selection of 12 bytes.", ALL_OF_IT[:12])
broken("rank", "0", "Points of rank 0.", points_1(rank=0, count=0))
broken("rank", "1", "Points of rank 1 in two dimensions.", points_1(0, 1, rank=1))
for width in (1, 3, 16):
    broken("encode-size", f"points-{width}", f"Points of numbers of {width} bytes.", points_2(width, 0, 1))
broken("encode-size", "hyperslab-3", "A hyperslab of numbers of 3 bytes.", regular_3(3, *STEPS))
broken("flags", "2", "A hyperslab of version 3 with the flags 2.", regular_3(4, *STEPS, flags=2))
broken("flags", "0-of-version-2", "A hyperslab of version 2 with the flags 0.", regular_2(*STEPS, flags=0))
for slug, numbers in (("stride-0", (0, 0, 2, 2)), ("count-0", (0, 3, 0, 2)), ("block-0", (0, 3, 2, 0)),
                      ("overlap", (0, 1, 2, 2)), ("both-unlimited", (0, 1, UNLIMITED_8, UNLIMITED_8)),
                      ("two-unlimited-blocks", (0, 3, 2, UNLIMITED_8)),
                      ("overflow", (1 << 63, 1 << 63, 2, 1))):
    broken("regular", slug, f"A regular hyperslab: {slug}.", regular_2(*numbers, 1, 2, 2, 1))
broken("one-unlimited", "both", "Rows and columns without a limit.",
       regular_2(0, 1, UNLIMITED_8, 1, 0, 1, UNLIMITED_8, 1))
broken("block-order", "backward", "A block that ends before its start.", blocks_1(0, 0, 1, 1, 5, 2, 4, 3))
for slug, selection in (("points", points_1(0, 1, length=0)), ("hyperslab-1", blocks_1(0, 0, 1, 1, length=7)),
                        ("hyperslab-2", regular_2(*STEPS, length=0))):
    broken("length", slug, "A selection states another length.", selection)
for slug, selection in (("none", NONE[:8] + b"\1" + bytes(7)), ("points", points_1(0, 1, reserved=1)),
                        ("hyperslab", blocks_1(0, 0, 1, 1, reserved=1))):
    broken("reserved", slug, "A reserved field of a selection is 1.", selection)

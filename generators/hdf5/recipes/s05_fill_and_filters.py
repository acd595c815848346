"""FF-IV.A.2.f, FF-IV.A.2.l: fill values and filters."""

from generators.hdf5 import *


def filled(**options):
    return lambda: extensible(fill=Fill(**{"value": b"\7\0\0\0", **options}))


@valid("swmr-fill-version", keeps=["swmr-fill-fits", "swmr-fill-size"])
def one_of_each(f):
    "Fill values of version 1, 2 and 3."
    for version in (1, 2):
        f.root.links[f"v{version}"] = filled(version=version)().at("/d")
    f.at("/d").fill = Fill(value=b"\7\0\0\0")


for version in (0, 4):
    changed("swmr-fill-version", f"version-{version}", f"The fill value has version {version}.",
            {"OHDR /d: fill.version": version})


@valid("swmr-fill-flags", base=filled())
def flags_2b(f):
    "A fill value that is defined, with flags 0x2b."


changed("swmr-fill-flags", "flags-3b", "The fill value is both defined and undefined.",
        {"OHDR /d: fill.flags": 0x3B}, base=filled())
changed("swmr-fill-flags", "flags-4a", "Bit 6 of the flags of the fill value is set.",
        {"OHDR /d: fill.flags": 0x4A})
changed("swmr-fill-flags", "flags-ab", "Bit 7 of the flags of the fill value is set.",
        {"OHDR /d: fill.flags": 0xAB}, base=filled())


@valid("swmr-fill-fits", base=lambda: extensible(type=I64, fill=Fill(value=bytes(range(8)))))
def of_8_bytes(f):
    "A fill value of 8 bytes."


changed("swmr-fill-fits", "one-more", "The size of the fill value is one more than what follows.",
        {"OHDR /d: fill.size": 5}, base=filled())
changed("swmr-fill-fits", "enormous", "The size of the fill value is 0x7fffffff.",
        {"OHDR /d: fill.size": 0x7FFFFFFF}, base=filled(version=2))


@invalid("swmr-fill-fits", base=filled(version=1))
def four_bytes(f):
    "A fill value of version 1 ends before its size."
    del f["OHDR /d"]["fill.size"]
    del f["OHDR /d"]["fill.value"]


@valid("swmr-fill-fits", base=filled(version=1, value=b"", defined=False))
def undefined_in_version_1(f):
    "A fill value of version 1 that is not defined; it has a size all the same, which is 0."


@invalid("swmr-fill-fits", base=filled(version=1, value=b"", defined=False))
def undefined_without_size(f):
    "A fill value of version 1 that is not defined ends before its size."
    del f["OHDR /d"]["fill.size"]
    del f["OHDR /d"]["fill.value"]


@invalid("swmr-fill-fits")
def one_byte(f):
    "A fill value message of one byte."
    del f["OHDR /d"]["fill.flags"]


@invalid("swmr-fill-fits", base=lambda: extensible(header=Header(
    extra=[raw("old fill", b"\4\0\0\0\0\0\0\0")])))
def old_message(f):
    "An old fill value message whose size is one more than what follows."
    f["OHDR /d"]["old fill.bytes"] = b"\5\0\0\0\0\0\0\0"


@valid("swmr-fill-size", base=filled())
def of_the_datatype(f):
    "A fill value of four bytes for integers of four bytes."


@invalid("swmr-fill-size")
def two_bytes(f):
    "A fill value of two bytes for integers of four."
    f.at("/d").fill.value = b"\7\0"


# Filters ------------------------------------------------------------------------------------------

@valid("swmr-filters-version", keeps=["swmr-filters-count", "swmr-filters-fit"])
def of_either_version(f):
    "Three filters in a pipeline of version 1, and in one of version 2."
    d = f.at("/d")
    d.filters, d.filters_version = [shuffle(), gzip(), with_fletcher32()], 1
    f.root.links["e"] = extensible(filters=[shuffle(), gzip(), with_fletcher32()]).at("/d")


for version in (0, 3):
    changed("swmr-filters-version", f"version-{version}",
            f"The filter pipeline has version {version}.",
            {"OHDR /d: filters.version": version}, base=extensible_filtered)

@valid("swmr-filters-count")
def none(f):
    "A filter pipeline of no filters."
    f.at("/d").header.extra = [raw("filters", b"\2\0")]


for count in (33, 129, 255):
    changed("swmr-filters-count", str(count), f"The pipeline claims {count} filters.",
            {"OHDR /d: filters.count": count}, base=extensible_filtered)


NAMED = Filter(32015, (1, 2, 3), b"zst\0", flags=1)


def unknown(**options):
    """Chunks of a filter that is unknown here, though it was left out for each of them."""
    return lambda: extensible(filters=[NAMED], **options,
                              written={(i,): Chunk(mask=1) for i in range(3)})


@valid("swmr-filters-fit", outcome="unchecked", base=unknown(), keeps=["swmr-filters-id"])
def with_a_name(f):
    "Filter 32015, with a name and three values."


@valid("swmr-filters-fit", outcome="unchecked", base=unknown(filters_version=1))
def name_in_version_1(f):
    "The same in version 1, where names are padded, and an odd number of values too."


changed("swmr-filters-fit", "values", "The number of values of a filter was raised.",
        {"OHDR /d: filters.filter 0.values": 2}, base=extensible_filtered)
changed("swmr-filters-fit", "name", "The name of a filter is longer than the message.",
        {"OHDR /d: filters.filter 0.name length": 200}, base=unknown())
changed("swmr-filters-fit", "version-1-short", "Version 1 over a message of version 2.",
        {"OHDR /d: filters.version": 1}, base=extensible_filtered)


@valid("swmr-filters-id", outcome="unchecked", base=lambda: extensible(
    filters=[Filter(32015, flags=1)], written={(0,): Chunk(mask=1)}))
def filter_32015(f):
    "Filter 32015, which is not known here."


changed("swmr-filters-id", "0", "The number of a filter is 0.",
        {"OHDR /d: filters.filter 0.id": 0}, base=extensible_filtered)
changed("swmr-filters-id", "second", "The second of two filters has the number 0.",
        {"OHDR /d: filters.filter 1.id": 0},
        base=lambda: extensible(filters=[shuffle(), gzip()]))

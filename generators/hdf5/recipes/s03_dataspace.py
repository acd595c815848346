"""FF-IV.A.2.b and the like: the messages that a dataset needs, and its dataspace."""

from generators.hdf5 import *

COMMENT, NIL, UNKNOWN = 13, 0, 0x40
LINK_INFO, EXTERNAL_FILES, K_VALUES = 2, 7, 0x13


@valid("swmr-dataset-has-dataspace", base=contiguous, keeps=["swmr-contiguous-size"])
def scalar(f):
    "A scalar dataset."
    f.at("/d").shape = ()


@valid("swmr-dataset-has-layout", keeps=["swmr-dataset-has-fill"])
def nothing_written(f):
    "A chunked dataset that nothing was written to."
    f.at("/d").unused = "index"


for name in ("dataspace", "datatype"):
    for number, words in ((NIL, "NIL"), (COMMENT, "comment"), (LINK_INFO, "link info"),
                          (K_VALUES, "K value")):
        changed(f"swmr-dataset-has-{name}", words.lower().replace(" ", "-"),
                f"The {name} message of a dataset became a {words} message.",
                {f"OHDR /d: {name}.message type": number})

for number, slug, words in ((NIL, "nil", "a NIL message"), (UNKNOWN, "unknown", "a message of an unknown type"),
                            (EXTERNAL_FILES, "external-files", "a list of external files"),
                            (K_VALUES, "k-values", "a message of K values")):
    changed("swmr-dataset-has-layout", slug, f"The layout message of a dataset became {words}.",
            {"OHDR /d: layout.message type": number},
            also=["swmr-eligible-in-file"] if number == EXTERNAL_FILES else [])


@valid("swmr-dataset-has-datatype")
def of_committed_datatype(f):
    "The dataset has a committed datatype."
    f.root.links["t"] = f.at("/d").type = NamedDatatype(type=I32)


@valid("swmr-dataset-has-fill", base=contiguous)
def both_kinds_of_fill(f):
    "Both an old and a new fill value message."
    f.at("/d").header.extra = [raw("old fill", b"\4\0\0\0\0\0\0\0")]


changed("swmr-dataset-has-fill", "nil", "The fill value message became a NIL message.",
        {"OHDR /d: fill.message type": NIL})


# Version and rank ---------------------------------------------------------------------------------

@valid("swmr-dataspace-version")
def of_either_version(f):
    "Dataspaces of version 1 and 2."
    f.at("/d").space_version = 1
    f.root.links["e"] = extensible().at("/d")


for version in (0, 3, 255):
    changed("swmr-dataspace-version", f"version-{version}",
            f"The dataspace message has version {version}.",
            {"OHDR /d: dataspace.version": version})


@valid("swmr-dataspace-rank", keeps=["swmr-layout-rank"])
def rank_32(f):
    "A dataset of 32 dimensions."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (1,) * 32, (UNLIMITED, *(1,) * 31), (1,) * 32


@invalid("swmr-dataspace-rank")
def rank_33(f):
    "A dataset of 33 dimensions."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (1,) * 33, (UNLIMITED, *(1,) * 32), (1,) * 33


changed("swmr-dataspace-rank", "255", "The dataspace states 255 dimensions.",
        {"OHDR /d: dataspace.rank": 255})


# The type of version 2 ----------------------------------------------------------------------------

@valid("swmr-dataspace-type", base=contiguous)
def null(f):
    "A null dataspace."
    f.at("/d").shape = None


@valid("swmr-dataspace-type", base=contiguous)
def simple_of_rank_0(f):
    "A simple dataspace without a dimension."
    f.at("/d").shape = ()
    f["OHDR /d"]["dataspace.type"] = 1


changed("swmr-dataspace-type", "type-3", "The type of the dataspace is 3.",
        {"OHDR /d: dataspace.type": 3})
changed("swmr-dataspace-type", "scalar-of-rank-2", "A scalar dataspace has two dimensions.",
        {"OHDR /d: dataspace.type": 0}, base=btree2_leaf)
changed("swmr-dataspace-type", "null-of-rank-1", "A null dataspace has a dimension.",
        {"OHDR /d: dataspace.type": 2})


# Sizes --------------------------------------------------------------------------------------------

@valid("swmr-dataspace-fits")
def rank_3_with_maxima(f):
    "Three dimensions, each with a maximum."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (2, 3, 4), (UNLIMITED, 3, 8), (2, 3, 4)


changed("swmr-dataspace-fits", "rank-raised", "The rank was raised by one.",
        {"OHDR /d: dataspace.rank": 2})
changed("swmr-dataspace-fits", "without-maxima", "Maximum sizes are stated, but not there.",
        {"OHDR /d: dataspace.flags": 1}, base=contiguous, less=contiguous.reports)
changed("swmr-dataspace-fits", "version-1-short",
        "Version 1, whose prefix is longer, over a message of version 2.",
        {"OHDR /d: dataspace.version": 1})


@valid("swmr-dataspace-max", base=fixed, also=["swmr-eligible-extendable"])
def at_its_maximum(f):
    "A dataset that is as large as it may become."
    f.at("/d").shape = f.at("/d").maximum = (12,)


changed("swmr-dataspace-max", "one-larger", "The size is one larger than its maximum.",
        {"OHDR /d: dataspace.size 0": 49}, base=fixed)
changed("swmr-dataspace-max", "maximum-0", "The maximum is 0, the size 4.",
        {"OHDR /d: dataspace.size 0": 4, "OHDR /d: dataspace.maximum 0": 0}, base=fixed)


@invalid("swmr-dataspace-max", base=fixed)
def exchanged(f):
    "Sizes and maximum sizes were exchanged."
    f["OHDR /d"].exchange("dataspace.size 0", "dataspace.maximum 0")

"""What the HDF5 library itself writes, by each of its version bounds."""

from generators.hdf5 import *
from generators.hdf5.library import (Library, external, groups, indexes, pages, shrunk_to_nothing,
                                     table)

OLD_FORM = ["swmr-eligible-superblock", "swmr-eligible-no-btree1", "swmr-eligible-extendable"]
DRAWS = {
    "earliest": [*OLD_FORM, "swmr-eligible-header-checksummed", "swmr-eligible-path-checksummed"],
    "v108": OLD_FORM,
    "v110": ["swmr-eligible-index-kind"],
    "latest": ["swmr-eligible-index-kind"],
}
KEEPS = {
    "earliest": "swmr-btree1-signature",
    "v108": "swmr-btree1-entries-used",
    "v110": "swmr-index-fixed-no-unlimited",
    "latest": "swmr-index-btree2-many-unlimited",
}

for bound, ids in DRAWS.items():
    @valid(KEEPS[bound], f"library-{bound}",
           f"Each index that the library chooses in files of {bound}, contiguous and compact data.",
           base=lambda bound=bound: Library(bound), also=[*ids, "swmr-eligible-chunked"])
    def of_each_index(f):
        f.fill = indexes

    @valid("swmr-chunk-decodes", f"library-{bound}",
           f"The same with shuffle, gzip and Fletcher-32, in files of {bound}.",
           base=lambda bound=bound: Library(bound), also=ids)
    def filtered(f):
        f.fill = lambda file: indexes(file, filters=True)

    @valid("swmr-link-info-heap-and-index" if bound != "earliest" else "swmr-symbol-node-signature",
           f"library-{bound}", f"Groups, links and attributes in files of {bound}.",
           base=lambda bound=bound: Library(bound))
    def of_groups(f):
        f.fill = groups


@valid("swmr-farray-page-checksum", "library-latest", base=lambda: Library("latest"))
def two_pages(f):
    "A fixed array of 1040 elements in pages of 1024, of which the second alone is in use."
    f.fill = pages


@valid("swmr-symbol-scratch-pad", "library-earliest", base=lambda: Library("earliest"),
       warns={"swmr-symbol-scratch-pad"})
def made_new(f):
    "An external link made the root a new group; the superblock still knows tree and heap."
    f.fill = external


@invalid("swmr-eligible-table-columns", base=lambda: Library("latest"),
         also=["swmr-eligible-chunked"], ambiguity="swmr-ineligible-is-no-defect")
def class_of_variable_length(f):
    "One column of three is contiguous, where the attribute CLASS is of variable length."
    f.fill = table


@invalid("swmr-chunk-no-overlap", base=lambda: Library("v110"),
         also=["swmr-chunk-inside-extent", "swmr-eligible-index-kind"])
def library_shrunk_to_nothing(f):
    "A single chunk was freed when its dataset became empty, is still named, and became another's."
    f.fill = shrunk_to_nothing

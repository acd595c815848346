"""Defects in parts that no library can read: a validator must neither pass nor fail these files."""

from .. import *

# All of them are about an index of this kind, whatever is in it.
MINMAX = ["minmax-rank-1", "minmax-min-type", "minmax-nan-count-value", "minmax-n-full-chunk",
          "minmax-min-value", "minmax-max-value", "minmax-fill-excluded", "minmax-one-column"]
INDEXES = ["kind-present", "kind-value", "index-referenced", "no-stray-dataset",
           "search-index-list-resolves", "description-provenance"]
ANY_COLUMN = ["column-rank-1", "equal-extents", "extent-ge-nrows", "fill-user-defined",
              "prefer-fixed-length"]


@invalid("equal-extents", outcome="unchecked", unchecked=ANY_COLUMN)
def unreadable_column(t):
    "The header of a column has a version that is unknown; after it are two rows more than elsewhere."
    t.add_column("later", I32, [1, 2, 3, 4, 5, 6, 7], fill=INT32_FILL)
    t.column("later").unreadable = "header"


@invalid("valid-range-ordered", outcome="unchecked",
         unchecked=["valid-range-ordered", "valid-min-scalar", "column-description-utf8",
                    "units-utf8", "column-no-mask-attribute", "categorical-integer"])
def unreadable_attributes(t):
    "The heap of a column's attributes has a version that is unknown; in it valid_min exceeds valid_max."
    t.add_column("later", I32, [1, 2, 3, 4, 5], fill=INT32_FILL)
    t.column("later").attrs.update(valid_min=int32(9), valid_max=int32(0))
    t.column("later").unreadable = "attributes"


@invalid("minmax-min-value", base=good_table, outcome="unchecked", unchecked=MINMAX + INDEXES)
def unreadable_index(t):
    "The header of an index has a version that is unknown; in it the first chunk has another minimum."
    index = t.index("ts", "CHUNK_MINMAX")
    index.values[0]["min"] += 1
    index.unreadable = "header"


@invalid("kind-value", base=good_table, outcome="unchecked", unchecked=MINMAX + INDEXES)
def unreadable_group_of_indexes(t):
    "The header of SEARCH_INDEXES has a version that is unknown; an index in it has an unknown KIND."
    t.index("ts", "CHUNK_MINMAX").attrs["KIND"] = ascii_text("CHUNK_MEAN")
    t.search_indexes.unreadable = "header"


@invalid("code-in-range", base=good_table, outcome="unchecked",
         unchecked=["code-in-range", "categories-rank-1", "categories-only-datasets",
                    "fill-not-a-valid-code"])
def unreadable_categories(t):
    "The header of the categories has a version that is unknown; a code lies beyond them."
    t.column("label").values[0] = 99
    t.column("label").categories.unreadable = "header"


@invalid("categories-ref-resolves", base=good_table, outcome="unchecked",
         unchecked=["categories-ref-resolves", "categories-referenced", "code-in-range",
                    "categories-rank-1"])
def unreadable_group_of_categories(t):
    "The header of CATEGORIES has a version that is unknown; a column refers to an index instead."
    t.column("label").attrs["CATEGORIES"] = ref(t.index("ts", "CHUNK_MINMAX"))
    t.categories.unreadable = "header"


@invalid("index-referenced", base=good_table, outcome="unchecked",
         unchecked=["index-referenced", "search-index-list-std-ref", "column-order-only-columns"])
def list_of_an_unreadable_column(t):
    "The header of a column has a version that is unknown; it may list the index that no other column lists."
    t.column("ts").attrs["SEARCH_INDEX_LIST"] = refs([])
    t.column("ts").unreadable = "header"

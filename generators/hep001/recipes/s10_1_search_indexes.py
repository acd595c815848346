"""HEP001 10.1 to 10.3: the SEARCH_INDEXES group, links to indexes, attributes of every index."""

from generators.hep001 import *


def sorted_rows(t):
    return t.index("ts", "SORTED_ROWS")


def bitmap(t):
    return t.index("label", "BITMAP")


# 10.1 The group

@valid("search-indexes-is-group")
def empty(t):
    "An empty group SEARCH_INDEXES."
    t.add("SEARCH_INDEXES", Group())


@invalid("search-indexes-is-group")
def soft_link(t):
    "SEARCH_INDEXES is a soft link to a group outside the table."
    t.file.put("/indexes", Group())
    t.add("SEARCH_INDEXES", SoftLink("/indexes"))


@invalid("search-indexes-is-group")
def external_link(t):
    "SEARCH_INDEXES is an external link."
    t.add("SEARCH_INDEXES", ExternalLink("other.h5", "/indexes"))


@invalid("search-indexes-is-group")
def named_datatype(t):
    "SEARCH_INDEXES is a committed datatype."
    t.add("SEARCH_INDEXES", NamedDatatype(U64))


@valid("holds-all-search-indexes", base=good_table)
def linked_from_outside_too(t):
    "An index also has a hard link outside the table, by which its column refers to it."
    t.file.put("/indexes/name", HardLink(t.index("name", "CHUNK_BLOOM")))
    t.column("name").attrs["SEARCH_INDEX_LIST"] = refs([Reference("/indexes/name")])


@invalid("holds-all-search-indexes", base=good_table)
def beside_the_table(t):
    "A column refers to an index that is next to the table group."
    bloom = t.index("name", "CHUNK_BLOOM")
    t.search_indexes.remove("name__chunk_bloom")
    t.file.put("/name__chunk_bloom", bloom)


@valid("only-datasets", base=good_table, keeps=["no-stray-dataset", "kind-present"])
def indexes_and_values(t):
    "Index datasets of every family and one values dataset."


FOREIGN = {"subgroup": ("A group lies", Group),
           "named-datatype": ("A committed datatype lies", lambda: NamedDatatype(U64)),
           "soft-link": ("A soft link to an index lies",
                         lambda: SoftLink("/events/SEARCH_INDEXES/ts__sorted_rows")),
           "external-link": ("An external link lies", lambda: ExternalLink("other.h5", "/index"))}
for slug, (shows, make) in FOREIGN.items():
    @invalid("only-datasets", slug, f"{shows} in SEARCH_INDEXES.", base=good_table,
             ambiguity="external-links-inside" if slug == "external-link" else None)
    def foreign(t, make=make):
        t.search_indexes.add("other", make())


@valid("no-stray-dataset", ambiguity="shared-values-dataset")
def shared_values_dataset(t):
    "Two bitmaps refer to one values dataset."
    for name in "first", "second":
        t.add_column(name, U8, [0, 1, 1, 0, UINT8_FILL], fill=UINT8_FILL)
        t.add_index(name, "BITMAP", values=[0, 1])
    second = t.index("second", "BITMAP")
    t.search_indexes.remove("second__values")
    second.indexed = t.index("first", "BITMAP").indexed
    second.attrs["VALUES"] = ref(second.indexed)


@invalid("no-stray-dataset", base=good_table)
def nobody_refers_to_it(t):
    "A dataset without KIND in SEARCH_INDEXES, to which nothing refers."
    t.search_indexes.add("notes", Dataset(U8, [1, 2, 3]))


@invalid("no-stray-dataset", base=good_table)
def left_behind(t):
    "The values dataset of a bitmap that has been deleted."
    values = bitmap(t).indexed
    t.remove_index(bitmap(t))
    t.search_indexes.add("label__values", values)


@valid("no-stray-dataset", "beside-unknown-kind", base=good_table,
       ambiguity="foreign-accompanying-datasets",
       warns={"no-stray-dataset", "kind-value"})
def beside_unknown_kind(t):
    "A dataset without KIND is next to an index of a KIND that another HEP may define."
    t.index("ts", "CHUNK_MINMAX").attrs["KIND"] = ascii_text("CHUNK_ZONEMAP")
    t.search_indexes.add("ts__zones", Dataset(U8, [1, 2, 3]))


@valid("kind-present", base=good_table)
def same_family_on_two_columns(t):
    "Indexes of all four families; two of them on more than one column."
    t.add_index("row_id", "CHUNK_BLOOM")


@invalid("kind-present", base=good_table)
def absent(t):
    "An index that its column lists has no KIND."
    del sorted_rows(t).attrs["KIND"]


@invalid("kind-present", base=good_table)
def in_lower_case(t):
    "An index that its column lists has an attribute `kind` instead of KIND."
    attrs = sorted_rows(t).attrs
    attrs["kind"] = attrs.pop("KIND")


@invalid("kind-present", base=good_table)
def absent_from_a_bitmap(t):
    "A bitmap has no KIND; its values dataset is not a stray for that."
    del bitmap(t).attrs["KIND"]


@valid("accompanying-no-kind", base=good_table)
def described(t):
    "The values dataset carries a description and a user attribute."
    bitmap(t).indexed.attrs.update(description=text("Codes of the bitmap's rows."),
                                   origin=vlen_text("label"))


def kind_of_values(slug, kind):
    @invalid("accompanying-no-kind", slug, f'The values dataset of a bitmap has KIND = "{kind}".',
             base=good_table)
    def mutate(t):
        bitmap(t).indexed.attrs["KIND"] = ascii_text(kind)


kind_of_values("bitmap", "BITMAP")
kind_of_values("empty", "")


@valid("group-no-required-attributes")
def only_a_user_attribute(t):
    "An empty group SEARCH_INDEXES with a user attribute."
    t.add("SEARCH_INDEXES", Group(attrs={"note": vlen_text("none yet")}))


@valid("any-dataset-name", base=good_table)
def misleading_names(t):
    "Indexes are named after another column and family; the values dataset `name__chunk_bloom`."
    t.search_indexes.rename("ts__sorted_rows", "energy__bitmap")
    t.search_indexes.rename("ts__chunk_minmax", "ts")
    t.search_indexes.rename("name__chunk_bloom", "\u00fcber name")
    t.search_indexes.rename("label__values", "name__chunk_bloom")


# 10.2 Links from columns

@valid("index-referenced", base=good_table)
def two_kinds_on_one_column(t):
    "A column lists two indexes of different families, in the other order than they are stored."
    t.column("ts").indexes.reverse()


@invalid("index-referenced", base=good_table, ambiguity="unlisted-index")
def listed_by_no_column(t):
    "A column with two indexes lists only one."
    t.column("ts").attrs["SEARCH_INDEX_LIST"] = refs([sorted_rows(t)])


@invalid("index-referenced", base=good_table, ambiguity="unlisted-index")
def emptied_list(t):
    "A column's SEARCH_INDEX_LIST is empty, its index is still there."
    t.column("name").attrs["SEARCH_INDEX_LIST"] = refs([])


@invalid("index-referenced", base=good_table, ambiguity="unlisted-index")
def column_without_list(t):
    "A column has lost its SEARCH_INDEX_LIST, its index is still there."
    del t.column("name").attrs["SEARCH_INDEX_LIST"]


@invalid("index-referenced", base=good_table)
def bitmap_listed_by_no_column(t):
    "No column lists a bitmap; its values dataset is still the bitmap's."
    del t.column("label").attrs["SEARCH_INDEX_LIST"]


@valid("index-referenced", "unknown-kind", base=good_table, ambiguity="unknown-kind",
       warns={"index-referenced", "kind-value"})
def unknown_kind(t):
    "No column lists an index of a KIND that another HEP may define."
    t.index("name", "CHUNK_BLOOM").attrs["KIND"] = ascii_text("TRIGRAM")
    del t.column("name").attrs["SEARCH_INDEX_LIST"]


@valid("no-back-pointer", base=good_table)
def column_named_in_a_text(t):
    "A user attribute of an index names its column; another refers to a dataset outside."
    image = t.file.put("/image", Dataset(U8, [1, 2, 3]))
    sorted_rows(t).attrs.update(column=text("ts"), picture=ref(image))


@invalid("no-back-pointer", base=good_table, ambiguity="back-pointers")
def source(t):
    "An index has an attribute `source` that refers to its column."
    sorted_rows(t).attrs["source"] = ref(t.column("ts"))


@invalid("no-back-pointer", base=good_table, ambiguity="back-pointers")
def legacy_references(t):
    "An index has an array of H5T_STD_REF_OBJ references, one of them to another column."
    sorted_rows(t).attrs["columns"] = refs([NULL, t.column("energy")], REF_OBJ)


# 10.3 Common attributes

@valid("kind-scalar", base=good_table, keeps=["kind-fixed-string", "kind-ascii", "kind-value"])
def legal_paddings(t):
    "KIND padded with NUL and no unused bytes, with NUL and unused bytes, and null-terminated in 32 bytes."
    t.index("ts", "CHUNK_MINMAX").attrs["KIND"] = ascii_text("CHUNK_MINMAX", pad=NULLPAD)
    sorted_rows(t).attrs["KIND"] = ascii_text("SORTED_ROWS", 20, pad=NULLPAD)
    bitmap(t).attrs["KIND"] = ascii_text("BITMAP", 32)


def kind(clause, slug, shows, value, register=invalid, **options):
    @register(clause, slug, f"KIND of a {shows}.", base=good_table, **options)
    def mutate(t):
        bitmap_or_sorted = bitmap if "BITMAP" in shows else sorted_rows
        bitmap_or_sorted(t).attrs["KIND"] = value


kind("kind-scalar", "shape-1", "SORTED_ROWS index is an array of one string",
     ascii_text("SORTED_ROWS").shaped(1))
kind("kind-scalar", "shape-2", "SORTED_ROWS index is an array of two strings",
     ascii_text(["SORTED_ROWS", "CHUNK_MINMAX"]))
kind("kind-scalar", "bitmap-shape-1", "BITMAP index is an array of one string",
     ascii_text("BITMAP").shaped(1))
kind("kind-scalar", "null-dataspace", "SORTED_ROWS index is stored with a null dataspace",
     ascii_text("SORTED_ROWS").without_value())
kind("kind-fixed-string", "variable-length", "SORTED_ROWS index is a variable-length string",
     vlen_text("SORTED_ROWS", cset=ASCII))
kind("kind-fixed-string", "integer", "SORTED_ROWS index is an integer", uint8(2))
kind("kind-fixed-string", "enum", "BITMAP index is the member BITMAP of an enumeration",
     attribute(enum({"BITMAP": 0, "SORTED_ROWS": 1}), 0), ambiguity="kind-as-enum")
kind("kind-ascii", "utf8", "SORTED_ROWS index is declared UTF-8", text("SORTED_ROWS"),
     ambiguity="declared-character-set")
kind("kind-value", "lower-case", "SORTED_ROWS index is sorted_rows", ascii_text("sorted_rows"))
kind("kind-value", "mixed-case", "BITMAP index is BitMap", ascii_text("BitMap"))
kind("kind-value", "empty", "SORTED_ROWS index is empty", ascii_text(""))
kind("kind-value", "unknown", "SORTED_ROWS index is CHUNK_ZONEMAP", ascii_text("CHUNK_ZONEMAP"),
     valid, warns={"kind-value"}, ambiguity="unknown-kind")
kind("kind-value", "cut-short", "SORTED_ROWS index is SORTED_ROW", ascii_text("SORTED_ROW"),
     valid, warns={"kind-value"}, ambiguity="unknown-kind")


@valid("kind-value", "unknown-contents", base=good_table, warns={"kind-value"},
       ambiguity="unknown-kind")
def contents_of_unknown_kind(t):
    "An index of unknown KIND is scalar, with attributes of its own: its contents are not examined."
    index = t.index("name", "CHUNK_BLOOM")
    index.type, index.values, index.shape = opaque(4), b"\1\2\3\4", ()
    index.attrs.update(KIND=ascii_text("TRIGRAM"), k=text("three"), m_bits=float64(0.5))


@valid("kind-value", "each-of-four", base=good_table)
def each_of_four(t):
    "Each of the four values, each in a string as long as the longest."
    for column, word in (("ts", "CHUNK_MINMAX"), ("ts", "SORTED_ROWS"), ("label", "BITMAP"),
                         ("name", "CHUNK_BLOOM")):
        t.index(column, word).attrs["KIND"] = ascii_text(word, 13)


optional_text("index-description", "description", sorted_rows, good_table,
              value="2026-01-01 mytool 1.2", second="2026-01-02 mytool 1.3")


@valid("description-optional", base=good_table, informs={"description-provenance"})
def no_description(t):
    "No index carries a description."
    for column in t.columns().values():
        for index in column.indexes:
            del index.attrs["description"]


@valid("description-optional", "any-text", base=good_table, keeps=["description-provenance"])
def any_text(t):
    "A description of one letter, and one of several scripts and lines."
    sorted_rows(t).attrs["description"] = text("x")
    bitmap(t).attrs["description"] = text("\u00e9t\u00e9\n\u590f\n" * 20)


@invalid("description-provenance", base=good_table, ambiguity="provenance-when")
def no_provenance(t):
    "One index has no description."
    del sorted_rows(t).attrs["description"]


@invalid("description-provenance", base=good_table, ambiguity="provenance-when")
def empty_description(t):
    "The description of one index is empty."
    sorted_rows(t).attrs["description"] = text("")

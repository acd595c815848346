"""4, 4.1, 4.2, 4.3, 5.1, 6, 8: which datasets can be appended to under SWMR. None of these findings is a defect."""

from generators.hdf5 import *
from generators.hdf5 import messages

NO = "swmr-ineligible-is-no-defect"


@valid("swmr-eligible-superblock", keeps=[
    "swmr-eligible-chunked", "swmr-eligible-extendable", "swmr-eligible-no-btree1",
    "swmr-eligible-index-kind", "swmr-eligible-header-checksummed", "swmr-eligible-no-vlen",
    "swmr-eligible-no-region-reference", "swmr-eligible-no-heap-reference",
    "swmr-eligible-in-file", "swmr-eligible-no-cache-image", "swmr-eligible-single-file",
    "swmr-eligible-sound", "swmr-eligible-path-checksummed"])
def nothing_in_the_way(f):
    "A dataset that can be appended to."


@invalid("swmr-eligible-superblock", ambiguity=NO,
         also=["swmr-eligible-no-btree1", "swmr-eligible-header-checksummed",
               "swmr-eligible-path-checksummed"], base=lambda: old_dataset())
def version_0(f):
    "A file of version 0."
    f.superblock, f.k_chunk = 0, 32


@invalid("swmr-eligible-superblock", also=["swmr-eligible-no-btree1"], ambiguity=NO,
         base=lambda: chunk_tree())
def version_2(f):
    "Superblock 2 with version 2 headers and a version 1 tree, as of 1.8."
    f.superblock = 2


@invalid("swmr-eligible-superblock", ambiguity=NO)
def version_2_over_layout_4(f):
    "An extensible array in a file with superblock 2."
    f.superblock = 2


for name, storage in (("contiguous", Contiguous), ("compact", Compact), ("virtual", Virtual)):
    @invalid("swmr-eligible-chunked", name, f"A dataset with {name} layout.", ambiguity=NO)
    def unchunked(f, storage=storage):
        return of(d=Dataset(storage=storage()))


@valid("swmr-eligible-extendable", base=fixed, ambiguity="swmr-extendable-means-room")
def room_for_one_more(f):
    "A fixed array with space for one more element."
    f.at("/d").shape = (47,)


@invalid("swmr-eligible-extendable", base=fixed, ambiguity="swmr-extendable-means-room")
def fixed_array_full(f):
    "A fixed array that is full to its maximum."
    f.at("/d").shape = (48,)


@invalid("swmr-eligible-extendable", base=fixed, ambiguity="swmr-extendable-means-room")
def in_all_dimensions(f):
    "Size and maximum are the same in both dimensions."
    d = f.at("/d")
    d.shape = d.maximum = (4, 6)
    d.chunk = (2, 3)


@invalid("swmr-eligible-no-btree1", ambiguity=NO)
def of_1_8(f):
    "A version 1 tree under a version 2 header."
    return chunk_tree(shape=(10,))


@invalid("swmr-eligible-no-btree1", ambiguity=NO,
         also=["swmr-eligible-superblock", "swmr-eligible-header-checksummed",
               "swmr-eligible-path-checksummed"])
def of_1_0(f):
    "A version 1 tree in a file of version 1."
    return old_dataset(shape=(10,))


@valid("swmr-eligible-index-kind", base=fixed, ambiguity="swmr-fixed-array-unfinished")
def fixed_array_with_room(f):
    "A fixed array with unused capacity."


@invalid("swmr-eligible-index-kind", base=fixed, ambiguity="swmr-indexes-outside-the-design")
def implicit_index(f):
    "An implicit index."
    f.at("/d").storage, f.at("/d").fill = Implicit(), Fill(allocation=1)


@invalid("swmr-eligible-index-kind", base=fixed, ambiguity="swmr-indexes-outside-the-design")
def single_chunk(f):
    "A single chunk."
    f.at("/d").storage = Single()
    f.at("/d").maximum = f.at("/d").chunk = (10,)


@invalid("swmr-eligible-header-checksummed", ambiguity=NO)
def version_1_header(f):
    "A version 1 header with an extensible array."
    f.at("/d").header.version = 1


# Types of elements --------------------------------------------------------------------------------

def elements(datatype):
    return extensible(type=datatype, shape=(4,))


@valid("swmr-eligible-no-vlen", base=lambda: elements(string(8)))
def fixed_strings(f):
    "Strings of fixed length."


for name, datatype, shows in (
        ("strings", vlen(string(1), text=True), "Strings of variable length."),
        ("member", compound([("a", I32), ("b", vlen(I8))]),
         "A member of a compound is of variable length."),
        ("array", array((2,), vlen(I8)), "An array of sequences.")):
    @invalid("swmr-eligible-no-vlen", name, shows, base=lambda: elements(I32), ambiguity=NO)
    def of_variable_length(f, datatype=datatype):
        f.at("/d").type = datatype


@invalid("swmr-eligible-no-vlen", ambiguity=NO, base=lambda: elements(I32))
def committed(f):
    "The committed datatype of a dataset is of variable length."
    f.root.links["t"] = f.at("/d").type = NamedDatatype(type=vlen(I32))


@valid("swmr-eligible-no-region-reference", base=lambda: elements(reference(0)))
def object_references(f):
    "References to objects."


@invalid("swmr-eligible-no-region-reference", base=lambda: elements(reference(0)), ambiguity=NO)
def regions(f):
    "References to regions."
    f.at("/d").type = reference(1)


@invalid("swmr-eligible-no-region-reference", ambiguity=NO,
         base=lambda: elements(compound([("a", I32), ("r", reference(0))])))
def member(f):
    "A member of a compound is a reference to a region."
    f.at("/d").type = compound([("a", I32), ("r", reference(1))])


OBJECT, REGION, ATTRIBUTE, ELSEWHERE = 2, 3, 4, 1


def std_ref(kind=0, flags=0, content=b""):
    """A chunk of two elements of H5T_STD_REF, the second of which is this."""
    element = (bytes([kind, flags]) + content).ljust(18, b"\0")
    return {(0,): Chunk(content=bytes(18) + element)}


def std_refs():
    made = extensible(type=reference(2, version=4), shape=(2,), chunk=(2,))
    made.at("/d").written = std_ref()
    return made


@valid("swmr-eligible-no-heap-reference", base=std_refs, ambiguity="swmr-std-ref",
       keeps=["swmr-eligible-object-reference"])
def object_of_this_file(f):
    "H5T_STD_REF with a reference to the dataset itself."
    f["chunk"]["bytes"] = Struct(
        ("null", bytes(18)), ("kind", OBJECT, 1), ("flags", 0, 1), ("token size", 8, 1),
        ("token", f["OHDR /d"], 8), ("rest", bytes(7)))


for name, kind, flags, shows in (
        ("region", REGION, 0, "An element of H5T_STD_REF refers to a region."),
        ("attribute", ATTRIBUTE, 0, "An element of H5T_STD_REF refers to an attribute."),
        ("another-file", OBJECT, ELSEWHERE,
         "An element of H5T_STD_REF refers to an object of another file.")):
    @invalid("swmr-eligible-no-heap-reference", name, shows, base=std_refs,
             ambiguity="swmr-std-ref")
    def in_a_heap(f, kind=kind, flags=flags):
        f.at("/d").written = std_ref(kind, flags, b"\x10\0\0\0" + b"\x30" + bytes(11))


def many_refs(last):
    """A chunk of one element, an array of 5,000 references."""
    made = extensible(type=array((5000,), reference(2, version=4), version=3), shape=(1,), chunk=(1,))
    made.at("/d").written = {(0,): Chunk(content=bytes(18 * 4999) + last)}
    return made


@invalid("swmr-eligible-no-heap-reference", base=lambda: many_refs(bytes(18)),
         ambiguity="swmr-std-ref")
def late_in_an_array(f):
    "The last of 5,000 references in an element refers to a region."
    f.at("/d").written = many_refs(bytes([REGION]).ljust(18, b"\1")).at("/d").written


@invalid("swmr-eligible-no-heap-reference", base=lambda: elements(reference(2, version=4)),
         ambiguity="swmr-std-ref")
def kind_4(f):
    "A datatype of kind 4: references to attributes."
    f.at("/d").type = reference(4, version=4)


@valid("swmr-eligible-plain-types", base=lambda: elements(compound([
    ("colors", array((3,), enum({"red": 0, "green": 1}))), ("name", string(7))])))
def compound_of_enums(f):
    "A compound of an array of enumerations and a fixed string."


@valid("swmr-eligible-object-reference", base=lambda: elements(reference(0)))
def std_ref_obj(f):
    "A dataset of H5T_STD_REF_OBJ."


@valid("swmr-eligible-filters-allowed", base=extensible_filtered)
def gzip_column(f):
    "Gzip over an extensible array."


# The file -----------------------------------------------------------------------------------------

@invalid("swmr-eligible-in-file", base=contiguous, ambiguity=NO)
def external_file(f):
    "A contiguous dataset in an external file."
    f.at("/d").storage.allocated = False
    names = Block("HEAP", "/d names")
    segment = Block("names", "/d names", ("bytes", bytes(8) + b"other.bin\0\0\0\0\0\0\0"))
    names.add("signature", b"HEAP").add("version", 0, 1).add("reserved", 0, 3)
    names.add("size", segment.size(), 8).add("free list", 1, 8).add("segment", segment, 8)
    f.at("/d").header.extra = [Message("external files", Struct(
        ("version", 1, 1), ("reserved", 0, 3), ("allocated", 1, 2), ("used", 1, 2),
        ("heap", names, 8), ("name 0", 8, 8), ("offset 0", 0, 8), ("size 0", 40, 8)))]
    f.image.add(names)
    f.image.add(segment)


@invalid("swmr-eligible-no-cache-image", outcome="unchecked",
         informs={"swmr-eligible-no-cache-image"}, ambiguity=NO)
def with_a_cache_image(f):
    "A file that was closed with an image of the metadata cache."
    image = Block("image", "", ("bytes", b"MDCI" + bytes(60)))
    f.extension = [Message("cache image", messages.cache_image(f.w, image, 64))]
    f.image.add(image)


@invalid("swmr-eligible-single-file", outcome="unchecked",
         informs={"swmr-eligible-single-file"}, base=lambda: old(), ambiguity=NO)
def driver_block(f):
    "A version 0 file with a driver information block."
    f.driver_block = b"\0\0\0\0\x08\0\0\0NCSAfami" + bytes(8)


@invalid("swmr-eligible-single-file", outcome="unchecked",
         informs={"swmr-eligible-single-file"}, ambiguity=NO)
def driver_message(f):
    "A driver message in the extension of the superblock."
    f.extension = [Message("driver", messages.driver(f.w))]


for clause, base, field in (("swmr-earray-index-block-checksum", extensible, "EAIB: checksum"),
                            ("swmr-earray-element-size", extensible, "EAHD: element size")):
    changed("swmr-eligible-sound", clause[len("swmr-earray-"):],
            "A dataset whose index is broken is not eligible; the error says why.",
            {field: 9}, base=base, alias=clause, ambiguity=NO)


@invalid("swmr-eligible-path-checksummed", ambiguity="swmr-path-groups")
def old_root(f):
    "An old-style root group in a file with superblock 3."
    f.root.header.version = 1
    f.root.storage = SymbolTable()
    f.k_leaf, f.k_internal, f.k_message = 1, 1, True


# Tables -------------------------------------------------------------------------------------------

def table(columns=10):
    made = of(**{f"c{number}": extensible(shape=(3,)).at("/d") for number in range(columns)})
    made.root.attributes = [Attribute(b"CLASS\0", string(13), (), b"COLUMN_TABLE\0")]
    return made


@valid("swmr-eligible-table-columns", base=table)
def all_columns(f):
    "A table, each column of which can be appended to."


@invalid("swmr-eligible-table-columns", base=table, also=["swmr-eligible-no-vlen"], ambiguity=NO)
def one_of_ten(f):
    "One column of ten is of variable length."
    f.at("/c7").type = vlen(string(1), text=True)


@invalid("swmr-eligible-table-columns", base=table, also=["swmr-eligible-no-vlen"], ambiguity=NO)
def dense_class(f):
    "The same where the attribute CLASS is one of nine, in dense storage."
    f.at("/c7").type = vlen(string(1), text=True)
    f.root.attributes += [Attribute(b"a%d\0" % number, U8, (), b"\1") for number in range(8)]
    f.root.dense = dense_attributes()

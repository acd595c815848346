"""C: the ROOT container, and 1, 2: versions and embedding."""

from generators.rntuple import *


def lost(**options):
    """The container has no RNTuple that could be found."""
    def change(file):
        put(file, **options)
        file.subject = "/"
    return change


def top(**options):
    def change(file):
        put(file.top, **options)
        file.subject = "/"
    return change


def cut(size):
    def change(file):
        def cutting(content):
            del content[size(len(content)):]
        file.after.append(cutting)
    return change


def cut_half(file):
    cut(lambda size: size // 2)(file)
    file.subject = "/"


# C.1 ----------------------------------------------------------------------------------------------

HEADER = "rntuple-root-header"
good(HEADER, "begin-at-100", "fBEGIN is 100.", keeps=["rntuple-root-units", "rntuple-root-end-in-file",
                                                     "rntuple-root-directory"])
bad(HEADER, "begin-zero", "fBEGIN is 0.", change=lost(changes={"begin": 0}))
bad(HEADER, "begin-in-header", "fBEGIN is 40, inside the header.", change=lost(changes={"begin": 40}))
bad(HEADER, "begin-62", "fBEGIN is 62, the last byte of the header.", change=lost(changes={"begin": 62}))
bad(HEADER, "begin-behind-file", "fBEGIN is behind the end of the file.",
    change=lost(changes={"begin": 1 << 20}))
bad(HEADER, "end-before-begin", "fEND is smaller than fBEGIN.", change=lost(changes={"end": 99}))


@invalid(HEADER)
def fifty_bytes(file):
    "A file of 50 bytes."
    cut(lambda size: 50)(file)
    file.subject = "/"


END = "rntuple-root-end-in-file"
good(END, "bytes-behind", "Bytes after fEND, which someone appended.",
     change=lambda file: put(file, behind=b"appended"))
bad(END, "half", "The file is cut off at half its length.", change=cut_half)
bad(END, "one-byte", "The file lacks its last byte.", change=cut(lambda size: size - 1))
bad(END, "end-raised", "fEND is larger than the file by 1.", base=two,
    change=lambda file: file.after.append(
        lambda content: content.__setitem__(slice(12, 16), (len(content) + 1).to_bytes(4, "big"))))
good("rntuple-root-large-file", "small-file", "A small file with a 64-bit header.",
     base=base_of(("x", "std::int32_t", X), large=True), keeps=["rntuple-root-units", HEADER])
bad("rntuple-root-units", "eight", "fUnits is 8 in a 32-bit header.",
    change=lambda file: put(file, changes={"units": 8}))
bad("rntuple-root-units", "zero", "fUnits is 0.", change=lambda file: put(file, changes={"units": 0}))
bad("rntuple-root-units", "four", "fUnits is 4 in a 64-bit header.",
    base=base_of(("x", "std::int32_t", X), large=True),
    change=lambda file: put(file, changes={"units": 4}))

# C.2 ----------------------------------------------------------------------------------------------

DIRECTORY, KEYS = "rntuple-root-directory", "rntuple-root-keys-list"
bad(DIRECTORY, "behind-end", "fNbytesName puts the record behind the end.",
    change=lost(changes={"name_bytes": 0xFFFF}))
bad(DIRECTORY, "seek-dir", "fSeekDir is not the offset of the record.", change=top(changes={"seek_dir": 104}))
bad(DIRECTORY, "name-bytes", "fNbytesName of the record differs from that of the header.",
    change=top(changes={"name_bytes": 1}))
good(KEYS, "bytes-left-over", "8 bytes are left over after the last key.",
     change=lambda file: put(file.top, list_changes={"tail": bytes(8)}))
good(KEYS, "empty-directory", "A directory without keys beside the RNTuple.",
     change=lambda file: file.top.members.append(Directory("empty")))
bad(KEYS, "count", "The count is larger than the keys by 1.", change=top(list_changes={"count": 2}))
bad(KEYS, "size", "fNbytesKeys is too small for the keys.", change=top(list_changes={"size": 60}))
bad(KEYS, "no-bytes", "fNbytesKeys is 0, and fSeekKeys is not.", change=top(list_changes={"size": 0}))
bad(KEYS, "no-seek", "fSeekKeys is 0, and fNbytesKeys is not.", change=top(list_changes={"seek": 0}))
bad(KEYS, "seek", "fSeekKeys is behind the end.", change=top(list_changes={"seek": 1 << 30}))
bad(KEYS, "before-begin", "fSeekKeys is in the file header.", change=top(list_changes={"seek": 60}))
bad(KEYS, "name-length", "The length of a class name runs over the list.",
    change=top(list_changes={"body": lambda body: body[:30] + b"\xfe" + body[31:]}))


@invalid(DIRECTORY, base=in_directory(ints))
def sub_directory(file):
    "fSeekDir of a sub-directory is that of the root directory."
    put(file.top.members[0], changes={"seek_dir": 100})
    file.subject = "/"


def blob_key(file):
    key = Key("RBlob")
    key.seek, key.stored = 200, 20
    return key


LISTED = "rntuple-rblob-not-listed"
good(LISTED, "in-the-chain-only", "The RBlob records are in the chain of records only.",
     base=in_directory(ints), keeps=["rntuple-anchor-in-subdirectory", KEYS])
bad(LISTED, "listed", "The list of keys has a key of class RBlob.",
    change=lambda file: file.top.listed.append(blob_key))
bad(LISTED, "in-a-sub-directory", "That of a sub-directory has one.", base=in_directory(ints),
    change=lambda file: file.top.members[0].listed.append(blob_key))
good("rntuple-anchor-in-subdirectory", "wide-directory",
     "The anchor is in a directory whose record has 64-bit pointers.",
     change=lambda file: put(file.top, members=[put_members(Directory("data", wide=True), file)]))
good("rntuple-key-width-per-key", "wide-blobs", "RBlob keys of version 1004 in a file with a 32-bit header.",
     change=lambda file: put(file, blob=lambda stored, *, kind="RBlob", wide=False:
                             RootFile.blob(file, stored, kind=kind, wide=True)))
good("rntuple-other-objects", "tree-and-gap", "A key of class TTree, and a gap in the chain of records.",
     change=lambda file: put(file, gap=40, top=with_tree(file.top)))


def put_members(directory, file):
    directory.members = file.top.members
    return directory


def with_tree(directory):
    key = Key("TTree", "tree")
    key.seek, key.stored = 100, 20
    directory.listed.append(lambda file: key)
    return directory


def several():
    file = ints()
    other = Ntuple("Other")
    other.field("y", "float", [[1.0, 2.0]])
    file.top.members.append(other)
    return file


several.suffix = RootFile.suffix
good("rntuple-several-rntuples", "two", "Two RNTuples in one file.", base=several, tables={"/Other": {}})
invalid("rntuple-element-offset", "in-the-other-rntuple",
        "The second RNTuple of the file has an element offset that is wrong.", base=several, fails=(),
        tables={"/Other": {"fails": {"rntuple-element-offset"}}})(
            lambda file: put(file.top.members[1].chunk("y"), offset=7))

# C.3 ----------------------------------------------------------------------------------------------

RECORD_OF = "rntuple-anchor-key-record"
good(RECORD_OF, "copied", "The key header is in the list byte for byte.",
     keeps=["rntuple-anchor-byte-count", "rntuple-anchor-members", "rntuple-anchor-checksum",
            "rntuple-anchor-class", "rntuple-version-epoch", "rntuple-version-release-candidate",
            "rntuple-dialect-max-key-size", "rntuple-data-in-rblob"])
bad(RECORD_OF, "seek", "fSeekKey of the listed key is 4 bytes too large.",
    change=lambda file: put(file.ntuple, listed={"seek": lambda key: key.seek + 4}))
bad(RECORD_OF, "class", "The classes of list and record differ.",
    change=lambda file: put(file.ntuple, listed={"kind": "ROOT::Experimental::RNTuple"},
                            key={"kind": "ROOT::Experimental::RNTuplE"}))
bad(RECORD_OF, "name", "The names of list and record differ.",
    change=lambda file: put(file.ntuple, listed={"name": "Events"}, key={"name": "Event2"}))
bad(RECORD_OF, "object-length", "fObjlen of list and record differ.",
    change=lambda file: put(file.ntuple, listed={"objlen": 71}))
bad(RECORD_OF, "keylen", "fKeylen is too small by 1.",
    change=lambda file: put(file.ntuple, key={"keylen": lambda key: key.size - 1}))
bad(RECORD_OF, "short", "fNbytes is smaller than fKeylen.",
    change=lambda file: put(file.ntuple, key={"nbytes": 10}))
bad(RECORD_OF, "behind-end", "fNbytes runs behind the end of the file.",
    change=lambda file: put(file.ntuple, key={"nbytes": 1 << 20}))
good("rntuple-anchor-compressed", "zstd", "The anchor is compressed.",
     change=lambda file: put(file.ntuple, anchor_stored=zs))

BYTES = "rntuple-anchor-byte-count"
good(BYTES, "version-6", "Class version 6: the checksum is not counted.", base=later,
     also={"rntuple-dialect-max-key-size"})


good(BYTES, "version-5-without-it", "Class version 5 whose byte count does not include the checksum.",
     base=base_of(("x", "std::int32_t", X), version=5), also={"rntuple-dialect-max-key-size"})


@valid(BYTES, base=base_of(("x", "std::int32_t", X), version=5), also={"rntuple-dialect-max-key-size"})
def version_5_counts_it(file):
    "Class version 5, of which no file is known, whose byte count includes the checksum."
    put(file.ntuple, anchor_after=lambda made: (0x40000000 | len(made) - 4).to_bytes(4, "big") + made[4:])


@invalid(BYTES)
def one_too_large(file):
    "The byte count is too large by 1."
    put(file.ntuple, anchor_after=lambda made: made[:3] + bytes([made[3] + 1]) + made[4:])


@invalid(BYTES)
def without_bit(file):
    "Bit 0x40000000 is missing."
    put(file.ntuple, anchor_after=lambda made: b"\0" + made[1:])


@invalid(BYTES, base=later, less={"rntuple-dialect-max-key-size"})
def with_checksum(file):
    "The byte count of class version 6 includes the checksum."
    put(file.ntuple, anchor_after=lambda made: (0x40000000 | len(made) - 4).to_bytes(4, "big") + made[4:])


MEMBERS = "rntuple-anchor-members"
bad(MEMBERS, "forty-bytes", "An object of 40 bytes.",
    change=lambda file: put(file.ntuple, anchor_patch=lambda members: members[:26]))
bad(MEMBERS, "without-key-size", "Class version 6 with 56 bytes of members.", base=later,
    less={"rntuple-dialect-max-key-size"},
    change=lambda file: put(file.ntuple, anchor={"key size": None}))
bad(MEMBERS, "too-many", "Class version 4 with 72 bytes of members.",
    change=lambda file: put(file.ntuple, anchor={"more": 0, "most": 0}))
good("rntuple-anchor-appended-members", "version-7", "Class version 7 with another member.",
     base=base_of(("x", "std::int32_t", X), version=7), also={"rntuple-dialect-max-key-size"},
     change=lambda file: put(file.ntuple, anchor={"more": 5}))

SUM = "rntuple-anchor-checksum"
bad(SUM, "bit-of-the-seek", "A bit of the offset of the footer is flipped.",
    change=lambda file: put(file.ntuple, anchor_after=lambda made: made[:45] + bytes([made[45] ^ 1]) + made[46:]))
bad(SUM, "little-endian", "The checksum is stored little-endian.",
    change=lambda file: put(file.ntuple, anchor_after=lambda made: made[:-8] + made[-8:][::-1]))
bad(SUM, "over-everything", "The checksum covers byte count and class version too.",
    change=lambda file: put(file.ntuple,
                            anchor_after=lambda made: made[:-8] + xxh3(made[:-8]).to_bytes(8, "big")))

# 1, 2 ---------------------------------------------------------------------------------------------

bad("rntuple-version-epoch", "two", "Version 2.0.0.0.",
    change=lambda file: put(file.ntuple, version=(2, 0, 0, 0)))
bad("rntuple-version-epoch", "largest", "Epoch 65535.",
    change=lambda file: put(file.ntuple, version=(0xFFFF, 2, 0, 0)))
good("rntuple-version-minor-patch-any", "0-2-7-3", "Version 0.2.7.3.",
     change=lambda file: put(file.ntuple, version=(0, 2, 7, 3)))
for number in (1, 3, 4):
    bad("rntuple-version-release-candidate", f"candidate-{number}", f"Version 0.{number}.0.0.",
        outcome="unchecked", informs={"rntuple-version-release-candidate"},
        change=lambda file, number=number: put(file.ntuple, version=(0, number, 0, 0)))
bad("rntuple-anchor-class", "later-class", "Class ROOT::RNTuple around version 0.2.0.0.",
    change=lambda file: put(file.ntuple, kind="ROOT::RNTuple"))
bad("rntuple-anchor-class", "epoch-1", "Class ROOT::Experimental::RNTuple around version 1.0.1.0.",
    change=lambda file: put(file.ntuple, version=(1, 0, 1, 0)))
bad("rntuple-dialect-max-key-size", "version-6", "An anchor of class version 6.", base=later)
good("rntuple-any-order", "pages-backwards", "The pages of a column are stored backwards.",
     base=base_of(("x", "std::int32_t", [[1, 2, 3]])),
     change=lambda file: two_pages(file))


def two_pages(file):
    chunk = file.ntuple.chunk("x")
    first, second = Page([1, 2]), Page([3])
    chunk.pages = [first, second]
    file.ntuple.backwards = True


IN_BLOB = "rntuple-data-in-rblob"


def broken_chain(file):
    """Four zero bytes before the first blob, where no record begins."""
    file.gap = 4

    def cleared(content):
        at = content.index((-4).to_bytes(4, "big", signed=True), 100)
        content[at:at + 4] = bytes(4)
    file.after.append(cleared)


good("rntuple-other-objects", "broken-chain", "The chain of records cannot be walked; the header of each blob stands before its data.",
     base=two, keeps=[IN_BLOB], change=broken_chain)
good("rntuple-other-objects", "broken-chain-of-wide-keys", "The same with blobs whose keys have 64-bit pointers.",
     base=two, keeps=[IN_BLOB], change=lambda file: (broken_chain(file), put(
         file, blob=lambda stored, *, kind="RBlob", wide=False: RootFile.blob(file, stored, kind=kind, wide=True))))
good("rntuple-other-objects", "broken-chain-and-a-list",
     "The chain of records cannot be walked, and a page is in a record of class TList: the page is not checked for its record.",
     outcome="unchecked", unchecked=[IN_BLOB],
     change=lambda file: (broken_chain(file), put(file.ntuple.page("x"), kind="TList")))
good("rntuple-other-objects", "broken-chain-and-a-short-blob",
     "The chain of records cannot be walked, and the record of a page is shorter than the page.",
     outcome="unchecked", unchecked=[IN_BLOB],
     change=lambda file: (broken_chain(file), put(file, blob=lambda stored, *, kind="RBlob", wide=False:
                          short_blob(file, stored))))


def short_blob(file, stored):
    key = Key("RBlob")
    if len(stored) == 12:  # the page
        key.changes["nbytes"] = key.size + 8
    return file._put(key, stored)


bad(IN_BLOB, "page-in-a-list", "A page is in a record of class TList.",
    change=lambda file: put(file.ntuple.page("x"), kind="TList"))
bad(IN_BLOB, "envelopes", "All envelopes and pages are in records of class TTree.", base=two,
    change=lambda file: put(file, blob=lambda stored, *, kind="RBlob", wide=False:
                            RootFile.blob(file, stored, kind="TTree")))


@invalid(IN_BLOB, base=two)
def straddles(file):
    "A raw page begins in one record and ends in the next."
    page, pages = file.ntuple.page("x"), file.ntuple._pages

    def placed(file):
        pages(file)
        page.offset = page.place + 6
    file.ntuple._pages = placed


def in_one_blob(file):
    ntuple = file.ntuple
    x, y = ntuple.page("x"), ntuple.page("y")
    both = encode("Int32", x.values) + encode("Real64", y.values)
    x.plain, x.size = encode("Int32", x.values), 12
    x.stored = both
    y.same = x
    pages = ntuple._pages

    def placed(file):
        pages(file)
        y.offset, y.size = x.place + 12, 24
    ntuple._pages = placed


@valid("rntuple-key-holds-several-objects", base=two, keeps=[IN_BLOB])
def one_blob(file):
    "One RBlob holds all pages of the cluster."
    in_one_blob(file)


@valid("rntuple-key-holds-several-objects", base=two, keeps=[IN_BLOB])
def one_blob_in_a_broken_chain(file):
    "One RBlob holds all pages of the cluster, and the chain of records cannot be walked."
    in_one_blob(file)
    broken_chain(file)

"""3: compression blocks."""

from generators.rntuple import *

HEADER, ALGORITHM = "rntuple-block-chunk-header", "rntuple-block-algorithm"
SMALLER, LENGTH = "rntuple-block-compressed-size", "rntuple-block-uncompressed-size"
DECODES, LZ4 = "rntuple-block-decodes", "rntuple-block-lz4-checksum"


def codec(change, base=zlib_ints):
    """The page is compressed, and then changed."""
    def changing(file):
        page = file.ntuple.page("x")
        kind = file.ntuple.settings // 100
        page.codec = lambda plain: change(CODECS[kind](plain))
    return changing


def cut_size(file, by):
    page = file.ntuple.page("x")
    page.codec = None
    page.size = len(CODECS[file.ntuple.settings // 100](encode("Int32", page.values))) + by


def three(plain):
    return zl(plain[:100]) + zl(plain[100:150]) + zl(plain[150:])


good(HEADER, "one-chunk", "One chunk of zlib.", base=zlib_ints,
     keeps=[ALGORITHM, SMALLER, LENGTH, DECODES, "rntuple-compression-settings-match"])
good("rntuple-block-several-chunks", "zlib-and-xz", "A page in a ZL and an XZ chunk.", base=zlib_ints,
     keeps=[HEADER, LENGTH], change=lambda file: put(file.ntuple.page("x"), codec=lambda plain:
                                                     zl(plain[:200]) + xz(plain[200:])))
good(HEADER, "three-chunks", "A page in three chunks.", base=zlib_ints,
     change=lambda file: put(file.ntuple.page("x"), codec=three))
bad(HEADER, "left-over", "3 bytes are left over after the last chunk.", base=zlib_ints,
    change=codec(lambda made: made + b"\0\0\0"))
bad(HEADER, "five-bytes", "A block of 5 bytes.", base=zlib_ints, change=codec(lambda made: made[:5]))
bad(HEADER, "no-bytes", "A block of 0 bytes for a page with elements.", base=zlib_ints,
    change=codec(lambda made: b""))
bad(ALGORITHM, "zl-9", "The tag is ZL 09.", base=zlib_ints,
    change=codec(lambda made: b"ZL\x09" + made[3:]))
bad(ALGORITHM, "zs-2", "The tag is ZS 02.", base=zstd_ints,
    change=codec(lambda made: b"ZS\x02" + made[3:]))
bad(ALGORITHM, "small-letters", "The tag is zs 01.", base=zstd_ints,
    change=codec(lambda made: b"zs\x01" + made[3:]))
bad(ALGORITHM, "second-chunk", "The second chunk has an unknown tag.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"),
                            codec=lambda plain: zl(plain[:200]) + b"??" + zl(plain[200:])[2:]))
bad(ALGORITHM, "raw-with-another-size", "The locator of a raw page says 1 byte less.",
    change=lambda file: put(file.ntuple.page("x"), size=11))
bad(SMALLER, "one-too-large", "The compressed size is too large by 1.", base=zlib_ints,
    change=codec(lambda made: made[:3] + (len(made) - 8).to_bytes(3, "little") + made[6:]))
bad(SMALLER, "first-of-two", "The compressed size of the first of two chunks is too large.",
    base=zlib_ints, change=lambda file: put(file.ntuple.page("x"), codec=lambda plain:
                                            zl(plain[:200])[:3] + b"\xff\xff\0" + zl(plain[:200])[6:] + zl(plain[200:])))
bad(SMALLER, "locator-short", "The size of the locator is one byte short.", base=zlib_ints,
    change=lambda file: cut_size(file, -1))
bad(LENGTH, "one-element-more", "The page list says one element more than the page holds.",
    base=zlib_ints, change=lambda file: put(file.ntuple.page("x"), count=101)
    or put(file.ntuple.clusters[0], entries=101))
bad(LENGTH, "dropped-chunk", "One of two chunks is missing.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: zl(plain[:200])))
bad(LENGTH, "third-chunk", "A third chunk inflates past the length.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: zl(plain[:200]) + zl(plain[200:]) + zl(b"more")))
bad(LENGTH, "of-the-header", "The anchor says 8 bytes more than the compressed header holds.",
    base=zlib_ints, change=lambda file: put(file.ntuple, anchor={
        "header length": lambda ntuple: ntuple.at["header"][2] + 8}))


@invalid(LENGTH, "anchor-object", base=ints)
def anchor_object(file):
    "The chunk of the anchor says one byte more than fObjlen."
    file.ntuple.anchor_stored = lambda made: chunk(b"ZS\x01", zstd_frame(made + b"\0"), len(made) + 1)


def changed_byte(made):
    return made[:20] + bytes([made[20] ^ 0xFF]) + made[21:]


for tag, base in (("zlib", zlib_ints), ("xz", xz_ints), ("zstd", zstd_ints)):
    good(DECODES, tag, f"A page compressed with {tag}.", base=base, keeps=[ALGORITHM])
good(DECODES, "lz4", "A page compressed with LZ4.", base=lz4_ints, keeps=[LZ4, ALGORITHM])
good(LZ4, "long-block", "An LZ4 block of 1200 bytes of literals.",
     base=base_of(("x", "std::int32_t", [list(range(300))]), settings=404))
bad(DECODES, "changed-byte", "A byte of the zlib stream is changed.", base=zlib_ints,
    change=codec(lambda made: made[:11] + bytes([made[11] ^ 0xFF]) + made[12:]))
bad(DECODES, "xz-changed", "A byte of the .xz stream is changed.", base=xz_ints,
    change=codec(lambda made: made[:40] + bytes([made[40] ^ 0xFF]) + made[41:]))
bad(DECODES, "one-byte-less", "The zlib stream holds one byte less.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: zl(plain[:-1])[:6]
                            + len(plain).to_bytes(3, "little") + zl(plain[:-1])[9:]))
bad(DECODES, "one-byte-more", "The zstd frame holds one byte more.", base=zstd_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: chunk(
        b"ZS\x01", zstd_frame(plain + b"\0"), len(plain))))
bad(DECODES, "without-zlib-header", "A deflate stream without zlib header.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: b"ZL\x08" + cs(plain)[3:]))
bad(DECODES, "lz4-offset-before-output", "A match of an LZ4 block points before the output.",
    base=lz4_ints, change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: l4(
        plain, b"\x1f\x00\xff\x00" + b"\xb0\x00" + bytes(5))))
bad(LZ4, "little-endian", "The checksum is little-endian.", base=lz4_ints,
    change=codec(lambda made: made[:9] + made[9:17][::-1] + made[17:]))
bad(LZ4, "of-the-uncompressed-bytes", "The checksum is that of the uncompressed bytes.", base=lz4_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=lambda plain: l4(
        plain, checksum=xxh64(plain).to_bytes(8, "big"))))
bad(LZ4, "one-bit", "A bit of the checksum is flipped.", base=lz4_ints,
    change=codec(lambda made: made[:9] + bytes([made[9] ^ 1]) + made[10:]))
bad(LZ4, "six-bytes", "A chunk of 6 bytes has no room for the checksum.", base=lz4_ints,
    change=lambda file: put(file.ntuple.page("x"),
                            codec=lambda plain: chunk(b"L4\x01", bytes(6), len(plain))))
good("rntuple-equal-size-is-raw", "text-like-a-tag", "A raw Char page that begins with ZS 01.",
     base=base_of(("s", "std::string", [["ZS\x01 is a text", "b"]])))
good("rntuple-block-larger-than-data", "stored", "A chunk that is larger than its data.",
     change=lambda file: put(file.ntuple.page("x"), codec=zs) or put(file.ntuple.chunk("x"), settings=505))
good("rntuple-block-old-deflate", "cs", "A page in a CS chunk.",
     base=base_of(("x", "std::int32_t", [[7] * 100]), settings=301))

# 4: compression settings --------------------------------------------------------------------------

KNOWN, MATCH = "rntuple-compression-settings-known", "rntuple-compression-settings-match"
for settings in (0, 1, 9, 100, 209, 505):
    good(KNOWN, f"settings-{settings}", f"Settings {settings} over raw pages.", keeps=[],
         change=lambda file, settings=settings: put(file.ntuple.chunk("x"), settings=settings))
for settings in (10, 57, 99, 110, 550, 600, 605, 0xFFFFFFFF):
    bad(KNOWN, f"settings-{settings}", f"Settings {settings}.",
        change=lambda file, settings=settings: put(file.ntuple.chunk("x"), settings=settings))
good(MATCH, "any-algorithm", "Settings 1 fit every algorithm.", base=zlib_ints,
     change=lambda file: put(file.ntuple.page("x"), codec=zl) or put(file.ntuple.chunk("x"), settings=1))
bad(MATCH, "zstd-over-zlib", "Settings 505 over pages of zlib.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=zl) or put(file.ntuple.chunk("x"), settings=505))
bad(MATCH, "none-over-zlib", "Settings 0 over pages of zlib.", base=zlib_ints,
    change=lambda file: put(file.ntuple.page("x"), codec=zl) or put(file.ntuple.chunk("x"), settings=0))

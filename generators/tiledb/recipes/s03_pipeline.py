"""Filter pipelines of schemas."""

import struct

from generators.tiledb import *

NAN, INF = float("nan"), float("inf")


def on_attribute(*filters, number=22, datatype=INT32, cell_val_num=1, dims=None, array_type=DENSE):
    """A schema whose attribute has these filters."""
    def base():
        return Schema(number, array_type, dims=dims and dims(),
                      attrs=[Attribute("a", datatype, cell_val_num, Pipeline(*filters))])
    return base


def on_string(*filters, number=22, datatype=ASCII):
    return on_attribute(*filters, number=number, datatype=datatype, cell_val_num=VAR)


def strange(type, options=b""):
    return Filter(type, options)


FIRST = "attr 0.filters.filter 0"

# --- Layout --------------------------------------------------------------------------------------------
valid("pipeline-complete", "empty", "Every pipeline is empty.", other(lambda: dense(
    coords=Pipeline(), offsets=Pipeline(), validity=Pipeline())), keeps=["pipeline-empty", "filter-count-fits"])
invalid("pipeline-complete", "validity-cut", "The decoded bytes end 4 bytes into the validity pipeline.",
        cut("validity.count"))
invalid("pipeline-complete", "header", "The pipeline of the tile has 6 bytes.",
        lambda f: (setattr(f.tile, "pipeline_bytes", bytes(6))))
valid("filter-count-fits", "three", "Three filters of 5, 4 and 0 bytes of options.", nothing,
      base=on_attribute(window(BIT_WIDTH), compressor(ZSTD), Filter(SHA256)),
      keeps=["filter-complete", "filter-options-window", "filter-options-compressor", "filter-options-none"])
invalid("filter-count-fits", "largest", "There are 4294967295 filters.", put({"coords.count": 0xFFFFFFFF}))
invalid("filter-count-fits", "header", "The pipeline of the tile has 1000 filters.",
        lambda f: setattr(f.tile, "pipeline_bytes", u32(65536) + u32(1000) + bytes(10)))
invalid("filter-complete", "largest", "The options of a filter have 4294967295 bytes.",
        put({"coords.filter 0.size": 0xFFFFFFFF}))
invalid("filter-complete", "two-hundred", "The options of a filter reach beyond the schema.",
        put({f"{FIRST}.size": 200}), base=on_attribute(compressor(ZSTD)))
invalid("filter-complete", "header", "The filter of the tile has options beyond its pipeline.",
        lambda f: setattr(f.tile, "pipeline_bytes", u32(65536) + u32(1) + u8(1) + u32(6) + bytes(5)))

# --- Types ---------------------------------------------------------------------------------------------
ALL = [Filter(NONE), compressor(GZIP), compressor(ZSTD), compressor(LZ4), compressor(RLE), compressor(BZIP2),
       Filter(BITSHUFFLE), Filter(BYTESHUFFLE), delta(DOUBLE_DELTA), window(BIT_WIDTH),
       window(POSITIVE_DELTA), Filter(MD5), Filter(SHA256), Filter(XOR), delta(DELTA)]
valid("filter-type-known", "all", "An attribute with nearly every filter.", nothing, base=on_attribute(*ALL),
      keeps=["filter-type-since", "filter-options-delta", "filter-options-double-delta", "filter-compressor-byte",
             "filter-compressor-as-filter-id", "filter-level-range", "filter-reinterpret-known",
             "filter-reinterpret-not-real", "filter-window-positive", "filter-accepts-datatype",
             "filter-no-encryption-in-schema"])
for type, number in ((20, 22), (255, 22), (17, 20), (17, 15)):
    invalid("filter-type-known", f"{type}-in-{number}", f"A filter of type {type} in version {number}.", nothing,
            base=on_attribute(strange(type), number=number), ambiguity="webp-id-and-options" if type == 17 else None)
invalid("filter-type-known", "header", "The tile has a filter of type 99.",
        lambda f: setattr(f.tile, "pipeline_bytes", u32(65536) + u32(1) + u8(99) + u32(0)))
valid("filter-bitsort-retired", "without", "A schema of version 17 without bitsort.", nothing, base=version(17))
for number in (16, 17):
    invalid("filter-bitsort-retired", f"version-{number}", f"Bitsort in version {number}.", nothing,
            base=on_attribute(strange(17), number=number))
for slug, filter, number in (("md5-in-4", Filter(MD5), 4), ("xor-in-16", Filter(XOR), 16)):
    valid("filter-type-since", slug, "A filter in the first version that has it.", nothing,
          base=on_attribute(filter, number=number))
for slug, filter, number in (("sha256-in-3", Filter(SHA256), 3), ("xor-in-15", Filter(XOR), 15),
                             ("md5-in-3", Filter(MD5), 3)):
    invalid("filter-type-since", slug, f"A filter in version {number}, before there was one.", nothing,
            base=on_attribute(filter, number=number))
invalid("filter-type-since", "dictionary-in-12", "A dictionary filter in version 12.", nothing,
        base=on_string(compressor(DICTIONARY), number=12))
invalid("filter-type-since", "float-scale-in-14", "Float scale in version 14.", nothing,
        base=on_attribute(float_scale(), number=14, datatype=FLOAT64))
invalid("filter-type-since", "delta-in-18", "Delta in version 18.", nothing,
        base=on_attribute(compressor(DELTA), number=18))
for slug, base in (("attribute", on_attribute(compressor(ZSTD), Filter(ENCRYPTION))),
                   ("coordinates", lambda: dense(coords=Pipeline(Filter(ENCRYPTION)))),
                   ("dimension", lambda: dense(dims=[Dimension(filters=Pipeline(Filter(ENCRYPTION)))])),
                   ("offsets", lambda: dense(offsets=Pipeline(Filter(ENCRYPTION))))):
    invalid("filter-no-encryption-in-schema", slug, f"The encryption filter in the pipeline of the {slug}.",
            nothing, base=base)

# --- Options -------------------------------------------------------------------------------------------
for clause, slug, filter, number in (
        ("none", "byteshuffle-4", strange(BYTESHUFFLE, bytes(4)), 22),
        ("none", "md5-5", strange(MD5, bytes(5)), 22),
        ("none", "none-5", strange(NONE, bytes(5)), 22),
        ("none", "xor-1", strange(XOR, bytes(1)), 22),
        ("compressor", "zstd-4", strange(ZSTD, bytes(4)), 22),
        ("compressor", "gzip-0", strange(GZIP), 22),
        ("compressor", "lz4-6", strange(LZ4, u8(3) + bytes(5)), 22),
        ("double-delta", "5-in-21", compressor(DOUBLE_DELTA), 21),
        ("double-delta", "6-in-19", delta(DOUBLE_DELTA), 19),
        ("double-delta", "0", strange(DOUBLE_DELTA), 22),
        ("delta", "5-in-20", compressor(DELTA), 20),
        ("delta", "1", strange(DELTA, b"\x08"), 22),
        ("window", "0", strange(BIT_WIDTH), 22),
        ("window", "8", strange(POSITIVE_DELTA, bytes(8)), 22),
        ("window", "5", strange(BIT_WIDTH, bytes(5)), 22)):
    invalid(f"filter-options-{clause}", slug, f"Options of {len(filter.options)} bytes in version {number}.",
            nothing, base=on_attribute(filter, number=number))
invalid("filter-options-compressor", "dictionary-0", "A dictionary filter without options.", nothing,
        base=on_string(strange(DICTIONARY)))
invalid("filter-options-delta", "6-in-18", "Options of 6 bytes for delta in version 18, which has no such filter.",
        nothing, base=on_attribute(delta(DELTA), number=18), also=["filter-type-since"])
for number, filter in ((19, compressor(DOUBLE_DELTA)), (20, delta(DOUBLE_DELTA))):
    valid("filter-options-double-delta", f"version-{number}", f"Double delta in version {number}.", nothing,
          base=on_attribute(filter, number=number))
valid("filter-options-delta", "version-19", "Delta in version 19.", nothing,
      base=on_attribute(delta(DELTA), number=19))
valid("filter-options-float-scale", "width-2", "Float scale to two bytes, then positive delta.", nothing,
      base=on_attribute(float_scale(0.1, 0.0, 2), window(POSITIVE_DELTA), datatype=FLOAT32),
      keeps=["filter-scale-byte-width", "filter-scale-finite", "filter-accepts-datatype"])
for size in (17, 16, 20):
    invalid("filter-options-float-scale", f"{size}", f"Float scale with {size} bytes of options.", nothing,
            base=on_attribute(strange(FLOAT_SCALE, float_scale().options[:size]), datatype=FLOAT64))

# --- Compressors ---------------------------------------------------------------------------------------
for slug, filter in (("zstd-1", compressor(ZSTD, number=1)), ("gzip-0", compressor(GZIP, number=0)),
                     ("lz4-9", compressor(LZ4, number=9)), ("rle-7", compressor(RLE, number=7))):
    invalid("filter-compressor-byte", slug, "The compressor is not that of the filter.", nothing,
            base=on_attribute(filter), ambiguity="compressor-byte")
invalid("filter-compressor-byte", "dictionary-4", "A dictionary filter with the compressor RLE.", nothing,
        base=on_string(compressor(DICTIONARY, number=4)))
valid("filter-compressor-as-filter-id", "dictionary-7", "A dictionary filter with the compressor 7.", nothing,
      base=on_string(compressor(DICTIONARY), compressor(ZSTD)), ambiguity="compressor-byte",
      keeps=["filter-dictionary-first", "filter-dictionary-on-strings"])
invalid("filter-compressor-as-filter-id", "dictionary-14", "A dictionary filter with the compressor 14.", nothing,
        base=on_string(compressor(DICTIONARY, number=14)), ambiguity="compressor-byte")


def delta_19():
    made = delta(DELTA)
    made.options = u8(19) + made.options[1:]
    return made


invalid("filter-compressor-as-filter-id", "delta-19", "A delta filter with the compressor 19.", nothing,
        base=on_attribute(delta_19()))
valid("filter-level-range", "highest", "zstd of level 22, gzip of level 9, bzip2 of level -1.", nothing,
      base=on_attribute(compressor(ZSTD, 22), compressor(GZIP, 9), compressor(BZIP2, -1)))
valid("filter-level-range", "any", "LZ4 and RLE of levels that mean nothing.", nothing,
      base=on_attribute(compressor(LZ4, 1000), compressor(RLE, -5)))
for slug, filter in (("gzip-10", compressor(GZIP, 10)), ("zstd-23", compressor(ZSTD, 23)),
                     ("bzip2-12", compressor(BZIP2, 12)), ("gzip-minus-2", compressor(GZIP, -2)),
                     ("zstd-lowest", compressor(ZSTD, -131073))):
    invalid("filter-level-range", slug, "A level that the library does not have.", nothing,
            base=on_attribute(filter))
valid("filter-reinterpret-known", "int64", "Double delta takes FLOAT64 as INT64.", nothing,
      base=on_attribute(delta(DOUBLE_DELTA, reinterpret=INT64), datatype=FLOAT64),
      keeps=["filter-reinterpret-not-real", "filter-accepts-datatype"])
for number in (44, 255):
    invalid("filter-reinterpret-known", f"{number}", f"The input is taken as datatype {number}.", nothing,
            base=on_attribute(delta(DELTA, reinterpret=number)))
for slug, as_type in (("float64", FLOAT64), ("float32", FLOAT32)):
    invalid("filter-reinterpret-not-real", slug, f"The input is taken as {slug.upper()}.", nothing,
            base=on_attribute(delta(DOUBLE_DELTA, reinterpret=as_type), datatype=INT64),
            also=["filter-accepts-datatype"])
for slug, type in (("bit-width", BIT_WIDTH), ("positive-delta", POSITIVE_DELTA)):
    invalid("filter-window-positive", slug, "The window is 0.", nothing, base=on_attribute(window(type, 0)))
for width in (0, 3, 16):
    invalid("filter-scale-byte-width", f"{width}", f"Float scale to {width} bytes.", nothing,
            base=on_attribute(float_scale(width=width), datatype=FLOAT64))
invalid("filter-scale-byte-width", "big-endian", "The byte width 4 with the high byte first.", nothing,
        base=on_attribute(float_scale(width=4 << 56), datatype=FLOAT64))
for slug, scale, offset in (("scale-0", 0.0, 0.0), ("scale-nan", NAN, 0.0), ("offset-infinite", 1.0, INF)):
    invalid("filter-scale-finite", slug, f"Scale {scale} and offset {offset}.", nothing,
            base=on_attribute(float_scale(scale, offset), datatype=FLOAT64))


# --- WebP ----------------------------------------------------------------------------------------------
def image(*arguments, datatype=UINT8, array_type=DENSE, dims=2, **options):
    return on_attribute(webp(*arguments, **options), datatype=datatype, array_type=array_type,
                        dims=lambda: [Dimension(f"d{i}", UINT32, (0, 63), 64) for i in range(dims)])


valid("filter-options-webp", "edges", "Quality 100, the largest extents.", nothing,
      base=image(100.0, 1, 1, 16383, 49149), ambiguity="webp-id-and-options",
      keeps=["filter-webp-format", "filter-webp-lossless", "filter-webp-quality", "filter-webp-extent-limit",
             "filter-webp-context"])
valid("filter-webp-extent-limit", "zero", "Extents of 0 and RGBA.", nothing, base=image(0.0, 4, 0, 0, 0))
valid("filter-webp-extent-limit", "four-to-a-pixel", "RGBA with 4 times 16383 values in x.", nothing,
      base=image(50.0, 3, 0, 16383, 65532))
for size in (10, 9, 0):
    invalid("filter-options-webp", f"{size}", f"WebP with {size} bytes of options.", nothing,
            base=on_attribute(strange(WEBP, webp().options[:size]), datatype=UINT8,
                              dims=lambda: [Dimension("y", UINT32, (0, 63), 64), Dimension("x", UINT32, (0, 63), 64)]))
for number in (5, 255):
    invalid("filter-webp-format", f"{number}", f"The colour format {number}.", nothing, base=image(format=number))
for number in (2, 255):
    invalid("filter-webp-lossless", f"{number}", f"Lossless is {number}.", nothing, base=image(lossless=number))
for slug, quality in (("negative", -1.0), ("above", 100.5), ("nan", NAN)):
    invalid("filter-webp-quality", slug, f"The quality is {quality}.", nothing, base=image(quality))
for slug, y, x in (("y-16384", 16384, 64), ("x-49150", 64, 49150), ("y-65535", 65535, 64)):
    invalid("filter-webp-extent-limit", slug, f"The extents are y {y}, x {x}.", nothing, base=image(y=y, x=x))
invalid("filter-webp-context", "int8", "WebP for INT8.", nothing, base=image(datatype=INT8))
invalid("filter-webp-context", "sparse", "WebP in a sparse array.", nothing, base=image(array_type=SPARSE))
invalid("filter-webp-context", "three-dimensions", "WebP in an array of three dimensions.", nothing,
        base=image(dims=3))
invalid("filter-webp-context", "coordinates", "WebP for coordinates.", nothing,
        base=lambda: dense(coords=Pipeline(webp())))

# --- Combinations --------------------------------------------------------------------------------------
invalid("filter-dictionary-first", "second", "A dictionary filter behind zstd.", nothing,
        base=on_string(compressor(ZSTD), compressor(DICTIONARY)))
invalid("filter-dictionary-first", "between", "A dictionary filter between others.", nothing,
        base=on_string(Filter(BYTESHUFFLE), compressor(DICTIONARY), Filter(SHA256)))
DICT = Pipeline(compressor(DICTIONARY))
valid("filter-dictionary-on-strings", "dimension", "A string dimension with a dictionary filter.", nothing,
      base=lambda: sparse(dims=[Dimension("place", ASCII, None, None,
                                          Pipeline(compressor(DICTIONARY), compressor(ZSTD)))]))
valid("filter-dictionary-on-strings", "inherited", "A string dimension inherits a dictionary filter.", nothing,
      base=lambda: sparse(dims=[Dimension("place", ASCII, None, None)], coords=DICT))
invalid("filter-dictionary-on-strings", "int32", "A dictionary filter on INT32.", nothing,
        base=on_attribute(compressor(DICTIONARY)))
invalid("filter-dictionary-on-strings", "fixed-size", "A dictionary filter on strings of 8 bytes.", nothing,
        base=on_attribute(compressor(DICTIONARY), datatype=UTF8, cell_val_num=8))
invalid("filter-dictionary-on-strings", "offsets", "A dictionary filter on offsets.", nothing,
        base=lambda: dense(offsets=DICT))
invalid("filter-dictionary-on-strings", "inherited-by-uint64", "A UINT64 dimension inherits a dictionary filter.",
        nothing, base=lambda: sparse(dims=[Dimension("d", UINT64, (0, 9), 10)], coords=DICT))
ZSTD_RLE = (compressor(ZSTD), compressor(RLE))
valid("filter-rle-first-on-strings", "first", "RLE, then zstd on a string.", nothing,
      base=on_string(compressor(RLE), compressor(ZSTD)))
valid("filter-rle-first-on-strings", "utf8-in-16", "RLE behind byteshuffle on UTF-8 in version 16.", nothing,
      base=on_string(Filter(BYTESHUFFLE), compressor(RLE), number=16, datatype=UTF8))
valid("filter-rle-first-on-strings", "ascii-in-11", "RLE behind zstd on ASCII in version 11.", nothing,
      base=on_string(*ZSTD_RLE, number=11))
invalid("filter-rle-first-on-strings", "ascii-in-12", "RLE behind zstd on ASCII in version 12.", nothing,
        base=on_string(*ZSTD_RLE, number=12))
invalid("filter-rle-first-on-strings", "utf8-in-17", "RLE behind byteshuffle on UTF-8 in version 17.", nothing,
        base=on_string(Filter(BYTESHUFFLE), compressor(RLE), number=17, datatype=UTF8))
invalid("filter-rle-first-on-strings", "dimension", "RLE behind zstd in the pipeline of a string dimension.", nothing,
        base=lambda: sparse(dims=[Dimension("place", ASCII, None, None, Pipeline(*ZSTD_RLE))]))
invalid("filter-accepts-datatype", "bit-width-on-float64", "Bit width reduction on FLOAT64.", nothing,
        base=on_attribute(window(BIT_WIDTH), datatype=FLOAT64))
invalid("filter-accepts-datatype", "double-delta-on-float32", "Double delta on FLOAT32.", nothing,
        base=on_attribute(delta(DOUBLE_DELTA), datatype=FLOAT32))
invalid("filter-accepts-datatype", "width-does-not-divide", "Delta takes INT32 as INT64.", nothing,
        base=on_attribute(delta(DELTA, reinterpret=INT64), datatype=INT32))
invalid("filter-accepts-datatype", "float-scale-on-int8", "Float scale on INT8.", nothing,
        base=on_attribute(float_scale(), datatype=INT8))
for size in (0, 1, 65536, 0xFFFFFFFF):
    valid("pipeline-any-chunk-size", f"{size}", f"A maximum chunk size of {size}.",
          put({"attr 0.filters.max chunk": size}))
valid("pipeline-empty", "everywhere", "No pipeline of the schema has a filter.", nothing,
      base=lambda: dense(coords=Pipeline(), offsets=Pipeline(), validity=Pipeline()))

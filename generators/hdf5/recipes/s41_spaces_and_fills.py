"""IV.A.2.b, IV.A.2.e and IV.A.2.f of the File Format Specification: dataspaces and fill values."""

from generators.hdf5 import *

from .s40_datatype_classes import plain, sound

# Dataspaces ---------------------------------------------------------------------------------------


def old_space(**options):
    return plain(I32, shape=(2, 3), space_version=1, **options)


def space(clause, slug, shows, base, fields, **options):
    changed(clause, slug, shows,
            {f"OHDR /d: dataspace.{name}": value for name, value in fields.items()}, base=base,
            **options)


sound("h5-dataspace-flags-reserved", "maxima", "Dataspaces of both versions with maxima.",
      lambda: of(a=plain(I32, maximum=(3,))().at("/d"),
                 b=plain(I32, maximum=(3,), space_version=1)().at("/d")))
space("h5-dataspace-flags-reserved", "version-1", "Flags 0x81 of version 1.",
      plain(I32, maximum=(3,), space_version=1), {"flags": 0x81})
space("h5-dataspace-flags-reserved", "version-2", "Flags 0x02 of version 2.", plain(I32),
      {"flags": 0x02})

sound("h5-dataspace-permutation", "none", "A dataspace of version 1 and rank 2.", old_space(),
      keeps=["h5-dataspace-reserved"])
for slug, indices in (("identity", (0, 1)), ("exchanged", (1, 0))):
    @invalid("h5-dataspace-permutation", slug, f"The permutation indices {indices}.",
             base=old_space())
    def permuted(f, indices=indices):
        header = f["OHDR /d"]
        header["dataspace.flags"] = 2
        header["dataspace.size 1"] = b"".join(
            each.to_bytes(8, "little") for each in (3, *indices))

sound("h5-dataspace-reserved", "zeros", "A dataspace of version 1.", old_space())
space("h5-dataspace-reserved", "byte-3", "Byte 3 is 1.", old_space(), {"reserved": 1})
space("h5-dataspace-reserved", "bytes-4-to-7", "Bytes 4 to 7 are not zero.", old_space(),
      {"reserved too": 0x97709000})


def empty(shape, maximum=None, type=I32):
    return lambda: extensible(shape=shape, maximum=maximum or (UNLIMITED,) * len(shape),
                              chunk=(4,) * len(shape), unused="index", type=type,
                              **({"storage": Tree(node_size=128)} if len(shape) > 1 else {}))


sound("h5-dataspace-size-limited", "unlimited-maximum", "Size 0 with an unlimited maximum.",
      empty((0,)))
space("h5-dataspace-size-limited", "all-ones", "A current size of all ones.", empty((0,)),
      {"size 0": (1 << 64) - 1}, also=["h5-risk-expansion", "h5-risk-chunk-tiny"])
space("h5-dataspace-size-limited", "second-dimension", "All ones beside a size of 0.",
      empty((0, 0)), {"size 1": (1 << 64) - 1})

sound("h5-dataspace-elements", "2-62", "2^31 by 2^31 elements that were never written.",
      empty((1 << 31, 1 << 31), type=I8),
      also=["h5-risk-expansion", "h5-risk-chunk-tiny"])
space("h5-dataspace-elements", "2-80", "2^40 by 2^40 elements.", empty((0, 0)),
      {"size 0": 1 << 40, "size 1": 1 << 40}, also=["h5-risk-expansion", "h5-risk-chunk-tiny"])
space("h5-dataspace-elements", "2-65", "Dimensions of 2^16, 2^16, 2^16, 2^16 and 2.",
      empty((0,) * 5), {"size 0": 1 << 16, "size 1": 1 << 16, "size 2": 1 << 16, "size 3": 1 << 16,
                        "size 4": 2}, also=["h5-risk-expansion"])

sound("h5-dataset-size", "2-60", "2^60 bytes of a sparse dataset.", empty((1 << 58,)),
      also=["h5-risk-expansion", "h5-risk-chunk-tiny"])
space("h5-dataset-size", "2-65", "2^62 elements of 8 bytes.", empty((0,), type=I64),
      {"size 0": 1 << 62}, also=["h5-risk-expansion", "h5-risk-chunk-tiny"])
space("h5-dataset-size", "2-64", "2^61 elements of 8 bytes.", empty((0,), type=I64),
      {"size 0": 1 << 61}, also=["h5-risk-expansion", "h5-risk-chunk-tiny"])


@valid("h5-dataspace-null-allowed", base=plain(I32, shape=None,
                                               storage=Contiguous(allocated=False)))
def null(f):
    "A dataset and an attribute with a null dataspace."
    f.at("/d").attributes = [Attribute(b"a\0", I32, None)]


# Fill values --------------------------------------------------------------------------------------

def filled(**options):
    return plain(I32, fill=Fill(**options))


def fill(clause, slug, shows, base, fields, **options):
    changed(clause, slug, shows, {f"OHDR /d: fill.{name}": value for name, value in fields.items()},
            base=base, **options)


sound("h5-fill-allocation-time", "each", "Each allocation time.",
      lambda: of(**{f"v{version}t{time}": filled(version=version, allocation=time)().at("/d")
                    for version in (2, 3) for time in (1, 2, 3)}),
      keeps=["h5-fill-write-time", "h5-fill-defined-flag"])
fill("h5-fill-allocation-time", "0", "Allocation time 0 in version 3.", filled(), {"flags": 0x08})
fill("h5-fill-allocation-time", "9", "Allocation time 9 in version 2.", filled(version=2),
     {"allocation": 9})
fill("h5-fill-allocation-time", "4", "Allocation time 4 in version 1.", filled(version=1),
     {"allocation": 4})

sound("h5-fill-write-time", "each", "Each write time.",
      lambda: of(**{f"v{version}t{time}": filled(version=version, when=time)().at("/d")
                    for version in (2, 3) for time in (0, 1, 2)}))
fill("h5-fill-write-time", "7", "Write time 7 in version 2.", filled(version=2), {"when": 7})
fill("h5-fill-write-time", "3", "Write time 3 in version 3.", filled(), {"flags": 0x0F})

sound("h5-fill-defined-flag", "both", "A value that is defined, and one that is not.",
      lambda: of(a=filled(version=2)().at("/d"),
                 b=filled(version=2, value=b"\1\0\0\0")().at("/d")))
fill("h5-fill-defined-flag", "2", "The flag is 2.", filled(version=2), {"defined": 2})


def both(old=42, new=42):
    made = filled(version=2, value=new.to_bytes(4, "little"))()
    made.at("/d").header.extra = [raw("old fill", bytes((4, 0, 0, 0)) + old.to_bytes(4, "little"))]
    return made


sound("h5-fill-old-agrees", "42", "Both messages have 42.", both)
sound("h5-fill-old-agrees", "not-defined", "Only the old message has a value.",
      lambda: (lambda made: (setattr(made.at("/d"), "fill", Fill(version=2)), made)[1])(both()))
invalid("h5-fill-old-agrees", "43", "The old value is 42, the new one 43.",
        base=lambda: both(42, 43))(lambda f: None)

invalid("swmr-fill-size", "old-of-2-bytes", "The old message has a value of two bytes for integers of four.",
        base=both, since="hdf5-file-format-4.0")(
            lambda f: setattr(f.at("/d").header, "extra", [raw("old fill", b"\2\0\0\0*\0")]))
sound("h5-early-contiguous", "allocated", "Early allocation of contiguous storage.",
      filled(allocation=1))
sound("h5-early-contiguous", "no-elements", "Early allocation of no elements.",
      plain(I32, shape=(0,), fill=Fill(allocation=1), storage=Contiguous(allocated=False)))
invalid("h5-early-contiguous", "no-address", "Early allocation without storage.",
        base=plain(I32, fill=Fill(allocation=1), storage=Contiguous(allocated=False)))(
            lambda f: None)

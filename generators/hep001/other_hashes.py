"""Hash functions that a producer may confuse with MurmurHash3_x64_128 (HEP001 10.7), for wrong filters."""

_M32, _M64 = (1 << 32) - 1, (1 << 64) - 1


def _rotl(x, r, bits):
    return (x << r | x >> (bits - r)) & ((1 << bits) - 1)


def murmur3_x86_128(data, seed=0):
    """The 32-bit variant, as two 64-bit numbers; the output differs from that of x64_128."""
    c = (0x239B961B, 0xAB0E9789, 0x38B34AE5, 0xA1E38B93)
    turns, adds = ((19, 17, 15, 13), (0x561CCD1B, 0x0BCAA747, 0x96CD1C35, 0x32AC3B17))
    h = [seed & _M32] * 4
    whole = len(data) // 16 * 16

    def mixed(k, j):
        return _rotl(k * c[j] & _M32, 15 + j, 32) * c[(j + 1) % 4] & _M32

    for start in range(0, whole, 16):
        for j in range(4):
            h[j] ^= mixed(int.from_bytes(data[start + 4 * j:start + 4 * j + 4], "little"), j)
            h[j] = (_rotl(h[j], turns[j], 32) + h[(j + 1) % 4]) & _M32
            h[j] = (h[j] * 5 + adds[j]) & _M32
    for j in range(4):
        h[j] ^= mixed(int.from_bytes(data[whole + 4 * j:whole + 4 * j + 4], "little"), j)
    h = [x ^ len(data) for x in h]
    h = _shared(h)
    h = _shared([_fmix32(x) for x in h])
    return h[0] | h[1] << 32, h[2] | h[3] << 32


def _shared(h):
    first = sum(h) & _M32
    return [first, *((x + first) & _M32 for x in h[1:])]


def _fmix32(x):
    x = (x ^ x >> 16) * 0x85EBCA6B & _M32
    x = (x ^ x >> 13) * 0xC2B2AE35 & _M32
    return x ^ x >> 16


def xxhash64(data, seed=0):
    """xxHash64 of up to 31 bytes, which contain no stripes."""
    assert len(data) < 32
    p1, p2, p3, p4, p5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                          0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
    h = (seed + p5 + len(data)) & _M64
    at = 0
    while at + 8 <= len(data):
        k = int.from_bytes(data[at:at + 8], "little")
        h ^= _rotl(k * p2 & _M64, 31, 64) * p1 & _M64
        h, at = (_rotl(h, 27, 64) * p1 + p4) & _M64, at + 8
    if at + 4 <= len(data):
        h ^= int.from_bytes(data[at:at + 4], "little") * p1 & _M64
        h, at = (_rotl(h, 23, 64) * p2 + p3) & _M64, at + 4
    for byte in data[at:]:
        h = _rotl(h ^ byte * p5 & _M64, 11, 64) * p1 & _M64
    h = (h ^ h >> 33) * p2 & _M64
    h = (h ^ h >> 29) * p3 & _M64
    return h ^ h >> 32

"""MurmurHash3_x64_128 with a 32-bit seed, after its published description, in plain Python."""

_MASK = (1 << 64) - 1
_C1, _C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F


def _rotl(x, r):
    return (x << r | x >> (64 - r)) & _MASK


def _mix_k1(k):
    return _rotl(k * _C1 & _MASK, 31) * _C2 & _MASK


def _mix_k2(k):
    return _rotl(k * _C2 & _MASK, 33) * _C1 & _MASK


def _finish(h):
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & _MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return h ^ h >> 33


def murmur3_x64_128(data, seed=0):
    """The two 64-bit halves (out[0], out[1]) of the hash of `data`."""
    h1 = h2 = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        h1 ^= _mix_k1(int.from_bytes(data[at:at + 8], "little"))
        h1 = ((_rotl(h1, 27) + h2) * 5 + 0x52DCE729) & _MASK
        h2 ^= _mix_k2(int.from_bytes(data[at + 8:at + 16], "little"))
        h2 = ((_rotl(h2, 31) + h1) * 5 + 0x38495AB5) & _MASK
    tail = data[whole:]
    if len(tail) > 8:
        h2 ^= _mix_k2(int.from_bytes(tail[8:], "little"))
    if tail:
        h1 ^= _mix_k1(int.from_bytes(tail[:8], "little"))
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & _MASK
    h2 = (h2 + h1) & _MASK
    h1, h2 = _finish(h1), _finish(h2)
    h1 = (h1 + h2) & _MASK
    return h1, (h2 + h1) & _MASK

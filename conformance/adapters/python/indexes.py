"""The contents of the four families of search indexes (HEP001 10.4 to 10.7). A column is given as a list of
keys (notation.key), with None for a missing row."""

import struct

from notation import FLOATS, is_nan

MASK = 2**64 - 1


def rotate(x, r):
    return (x << r | x >> (64 - r)) & MASK


def finish(h):
    h ^= h >> 33
    h = h * 0xFF51AFD7ED558CCD & MASK
    h ^= h >> 33
    h = h * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33


def murmur3(data, seed):
    """MurmurHash3_x64_128 as two 64-bit halves."""
    c1, c2, h1, h2 = 0x87C37B91114253D5, 0x4CF5AD432745937F, seed, seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<QQ", data, at)
        h1 ^= rotate(k1 * c1 & MASK, 31) * c2 & MASK
        h1 = ((rotate(h1, 27) + h2) * 5 + 0x52DCE729) & MASK
        h2 ^= rotate(k2 * c2 & MASK, 33) * c1 & MASK
        h2 = ((rotate(h2, 31) + h1) * 5 + 0x38495AB5) & MASK
    k1, k2 = struct.unpack("<QQ", data[whole:].ljust(16, b"\0"))
    if len(data) - whole > 8:
        h2 ^= rotate(k2 * c2 & MASK, 33) * c1 & MASK
    if len(data) > whole:
        h1 ^= rotate(k1 * c1 & MASK, 31) * c2 & MASK
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = finish(h1), finish(h2)
    h1 = (h1 + h2) & MASK
    return h1, (h2 + h1) & MASK


def canonical(kind, key):
    """The bytes that CHUNK_BLOOM hashes."""
    size = kind.get("size")
    if kind["class"] == "integer":
        return key.to_bytes(size, "little", signed=kind["signed"])
    if kind["class"] == "float":
        return struct.pack("<" + FLOATS[size], key + 0.0)  # -0.0 + 0.0 is +0.0
    if kind["class"] == "enum":
        return canonical(kind["base"], key)
    if kind["class"] == "boolean":
        return bytes([key])
    return key


def bloom_bits(data, k, m_bits, seed):
    a, b = murmur3(data, seed)
    return [(a + i * b) % m_bits for i in range(k)]


def bloom_has(row, data, k, m_bits, seed):
    return all(row[bit >> 3] >> (bit & 7) & 1 for bit in bloom_bits(data, k, m_bits, seed))


def chunks(keys, chunk):
    return [keys[at:at + chunk] for at in range(0, len(keys), chunk)]


def chunk_minmax(keys, chunk, nan_fill, nan):
    """(min, max, nan_count, fill_count, n) of each chunk; min and max are None if it has no value.
    `nan` states which rows are NaN, including missing ones."""
    entries = []
    for at in range(0, len(keys), chunk):
        part = keys[at:at + chunk]
        values = [key for key in part if key is not None and not is_nan(key)]
        nans = sum(nan[at:at + chunk])
        missing = sum(key is None for key in part)
        entries.append((min(values, default=None), max(values, default=None), nans, missing,
                        len(part)))
    return entries


def sorted_rows(keys, nan):
    """The permutation, nan_tail_length and fill_tail_length."""
    rows = range(len(keys))
    nans = [r for r in rows if nan[r]]
    fills = [r for r in rows if keys[r] is None and not nan[r]]
    values = sorted((r for r in rows if keys[r] is not None and not nan[r]),
                    key=lambda r: keys[r])
    return values + fills + nans, len(nans), len(fills)


def bitmap(keys, values):
    rows = []
    for value in values:
        row = bytearray((len(keys) + 7) // 8)
        for r, key in enumerate(keys):
            if key is not None and key == value:
                row[r >> 3] |= 1 << (r & 7)
        rows.append(bytes(row))
    return rows


def chunk_bloom(kind, keys, chunk, k, m_bits, seed):
    filters = []
    for part in chunks(keys, chunk):
        row = bytearray(m_bits // 8)
        for key in part:
            if key is not None and not is_nan(key):
                for bit in bloom_bits(canonical(kind, key), k, m_bits, seed):
                    row[bit >> 3] |= 1 << (bit & 7)
        filters.append(bytes(row))
    return filters

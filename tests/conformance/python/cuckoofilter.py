"""Cuckoo filters in the saved form of cuckoofilter-wasm, written from its specification alone (docs/inside/format.md).

Reads plain, semi-sorted, grown, growing and keyed filters, and writes all of these. No table grows: a filter that is full
says so. Comments name the rules of the specification. NumPy, if it is installed, makes calls with many keys fast.

    f = Filter.for_keys(1_000_000, rate=0.001)
    f.add_many(keys)
    open("list.cuckoo", "wb").write(f.save())
    "alice" in Filter.load(open("list.cuckoo", "rb").read())
"""

import math
from array import array

try:
    import numpy
except ImportError:  # every call works without it
    numpy = None

MAGIC = b"\x89CKF\r\n\x1a\n"
HEADER_BYTES = 72
MASK32 = 2**32 - 1
MASK64 = 2**64 - 1
MOST_READ = 2000  # buckets that one add reads in search of room


class FormatError(ValueError):
    """The bytes are no filter that can be read. `code` and `rule` are those of the specification."""

    def __init__(self, code, rule, offset):
        super().__init__(f"{code}: the bytes break rule {rule} of the format at byte {offset}")
        self.code, self.rule, self.offset = code, rule, offset


class FilterFull(Exception):
    """There is no room for the key, and nothing has changed. `reason` is 'full' or 'too-many-copies'."""

    def __init__(self, reason):
        super().__init__("the filter is full" if reason == "full" else "the filter has too many copies of this key")
        self.reason = reason


# Keys and hashes (section 5). The arithmetic here and in `Filter._locate` serves numbers and NumPy's arrays of numbers.


def key_bytes(key):
    """The bytes of a str, an int or anything that is bytes (rule 5.1)."""
    if isinstance(key, str):
        try:
            return key.encode()
        except UnicodeEncodeError:  # half a surrogate pair
            return key.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    if isinstance(key, int) and not isinstance(key, bool):
        if not -(2**63) <= key < 2**64:
            raise ValueError(f"an integer key must be from -2^63 to 2^64 - 1, got {key}")
        return (key & MASK64).to_bytes(8, "little")
    if isinstance(key, (bytes, bytearray, memoryview)):
        return bytes(key)
    raise TypeError(f"a key must be str, int or bytes, got {type(key).__name__}")


P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def _rotate(x, by):
    return ((x << by) | (x >> (64 - by))) & MASK64


def _round(lane, word):
    return (_rotate((lane + word * P2) & MASK64, 31) * P1) & MASK64


def _xxh64(read, length, seed):
    """XXH64 (rule 5.4) of `length` bytes. `read(at, size)` gives the integer at a position, or an array of them."""
    at = 0
    h = (seed + P5) & MASK64
    if length >= 32:
        lanes = [(seed + P1 + P2) & MASK64, (seed + P2) & MASK64, seed, (seed - P1) & MASK64]
        while at + 32 <= length:
            lanes = [_round(lane, read(at + 8 * i, 8)) for i, lane in enumerate(lanes)]
            at += 32
        h = sum(_rotate(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & MASK64
        for lane in lanes:
            h = ((h ^ _round(0, lane)) * P1 + P4) & MASK64
    h = (h + length) & MASK64
    while at + 8 <= length:
        h = (_rotate(h ^ _round(0, read(at, 8)), 27) * P1 + P4) & MASK64
        at += 8
    if at + 4 <= length:
        h = (_rotate(h ^ ((read(at, 4) * P1) & MASK64), 23) * P2 + P3) & MASK64
        at += 4
    while at < length:
        h = (_rotate(h ^ ((read(at, 1) * P5) & MASK64), 11) * P1) & MASK64
        at += 1
    h = ((h ^ (h >> 33)) * P2) & MASK64
    h = ((h ^ (h >> 29)) * P3) & MASK64
    return h ^ (h >> 32)


def _siphash13(read, length, k0, k1):
    """SipHash-1-3 (rule 5.5), likewise."""
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573

    def sip_round(v0, v1, v2, v3):
        v0 = (v0 + v1) & MASK64
        v1 = _rotate(v1, 13) ^ v0
        v0 = _rotate(v0, 32)
        v2 = (v2 + v3) & MASK64
        v3 = _rotate(v3, 16) ^ v2
        v0 = (v0 + v3) & MASK64
        v3 = _rotate(v3, 21) ^ v0
        v2 = (v2 + v1) & MASK64
        v1 = _rotate(v1, 17) ^ v2
        return v0, v1, _rotate(v2, 32), v3

    whole = length - length % 8
    for at in range(0, whole + 8, 8):
        if at < whole:
            word = read(at, 8)
        else:  # what is left, zeros, and the length as the last byte
            word = (length % 256) << 56
            for i in range(length % 8):
                word = word | (read(whole + i, 1) << (8 * i))
        v3 = v3 ^ word
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
        v0 = v0 ^ word
    v2 = v2 ^ 0xFF
    for _ in range(3):
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


def _reader(data):
    return lambda at, size: int.from_bytes(data[at : at + size], "little")


def xxh64(data, seed=0):
    return _xxh64(_reader(data), len(data), seed)


def siphash13(data, secret):
    k0, k1 = int.from_bytes(secret[:8], "little"), int.from_bytes(secret[8:], "little")
    return _siphash13(_reader(data), len(data), k0, k1)


# Buckets of semi-sorted tables (rule 4.3).

LOW_BITS = (4, 5, 5, 5)  # l, L and c by q
LOW_VALUES = (16, 28, 23, 19)
CODE_BITS = (12, 15, 14, 13)
_quadruples = []


def _quadruple(code):
    """The four low parts with this rank."""
    if not _quadruples:
        _quadruples.extend(
            (a, b, c, d) for d in range(28) for c in range(d + 1) for b in range(c + 1) for a in range(b + 1)
        )
    return _quadruples[code]


def _code(a, b, c, d):
    return a + math.comb(b + 1, 2) + math.comb(c + 2, 3) + math.comb(d + 3, 4)


class Filter:
    """A filter with `buckets` of `slots` fingerprints of `bits` bits each; `bits` may have quarters if `semi_sorted`.

    `capacity` is what the file says that it is made for. The hash is XXH64 under `seed`, or SipHash-1-3 under the 16
    bytes of `secret`, which are not saved."""

    def __init__(
        self, buckets, slots, bits, *, capacity=None, semi_sorted=False, xor=False, seed=0, secret=None, reserved=0
    ):
        self.buckets, self.slots, self.reserved = buckets, slots, reserved
        self.width = math.ceil(bits)
        self.quarters = round(4 * (self.width - bits))
        self.semi_sorted, self.xor, self.seed, self.secret = bool(semi_sorted), bool(xor), seed, secret
        self.capacity = buckets * slots << reserved if capacity is None else capacity
        self.size = 0
        rule, _ = self._broken_rule()
        if rule is not None:
            raise ValueError(f"the parameters break rule {rule} of the format")
        if secret is not None and len(secret) != 16:
            raise ValueError("secret must have 16 bytes")
        self._table = array("I", [0]) * (buckets * slots)

    @classmethod
    def for_keys(cls, count, rate=0.001, **options):
        """A filter for `count` different keys that reports an absent key as present with at most this probability."""
        bits = max(5, math.ceil(4 * math.log2(8 / rate)) / 4)
        bits = bits if bits <= 24 else math.ceil(bits)
        buckets = math.ceil(count / 4 / 0.95) + 1
        return cls(buckets, 4, bits, capacity=max(1, count), semi_sorted=True, **options)

    def _broken_rule(self):
        """The first rule of section 3 that the parameters break, and its offset; None if they break none."""
        b, w, q, r, sorts = self.slots, self.width, self.quarters, self.reserved, self.semi_sorted
        grown = self.buckets << r
        rules = (
            ("3.7", 13, 1 <= b <= 8 and (b == 4 or not sorts)),
            ("3.8", 14, 2 <= w <= 32 and (w >= 5 or not sorts)),
            ("3.9", 15, q == 0 or (sorts and 6 <= w <= 24)),
            ("3.9", 15, 0 <= r <= 32 - w),
            ("3.13", 24, 1 <= self.buckets and grown <= 2**32),
            ("3.13", 24, not (self.xor and self.buckets & (self.buckets - 1))),
            ("3.14", 32, 1 <= self.capacity <= min(grown * b, 2**34)),
            ("3.15", 40, 0 <= self.size <= self.buckets * b),
            ("3.16", 48, 0 <= self.seed <= MASK64 and (self.secret is None or self.seed == 0)),
        )
        return next(((rule, offset) for rule, offset, holds in rules if not holds), (None, 0))

    # From a key to its entries (section 6).

    def _hash(self, data):
        return xxh64(data, self.seed) if self.secret is None else siphash13(data, self.secret)

    def _locate(self, h):
        """The fingerprint and the two candidate buckets, in the grown table, of a hash (or of an array of hashes)."""
        w = self.width
        if self.quarters == 0:
            p = h & ((1 << w) - 1)
        else:
            t = ((h & MASK32) * (LOW_VALUES[self.quarters] << (w - 5))) >> 32
            p = (t >> (w - 5)) | ((t & ((1 << (w - 5)) - 1)) << 5)
        p = p + (p == 0)
        primary = ((h >> 32) * (self.buckets << self.reserved)) >> 32
        return p, primary, self._other(p, primary)

    def _other(self, p, bucket):
        """The other candidate bucket of a fingerprint (rule 6.3)."""
        grown = self.buckets << self.reserved
        x = (p * 0x9E3779B1) & MASK32
        x = ((x ^ (x >> 15)) * 0x85EBCA6B) & MASK32
        d = (x * grown) >> 32
        return bucket ^ d if self.xor else (d + grown - bucket) % grown

    def _entry(self, p, bucket):
        """The entry of a fingerprint, as a bucket of the grown table has it, and where in the table its slots begin."""
        r = self.reserved
        return p | (bucket & ((1 << r) - 1)) << self.width, (bucket >> r) * self.slots

    def _candidates(self, key):
        """The entry and the first slot for each different candidate bucket of a key."""
        p, primary, alternate = self._locate(self._hash(key_bytes(key)))
        buckets = (primary,) if primary == alternate else (primary, alternate)
        return [self._entry(p, bucket) for bucket in buckets]

    # Answers and changes (section 7).

    def count(self, key):
        """Copies of the key, and of keys that are alike."""
        table, b = self._table, self.slots
        return sum(table[at : at + b].count(entry) for entry, at in self._candidates(key))

    def __contains__(self, key):
        table, b = self._table, self.slots
        return any(entry in table[at : at + b] for entry, at in self._candidates(key))

    contains = __contains__

    def __len__(self):
        return self.size

    def add(self, key):
        """Adds one copy. Raises FilterFull, and then nothing has changed."""
        self._add(self._locate(self._hash(key_bytes(key))))

    def delete(self, key):
        """Removes one copy; False if there is none. Delete only what was added."""
        table, b = self._table, self.slots
        for entry, at in self._candidates(key):
            if entry in table[at : at + b]:
                table[table.index(entry, at, at + b)] = 0
                self.size -= 1
                return True
        return False

    def _add(self, located):
        table, b = self._table, self.slots
        p, primary, alternate = located
        for bucket in (primary, alternate):
            entry, at = self._entry(p, bucket)
            if 0 in table[at : at + b]:
                table[table.index(0, at, at + b)] = entry
                self.size += 1
                return
        self._add_by_moving(p, primary, alternate)

    def _add_by_moving(self, p, primary, alternate):
        """Looks for the shortest way to room, without a change, then moves each entry on it to its other bucket."""
        table, b, w, r = self._table, self.slots, self.width, self.reserved
        fingerprint = (1 << w) - 1
        found = [(primary, -1, 0), (alternate, -1, 0)]  # buckets of the grown table, each with what leads to it
        seen = {primary >> r, alternate >> r}
        for step in range(MOST_READ):
            if step == len(found):
                break
            j = found[step][0] >> r
            for slot in range(j * b, j * b + b):
                entry = table[slot]
                other = self._other(entry & fingerprint, j << r | entry >> w)
                to = other >> r
                if 0 in table[to * b : to * b + b]:
                    return self._move(found, step, slot, other, p)
                if to not in seen:
                    seen.add(to)
                    found.append((other, step, slot))
        copies = all(
            entry == self._entry(p, bucket)[0]
            for bucket in (primary, alternate)
            for entry in table[(bucket >> r) * b : (bucket >> r) * b + b]
        )
        raise FilterFull("too-many-copies" if copies else "full")

    def _move(self, found, step, slot, to, p):
        table, b = self._table, self.slots
        fingerprint = (1 << self.width) - 1
        at = (to >> self.reserved) * b
        free = table.index(0, at, at + b)
        while True:
            table[free] = self._entry(table[slot] & fingerprint, to)[0]
            free = slot
            to, step, slot = found[step]
            if step < 0:
                table[free] = self._entry(p, to)[0]
                self.size += 1
                return

    # Many keys at once.

    def add_many(self, keys):
        """Adds the keys, in order. Raises FilterFull at the first one without room; those before it are added."""
        keys = list(keys)
        if numpy is None or not keys:
            for key in keys:
                self.add(key)
            return
        for located in zip(*(each.tolist() for each in self._locate(self._hashes(keys)))):
            self._add(located)

    def contains_many(self, keys):
        """Whether each key is present: a list of bools, or an array if there is NumPy."""
        keys = list(keys)
        if numpy is None or not keys:
            return [key in self for key in keys]
        table = numpy.frombuffer(self._table, numpy.uint32).reshape(self.buckets, self.slots)
        p, primary, alternate = self._locate(self._hashes(keys))
        present = numpy.zeros(len(keys), bool)
        for bucket in (primary, alternate):
            entry = p | (bucket & ((1 << self.reserved) - 1)) << self.width
            rows = table[(bucket >> self.reserved).astype(numpy.intp)]
            present |= (rows == entry.astype(numpy.uint32)[:, None]).any(axis=1)
        return present

    def _hashes(self, keys):
        """The hashes of many keys, as an array: all keys of one length together."""
        data = [key_bytes(key) for key in keys]
        by_length = {}
        for i, each in enumerate(data):
            by_length.setdefault(len(each), []).append(i)
        hashes = numpy.empty(len(keys), numpy.uint64)
        for length, places in by_length.items():
            if length == 0:
                hashes[places] = self._hash(b"")
                continue
            bytes_ = numpy.frombuffer(b"".join([data[i] for i in places]), numpy.uint8).reshape(len(places), length)

            def read(at, size, bytes_=bytes_):
                word = bytes_[:, at : at + size].copy().view(f"<u{size}")[:, 0]
                return word.astype(numpy.uint64)

            if self.secret is None:
                hashes[places] = _xxh64(read, length, self.seed)
            else:
                k0, k1 = (int.from_bytes(self.secret[i : i + 8], "little") for i in (0, 8))
                hashes[places] = _siphash13(read, length, k0, k1)
        return hashes

    # The saved form (sections 2 to 4, 10).

    def _bucket_bits(self):
        s = self.width + self.reserved
        return 4 * (s - 1) - self.quarters if self.semi_sorted else self.slots * s

    def _payload_bytes(self):
        return (self.buckets * self._bucket_bits() + 7) // 8

    def save(self):
        """The saved form, in bytes."""
        r, header = self.reserved, bytearray(HEADER_BYTES)
        header[0:8] = MAGIC
        grows, is_keyed = r > 0, self.secret is not None
        numbers = (1, grows, self.semi_sorted, self.xor, 1 + is_keyed, self.slots, self.width, self.quarters + 4 * r)
        header[8:17] = bytes((*numbers, grows))
        header[20:22] = (500).to_bytes(2, "little")
        check = self._hash(b"cuckoofilter")
        numbers = (self.buckets, self.capacity, self.size, self.seed, check, self._payload_bytes())
        for offset, number in zip(range(24, 72, 8), numbers):
            header[offset : offset + 8] = number.to_bytes(8, "little")
        saved = bytes(header) + self._payload()
        return saved + xxh64(saved).to_bytes(8, "little")

    def _payload(self):
        """The buckets in ascending order (rule 4.5). Eight buckets end on a byte, whatever their bits."""
        b, bits, table = self.slots, self._bucket_bits(), self._table
        encode = self._semi_sorted if self.semi_sorted else self._plain
        parts = []
        for first in range(0, self.buckets, 8):
            some = range(first, min(first + 8, self.buckets))
            group = sum(encode(table[i * b : i * b + b]) << ((i - first) * bits) for i in some)
            parts.append(group.to_bytes((len(some) * bits + 7) // 8, "little"))
        return b"".join(parts)

    def _plain(self, entries):
        s = self.width + self.reserved
        return sum(entry << (slot * s) for slot, entry in enumerate(sorted(entries)))

    def _semi_sorted(self, entries):
        l = LOW_BITS[self.quarters]
        rest_bits = self.width + self.reserved - l
        pairs = sorted((entry & ((1 << l) - 1), entry >> l) for entry in entries)
        bucket = _code(*(low for low, _ in pairs))
        for slot, (_, rest) in enumerate(pairs):
            bucket |= rest << (CODE_BITS[self.quarters] + slot * rest_bits)
        return bucket

    @classmethod
    def load(cls, data, secret=None, max_bytes=None):
        """The filter with this saved form. Raises FormatError. The payload may have at most `max_bytes` bytes."""
        data = bytes(data)
        u = lambda at, size: int.from_bytes(data[at : at + size], "little")

        def must(holds, code, rule, offset):
            if not holds:
                raise FormatError(code, rule, offset)

        must(data and data[:8] == MAGIC[: len(data)], "not-a-filter", "3.1", 0)
        must(len(data) < 9 or data[8] == 1, "unsupported-version", "3.2", 8)
        must(len(data) >= HEADER_BYTES, "cut-short", "2.2", len(data))
        must(data[10] <= 1, "unsupported-version", "3.4", 10)
        must(1 <= data[12] <= 2, "unsupported-version", "3.6", 12)
        must(u(16, 2) <= 1, "unsupported-version", "3.10", 16)  # values are not supported: rule 10.1
        must(data[11] <= 1, "inconsistent", "3.5", 11)
        must((data[15] >= 4) == (data[16] == 1), "inconsistent", "3.10", 16)
        must(u(20, 4) <= 65535, "inconsistent", "3.12", 20)
        is_keyed = data[12] == 2
        self = cls.__new__(cls)
        self.slots, self.width, self.quarters, self.reserved = data[13], data[14], data[15] & 3, data[15] >> 2
        self.semi_sorted, self.xor = data[10] == 1, data[11] == 1
        self.buckets, self.capacity, self.size, self.seed = u(24, 8), u(32, 8), u(40, 8), u(48, 8)
        self.secret = bytes(16) if is_keyed else None  # for rule 3.16, until the right one is known
        rule, offset = self._broken_rule()
        must(rule is None, "inconsistent", rule, offset)
        must(u(64, 8) == self._payload_bytes(), "inconsistent", "3.18", 64)
        must((secret is not None) == is_keyed, "wrong-key", "5.2", 12)
        self.secret = secret
        must(self._hash(b"cuckoofilter") == u(56, 8), "wrong-key" if is_keyed else "inconsistent", "3.17", 56)
        end = HEADER_BYTES + self._payload_bytes()
        must(len(data) == end + 8, "cut-short", "2.1", min(len(data), end + 8))
        must(max_bytes is None or self._payload_bytes() <= max_bytes, "too-large", "10", 64)
        must(xxh64(memoryview(data)[:end]) == u(end, 8), "damaged", "2.3", end)
        self._table = self._read_payload(data[HEADER_BYTES:end], must)
        return self

    def _read_payload(self, payload, must):
        bits = self._bucket_bits()
        decode = self._read_semi_sorted if self.semi_sorted else self._read_plain
        fingerprint, mask = (1 << self.width) - 1, (1 << bits) - 1
        table = array("I")
        for first in range(0, self.buckets, 8):
            group = int.from_bytes(payload[first // 8 * bits : (first // 8 + 1) * bits], "little")
            for i in range(min(8, self.buckets - first)):
                at = HEADER_BYTES + (first + i) * bits // 8
                entries, order = decode(group & mask, at, must)
                group >>= bits
                must(order == sorted(order), "inconsistent", "4.5", at)
                must(all(e == 0 or e & fingerprint for e in entries), "inconsistent", "4.6", at)
                table.extend(entries)
            must(group == 0 or first + 8 < self.buckets, "inconsistent", "4.8", HEADER_BYTES + len(payload) - 1)
        must(len(table) - table.count(0) == self.size, "inconsistent", "4.7", 40)
        return table

    def _read_plain(self, bucket, at, must):
        s = self.width + self.reserved
        entries = [bucket >> (slot * s) & ((1 << s) - 1) for slot in range(self.slots)]
        return entries, entries

    def _read_semi_sorted(self, bucket, at, must):
        q = self.quarters
        l, c = LOW_BITS[q], CODE_BITS[q]
        rest_bits = self.width + self.reserved - l
        code = bucket & ((1 << c) - 1)
        must(code < math.comb(LOW_VALUES[q] + 3, 4), "inconsistent", "4.4", at)
        rests = [bucket >> (c + slot * rest_bits) & ((1 << rest_bits) - 1) for slot in range(4)]
        pairs = list(zip(_quadruple(code), rests))
        return [low | rest << l for low, rest in pairs], pairs

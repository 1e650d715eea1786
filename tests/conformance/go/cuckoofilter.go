// Package cuckoofilter reads and writes cuckoo filters in the saved form of cuckoofilter-wasm, of every kind without values.
// It is written from the specification of that form alone (docs/inside/format.md), whose rules the comments name. No table
// grows: a filter that is full says so. Calls that do not change a filter may run at the same time.
package cuckoofilter

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sort"
)

// Add returns these when there is no room for a key. The filter is then unchanged.
var (
	ErrFull          = errors.New("the filter is full")
	ErrTooManyCopies = errors.New("the filter has too many copies of this key")
)

// FormatError says why bytes are no filter that can be read, by the code and the rule of the specification.
type FormatError struct {
	Code   string
	Rule   string
	Offset int
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: the bytes break rule %s of the format at byte %d", e.Code, e.Rule, e.Offset)
}

// Options are the parameters of a new filter.
type Options struct {
	Buckets    uint64
	Slots      int     // per bucket, from 1 to 8
	Bits       float64 // per fingerprint, from 2 to 32; may have quarters if SemiSorted
	Capacity   uint64  // what the file says that the filter is made for; 0 for all slots
	SemiSorted bool    // one bit less per slot; only with 4 slots
	Xor        bool    // addressing; only with a power of two of buckets
	Seed       uint64  // of XXH64
	Secret     []byte  // 16 bytes, for SipHash-1-3; not saved
}

// ForKeys returns options for a number of different keys, so that an absent key is reported as present with at most this
// probability.
func ForKeys(count uint64, rate float64) Options {
	width := math.Max(5, math.Ceil(4*math.Log2(8/rate))/4)
	if width > 24 {
		width = math.Ceil(width)
	}
	buckets := uint64(math.Ceil(float64(count)/4/0.95)) + 1
	return Options{Buckets: buckets, Slots: 4, Bits: width, Capacity: count, SemiSorted: true}
}

// Filter is a set of keys. Each copy of a key counts.
type Filter struct {
	m, capacity, size, seed uint64
	b, w, q, r              int
	semiSorted, xor         bool
	secret                  []byte
	table                   []uint32 // bucket by bucket; 0 is empty
}

// What q determines in semi-sorted tables (rule 4.3).
var (
	lowBits   = [4]int{4, 5, 5, 5}
	lowValues = [4]uint64{16, 28, 23, 19}
	codeBits  = [4]int{12, 15, 14, 13}
)

const (
	headerBytes  = 72
	trailerBytes = 8
	mostRead     = 2000 // buckets that one Add reads in search of room
)

var magic = []byte("\x89CKF\r\n\x1a\n")

// New returns an empty filter.
func New(o Options) (*Filter, error) {
	w := int(math.Ceil(o.Bits))
	f := &Filter{m: o.Buckets, b: o.Slots, w: w, q: int(4 * (float64(w) - o.Bits)), capacity: o.Capacity,
		semiSorted: o.SemiSorted, xor: o.Xor, seed: o.Seed, secret: o.Secret}
	if o.Capacity == 0 {
		f.capacity = f.m * uint64(f.b)
	}
	if o.Secret != nil && len(o.Secret) != 16 {
		return nil, errors.New("Secret must have 16 bytes")
	}
	if rule, _ := f.brokenRule(); rule != "" {
		return nil, fmt.Errorf("the options break rule %s of the format", rule)
	}
	f.table = make([]uint32, f.m*uint64(f.b))
	return f, nil
}

// brokenRule returns the first rule of section 3 that the parameters break, and the offset of its field.
func (f *Filter) brokenRule() (rule string, offset int) {
	check := func(holds bool, its string, at int) {
		if !holds && rule == "" {
			rule, offset = its, at
		}
	}
	grown := f.m << uint(f.r)
	isPower := f.m&(f.m-1) == 0
	check(f.b >= 1 && f.b <= 8 && (f.b == 4 || !f.semiSorted), "3.7", 13)
	check(f.w >= 2 && f.w <= 32 && (f.w >= 5 || !f.semiSorted), "3.8", 14)
	check(f.q == 0 || (f.semiSorted && f.w >= 6 && f.w <= 24), "3.9", 15)
	check(f.w+f.r <= 32, "3.9", 15)
	check(f.m >= 1 && f.m <= 1<<32 && grown <= 1<<32 && (isPower || !f.xor), "3.13", 24)
	check(f.capacity >= 1 && f.capacity <= grown*uint64(f.b) && f.capacity <= 1<<34, "3.14", 32)
	check(f.size <= f.m*uint64(f.b), "3.15", 40)
	check(f.secret == nil || f.seed == 0, "3.16", 48)
	return rule, offset
}

// Size returns the number of entries.
func (f *Filter) Size() uint64 { return f.size }

// Int returns the key that an integer is (rule 5.1). A string's key is its bytes.
func Int(key int64) []byte { return Uint(uint64(key)) }

// Uint returns the key that an unsigned integer is.
func Uint(key uint64) []byte {
	data := make([]byte, 8)
	binary.LittleEndian.PutUint64(data, key)
	return data
}

const (
	p1 uint64 = 0x9E3779B185EBCA87
	p2 uint64 = 0xC2B2AE3D27D4EB4F
	p3 uint64 = 0x165667B19E3779F9
	p4 uint64 = 0x85EBCA77C2B2AE63
	p5 uint64 = 0x27D4EB2F165667C5
)

func round(lane, word uint64) uint64 {
	return bits.RotateLeft64(lane+word*p2, 31) * p1
}

// XXH64 is the hash of rule 5.4.
func XXH64(data []byte, seed uint64) uint64 {
	n := uint64(len(data))
	h := seed + p5
	if n >= 32 {
		lanes := [4]uint64{seed + p1 + p2, seed + p2, seed, seed - p1}
		for ; len(data) >= 32; data = data[32:] {
			for i := range lanes {
				lanes[i] = round(lanes[i], binary.LittleEndian.Uint64(data[8*i:]))
			}
		}
		h = 0
		for i, by := range []int{1, 7, 12, 18} {
			h += bits.RotateLeft64(lanes[i], by)
		}
		for _, lane := range lanes {
			h = (h^round(0, lane))*p1 + p4
		}
	}
	h += n
	for ; len(data) >= 8; data = data[8:] {
		h = bits.RotateLeft64(h^round(0, binary.LittleEndian.Uint64(data)), 27)*p1 + p4
	}
	if len(data) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(data))*p1, 23)*p2 + p3
		data = data[4:]
	}
	for _, each := range data {
		h = bits.RotateLeft64(h^uint64(each)*p5, 11) * p1
	}
	h = (h ^ h>>33) * p2
	h = (h ^ h>>29) * p3
	return h ^ h>>32
}

// SipHash13 is the hash of rule 5.5, under the 16 bytes of secret.
func SipHash13(data, secret []byte) uint64 {
	k0, k1 := binary.LittleEndian.Uint64(secret), binary.LittleEndian.Uint64(secret[8:])
	v0, v1 := k0^0x736f6d6570736575, k1^0x646f72616e646f6d
	v2, v3 := k0^0x6c7967656e657261, k1^0x7465646279746573
	sipRound := func() {
		v0 += v1
		v1 = bits.RotateLeft64(v1, 13) ^ v0
		v0 = bits.RotateLeft64(v0, 32)
		v2 += v3
		v3 = bits.RotateLeft64(v3, 16) ^ v2
		v0 += v3
		v3 = bits.RotateLeft64(v3, 21) ^ v0
		v2 += v1
		v1 = bits.RotateLeft64(v1, 17) ^ v2
		v2 = bits.RotateLeft64(v2, 32)
	}
	last := uint64(len(data)) << 56
	for ; len(data) >= 8; data = data[8:] {
		word := binary.LittleEndian.Uint64(data)
		v3 ^= word
		sipRound()
		v0 ^= word
	}
	for i, each := range data {
		last |= uint64(each) << uint(8*i)
	}
	v3 ^= last
	sipRound()
	v0 ^= last
	v2 ^= 0xff
	sipRound()
	sipRound()
	sipRound()
	return v0 ^ v1 ^ v2 ^ v3
}

func (f *Filter) hash(key []byte) uint64 {
	if f.secret != nil {
		return SipHash13(key, f.secret)
	}
	return XXH64(key, f.seed)
}

// From a hash to entries (section 6).

func ones(count int) uint64 { return 1<<uint(count) - 1 }

// scaled returns 32 bits of a hash as a number below count, which is at most 2^32.
func scaled(word uint32, count uint64) uint64 {
	high, low := bits.Mul64(uint64(word), count)
	return high<<32 | low>>32
}

// locate returns the fingerprint and the different candidate buckets in the grown table.
func (f *Filter) locate(key []byte) (p uint32, buckets []uint64) {
	h := f.hash(key)
	if f.q == 0 {
		p = uint32(h & ones(f.w))
	} else {
		t := scaled(uint32(h), lowValues[f.q]<<uint(f.w-5))
		p = uint32(t>>uint(f.w-5) | t&ones(f.w-5)<<5)
	}
	if p == 0 {
		p = 1
	}
	primary := scaled(uint32(h>>32), f.m<<uint(f.r))
	if alternate := f.other(p, primary); alternate != primary {
		return p, []uint64{primary, alternate}
	}
	return p, []uint64{primary}
}

// other returns the other candidate bucket of a fingerprint (rule 6.3).
func (f *Filter) other(p uint32, bucket uint64) uint64 {
	x := p * 0x9E3779B1
	x ^= x >> 15
	x *= 0x85EBCA6B
	grown := f.m << uint(f.r)
	d := scaled(x, grown)
	if f.xor {
		return bucket ^ d
	}
	if d < bucket {
		d += grown
	}
	return d - bucket
}

// entry returns what a bucket of the grown table holds for a fingerprint (rule 6.4).
func (f *Filter) entry(p uint32, bucket uint64) uint32 {
	return p | uint32(bucket&ones(f.r))<<uint(f.w)
}

// slots returns the slots of the bucket that holds a bucket of the grown table.
func (f *Filter) slots(bucket uint64) []uint32 {
	at := (bucket >> uint(f.r)) * uint64(f.b)
	return f.table[at : at+uint64(f.b)]
}

func indexOf(slots []uint32, entry uint32) int {
	for i, each := range slots {
		if each == entry {
			return i
		}
	}
	return -1
}

// Answers and changes (section 7).

// Contains reports whether the key is present: false is certain.
func (f *Filter) Contains(key []byte) bool { return f.Count(key) > 0 }

// Count returns the number of copies of the key, and of keys that are alike.
func (f *Filter) Count(key []byte) int {
	p, buckets := f.locate(key)
	count := 0
	for _, bucket := range buckets {
		for _, each := range f.slots(bucket) {
			if each == f.entry(p, bucket) {
				count++
			}
		}
	}
	return count
}

// Delete removes one copy of the key, and reports whether there was one. Delete only what was added.
func (f *Filter) Delete(key []byte) bool {
	p, buckets := f.locate(key)
	for _, bucket := range buckets {
		slots := f.slots(bucket)
		if at := indexOf(slots, f.entry(p, bucket)); at >= 0 {
			slots[at] = 0
			f.size--
			return true
		}
	}
	return false
}

// step is a bucket of the grown table that a search has reached, and the step and slot that lead to it.
type step struct {
	bucket     uint64
	from, slot int
}

// Add adds one copy of the key. It returns ErrFull or ErrTooManyCopies, with nothing changed, if there is no room.
func (f *Filter) Add(key []byte) error {
	p, buckets := f.locate(key)
	var steps []step
	seen := map[uint64]bool{} // buckets of the table
	for at, bucket := range buckets {
		steps = append(steps, step{bucket, -1, 0})
		seen[bucket>>uint(f.r)] = true
		if f.place(steps, at, p) {
			return nil
		}
	}
	for at := 0; at < len(steps) && at < mostRead; at++ {
		for slot, entry := range f.slots(steps[at].bucket) {
			bucket := steps[at].bucket>>uint(f.r)<<uint(f.r) | uint64(entry)>>uint(f.w)
			other := f.other(entry&uint32(ones(f.w)), bucket)
			if seen[other>>uint(f.r)] {
				continue
			}
			seen[other>>uint(f.r)] = true
			steps = append(steps, step{other, at, slot})
			if f.place(steps, len(steps)-1, p) {
				return nil
			}
		}
	}
	if f.Count(key) == len(buckets)*f.b {
		return ErrTooManyCopies
	}
	return ErrFull
}

// place moves the entries on the way to the last step, if its bucket has room, and puts the fingerprint into the first.
func (f *Filter) place(steps []step, at int, p uint32) bool {
	free := indexOf(f.slots(steps[at].bucket), 0)
	if free < 0 {
		return false
	}
	for steps[at].from >= 0 {
		to, from := steps[at], steps[steps[at].from]
		moved := f.slots(from.bucket)[to.slot] & uint32(ones(f.w))
		f.slots(to.bucket)[free] = f.entry(moved, to.bucket)
		free, at = to.slot, to.from
	}
	f.slots(steps[at].bucket)[free] = f.entry(p, steps[at].bucket)
	f.size++
	return true
}

// The saved form (sections 2 to 4).

func (f *Filter) bucketBits() int {
	if f.semiSorted {
		return 4*(f.w+f.r-1) - f.q
	}
	return f.b * (f.w + f.r)
}

func (f *Filter) payloadBytes() uint64 {
	return (f.m*uint64(f.bucketBits()) + 7) / 8
}

func choose(n, k uint64) uint64 {
	result := uint64(1)
	for i := uint64(0); i < k; i++ {
		if n < i {
			return 0
		}
		result = result * (n - i) / (i + 1)
	}
	return result
}

// split returns the low part and the rest of an entry; in plain tables, nothing and all of it.
func (f *Filter) split(entry uint32) (low, rest uint64) {
	if !f.semiSorted {
		return 0, uint64(entry)
	}
	l := lowBits[f.q]
	return uint64(entry) & ones(l), uint64(entry) >> uint(l)
}

// rank is the order of the entries in a bucket (rule 4.5).
func (f *Filter) rank(entry uint32) uint64 {
	low, rest := f.split(entry)
	return low<<32 | rest
}

// Save returns the saved form.
func (f *Filter) Save() []byte {
	data := make([]byte, headerBytes+f.payloadBytes()+trailerBytes)
	flag := func(holds bool) byte {
		if holds {
			return 1
		}
		return 0
	}
	grows, isKeyed := flag(f.r > 0), flag(f.secret != nil)
	copy(data, magic)
	copy(data[8:], []byte{1, grows, flag(f.semiSorted), flag(f.xor), 1 + isKeyed, byte(f.b), byte(f.w), byte(f.q + 4*f.r), grows})
	binary.LittleEndian.PutUint32(data[20:], 500)
	check := f.hash([]byte("cuckoofilter"))
	for i, number := range []uint64{f.m, f.capacity, f.size, f.seed, check, f.payloadBytes()} {
		binary.LittleEndian.PutUint64(data[24+8*i:], number)
	}
	to := bitString{bytes: data[headerBytes:]}
	for i := uint64(0); i < f.m; i++ {
		f.writeBucket(&to, append([]uint32(nil), f.slots(i<<uint(f.r))...))
	}
	end := len(data) - trailerBytes
	binary.LittleEndian.PutUint64(data[end:], XXH64(data[:end], 0))
	return data
}

func (f *Filter) writeBucket(to *bitString, entries []uint32) {
	sort.Slice(entries, func(i, j int) bool { return f.rank(entries[i]) < f.rank(entries[j]) })
	restBits, code := f.w+f.r, uint64(0)
	if f.semiSorted {
		for i, entry := range entries {
			low, _ := f.split(entry)
			code += choose(low+uint64(i), uint64(i)+1)
		}
		to.put(code, codeBits[f.q])
		restBits -= lowBits[f.q]
	}
	for _, entry := range entries {
		_, rest := f.split(entry)
		to.put(rest, restBits)
	}
}

// Load returns the filter with this saved form, whose payload has at most maxBytes bytes, or a *FormatError. Secret is the key
// of a keyed filter, otherwise nil.
func Load(data, secret []byte, maxBytes uint64) (*Filter, error) {
	f, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	isKeyed := data[12] == 2
	if isKeyed != (secret != nil) || (isKeyed && len(secret) != 16) {
		return nil, &FormatError{"wrong-key", "5.2", 12}
	}
	f.secret = secret
	if f.hash([]byte("cuckoofilter")) != binary.LittleEndian.Uint64(data[56:]) {
		return nil, &FormatError{map[bool]string{true: "wrong-key", false: "inconsistent"}[isKeyed], "3.17", 56}
	}
	end := headerBytes + f.payloadBytes()
	if uint64(len(data)) != end+trailerBytes {
		return nil, &FormatError{"cut-short", "2.1", len(data)}
	}
	if f.payloadBytes() > maxBytes {
		return nil, &FormatError{"too-large", "10", 64}
	}
	if XXH64(data[:end], 0) != binary.LittleEndian.Uint64(data[end:]) {
		return nil, &FormatError{"damaged", "2.3", int(end)}
	}
	return f, f.readPayload(data[headerBytes:end])
}

// readHeader does steps 1 to 5 of section 10.
func readHeader(data []byte) (*Filter, error) {
	if len(data) == 0 || !bytes.HasPrefix(data, magic) && !bytes.HasPrefix(magic, data) {
		return nil, &FormatError{"not-a-filter", "3.1", 0}
	}
	if len(data) > 8 && data[8] != 1 {
		return nil, &FormatError{"unsupported-version", "3.2", 8}
	}
	if len(data) < headerBytes {
		return nil, &FormatError{"cut-short", "2.2", len(data)}
	}
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	flags := binary.LittleEndian.Uint16(data[16:])
	f := &Filter{m: u64(24), capacity: u64(32), size: u64(40), seed: u64(48), b: int(data[13]), w: int(data[14]),
		q: int(data[15] & 3), r: int(data[15] >> 2), semiSorted: data[10] == 1, xor: data[11] == 1}
	if data[12] == 2 {
		f.secret = make([]byte, 16) // for rule 3.16, until the right one is known
	}
	var first error
	check := func(holds bool, code, rule string, offset int) {
		if !holds && first == nil {
			first = &FormatError{code, rule, offset}
		}
	}
	check(data[10] <= 1, "unsupported-version", "3.4", 10)
	check(data[12] == 1 || data[12] == 2, "unsupported-version", "3.6", 12)
	check(flags <= 1, "unsupported-version", "3.10", 16) // values are not supported: rule 10.1
	check(data[11] <= 1, "inconsistent", "3.5", 11)
	rule, offset := f.brokenRule()
	check(rule == "", "inconsistent", rule, offset)
	check((f.r > 0) == (flags == 1), "inconsistent", "3.10", 16)
	check(data[22] == 0 && data[23] == 0, "inconsistent", "3.12", 20)
	check(rule == "" && u64(64) == f.payloadBytes(), "inconsistent", "3.18", 64)
	return f, first
}

func (f *Filter) readPayload(payload []byte) error {
	from := bitString{bytes: payload}
	f.table = make([]uint32, 0, f.m*uint64(f.b))
	used := uint64(0)
	for i := uint64(0); i < f.m; i++ {
		offset := headerBytes + int(from.at/8)
		if !f.readBucket(&from) {
			return &FormatError{"inconsistent", "4.4", offset}
		}
		bucket := f.slots(i << uint(f.r))
		for j, entry := range bucket {
			if j > 0 && f.rank(entry) < f.rank(bucket[j-1]) {
				return &FormatError{"inconsistent", "4.5", offset}
			}
			if entry == 0 {
				continue
			}
			if uint64(entry)&ones(f.w) == 0 {
				return &FormatError{"inconsistent", "4.6", offset}
			}
			used++
		}
	}
	if used != f.size {
		return &FormatError{"inconsistent", "4.7", 40}
	}
	if from.get(int(8*uint64(len(payload))-from.at)) != 0 {
		return &FormatError{"inconsistent", "4.8", headerBytes + len(payload) - 1}
	}
	return nil
}

// readBucket appends the entries of the next bucket; false if its code stands for nothing.
func (f *Filter) readBucket(from *bitString) bool {
	if !f.semiSorted {
		for j := 0; j < f.b; j++ {
			f.table = append(f.table, uint32(from.get(f.w+f.r)))
		}
		return true
	}
	l := lowBits[f.q]
	code := from.get(codeBits[f.q])
	if code >= choose(lowValues[f.q]+3, 4) {
		return false
	}
	var lows [4]uint64
	for j := 3; j >= 0; j-- { // the largest low part whose share of the rank fits
		low := uint64(0)
		for choose(low+1+uint64(j), uint64(j)+1) <= code {
			low++
		}
		lows[j] = low
		code -= choose(low+uint64(j), uint64(j)+1)
	}
	for _, low := range lows {
		f.table = append(f.table, uint32(low|from.get(f.w+f.r-l)<<uint(l)))
	}
	return true
}

// bitString counts bits as rule 1.4 does.
type bitString struct {
	bytes []byte
	at    uint64
}

func (s *bitString) get(count int) (value uint64) {
	for i := 0; i < count; i++ {
		value |= uint64(s.bytes[s.at/8]>>(s.at%8)&1) << uint(i)
		s.at++
	}
	return value
}

func (s *bitString) put(value uint64, count int) {
	for i := 0; i < count; i++ {
		s.bytes[s.at/8] |= byte(value>>uint(i)&1) << (s.at % 8)
		s.at++
	}
}

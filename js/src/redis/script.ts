// The program that the server runs: it changes a shard, or gives the buckets of many keys, in one call.
// Invariant: it writes only after every key was decided, so an error changes nothing; a key that does not fit leaves its
// buckets as they were; a call that changes no bucket does not count as a change. All numbers are integers below 2^53, exact in
// doubles.
//
// KEYS[1] is the shard. KEYS[2], for a table that may still double, is there while it does: changes then wait. One that
// never expires is none, because no client sets it so. The last of KEYS (only when deleting) is
// where the answer is kept, so that a command that a client sends again after a broken connection deletes once. It is kept where
// nothing was deleted too, because the first copy of a command may arrive after the second, when the key has been added.
// ARGV: what to do; the header with size 0 and the stamp of the shard (saved.ts); and bytes: for `make` the first count of changes and
// the last byte of the string, for `read` a command and the bits where numbers begin as MessagePack (what follows these numbers in
// the answer means nothing), for `expire` milliseconds, or 0 for ever, for `grow` and `replace` the new string, for changes what `packed` of places.ts gave. ARGV[4] is the
// word that holds the lock.
// Answers to changes have one digit per key: 0 done, 1 full, 2 too many copies, 3 nothing done.

/** What the program can do with text for an answer; `read`, besides, answers bytes. */
export type Action =
  | 'make'
  | 'made'
  | 'look'
  | 'expire'
  | 'reset'
  | 'replace'
  | 'grow'
  | 'unlock'
  | 'add'
  | 'addIfAbsent'
  | 'delete';

/** Numbers that `read` takes with one BITFIELD: written out as words, twenty take a sixth of the time less than all in a table. */
const READS = 20;

/** Defines `run(KEYS, ARGV)`. A function, so that bundlers drop it where it is not used. */
export function program(): string {
  const readWords = Array.from({ length: READS }, (_, i) => `get, type, words[i + ${i}]`).join(', ');
  return `
-- Sums of binomials: the rank of a sorted quadruple is a + pairs[b] + triples[c] + quadruples[d].
local pairs_, triples, quadruples = {}, {}, {}
for p = 0, 15 do
  pairs_[p] = p * (p + 1) / 2
  triples[p] = pairs_[p] * (p + 2) / 3
  quadruples[p] = triples[p] * (p + 3) / 4
end
local lows, none = {}, { 0, 0, 0, 0, 0, 0, 0, 0 }

local function lows_of(code)
  local d, c, b = 15, 15, 15
  local rank = code
  while quadruples[d] > rank do d = d - 1 end
  rank = rank - quadruples[d]
  while triples[c] > rank do c = c - 1 end
  rank = rank - triples[c]
  while pairs_[b] > rank do b = b - 1 end
  local quadruple = { rank - pairs_[b], b, c, d }
  lows[code] = quadruple
  return quadruple
end

-- a * factor modulo 2^32, for a below 2^32.
local function times(a, factor)
  local low = a % 65536
  return (low * factor + (a - low) / 65536 * factor % 65536 * 65536) % 4294967296
end

local function run(KEYS, ARGV)
  local call, unpacked, packed, floor = redis.call, struct.unpack, struct.pack, math.floor
  local key, lock, action, header, given = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
  local slots, width = header:byte(14), header:byte(15)
  local maxkicks, buckets = unpacked('<I4', header, 21), unpacked('<I6', header, 25)
  local is_sorted, doublings = header:byte(11) == 1, floor(header:byte(16) / 4)
  local low_bits = is_sorted and 4 or 0
  local lane_bits = width + doublings - low_bits
  -- An entry has its low part on top, then which of so many parts of the bucket it belongs to, then the rest.
  local lane, parts, unit = 2 ^ lane_bits, 2 ^ doublings, 2 ^ (width - low_bits)
  local bits = 3 * low_bits + slots * lane_bits
  local length = 72 + math.ceil(buckets * bits / 8) + 8

  -- Puts a string in place of the one that is there, whose time to live it keeps.
  local function replace(text)
    local left = call('PTTL', key)
    call('SET', key, text)
    -- PEXPIRE with 0 would delete the string before the rest of it is written.
    if left >= 0 then call('PEXPIRE', key, math.max(left, 1)) end
    return 'replaced'
  end

  local function create(revision, last)
    call('SETRANGE', key, length - 1, last)
    call('SETRANGE', key, 0, header)
    call('SETRANGE', key, length - 8, packed('<I6', revision))
    return 'created'
  end

  if action == 'unlock' then
    -- Only a string as long as the word that holds a lock is one. For a key that is no string, STRLEN is an error.
    local is_lock = redis.pcall('STRLEN', lock) == #ARGV[4]
    return is_lock and (call('PTTL', lock) == -1 or call('GET', lock) == ARGV[4]) and call('DEL', lock) or 0
  end
  local head = call('GETRANGE', key, 0, 71)
  if head == '' then
    if action == 'replace' then return replace(given) end
    if action == 'make' then return create(unpacked('<I6', given, 1), given:sub(7)) end
    return redis.error_reply('CUCKOO gone')
  end
  local bytes = call('STRLEN', key)
  local is_same = head:sub(1, 40) == header:sub(1, 40) and head:sub(49) == header:sub(49) and bytes == length
  if action == 'make' then
    if is_same then return 'same' end
    -- A filter whose first shard was deleted may have left others without keys. The first itself is never taken so.
    local function shape(h) return h:sub(1, 40) .. h:sub(49, 56) .. h:sub(65) end
    local is_left = unpacked('<I2', header, 57) > 0 and bytes == length and unpacked('<I6', head, 41) == 0
    if not is_left or shape(head) ~= shape(header) then return 'other' end
    call('SETRANGE', key, 56, header:sub(57, 64))
    return 'same'
  end
  if action == 'look' then
    local told = packed('<I6', bytes) .. call('GETRANGE', key, -1, -1) .. head
    return (told:gsub('.', function(c) return string.format('%02x', c:byte()) end))
  end
  -- A filter is replaced if its parameters are these, however often it has doubled.
  if action == 'replace' then
    local function fixed(h) return h:sub(1, 9) .. h:sub(11, 15) .. h:sub(21, 24) .. h:sub(33, 40) .. h:sub(49, 64) end
    return fixed(head) == fixed(header) and replace(given) or redis.error_reply('CUCKOO differs')
  end
  if not is_same then return redis.error_reply('CUCKOO differs') end
  if action == 'read' then
    local words, found, get, type = cmsgpack.unpack(given), {}, 'GET', 'u48'
    local command, form = words[1], '>' .. ('I6'):rep(${READS})
    for i = #words + 1, #words + ${READS} do words[i] = '0' end
    for i = 2, #words - ${READS}, ${READS} do
      found[#found + 1] = packed(form, unpack(call(command, key, ${readWords})))
    end
    return table.concat(found)
  end
  if action == 'made' then
    call('SETRANGE', key, length - 1, '\\0')
    return 'made'
  end
  if action == 'expire' then
    local left = unpacked('<I6', given)
    if left > 0 then call('PEXPIRE', key, left) else call('PERSIST', key) end
    return 'set'
  end
  local revision = unpacked('<I6', call('GETRANGE', key, length - 8, -1), 1)
  if action == 'grow' then
    if call('GET', lock) ~= ARGV[4] or unpacked('<I6', given, #given - 7) ~= revision then return 'changed' end
    replace(given)
    call('SETRANGE', key, #given - 8, packed('<I6', revision + 1))
    call('DEL', lock)
    return 'grown'
  end
  -- An answer that is kept comes before the lock. That a change has to wait is kept too, so that a late copy of its command does
  -- not make it.
  local keeper = action == 'delete' and KEYS[#KEYS]
  local answered = keeper and call('GET', keeper)
  if answered and answered ~= 'wait' then return answered end
  if answered or doublings > 0 and call('PTTL', lock) >= 0 then
    if keeper then call('SET', keeper, 'wait', 'EX', 600) end
    return redis.error_reply('CUCKOO growing')
  end
  if action == 'reset' then
    replace('')
    return create(revision + 1, '\\0')
  end
  -- The entries of the bucket that begins at bit shift of byte at of text, in ascending order, 0 where a slot is empty.
  local function entries_of(text, at, shift)
    local value, left, low, entries = floor(unpacked('<I6', text, at) / 2 ^ shift), 48 - shift, none, {}
    at = at + 6
    if is_sorted then
      local code = value % 4096
      low = lows[code] or lows_of(code)
      value, left = (value - code) / 4096, left - 12
    end
    for slot = 1, slots do
      while left < lane_bits do
        value, left, at = value + unpacked('<I2', text, at) * 2 ^ left, left + 16, at + 2
      end
      local rest = value % lane
      value, left = (value - rest) / lane, left - lane_bits
      entries[slot] = low[slot] * lane + rest
    end
    return entries
  end

  -- The bytes of a bucket with these entries, between the bits of its neighbours in the bytes that are there.
  local function bytes_of(entries, old, shift)
    local out, value, left = '', shift > 0 and old:byte(1) % 2 ^ shift or 0, shift
    local function put(part, count)
      while left + count > 52 do
        local low = value % 65536
        out, value, left = out .. packed('<I2', low), (value - low) / 65536, left - 16
      end
      value, left = value + part * 2 ^ left, left + count
    end
    if is_sorted then
      local a, b, c, d = floor(entries[1] / lane), floor(entries[2] / lane), floor(entries[3] / lane), floor(entries[4] / lane)
      put(a + pairs_[b] + triples[c] + quadruples[d], 12)
    end
    for slot = 1, slots do put(entries[slot] % lane, lane_bits) end
    local over = (shift + bits) % 8
    if over > 0 then put(floor(old:byte(-1) / 2 ^ over), 8 - over) end
    return out .. packed('<I' .. left / 8, value)
  end

  -- With many keys, one copy of the whole string is cheaper than a call for each bucket.
  local count = #given / 12
  local whole = length < 2000 * count and call('GET', key)
  local cache, changed = {}, {}

  -- The byte in which bucket b begins, and the bit in it.
  local function begin_of(b)
    local shift = b * bits % 8
    return 72 + (b * bits - shift) / 8, shift
  end

  local function bucket(b)
    local entries = cache[b]
    if not entries then
      local at, shift = begin_of(b)
      if whole then entries = entries_of(whole, at + 1, shift)
      else entries = entries_of(call('GETRANGE', key, at, at + 23), 1, shift) end
      cache[b] = entries
    end
    return entries
  end

  local function write(b, entries)
    local at, shift = begin_of(b)
    local is_whole = shift == 0 and bits % 8 == 0
    local old = not is_whole and call('GETRANGE', key, at, at + math.ceil((shift + bits) / 8) - 1)
    call('SETRANGE', key, at, bytes_of(entries, old, shift))
  end

  -- Puts an entry in place of the one in that slot, in order, and returns that one.
  local function exchange(b, slot, entry)
    local entries = bucket(b)
    local before = entries[slot]
    while slot > 1 and entries[slot - 1] > entry do
      entries[slot] = entries[slot - 1]
      slot = slot - 1
    end
    while slot < slots and entries[slot + 1] < entry do
      entries[slot] = entries[slot + 1]
      slot = slot + 1
    end
    entries[slot] = entry
    changed[b] = entries
    return before
  end

  local function slot_of(b, entry)
    local entries = bucket(b)
    for slot = 1, slots do if entries[slot] == entry then return slot end end
  end

  local function put(b, entry)
    if bucket(b)[1] ~= 0 then return false end
    exchange(b, 1, entry)
    return true
  end

  -- The bucket that bucket i of the grown table is part of, and the fingerprint's entry there.
  local function place(i, fingerprint)
    if doublings == 0 then return i, fingerprint end
    local part = i % parts
    local rest = fingerprint % unit
    return (i - part) / parts, (fingerprint - rest) * parts + part * unit + rest
  end

  -- The other bucket and entry of the entry in bucket b.
  local function other(b, entry)
    local rest = entry % lane
    local low, part = (entry - rest) / lane, 0
    if doublings > 0 then
      part = floor(rest / unit)
      rest = rest - part * unit
    end
    local x = times(is_sorted and rest * 16 + low or rest, 0x9E3779B1)
    x = bit.bxor(bit.tobit(x), bit.rshift(bit.tobit(x), 15)) % 4294967296
    x = times(x, 0x85EBCA6B)
    local half, grown = x % 65536, buckets * parts
    local offset = floor(((x - half) / 65536 * grown + floor(half * grown / 65536)) / 65536)
    return place((offset - b * parts - part) % grown, low * unit + rest)
  end

  -- Kicks entries until one finds an empty slot: of those in a bucket, the first that has room elsewhere, or else one at random.
  -- If none finds any, puts them back.
  local function kick(b, entry)
    local draw, path, came, went = (b * 31 + entry) % 4294967296, {}, {}, {}
    for i = 1, maxkicks do
      draw = (draw * 1664525 + 1013904223) % 4294967296
      local entries, begin = bucket(b), floor(draw * slots / 4294967296)
      local slot, to, as, has_room
      for k = 0, slots - 1 do
        local each = (begin + k) % slots + 1
        local there, moved = other(b, entries[each])
        has_room = bucket(there)[1] == 0
        if k == 0 or has_room then slot, to, as = each, there, moved end
        if has_room then break end
      end
      path[i], came[i] = b, entry
      went[i] = exchange(b, slot, entry)
      b, entry = to, as
      if has_room then return put(b, entry) end
    end
    for i = maxkicks, 1, -1 do exchange(path[i], slot_of(path[i], came[i]), went[i]) end
    return false
  end

  local size = unpacked('<I6', head, 41)
  local answers, has_failed = {}, false
  for i = 1, count do
    local one, two, fingerprint = unpacked('<I4I4I4', given, 12 * i - 11)
    local entry, twin
    one, entry = place(one, fingerprint)
    two, twin = place(two, fingerprint)
    local slot_one = action ~= 'add' and slot_of(one, entry)
    local slot_two = action ~= 'add' and not slot_one and slot_of(two, twin)
    local answer = '3'
    if action == 'delete' then
      if slot_one or slot_two then
        exchange(slot_one and one or two, slot_one or slot_two, 0)
        size, answer = size - 1, '0'
      end
    elseif not slot_one and not slot_two then
      local a, b = bucket(one), bucket(two)
      answer = '1'
      if put(one, entry) or put(two, twin) then answer = '0'
      elseif a[1] == entry and a[slots] == entry and b[1] == twin and b[slots] == twin then answer = '2'
      -- A failure takes so long that a call makes only one.
      elseif not has_failed then
        if kick(two, twin) then answer = '0' else has_failed = true end
      end
      if answer == '0' then size = size + 1 end
    end
    answers[i] = answer
  end

  local answer = table.concat(answers)
  -- Before all else that is written: if the server refuses that, nothing has changed.
  if keeper then call('SET', keeper, answer, 'EX', 600) end
  if answer:find('0', 1, true) then
    for b, entries in pairs(changed) do write(b, entries) end
    call('SETRANGE', key, 40, packed('<I6', size))
    call('SETRANGE', key, length - 8, packed('<I6', revision + 1))
  end
  return answer
end
`;
}

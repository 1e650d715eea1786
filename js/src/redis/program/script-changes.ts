// The part of the server's program that changes buckets: it decides what becomes of each key, by the rules of the core.
// Invariant: as in script.ts, nothing is written here. `changed` has the buckets that are to be written with `write`, `answers` a digit
// for each key, and `size` the number of entries.

/** Lua for the middle of `run` in script.ts, whose variables it uses. */
export function changes(): string {
  return `
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
`;
}

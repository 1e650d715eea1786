// The part of the server's program that decides what becomes of each key, by the rules of the core, and then writes the
// result. Invariant: nothing is written before everything is decided. `changed` has the buckets to be written,
// `answers` a digit for each key that was decided, and `added` the change in the number of entries of each block. A key
// is begun only while there is work left; one key takes at most as many kicks as the header says.

import { GROW_AT } from '../shard/places.js';

/**
 * Up to this many bytes of the shard per key, copying the whole shard takes the server less time than one call per
 * bucket.
 */
const WHOLE = 800;

/** Lua for the middle of `run` in script.ts, whose variables it uses. */
export function changes(): string {
  return `
  local slots, lane, unit = shape.slots, 2 ^ shape.lane_bits, 2 ^ (shape.width - shape.low_bits)
  local parts, is_sorted, maxkicks = 2 ^ doublings, shape.low_bits > 0, unpacked('<I4', header, 21)
  -- One that can double gives up soon.
  if doublings > 0 then maxkicks = math.min(maxkicks, 16) end
  local work, most = 0, ARGV[4] + 0

  -- With many keys, one copy of the whole string is cheaper than a call for each bucket.
  local count = #given / 12
  local whole = length < ${WHOLE} * math.min(count, most / 4) and call('GET', key)
  local cache, changed, added = {}, {}, {}

  local reach = own.bytes_of and bits / 8 - 1 or math.ceil((bits + 7) / 8) + 7

  local function bucket(b)
    local entries = cache[b]
    if not entries then
      local shift = b * bits % 8
      local at = 72 + (b * bits - shift) / 8
      work = work + 1
      if whole then entries = entries_of(whole, at + 1, shift)
      else
        -- As text, because numbers take the server longer.
        local text = call('GETRANGE', key, string.format('%d', at), string.format('%d', at + reach))
        entries = entries_of(text, 1, shift)
      end
      cache[b] = entries
    end
    return entries
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

  local span = shape.span
  local function count_in(b, change)
    local i = floor(b / span)
    added[i] = (added[i] or 0) + change
  end

  local function put(b, entry)
    if bucket(b)[1] ~= 0 then return false end
    exchange(b, 1, entry)
    count_in(b, 1)
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
    local half, grown = x % 65536, shape.buckets * parts
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
        work = work + 1
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

  local answers, must_double, is_add, kind = {}, false, action == 'add', 0
  for i = 1, count do
    if work >= most then break end
    local one, two, fingerprint = unpacked('<I4I4I4', given, 12 * i - 11)
    local entry, twin_entry
    one, entry = place(one, fingerprint)
    two, twin_entry = place(two, fingerprint)
    local slot_one = not is_add and slot_of(one, entry)
    local slot_two = not is_add and not slot_one and slot_of(two, twin_entry)
    local answer = '3'
    if action == 'delete' then
      if slot_one or slot_two then
        local b = slot_one and one or two
        exchange(b, slot_one or slot_two, 0)
        count_in(b, -1)
        answer = '0'
      end
    elseif not slot_one and not slot_two then
      answer = '1'
      if put(one, entry) or put(two, twin_entry) then answer = '0'
      else
        local a, b = bucket(one), bucket(two)
        if a[1] == entry and a[slots] == entry and b[1] == twin_entry and b[slots] == twin_entry then answer = '2'
        elseif kick(two, twin_entry) then answer = '0' end
      end
    end
    must_double = answer == '1' and doublings > 0
    if must_double then break end
    answers[i] = answer
    if answer == '0' then kind = (kind * 31 + one + fingerprint) % 4096 end
    work = work + 2
  end

  -- Writes the buckets and the records of their blocks; tells whether the table is to double, or is doubling.
  local function write_all()
    if is_moving and not open_next() then
      is_moving = false
      call('SETRANGE', key, 18, '\\0')
    end
    local first, last, touched = blocks, -1, {}
    for b, entries in pairs(changed) do
      if own.bytes_of then call('SETRANGE', key, string.format('%d', 72 + b * bits / 8), own.bytes_of(entries))
      else write_run(key, own, b, { entries }) end
      if is_moving and b < moved then write_run(next_key, twin, 2 * b, { split(entries) }) end
      local i = floor(b / span)
      touched[i] = true
      if i < first then first = i end
      if i > last then last = i end
    end
    local before, out, is_filled = call('GETRANGE', key, records_at + 6 * first, records_at + 6 * last + 5), {}, false
    local filled = ${GROW_AT} * slots * span
    for i = first, last do
      local at = 6 * (i - first)
      if touched[i] then
        local entries, version = unpacked('<I3I3', before, at + 1)
        entries = (entries + (added[i] or 0)) % 16777216
        is_filled = is_filled or entries >= filled
        -- Counts in its low half. The high one tells changes from as many others, which a failover may have put in their place.
        out[i - first + 1] = packed('<I3I3', entries, (version + 1 + 4096 * kind) % 16777216)
      else out[i - first + 1] = before:sub(at + 1, at + 6) end
    end
    call('SETRANGE', key, records_at + 6 * first, table.concat(out))
    if is_moving then return '+' end
    local is_full = is_filled and doublings > 0
      and entries_in(call('GETRANGE', key, records_at, length - 9)) >= ${GROW_AT} * slots * shape.buckets
    return is_full and '+' or '.'
  end
`;
}

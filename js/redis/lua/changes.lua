-- What is done for keys:
--   change   adds and deletes
--   read     the epoch, then the 6 bytes at each offset in `given` (6 bytes each), for a lookup where BITFIELD is refused
--
-- A change decides what becomes of each key, by the rules of the core, and then writes the result. Nothing is written before
-- everything is decided. Keys are taken in their order. A key is begun only while there is work left. The search for room counts as
-- work, too, and looks at some 250 entries at most, which takes about as long as all else that a call does.

local ADD, DELETE = 0, 2 -- and 1, to add if absent
local DONE, FULL, TOO_MANY_COPIES, NOTHING, UNDECIDED = '0', '1', '2', '3', '4'
-- Up to this many bytes of the shard per key, copying the whole shard takes the server less time than one call per bucket.
local WHOLE = 800

-- What makes room by kicks: made only where an insert needs it.
local function kicker(shape, size, bucket, exchange, slot_of, put, place)
  local slots, lane, unit, parts = shape.slots, shape.lane, shape.unit, 2 ^ shape.doublings
  local grown, is_sorted = shape.buckets * parts, shape.low_bits > 0
  -- A table that can double gives up soon. So does one that has more than it was made for: most searches there are in vain.
  local most = parts > 1 and 64 or 250
  local capacity, bxor, rshift = unpacked('<I6', header, 33), bit.bxor, bit.rshift

  -- a * factor modulo 2^32, for a below 2^32.
  local function times(a, factor)
    local low = a % 65536
    return (low * factor + (a - low) / 65536 * factor % 65536 * 65536) % 4294967296
  end

  -- The other bucket and entry of the entry in bucket b.
  local function other(b, entry)
    local rest = entry % lane
    local low, part = (entry - rest) / lane, 0
    if parts > 1 then
      part = floor(rest / unit)
      rest = rest - part * unit
    end
    local x = times(is_sorted and rest * 16 + low or rest, 0x9E3779B1)
    x = times(bxor(x, rshift(x, 15)) % 4294967296, 0x85EBCA6B)
    local half = x % 65536
    local offset = floor(((x - half) / 65536 * grown + floor(half * grown / 65536)) / 65536)
    local there, fingerprint = (offset - b * parts - part) % grown, low * unit + rest
    if parts == 1 then return there, fingerprint end
    return place(there, fingerprint)
  end

  -- Stores an entry in one of its full buckets, if it can, in a table with `added` more entries than before; and how many entries it
  -- looked at. Finds the shortest path of kicks to a bucket with an empty slot, breadth first, by reading alone; then moves the
  -- entries, the last one first. No bucket is on a path twice.
  return function(one, entry, two, twin, added)
    local limit = (parts > 1 or size + added < capacity) and most or 8
    local buckets, entries, victims, before, seen = { one, two }, { entry, twin }, {}, { 0, 0 }, { [one] = true, [two] = true }
    local count, at, looked = 2, 1, 0
    while at <= count and looked < limit do
      local b = buckets[at]
      local these = bucket(b)
      for slot = 1, slots do
        local there, moved = other(b, these[slot])
        looked = looked + 1
        if not seen[there] then
          seen[there] = true
          if put(there, moved) then
            local victim = these[slot]
            while at > 0 do
              exchange(buckets[at], slot_of(buckets[at], victim), entries[at])
              victim, at = victims[at], before[at]
            end
            return true, looked
          end
          count = count + 1
          buckets[count], entries[count], victims[count], before[count] = there, moved, these[slot], at
        end
      end
      at = at + 1
    end
    return false, looked
  end
end

-- `given` has 12 bytes for each key: its two buckets, in the table once it has grown, then its fingerprint and what to do with it (the
-- highest byte). Answers a digit for each key; then '.', or '+' where the table is to double, or is doubling, or '!' where it must
-- double before the next key fits; then the epoch, and after '+' the number of entries.
local function change(shape, tail, is_moving)
  local slots, bits, span, doublings = shape.slots, shape.bits, shape.span, shape.doublings
  local work, most, count, reach = 0, ARGV[4] + 0, #given / 12, shape.reach
  local whole = shape.length < WHOLE * math.min(count, most / 4) and call('GET', key)
  -- Entries by bucket: all that were read, and those to be written; and how many more entries there are.
  local cache, changed, added = {}, {}, 0
  local size, epoch, since, till = unpacked('>I6I6I6I6', tail)

  local function bucket(b)
    local entries = cache[b]
    if not entries then
      local shift = b * bits % 8
      local at = HEADER + (b * bits - shift) / 8
      work = work + 1
      if whole then entries = entries_of(shape, whole, at + 1, shift)
      else
        command = 'GETRANGE' -- not by `call`, which takes longer
        entries = entries_of(shape, redis_call(command, key, at, at + reach), 1, shift)
      end
      cache[b] = entries
    end
    return entries
  end

  -- Puts an entry in place of the one in that slot, in order.
  local function exchange(b, slot, entry)
    local entries = cache[b]
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
  end

  local function slot_of(b, entry)
    local entries = bucket(b)
    for slot = 1, slots do if entries[slot] == entry then return slot end end
  end

  local function put(b, entry)
    if bucket(b)[1] ~= 0 then return false end
    exchange(b, 1, entry)
    added = added + 1
    return true
  end

  -- The bucket that bucket i of a table that may grow is part of, and the fingerprint's entry there.
  local place = doublings > 0 and function(i, fingerprint)
    local unit, parts = shape.unit, 2 ^ doublings
    local part, rest = i % parts, fingerprint % unit
    return (i - part) / parts, (fingerprint - rest) * parts + part * unit + rest
  end

  local kick, answers, must_double, is_changed, kind = nil, {}, false, false, 0
  for i = 1, count do
    if work >= most then break end
    local one, two, word = unpacked('<I4I4I4', given, 12 * i - 11)
    local fingerprint = word % 16777216
    local entry, twin = fingerprint, fingerprint
    if place then
      one, entry = place(one, fingerprint)
      two, twin = place(two, fingerprint)
    end
    local what, answer, b, slot = (word - fingerprint) / 16777216, DONE, one, nil
    if what ~= ADD then
      slot = slot_of(one, entry)
      if not slot then b, slot = two, slot_of(two, twin) end
    end
    if what == DELETE then
      if slot then
        exchange(b, slot, 0)
        added = added - 1
      else answer = NOTHING end
    elseif slot then answer = NOTHING
    elseif not (put(one, entry) or put(two, twin)) then
      local first, second = cache[one], cache[two]
      if first[1] == entry and first[slots] == entry and second[1] == twin and second[slots] == twin then answer = TOO_MANY_COPIES
      else
        kick = kick or kicker(shape, size, bucket, exchange, slot_of, put, place)
        local is_stored, looked = kick(one, entry, two, twin, added)
        work = work + looked
        if not is_stored then answer = FULL end
      end
    end
    must_double = answer == FULL and doublings > 0
    if must_double then break end
    answers[i] = answer
    -- Multiplied, so that the next bucket with the fingerprint before does not give the same hash.
    if answer == DONE then is_changed, kind = true, (kind * 31 + one * 40503 + word + floor(word / 65536)) % 65536 end
    work = work + 2
  end

  if is_changed then
    local second, second_of, split
    if is_moving then
      second_of, split = growth()
      second = second_of(shape, tail)
    end
    size, epoch = size + added, epoch + 1
    -- The ends of the strings come first, that of the longer one before the other: a server that refuses one has changed nothing.
    local counts = packed('>I6I6', size, epoch)
    if second then
      command = 'SETRANGE'
      has_written = type(redis.pcall(command, next_key, second.shape.tail, counts)) == 'number'
      if not has_written then
        -- There is no memory, or the server no longer takes a string so long. Without the second one, changes can go on.
        redis_call('DEL', next_key)
        second = nil
      end
    end
    if is_moving and not second then
      is_moving = false
      write('SETRANGE', key, 18, '\0')
    end
    write('SETRANGE', key, shape.tail, counts)
    local run = {}
    for b, entries in pairs(changed) do
      run[1] = entries
      write_run(key, shape, b, run)
      if second and b < second.moved then write_run(next_key, second.shape, 2 * b, { split(shape, entries) }) end
    end
    if epoch <= till then
      -- The records of the blocks of the buckets that have changed.
      local first, last, touched = shape.blocks, -1, {}
      for b in pairs(changed) do
        local i = floor(b / span)
        touched[i] = true
        if i < first then first = i end
        if i > last then last = i end
      end
      local at, out = shape.records + RECORD * first, {}
      local before = call('GETRANGE', key, at, shape.records + RECORD * last + 5)
      for i = first, last do
        local its = before:sub(RECORD * (i - first) + 1, RECORD * (i - first + 1))
        -- Each hash includes the one before it, because two histories may end with the same change.
        out[#out + 1] = touched[i] and packed('<I4I2', epoch % 4294967296, (unpacked('<I2', its, 5) * 31 + kind) % 65536) or its
      end
      write('SETRANGE', key, at, table.concat(out))
    end
  end
  local is_due = doublings > 0 and size >= GROW_AT * slots * shape.buckets
  local state = must_double and '!' or (is_moving or is_due) and '+' or '.'
  local counted = state == '+' and format('%.0f %.0f', epoch, size) or format('%.0f', epoch)
  return table.concat(answers) .. string.rep(UNDECIDED, count - #answers) .. state .. counted
end

local function run(head)
  local shape = shape_of(header)
  local tail, why = checked(head, shape)
  if why then return refuse(why) end
  if action == 'read' then
    local out = { tail:sub(7, 12) }
    for at = 1, #given, 6 do
      local begin = unpacked('>I6', given, at)
      out[#out + 1] = call('GETRANGE', key, begin, begin + 5)
    end
    return table.concat(out)
  end
  local is_moving = head:byte(19) == 1
  if is_moving and not next_key then return refuse('moving') end
  return change(shape, tail, is_moving)
end

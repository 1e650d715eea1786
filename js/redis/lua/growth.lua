-- Doubles a table, in pieces, into a second string that then takes its place. Until the second string has everything, the first one
-- is complete, and counts. The second has the content of all buckets before `moved`: each piece copies some more, and every change of
-- a copied bucket is made in both. A second string that is lost, or does not have the first one's epoch, is begun again. So a caller
-- that dies, or a string that is restored from a backup, does no harm.
local function growth()
  -- The second string of a shard: its shape, and how many buckets of the first it has; nil if it is none.
  local function second_of(shape, tail)
    local h = call('GETRANGE', next_key, 0, HEADER - 1)
    if #h ~= HEADER or h:byte(19) ~= 2 or h:byte(16) ~= header:byte(16) - 4 or h:sub(49, 64) ~= header:sub(49, 64) then return nil end
    local its = shape_of(h)
    local its_tail = tail_of(next_key, its)
    if not its_tail or its_tail:sub(7, 12) ~= tail:sub(7, 12) then return nil end
    return { shape = its, moved = unpacked('<I6', h, 41) }
  end

  -- The entries of a bucket in the two that it becomes: the highest bit of the part tells which, and is no longer needed.
  local function split(shape, entries)
    local half = 2 ^ (shape.lane_bits - 1)
    local sides, ends = { {}, {} }, { 0, 0 }
    for slot = 1, shape.slots do
      local entry = entries[slot]
      if entry > 0 then
        local rest = entry % half
        local bit_and_low = (entry - rest) / half
        local side = bit_and_low % 2 + 1
        ends[side] = ends[side] + 1
        sides[side][ends[side]] = (bit_and_low - bit_and_low % 2) / 2 * half + rest
      end
    end
    for side = 1, 2 do
      local some, empty = sides[side], shape.slots - ends[side]
      if empty > 0 then
        for slot = shape.slots, 1, -1 do some[slot] = slot > empty and some[slot - empty] or 0 end
      end
    end
    return sides[1], sides[2]
  end

  -- Begins a doubling: makes the second string, with the header `given`.
  local function begin_second(tail)
    local there = call('GETRANGE', next_key, 0, HEADER - 1)
    local is_filter = there:sub(1, 8) == header:sub(1, 8) and there:byte(19) ~= 2
    if is_filter then error({ err = 'DENIED ' .. next_key .. ' is another filter' }) end
    call('DEL', next_key)
    -- What the end needs is tried now, where it does nothing, rather than refused once everything is copied.
    call('PEXPIRE', next_key, 1)
    call('PERSIST', next_key)
    command = 'RENAME'
    local renamed = redis.pcall('RENAME', next_key, next_key)
    if renamed.err and not renamed.err:find('no such key', 1, true) then error(renamed) end
    local its = shape_of(given)
    write('SETRANGE', next_key, its.length - 1, '\0')
    write('SETRANGE', next_key, 0, given:sub(1, 18) .. '\2' .. given:sub(20))
    write('SETRANGE', next_key, its.tail, tail)
    write('SETRANGE', key, 18, '\1')
    return { shape = its, moved = 0 }
  end

  -- Moves a piece of the table. Answers 'moved' once it has doubled, otherwise the first bucket of the piece and the one after it.
  local function move(shape, tail, is_moving)
    local left = call('PTTL', key)
    local second = is_moving and second_of(shape, tail) or begin_second(tail)
    local bits = shape.bits
    -- Eight buckets fill whole bytes. Each counts for three: it is read, and becomes two.
    local begin = second.moved
    local count = math.min(math.max(8, floor(ARGV[4] / 24) * 8), shape.buckets - begin)
    local at = HEADER + begin * bits / 8
    local text = call('GETRANGE', key, at, at + math.ceil(count * bits / 8) + 7)
    local run = {}
    for i = 0, count - 1 do
      local shift = i * bits % 8
      run[2 * i + 1], run[2 * i + 2] = split(shape, entries_of(shape, text, (i * bits - shift) / 8 + 1, shift))
    end
    write_run(next_key, second.shape, 2 * begin, run)
    local moved = begin + count
    if moved < shape.buckets then
      write('SETRANGE', next_key, 40, packed('<I6', moved))
      -- It does not stay for ever if the first is deleted.
      write('PEXPIRE', next_key, 3600000)
      return 'moving ' .. begin .. ' ' .. moved
    end
    write('SETRANGE', next_key, second.shape.records, call('GETRANGE', key, shape.records, -1))
    write('SETRANGE', next_key, 40, ('\0'):rep(6))
    write('SETRANGE', next_key, 18, '\0')
    if left >= 0 then write('PEXPIRE', next_key, math.max(left, 1)) else write('PERSIST', next_key) end
    write('RENAME', next_key, key)
    return 'moved'
  end

  return { second_of = second_of, split = split, move = move }
end

// The part of the server's program that doubles a table, in pieces, into a second string that then takes its place.
// Invariant: until the second string has everything, the first one is complete and counts. The second has the content
// of all buckets before `moved`: each piece copies some more, and every change of a copied bucket is made in both. A
// second string that is lost, or that belongs to an earlier first string, is begun again. So if a process dies at any
// moment, the next piece completes its work.

/** Lua for the middle of `run` in script.ts, whose variables it uses. */
export function growth(): string {
  return `
  -- The second string: how many buckets of the first it has, or nil if it is none of this one; and how its buckets are written.
  local moved, twin
  local function life_of(of, its_length) return call('GETRANGE', of, its_length - 8, its_length - 3) end
  local function open_next()
    local h = call('GETRANGE', next_key, 0, 71)
    if #h ~= 72 or h:byte(19) ~= 2 or h:byte(16) ~= header:byte(16) - 4 or h:sub(49, 64) ~= header:sub(49, 64) then return end
    local its = shape_of(h)
    if call('STRLEN', next_key) ~= its.length or life_of(next_key, its.length) ~= life_of(key, length) then return end
    moved, twin = unpacked('<I6', h, 41), codec(its)
    return its
  end

  -- The entries of a bucket in the two that it becomes: the highest bit of the part tells which, and is no longer needed.
  local function split(entries)
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

  local function move()
    -- A client that met the doubled table has no header for more.
    if given == '' then return 'moved' end
    local its = is_moving and open_next()
    if not its then
      its = shape_of(given)
      call('DEL', next_key)
      call('SETRANGE', next_key, its.length - 1, '\\0')
      call('SETRANGE', next_key, 0, given:sub(1, 18) .. '\\2' .. given:sub(20))
      call('SETRANGE', next_key, its.length - 8, life_of(key, length))
      call('SETRANGE', key, 18, '\\1')
      moved, twin = 0, codec(its)
    end
    -- Eight buckets fill whole bytes. Each counts for three: it is read, and becomes two.
    local count = math.min(math.max(8, floor(ARGV[4] / 24) * 8), shape.buckets - moved)
    local at = 72 + moved * bits / 8
    local text = call('GETRANGE', key, at, at + math.ceil(count * bits / 8) + 7)
    local run = {}
    for i = 0, count - 1 do
      local begin = i * bits
      local shift = begin % 8
      local entries = entries_of(text, (begin - shift) / 8 + 1, shift)
      run[2 * i + 1], run[2 * i + 2] = split(entries)
    end
    write_run(next_key, twin, 2 * moved, run)
    moved = moved + count
    if moved < shape.buckets then
      call('SETRANGE', next_key, 40, packed('<I6', moved))
      -- It does not stay for ever if the first is deleted.
      call('PEXPIRE', next_key, 3600000)
      return 'moving ' .. moved - count .. ' ' .. moved
    end
    call('SETRANGE', next_key, its.records, call('GETRANGE', key, records_at, -1))
    call('SETRANGE', next_key, 40, ('\\0'):rep(6))
    call('SETRANGE', next_key, 18, '\\0')
    local left = call('PTTL', key)
    if left >= 0 then call('PEXPIRE', next_key, math.max(left, 1)) else call('PERSIST', next_key) end
    call('RENAME', next_key, key)
    return 'moved'
  end
`;
}

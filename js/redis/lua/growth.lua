-- Doubles a table, in pieces, into a second string that then takes its place. Until the second string has everything, the first one
-- is complete, and counts. The second has the content of all buckets before `moved`: each piece copies some more, and every change of
-- a copied bucket is made in both. A second string that is lost, has another epoch than the first one, or is of another doubling,
-- is begun again. So a caller that dies, or a string that is restored from a backup, does no harm.
local function growth()
  -- The second string of a shard: its shape, and how many buckets of the first it has; nil if it is none, or no string.
  local function second_of(shape, tail)
    local h = redis.pcall('GETRANGE', next_key, BEGIN, END)
    if #h ~= HEADER or h:byte(19) ~= 2 or h:byte(16) ~= header:byte(16) - 4 or h:sub(49, 64) ~= header:sub(49, 64) then return nil end
    local its = shape_of(h)
    local its_tail = tail_of(next_key, its)
    if not its_tail or its_tail:sub(7, 12) ~= tail:sub(7, 12) or its_tail:sub(31) ~= tail:sub(31) then return nil end
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

  return second_of, split
end

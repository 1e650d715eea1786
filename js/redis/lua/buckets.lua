-- Buckets: numbers in bytes, to entries in ascending order and back. An entry is 0 where a slot is empty, otherwise a number that
-- has the low part of the fingerprint on top, then which of several later buckets it belongs to (while the table may double), then
-- the rest of the fingerprint. Sorted buckets of four keep their low parts, of four bits, as one of 3876 combinations.

local NONE = { 0, 0, 0, 0, 0, 0, 0, 0 }

-- Ranks of sorted quadruples, a + pairs_[b] + triples[c] + quadruples[d]: sums of binomials; and the quadruples of ranks, once seen.
local function ranks()
  local pairs_ = { [0] = 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120 }
  local triples = { [0] = 0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364, 455, 560, 680 }
  local quadruples = { [0] = 0, 1, 5, 15, 35, 70, 126, 210, 330, 495, 715, 1001, 1365, 1820, 2380, 3060 }
  local lows = {}
  local function lows_of(code)
    local d, c, b, rank = 15, 15, 15, code
    while quadruples[d] > rank do d = d - 1 end
    rank = rank - quadruples[d]
    while triples[c] > rank do c = c - 1 end
    rank = rank - triples[c]
    while pairs_[b] > rank do b = b - 1 end
    lows[code] = { rank - pairs_[b], b, c, d }
    return lows[code]
  end
  return pairs_, triples, quadruples, lows, lows_of
end

-- Reads and writes buckets of tables of this shape: entries_of(text, at, shift) for one that begins at that bit of byte `at` of
-- `text`; put_entries(put, entries) to write one by put(number, bits); bytes_of(entries) if a bucket is whole bytes.
local function codec(shape)
  local slots, lane_bits, is_sorted, bits = shape.slots, shape.lane_bits, shape.low_bits > 0, shape.bits
  local lane = 2 ^ lane_bits
  local pairs_, triples, quadruples, lows, lows_of
  if is_sorted then pairs_, triples, quadruples, lows, lows_of = ranks() end
  -- Sorted buckets that are whole bytes, and one number: most are, and take less time.
  local form = is_sorted and bits % 8 == 0 and bits <= 48 and '<I' .. bits / 8
  local function entries_of(text, at, shift)
    local value = form and unpacked(form, text, at) or floor(unpacked('<I6', text, at) / 2 ^ shift)
    local left, low = 48 - shift, NONE
    if is_sorted then
      local code = value % 4096
      low = lows[code] or lows_of(code)
      value, left = (value - code) / 4096, left - 12
      if form then
        local a = value % lane
        value = (value - a) / lane
        local b = value % lane
        value = (value - b) / lane
        local c = value % lane
        return { low[1] * lane + a, low[2] * lane + b, low[3] * lane + c, low[4] * lane + (value - c) / lane }
      end
    end
    local entries = {}
    at = at + 6
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
  -- The rank of four entries' low parts, and what the entries have besides.
  local function parts_of(e)
    local first, second, third, fourth = e[1], e[2], e[3], e[4]
    local a, b, c, d = first % lane, second % lane, third % lane, fourth % lane
    local code = (first - a) / lane + pairs_[(second - b) / lane] + triples[(third - c) / lane]
    return code + quadruples[(fourth - d) / lane], a, b, c, d
  end
  local function put_entries(put, entries)
    if is_sorted then
      local code = parts_of(entries)
      put(code, 12)
    end
    for slot = 1, slots do put(entries[slot] % lane, lane_bits) end
  end
  local function bytes_of(entries)
    local code, a, b, c, d = parts_of(entries)
    return packed(form, code + 4096 * (a + lane * (b + lane * (c + lane * d))))
  end
  -- Bytes after its first one that hold a bucket and what entries_of reads of it.
  local reach = form and bits / 8 - 1 or math.ceil((bits + 7) / 8) + 7
  return { entries_of = entries_of, put_entries = put_entries, bytes_of = form and bytes_of, bits = bits, reach = reach }
end

-- Writes a run of buckets that begins at bucket b of the string `name`, between the bits of their neighbours.
local function write_run(name, own, b, run)
  local begin = b * own.bits
  local shift, over = begin % 8, (begin + #run * own.bits) % 8
  local at = HEADER + (begin - shift) / 8
  local value = shift > 0 and call('GETRANGE', name, at, at):byte() % 2 ^ shift or 0
  local out, count, left = {}, 0, shift
  local function put(part, bits)
    value, left = value + part * 2 ^ left, left + bits
    -- Up to 32 bits are added to less than 16.
    while left >= 16 do
      local low = value % 65536
      count = count + 1
      out[count] = packed('<I2', low)
      value, left = (value - low) / 65536, left - 16
    end
  end
  for i = 1, #run do own.put_entries(put, run[i]) end
  if over > 0 then
    local last = HEADER + (begin + #run * own.bits - over) / 8
    put(floor(call('GETRANGE', name, last, last):byte() / 2 ^ over), 8 - over)
  end
  if left > 0 then out[count + 1] = packed('<I' .. math.ceil(left / 8), value) end
  write('SETRANGE', name, at, table.concat(out))
end

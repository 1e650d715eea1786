// The part of the server's program that reads and writes buckets: numbers in bytes, to entries in ascending order and back.
// Invariant: entries of a bucket are ascending, 0 where a slot is empty, as in the saved form (docs/inside/format.md, "Layout").

/** Lua for the middle of `run` in script.ts, whose variables it uses. */
export function buckets(): string {
  return `
  -- Reads and writes buckets of tables of this shape: entries_of(text, at, shift) for one that begins at that bit of byte at of
  -- text, and put_entries(put, entries) to write one by put(number, bits). An entry has its low part on top, then which of so many
  -- parts of the bucket it belongs to, then the rest.
  local function codec(of)
    local slots, lane_bits, is_sorted, bits = of.slots, of.lane_bits, of.low_bits > 0, of.bits
    local lane = 2 ^ lane_bits
    -- Sorted buckets that are whole bytes, and one number: most are, and take less time.
    local form = is_sorted and bits % 8 == 0 and bits <= 48 and '<I' .. bits / 8
    local function entries_of(text, at, shift)
      local value = form and unpacked(form, text, at) or floor(unpacked('<I6', text, at) / 2 ^ shift)
      local left, low = 48 - shift, none
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
    -- The code of four entries, and what they have besides.
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
    return { entries_of = entries_of, put_entries = put_entries, bytes_of = form and bytes_of, bits = bits }
  end

  -- Gathers numbers into bytes: put(number, bits), after the lowest bits of a first number; done() gives the bytes.
  local function writer(first, left)
    local out, count, value = {}, 0, first
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
    local function done()
      if left > 0 then out[count + 1] = packed('<I' .. math.ceil(left / 8), value) end
      return table.concat(out)
    end
    return put, done
  end

  local own = codec(shape)
  local bits, entries_of = shape.bits, own.entries_of

  -- Writes a run of buckets that begins at bucket b, in a table of this codec under that key, between the bits of their neighbours.
  local function write_run(to, table_codec, b, run)
    local begin = b * table_codec.bits
    local shift, over = begin % 8, (begin + #run * table_codec.bits) % 8
    local at = 72 + (begin - shift) / 8
    local first = shift > 0 and call('GETRANGE', to, at, at):byte() % 2 ^ shift or 0
    local put, done = writer(first, shift)
    for i = 1, #run do table_codec.put_entries(put, run[i]) end
    if over > 0 then
      local last = 72 + (begin + #run * table_codec.bits - over) / 8
      put(floor(call('GETRANGE', to, last, last):byte() / 2 ^ over), 8 - over)
    end
    call('SETRANGE', to, at, done())
  end
`;
}

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
    local form = bits % 8 == 0 and bits <= 48 and '<I' .. bits / 8
    local function entries_of(text, at, shift)
      local value, left, low, entries = nil, 48, none, {}
      if form then value = unpacked(form, text, at)
      else
        value, left = floor(unpacked('<I6', text, at) / 2 ^ shift), 48 - shift
        at = at + 6
      end
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
    local function code_of(e)
      return floor(e[1] / lane) + pairs_[floor(e[2] / lane)] + triples[floor(e[3] / lane)] + quadruples[floor(e[4] / lane)]
    end
    local function put_entries(put, entries)
      if is_sorted then put(code_of(entries), 12) end
      for slot = 1, slots do put(entries[slot] % lane, lane_bits) end
    end
    -- The bytes of a bucket that begins and ends with a byte; nil for other shapes.
    local function bytes_of(e)
      local value = 0
      for slot = slots, 1, -1 do value = value * lane + e[slot] % lane end
      return packed(form, is_sorted and value * 4096 + code_of(e) or value)
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
    if table_codec.bytes_of and #run == 1 then
      call('SETRANGE', to, string.format('%d', at), table_codec.bytes_of(run[1]))
      return
    end
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

-- Buckets: numbers in bytes, to entries in ascending order and back. An entry is 0 where a slot is empty, otherwise a number that
-- has the low part of the fingerprint on top, then which of several later buckets it belongs to (while the table may double), then
-- the rest of the fingerprint. Sorted buckets of four keep their low parts, of four bits, as one of 3876 combinations: for low parts
-- a <= b <= c <= d, its number is a + C(b + 1, 2) + C(c + 2, 3) + C(d + 3, 4), by binomials.

-- Low parts by their number, once seen.
local lows = {}
local function lows_of(code)
  -- d is the largest number with C(d + 3, 4) <= code: (d^2 + 3d + 1)^2 <= 24 code + 1.
  local d = floor((math.sqrt(4 * math.sqrt(24 * code + 1) + 5) - 3) / 2)
  local c, rank = d, code - d * (d + 1) * (d + 2) * (d + 3) / 24
  while c * (c + 1) * (c + 2) > 6 * rank do c = c - 1 end
  rank = rank - c * (c + 1) * (c + 2) / 6
  local b = floor((math.sqrt(8 * rank + 1) - 1) / 2)
  lows[code] = { rank - b * (b + 1) / 2, b, c, d }
  return lows[code]
end

-- The entries of a bucket of this shape, which begins at bit `shift` of byte `at` of `text`.
local function entries_of(shape, text, at, shift)
  local lane, form, low = shape.lane, shape.form
  local value = form and unpacked(form, text, at) or floor(unpacked('<I6', text, at) / 2 ^ shift)
  local left = 48 - shift
  if shape.low_bits > 0 then
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
  local entries, lane_bits = {}, shape.lane_bits
  at = at + 6
  for slot = 1, shape.slots do
    while left < lane_bits do
      value, left, at = value + unpacked('<I2', text, at) * 2 ^ left, left + 16, at + 2
    end
    local rest = value % lane
    value, left = (value - rest) / lane, left - lane_bits
    entries[slot] = low and low[slot] * lane + rest or rest
  end
  return entries
end

-- The number of the low parts of four entries, and what the entries have besides.
local function parts_of(lane, e)
  local first, second, third, fourth = e[1], e[2], e[3], e[4]
  local ra, rb, rc, rd = first % lane, second % lane, third % lane, fourth % lane
  local b, c, d = (second - rb) / lane, (third - rc) / lane, (fourth - rd) / lane
  local code = (first - ra) / lane + b * (b + 1) / 2 + c * (c + 1) * (c + 2) / 6 + d * (d + 1) * (d + 2) * (d + 3) / 24
  return code, ra, rb, rc, rd
end

-- Writes a run of buckets that begins at bucket b of the string `name`, between the bits of their neighbours.
local function write_run(name, shape, b, run)
  local lane, form = shape.lane, shape.form
  if form and #run == 1 then
    local code, one, two, three, four = parts_of(lane, run[1])
    local bytes = packed(form, code + 4096 * (one + lane * (two + lane * (three + lane * four))))
    command = 'SETRANGE'
    redis_call(command, name, HEADER + b * shape.bits / 8, bytes)
    has_written = true
    return
  end
  local begin = b * shape.bits
  local shift, over = begin % 8, (begin + #run * shape.bits) % 8
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
  for i = 1, #run do
    if shape.low_bits > 0 then put(parts_of(lane, run[i]), 12) end
    for slot = 1, shape.slots do put(run[i][slot] % lane, shape.lane_bits) end
  end
  if over > 0 then
    local last = HEADER + (begin + #run * shape.bits - over) / 8
    put(floor(call('GETRANGE', name, last, last):byte() / 2 ^ over), 8 - over)
  end
  if left > 0 then out[count + 1] = packed('<I' .. math.ceil(left / 8), value) end
  write('SETRANGE', name, at, table.concat(out))
end

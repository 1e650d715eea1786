// The script that changes a filter on the server, for one or many keys in one call.
// Invariant: it writes only after every key was decided, so an error changes nothing; a key that does not fit leaves its
// buckets as they were; a call that changes no bucket does not count as a change. All numbers are integers below 2^53, exact in
// doubles. Buckets are whole bytes, at most 6.
//
// KEYS[1] is the shard, KEYS[2] (only when deleting) where the answer is kept, so that a command that a client sends again
// after a broken connection deletes once. It is kept where nothing was deleted too, because the first copy of a command may
// arrive after the second, when the key has been added. ARGV: what to do, the header with size 0, what `packed` of places.ts
// gave.
// `read` takes two buckets per key and answers their bytes. The other answers have one digit per key: 0 done, 1 full, 2 too many copies, 3 nothing done.

/** What the script can do. */
export type Action = 'open' | 'reset' | 'read' | 'add' | 'addIfAbsent' | 'delete';

export const SCRIPT = `
local call, unpacked, packed = redis.call, struct.unpack, struct.pack
local key, action, header, places = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local storage, slots, width = header:byte(11), header:byte(14), header:byte(15)
local maxkicks, buckets = unpacked('<I4', header, 21), unpacked('<I6', header, 25)
local is_sorted = storage == 1
local lane = is_sorted and 2 ^ (width - 4) or 2 ^ width
local bytes = (is_sorted and 4 * (width - 1) or slots * width) / 8
local form = '<I' .. bytes
local length = 72 + buckets * bytes + 8

local function create(revision)
  call('SETRANGE', key, length - 1, '\\0')
  call('SETRANGE', key, 0, header)
  call('SETRANGE', key, length - 8, packed('<I6', revision))
  return 'created'
end

local head = call('GETRANGE', key, 0, 71)
if head == '' then
  if action == 'open' then return create(unpacked('<I6', places, 1)) end
  return redis.error_reply('CUCKOO gone')
end
local is_same = head:sub(1, 40) == header:sub(1, 40) and head:sub(49) == header:sub(49) and call('STRLEN', key) == length
if action == 'open' then
  if is_same then return 'same' end
  return (head:gsub('.', function(c) return string.format('%02x', c:byte()) end))
end
if not is_same then return redis.error_reply('CUCKOO differs') end
if action == 'read' then
  local whole, found = call('GET', key), {}
  for i = 1, #places / 8 do
    local one, two = unpacked('<I4I4', places, 8 * i - 7)
    local at, other = 73 + one * bytes, 73 + two * bytes
    found[2 * i - 1], found[2 * i] = whole:sub(at, at + bytes - 1), whole:sub(other, other + bytes - 1)
  end
  return table.concat(found)
end
local revision = unpacked('<I6', call('GETRANGE', key, length - 8, -1), 1)
if action == 'reset' then
  call('DEL', key)
  return create(revision + 1)
end
if KEYS[2] then
  local answered = call('GET', KEYS[2])
  if answered then return answered end
end

-- Sums of binomials: the rank of a sorted quadruple is a + pairs[b] + triples[c] + quadruples[d].
local pairs_, triples, quadruples = {}, {}, {}
for p = 0, 15 do
  pairs_[p] = p * (p + 1) / 2
  triples[p] = pairs_[p] * (p + 2) / 3
  quadruples[p] = triples[p] * (p + 3) / 4
end
local lows = {}

local function lows_of(code)
  local d, c, b = 15, 15, 15
  local rank = code
  while quadruples[d] > rank do d = d - 1 end
  rank = rank - quadruples[d]
  while triples[c] > rank do c = c - 1 end
  rank = rank - triples[c]
  while pairs_[b] > rank do b = b - 1 end
  local quadruple = { (rank - pairs_[b]) * lane, b * lane, c * lane, d * lane }
  lows[code] = quadruple
  return quadruple
end

-- The entries of a bucket in ascending order, 0 where a slot is empty. A low part stands above the rest of its entry.
local function entries_of(value)
  local entries, low = {}, {}
  if is_sorted then
    local code = value % 4096
    low = lows[code] or lows_of(code)
    value = (value - code) / 4096
  end
  for slot = 1, slots do
    local rest = value % lane
    value = (value - rest) / lane
    entries[slot] = (low[slot] or 0) + rest
  end
  return entries
end

local function value_of(entries)
  local code, value = 0, 0
  for slot = slots, 1, -1 do
    local rest = entries[slot] % lane
    local p = (entries[slot] - rest) / lane
    value = value * lane + rest
    if slot == 4 then code = code + quadruples[p]
    elseif slot == 3 then code = code + triples[p]
    elseif slot == 2 then code = code + pairs_[p]
    else code = code + p end
  end
  if is_sorted then return code + 4096 * value end
  return value
end

-- With many keys, one copy of the whole string is cheaper than a call for each bucket.
local count = #places / 12
local whole = length < 2000 * count and call('GET', key)
local cache, changed = {}, {}

local function bucket(b)
  local entries = cache[b]
  if not entries then
    local at = 72 + b * bytes
    if whole then entries = entries_of((unpacked(form, whole, at + 1)))
    else entries = entries_of((unpacked(form, call('GETRANGE', key, at, at + bytes - 1)))) end
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

local function put(b, entry)
  if bucket(b)[1] ~= 0 then return false end
  exchange(b, 1, entry)
  return true
end

-- a * factor modulo 2^32, for a below 2^32.
local function times(a, factor)
  local low = a % 65536
  return (low * factor + (a - low) / 65536 * factor % 65536 * 65536) % 4294967296
end

local function alternate(b, entry)
  local rest = entry % lane
  local fingerprint = is_sorted and rest * 16 + (entry - rest) / lane or entry
  local x = times(fingerprint, 0x9E3779B1)
  x = bit.bxor(bit.tobit(x), bit.rshift(bit.tobit(x), 15)) % 4294967296
  x = times(x, 0x85EBCA6B)
  local low = x % 65536
  local offset = math.floor(((x - low) / 65536 * buckets + math.floor(low * buckets / 65536)) / 65536)
  return (offset - b) % buckets
end

-- Kicks entries until one finds an empty slot; if none does, puts them back.
local function kick(b, entry)
  local draw, path, victims = (b * 31 + entry) % 4294967296, {}, {}
  for i = 1, maxkicks do
    draw = (draw * 1664525 + 1013904223) % 4294967296
    path[i], victims[i] = b, entry
    entry = exchange(b, math.floor(draw * slots / 4294967296) + 1, entry)
    b = alternate(b, entry)
    if put(b, entry) then return true end
  end
  for i = maxkicks, 1, -1 do entry = exchange(path[i], slot_of(path[i], victims[i]), entry) end
  return false
end

local size = unpacked('<I6', head, 41)
local answers = {}
for i = 1, count do
  local one, two, entry = unpacked('<I4I4I4', places, 12 * i - 11)
  local slot_one = action ~= 'add' and slot_of(one, entry)
  local slot_two = action ~= 'add' and not slot_one and slot_of(two, entry)
  local answer = '3'
  if action == 'delete' then
    if slot_one or slot_two then
      exchange(slot_one and one or two, slot_one or slot_two, 0)
      size, answer = size - 1, '0'
    end
  elseif not slot_one and not slot_two then
    local a, b = bucket(one), bucket(two)
    answer = '1'
    if put(one, entry) or put(two, entry) then answer = '0'
    elseif a[1] == entry and a[slots] == entry and b[1] == entry and b[slots] == entry then answer = '2'
    elseif kick(two, entry) then answer = '0' end
    if answer == '0' then size = size + 1 end
  end
  answers[i] = answer
end

local answer = table.concat(answers)
if answer:find('0', 1, true) then
  for b, entries in pairs(changed) do call('SETRANGE', key, 72 + b * bytes, packed(form, value_of(entries))) end
  call('SETRANGE', key, 40, packed('<I6', size))
  call('SETRANGE', key, length - 8, packed('<I6', revision + 1))
end
if KEYS[2] then call('SET', KEYS[2], answer, 'EX', 600) end
return answer
`;

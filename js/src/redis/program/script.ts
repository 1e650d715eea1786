// The program that the server runs: it changes a shard, or gives the buckets of many keys, in one call. What it does to buckets is
// in script-changes.ts.
// Invariant: it writes only after every key was decided, so an error changes nothing; a key that does not fit leaves its
// buckets as they were; a call that changes no bucket does not count as a change. All numbers are integers below 2^53, exact in
// doubles.
//
// KEYS[1] is the shard. KEYS[2], for a table that may still double, is there while it does: changes then wait. One that
// never expires is none, because no client sets it so. The last of KEYS (only when deleting) is
// where the answer is kept, so that a command that a client sends again after a broken connection deletes once. It is kept where
// nothing was deleted too, because the first copy of a command may arrive after the second, when the key has been added.
// ARGV: what to do; the header with size 0 and the stamp of the shard (saved.ts); and bytes: for `make` the first count of changes and
// the last byte of the string, for `read` a command and the bits where numbers begin as MessagePack (what follows these numbers in
// the answer means nothing), for `expire` milliseconds, or 0 for ever, for `grow` and `replace` the new string, for changes what `packed` of places.ts gave. ARGV[4] is the
// word that holds the lock.
// Answers to changes have one digit per key: 0 done, 1 full, 2 too many copies, 3 nothing done.

import { changes } from './script-changes.js';

/** What the program can do with text for an answer; `read`, besides, answers bytes. */
export type Action =
  | 'make'
  | 'made'
  | 'look'
  | 'expire'
  | 'reset'
  | 'replace'
  | 'grow'
  | 'unlock'
  | 'add'
  | 'addIfAbsent'
  | 'delete';

/** Numbers that `read` takes with one BITFIELD: written out as words, twenty take a sixth of the time less than all in a table. */
const READS = 20;

/** Defines `run(KEYS, ARGV)`. A function, so that bundlers drop it where it is not used. */
export function program(): string {
  const readWords = Array.from({ length: READS }, (_, i) => `get, type, words[i + ${i}]`).join(', ');
  return `
-- Sums of binomials: the rank of a sorted quadruple is a + pairs[b] + triples[c] + quadruples[d].
local pairs_, triples, quadruples = {}, {}, {}
for p = 0, 15 do
  pairs_[p] = p * (p + 1) / 2
  triples[p] = pairs_[p] * (p + 2) / 3
  quadruples[p] = triples[p] * (p + 3) / 4
end
local lows, none = {}, { 0, 0, 0, 0, 0, 0, 0, 0 }

local function lows_of(code)
  local d, c, b = 15, 15, 15
  local rank = code
  while quadruples[d] > rank do d = d - 1 end
  rank = rank - quadruples[d]
  while triples[c] > rank do c = c - 1 end
  rank = rank - triples[c]
  while pairs_[b] > rank do b = b - 1 end
  local quadruple = { rank - pairs_[b], b, c, d }
  lows[code] = quadruple
  return quadruple
end

-- a * factor modulo 2^32, for a below 2^32.
local function times(a, factor)
  local low = a % 65536
  return (low * factor + (a - low) / 65536 * factor % 65536 * 65536) % 4294967296
end

local function run(KEYS, ARGV)
  local call, unpacked, packed, floor = redis.call, struct.unpack, struct.pack, math.floor
  local key, lock, action, header, given = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
  local slots, width = header:byte(14), header:byte(15)
  local maxkicks, buckets = unpacked('<I4', header, 21), unpacked('<I6', header, 25)
  local is_sorted, doublings = header:byte(11) == 1, floor(header:byte(16) / 4)
  local low_bits = is_sorted and 4 or 0
  local lane_bits = width + doublings - low_bits
  -- An entry has its low part on top, then which of so many parts of the bucket it belongs to, then the rest.
  local lane, parts, unit = 2 ^ lane_bits, 2 ^ doublings, 2 ^ (width - low_bits)
  local bits = 3 * low_bits + slots * lane_bits
  local length = 72 + math.ceil(buckets * bits / 8) + 8

  -- Puts a string in place of the one that is there, whose time to live it keeps.
  local function replace(text)
    local left = call('PTTL', key)
    call('SET', key, text)
    -- PEXPIRE with 0 would delete the string before the rest of it is written.
    if left >= 0 then call('PEXPIRE', key, math.max(left, 1)) end
    return 'replaced'
  end

  local function create(revision, last)
    call('SETRANGE', key, length - 1, last)
    call('SETRANGE', key, 0, header)
    call('SETRANGE', key, length - 8, packed('<I6', revision))
    return 'created'
  end

  if action == 'unlock' then
    -- Only a string as long as the word that holds a lock is one. For a key that is no string, STRLEN is an error.
    local is_lock = redis.pcall('STRLEN', lock) == #ARGV[4]
    return is_lock and (call('PTTL', lock) == -1 or call('GET', lock) == ARGV[4]) and call('DEL', lock) or 0
  end
  local head = call('GETRANGE', key, 0, 71)
  if head == '' then
    if action == 'replace' then return replace(given) end
    if action == 'make' then return create(unpacked('<I6', given, 1), given:sub(7)) end
    return redis.error_reply('CUCKOO gone')
  end
  local bytes = call('STRLEN', key)
  local is_same = head:sub(1, 40) == header:sub(1, 40) and head:sub(49) == header:sub(49) and bytes == length
  if action == 'make' then
    if is_same then return 'same' end
    -- A filter whose first shard was deleted may have left others without keys. The first itself is never taken so.
    local function shape(h) return h:sub(1, 40) .. h:sub(49, 56) .. h:sub(65) end
    local is_left = unpacked('<I2', header, 57) > 0 and bytes == length and unpacked('<I6', head, 41) == 0
    if not is_left or shape(head) ~= shape(header) then return 'other' end
    call('SETRANGE', key, 56, header:sub(57, 64))
    return 'same'
  end
  if action == 'look' then
    local told = packed('<I6', bytes) .. call('GETRANGE', key, -1, -1) .. head
    return (told:gsub('.', function(c) return string.format('%02x', c:byte()) end))
  end
  -- A filter is replaced if its parameters are these, however often it has doubled.
  if action == 'replace' then
    local function fixed(h) return h:sub(1, 9) .. h:sub(11, 15) .. h:sub(21, 24) .. h:sub(33, 40) .. h:sub(49, 64) end
    return fixed(head) == fixed(header) and replace(given) or redis.error_reply('CUCKOO differs')
  end
  if not is_same then return redis.error_reply('CUCKOO differs') end
  if action == 'read' then
    local words, found, get, type = cmsgpack.unpack(given), {}, 'GET', 'u48'
    local command, form = words[1], '>' .. ('I6'):rep(${READS})
    for i = #words + 1, #words + ${READS} do words[i] = '0' end
    for i = 2, #words - ${READS}, ${READS} do
      found[#found + 1] = packed(form, unpack(call(command, key, ${readWords})))
    end
    return table.concat(found)
  end
  if action == 'made' then
    call('SETRANGE', key, length - 1, '\\0')
    return 'made'
  end
  if action == 'expire' then
    local left = unpacked('<I6', given)
    if left > 0 then call('PEXPIRE', key, left) else call('PERSIST', key) end
    return 'set'
  end
  local revision = unpacked('<I6', call('GETRANGE', key, length - 8, -1), 1)
  if action == 'grow' then
    if call('GET', lock) ~= ARGV[4] or unpacked('<I6', given, #given - 7) ~= revision then return 'changed' end
    replace(given)
    call('SETRANGE', key, #given - 8, packed('<I6', revision + 1))
    call('DEL', lock)
    return 'grown'
  end
  -- An answer that is kept comes before the lock. That a change has to wait is kept too, so that a late copy of its command does
  -- not make it.
  local keeper = action == 'delete' and KEYS[#KEYS]
  local answered = keeper and call('GET', keeper)
  if answered and answered ~= 'wait' then return answered end
  if answered or doublings > 0 and call('PTTL', lock) >= 0 then
    if keeper then call('SET', keeper, 'wait', 'EX', 600) end
    return redis.error_reply('CUCKOO growing')
  end
  if action == 'reset' then
    replace('')
    return create(revision + 1, '\\0')
  end
${changes()}
  local answer = table.concat(answers)
  -- Before all else that is written: if the server refuses that, nothing has changed.
  if keeper then call('SET', keeper, answer, 'EX', 600) end
  if answer:find('0', 1, true) then
    for b, entries in pairs(changed) do write(b, entries) end
    call('SETRANGE', key, 40, packed('<I6', size))
    call('SETRANGE', key, length - 8, packed('<I6', revision + 1))
  end
  return answer
end
`;
}

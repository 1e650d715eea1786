// The program that the server runs on one shard. In one call, it changes the shard, or moves a piece of its table that
// doubles. Buckets are in script-buckets.ts, changes in script-changes.ts, and doubling in script-growth.ts.
// Invariant: it writes only after every key is decided, so an error changes nothing; a key that does not fit leaves its
// buckets as they were; a call that changes no bucket does not count as a change. All numbers are integers below 2^53,
// exact in doubles. No call does more work than ARGV[4] allows.
//
// KEYS[1] is the shard. KEYS[2] is the table that it doubles into, if there may be one. It is left out otherwise,
// because a server that moves a slot refuses calls with a key that does not exist; a call that turns out to need it is
// refused ('moving'). The last of KEYS (only when deleting) is where the answer is kept, with its number, so that a
// command that a client sends again after a broken connection deletes only once. An answer is kept even if nothing was
// deleted, because the first copy of a command may arrive after the second, when the key has been added. The numbers of
// one client ascend, so a copy that arrives after the next answer does nothing. ARGV: what to do; the header without
// entries, with the stamp of the shard (saved.ts); and bytes: for `make` the generation and the last byte of the
// string, for `made` the generation, for `expire` milliseconds, or 0 for ever, for `replace` the new string, for
// `changed` the records that the client has, for `move` the header of the doubled table, for changes what `packed` of
// places.ts gave. ARGV[4] is how much a change or `move` may do: a bucket looked at or written counts one. ARGV[5],
// when deleting, is the number of the answer. Answers to changes have one digit per key (0 done, 1 full, 2 too many
// copies, 3 nothing done, 4 not decided, as all after it), then '.'; or '+' where the table is to double, or is
// doubling; or '!' where it must double before the next key fits.

import { LEAST_SPAN, MOST_BLOCKS, RECORD } from '../shard/places.js';
import { buckets } from './script-buckets.js';
import { changes } from './script-changes.js';
import { growth } from './script-growth.js';

/** The actions whose answer is text. The action `changed` answers bytes. */
export type Action =
  'make' | 'made' | 'look' | 'expire' | 'reset' | 'replace' | 'move' | 'add' | 'addIfAbsent' | 'delete';

/** Defines `run(KEYS, ARGV)`. A function, so that bundlers drop it where it is not used. */
export function program(): string {
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
  local rank = code
  local function next_of(sums)
    local p = 15
    while sums[p] > rank do p = p - 1 end
    rank = rank - sums[p]
    return p
  end
  local d, c, b = next_of(quadruples), next_of(triples), next_of(pairs_)
  lows[code] = { rank, b, c, d }
  return lows[code]
end

-- a * factor modulo 2^32, for a below 2^32.
local function times(a, factor)
  local low = a % 65536
  return (low * factor + (a - low) / 65536 * factor % 65536 * 65536) % 4294967296
end

local function run(KEYS, ARGV)
  local call, unpacked, packed, floor = redis.call, struct.unpack, struct.pack, math.floor
  local key, action, header, given = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
  local keeper = action == 'delete' and KEYS[#KEYS]
  local next_key = KEYS[2] ~= keeper and KEYS[2]

  -- What a header says: the form of the table, where the records of the blocks are, and how long the string is.
  local function shape_of(h)
    local slots, width, m = h:byte(14), h:byte(15), unpacked('<I6', h, 25)
    local low_bits, doublings = h:byte(11) == 1 and 4 or 0, floor(h:byte(16) / 4)
    local lane_bits = width + doublings - low_bits
    local bits, span, grown = 3 * low_bits + slots * lane_bits, ${LEAST_SPAN}, m * 2 ^ doublings
    while grown > ${MOST_BLOCKS} * span do span = span * 2 end
    local records, blocks = 72 + math.ceil(m * bits / 8), math.ceil(grown / span)
    return {
      buckets = m, slots = slots, width = width, doublings = doublings, low_bits = low_bits, lane_bits = lane_bits, bits = bits,
      span = span / 2 ^ doublings, blocks = blocks, records = records, length = records + ${RECORD} * blocks + 8
    }
  end

  -- Entries of the blocks with these records, each of which counts them in its low half and changes in its high one.
  local function entries_in(records)
    local sum = 0
    for at = 1, #records, 6 do
      local count = unpacked('<I3', records, at)
      sum = sum + (count < 8388608 and count or count - 16777216)
    end
    return sum
  end

  -- Puts a string in place of the one that is there, whose time to live it keeps.
  local function replace(text)
    local left = call('PTTL', key)
    call('SET', key, text)
    -- PEXPIRE with 0 would delete the string before the rest of it is written.
    if left >= 0 then call('PEXPIRE', key, math.max(left, 1)) end
    if next_key then call('DEL', next_key) end
    return 'replaced'
  end

  local shape = shape_of(header)
  local length = shape.length
  local function create(generation, last, begin)
    call('SETRANGE', key, length - 1, last)
    call('SETRANGE', key, 0, begin)
    call('SETRANGE', key, length - 8, generation)
    return 'created'
  end

  -- A shard that is not the first has no identity until all are there.
  local fresh = unpacked('<I2', header, 57) > 0 and header:sub(1, 58) .. ('\\0'):rep(6) .. header:sub(65) or header
  local head, bytes = call('GETRANGE', key, 0, 71), call('STRLEN', key)
  if head == '' then
    if action == 'replace' then return replace(given) end
    if action == 'make' then return create(given:sub(1, 6), given:sub(7), fresh) end
    return redis.error_reply('CUCKOO gone')
  end
  -- The byte that says that the table is doubling is not compared.
  local is_same, is_moving = head == header, false
  if not is_same and #head == 72 then
    is_moving = head:byte(19) == 1
    is_same = is_moving and head:sub(1, 18) == header:sub(1, 18) and head:sub(20) == header:sub(20)
  end
  is_same = is_same and bytes == length
  if action == 'make' then return 'other' end
  if action == 'look' then
    local told = packed('<I6', bytes) .. call('GETRANGE', key, -8, -1) .. head
    return (told:gsub('.', function(c) return string.format('%02x', c:byte()) end))
  end
  local is_fresh = head == fresh and bytes == length
  if action == 'made' and (is_same or is_fresh and call('GETRANGE', key, -8, -3) == given) then
    call('SETRANGE', key, length - 1, '\\0')
    call('SETRANGE', key, 56, header:sub(57, 64))
    return 'made'
  end
  -- A filter is replaced if its parameters are these, however often it has doubled.
  if action == 'replace' then
    local function fixed(h) return h:sub(1, 9) .. h:sub(11, 15) .. h:sub(21, 24) .. h:sub(33, 40) .. h:sub(49, 64) end
    return fixed(head) == fixed(header) and replace(given) or redis.error_reply('CUCKOO differs')
  end
  if not is_same then return redis.error_reply('CUCKOO differs') end
  local doublings, records_at, blocks = shape.doublings, shape.records, shape.blocks
  -- The first bucket of block i, counted from 0.
  local function begin_of_block(i) return math.min(math.ceil(i * shape.span), shape.buckets) end
  if action == 'changed' then
    local now, parts = call('GETRANGE', key, records_at, -1), {}
    for i = 0, blocks - 1 do
      local begin, after = begin_of_block(i) * shape.bits, begin_of_block(i + 1) * shape.bits
      if now:sub(6 * i + 1, 6 * i + 6) ~= given:sub(6 * i + 1, 6 * i + 6) and begin < after then
        parts[#parts + 1] = call('GETRANGE', key, 72 + floor(begin / 8), 71 + math.ceil(after / 8))
      end
    end
    return now .. table.concat(parts)
  end
  if action == 'expire' then
    local left = unpacked('<I6', given)
    if left > 0 then call('PEXPIRE', key, left) else call('PERSIST', key) end
    return 'set'
  end
  if action == 'reset' then
    replace('')
    return create(given, '\\0', header)
  end
${buckets()}
${growth()}
  if action == 'move' then return move() end
  if is_moving and not next_key then return redis.error_reply('CUCKOO moving') end
  if keeper then
    local turn, answer = (call('GET', keeper) or '0 '):match('^(%d+) (.*)$')
    if turn == ARGV[5] then return answer end
    -- A later call of this client has been answered: nobody waits for this one.
    if turn + 0 > ARGV[5] + 0 then return redis.error_reply('CUCKOO late') end
  end
${changes()}
  local answer = table.concat(answers) .. ('4'):rep(count - #answers)
  -- Before all else that is written: if the server refuses that, nothing has changed.
  if keeper then call('SET', keeper, ARGV[5] .. ' ' .. answer .. '.', 'EX', 600) end
  local state = answer:find('0', 1, true) and write_all() or is_moving and '+' or '.'
  return answer .. (must_double and '!' or state)
end
`;
}

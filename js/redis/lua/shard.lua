-- What a Redis server runs on one shard of a cuckoo filter: two programs, each of files that are run as one text. Both begin with
-- shard.lua (what a shard is), buckets.lua (how a bucket is written) and growth.lua (the second string of a table that doubles), and
-- end with answer.lua (errors). Between them, the one for keys has changes.lua, and the one for all else has whole.lua. So what is
-- done for each key does not wait until the rest is made.
--
-- KEYS[1] is the shard, a string. KEYS[2] is the string that it doubles into; callers leave it out unless it is needed.
-- ARGV[1] says what to do. ARGV[2] is the header that the shard must have. ARGV[3] depends on ARGV[1]. ARGV[4] limits
-- the work: each bucket that is read or written counts one. ARGV[5] is the least epoch that the shard must have.
-- ARGV[6], if there is one, says that a server's replica may answer. Answers that begin with CUCKOO are errors: the string is gone,
-- differs from the header, is doubling although KEYS[2] is left out (moving), or has a lower epoch than the caller has seen
-- (rollback); or the header did not arrive as bytes (text).
--
-- The string:
--   header   72 bytes, as in a saved filter, but bytes 56 to 63 say which shard (2) of which filter (6) it is, and byte 18 whether
--            the table is being doubled (1), or is the second string of a doubling (2)
--   table    the buckets, as in a saved filter
--   records  6 bytes for each block of buckets: the epoch of its last change (4) and a hash of all its changes (2)
--   tail     size, epoch, since, until: 6 bytes each, the highest first; then 6 random bytes, and 2 that tell one doubling from another
-- The epoch counts the changes of the shard, so a caller that has seen a higher one knows that changes are lost. Changes from
-- `since` to `until` are in the records: they are written only while somebody copies what has changed.
--
-- An error changes nothing. Numbers are integers below 2^53, which Lua's numbers hold exactly. The program runs anew for each
-- call, and making a function takes longer than calling it: those that few calls need are made inside of others.

local unpacked, packed, floor, format, redis_call = struct.unpack, struct.pack, math.floor, string.format, redis.call
local key, next_key = KEYS[1], KEYS[2]
local action, header, given = ARGV[1], ARGV[2], ARGV[3]
local HEADER, RECORD, TAIL = 72, 6, 32
-- Where a header begins and ends, as text, which takes the server less time than a number.
local BEGIN, END = '0', '71'
-- Buckets of the grown table in a block, at least; blocks, at most; the share of the slots at which a table doubles.
local LEAST_SPAN, MOST_BLOCKS, GROW_AT = 1024, 256, 0.85

-- The server's command that was called last, for the error if it fails, and whether anything was changed before it.
local command, has_written = '', false
local function call(name, ...)
  command = name
  return redis_call(name, ...)
end
local function write(name, ...)
  local answer = call(name, ...)
  has_written = true
  return answer
end

-- What a header says: the form of the table, where the records are, and how long the string is.
local function shape_of(h)
  local slots, width, m = h:byte(14), h:byte(15), unpacked('<I6', h, 25)
  local low_bits, doublings = h:byte(11) == 1 and 4 or 0, floor(h:byte(16) / 4)
  local lane_bits = width + doublings - low_bits
  local bits, span, grown = 3 * low_bits + slots * lane_bits, LEAST_SPAN, m * 2 ^ doublings
  while grown > MOST_BLOCKS * span do span = span * 2 end
  local is_one = low_bits > 0 and bits % 8 == 0 and bits <= 48
  local records, blocks = HEADER + math.ceil(m * bits / 8), math.ceil(grown / span)
  return {
    buckets = m, slots = slots, doublings = doublings, low_bits = low_bits, lane = 2 ^ lane_bits, lane_bits = lane_bits,
    unit = 2 ^ (width - low_bits), bits = bits, span = span / 2 ^ doublings, blocks = blocks, records = records, tail = records + RECORD * blocks,
    length = records + RECORD * blocks + TAIL,
    -- How a sorted bucket is packed that is whole bytes, and one number ('<I6' for six): most are, and take less time. Bytes after its
    -- first one that hold a bucket and what entries_of reads of it.
    form = is_one and string.char(60, 73, 48 + bits / 8), reach = is_one and bits / 8 - 1 or math.ceil((bits + 7) / 8) + 7
  }
end

-- The tail of a string; nil if the string is not as long as its shape says.
local function tail_of(name, shape)
  local tail = call('GETRANGE', name, shape.tail, '-1')
  return #tail == TAIL and tail or nil
end

local function refuse(why)
  return redis.error_reply('CUCKOO ' .. why)
end

-- The tail of the string under the key, which begins with `head`, if it is the one that the header says; the byte that says that the
-- table is doubling may differ. And why nothing is done with it; false if it is as new as the caller knows.
local function checked(head, shape)
  local is_own = head == header or head:byte(19) == 1 and head:sub(1, 18) .. header:sub(19, 19) .. head:sub(20) == header
  local tail = is_own and tail_of(key, shape)
  if not tail then return nil, head == '' and 'gone' or 'differs' end
  local epoch = unpacked('>I6', tail, 7)
  return tail, epoch < ARGV[5] + 0 and 'rollback ' .. format('%.0f', epoch)
end

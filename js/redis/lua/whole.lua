-- What is done with a whole shard:
--   look              the length of the string (6 bytes), its header, its tail, and its name as the server has it; where anything
--                     is given, a line follows with its time to live and the server's policy of eviction, if the user may read them
--   make              a new string without the identity; given: 6 random bytes, and its time to live in milliseconds, as text
--   hold, made        stops it from expiring; 'made' also gives it the identity; given: the random bytes
--   move              moves a piece of a table that doubles; given: the header of the second string, and 2 random bytes
--   changed           what has changed since a caller's copy; given: 6 random bytes; then the epoch (6 bytes), the random bytes and the
--                     records that the copy has
--   expire            sets the time to live; given: milliseconds as text, 0 for ever
--   reset, replace    empties the table; puts another string in its place
--   drop              deletes the string, of whatever size, and the one that it may double into, unless that is another filter; where
--                     anything is given, one without the identity, too

-- How long a second string is kept after its last piece, in milliseconds.
local KEPT = 3600000

-- For so many changes after somebody asked for what has changed, the records are written.
local FOLLOWED = 65536

-- Throws if a server that evicts nothing has no memory for a string of this shape, even with `freed` bytes more. It would not refuse it:
-- it refuses nothing in a program that has begun to write. But after that, it would refuse everybody's writes. A string takes what the
-- allocator gives: bucketsIn (../shard/places.ts).
local function need(shape, freed)
  call('SETRANGE', key, 0, '')
  local info = redis.pcall('INFO', 'memory')
  local function figure(name) return type(info) == 'string' and tonumber(info:match('\n' .. name .. ':(%d+)')) or 0 end
  local most, used = figure('maxmemory'), figure('used_memory') - figure('mem_not_counted_for_evict') - freed
  local bytes = shape.length + 32
  local _, exponent = math.frexp(bytes)
  local step = 2 ^ (exponent - 3)
  if most > 0 and info:find('maxmemory_policy:noeviction', 1, true) and used + math.ceil(bytes / step) * step > most then
    error({ err = format('OOM a string of %.0f bytes would exceed maxmemory', shape.length) })
  end
end

-- Makes an empty table. There must be no string: Redis gives one that grows spare room.
local function empty(shape, head, epoch, rest)
  write('SETRANGE', key, shape.length - 1, '\0')
  write('SETRANGE', key, 0, head)
  write('SETRANGE', key, shape.tail, packed('>I6I6I6I6', 0, epoch, 0, 0) .. rest)
end

-- What a header says about the table of any size that the shard may have.
local function fixed(h)
  return h:sub(1, 9) .. h:sub(11, 15) .. h:sub(21, 24) .. h:sub(33, 40) .. h:sub(49, 64)
end

local function replace(head, fresh)
  local tail = #given - TAIL
  local epoch, how = unpacked('>I6', given, tail + 7), 'KEEPTTL'
  if fixed(head) == fixed(header) then
    -- A string that was cut has no epoch.
    if call('STRLEN', key) == shape_of(head).length then epoch = math.max(epoch, unpacked('>I6', call('GETRANGE', key, -TAIL, -1), 7) + 1) end
  elseif head == '' then how = 'NX'
  elseif fixed(head) == fixed(fresh) then how = 'XX' -- and without its time to live
  else return refuse('differs') end
  call('SETRANGE', key, 0, '') -- What follows is tried first, where it does nothing.
  -- A copy of so long a string takes longer than both commands.
  if not write('SET', key, given, how) then return refuse('other') end
  write('SETRANGE', key, tail + 6, packed('>I6', epoch))
  return 'replaced ' .. format('%.0f', epoch)
end

local function reset(shape, tail)
  local epoch, left = unpacked('>I6', tail, 7) + 1, call('PTTL', key)
  -- First, the commands that follow in a form that changes nothing, as the last byte is 0: the server may refuse one.
  call('SETRANGE', key, shape.length - 1, '\0')
  if left >= 0 then call('PEXPIRE', key, math.max(left, 1)) end
  write('DEL', key)
  empty(shape, header, epoch, tail:sub(25))
  if left >= 0 then write('PEXPIRE', key, math.max(left, 1)) end
  return 'emptied ' .. format('%.0f', epoch)
end

-- 1 or 0 for whether only blocks follow that have changed; the tail, the records, and the blocks; nothing if nothing has changed.
local function changed_since(shape, tail)
  local known, records = unpacked('>I6', given, 7), given:sub(19)
  local _, epoch, since, till = unpacked('>I6I6I6I6', tail)
  local now = call('GETRANGE', key, shape.records, shape.tail - 1)
  -- Epochs alone do not tell: after a rollback, others may have made as many changes as were lost, which nobody wrote down. Each time
  -- that the records begin, they get other random bytes.
  local is_own = given:sub(13, 18) == tail:sub(25, 30)
  local is_part = is_own and since > 0 and since <= known and known <= epoch and epoch <= till and #records == #now
  -- A server's replica, whose answers may lack changes anyway, writes nothing down.
  if (is_part or is_own and ARGV[6]) and known == epoch and records == now then return '' end
  -- Whoever asks wants the changes that follow, too. A server that refuses to write that down sends all blocks next time.
  if epoch > till or till - epoch < FOLLOWED / 2 then
    local begun = epoch > till and packed('>I6', epoch) or tail:sub(13, 18)
    local marked = begun .. packed('>I6', epoch + FOLLOWED) .. (epoch > till and given:sub(1, 6) or tail:sub(25, 30))
    local written = redis.pcall('SETRANGE', key, shape.tail + 12, marked)
    if type(written) == 'number' then tail = tail:sub(1, 12) .. marked .. tail:sub(31) end
  end
  local function begin_of(i) return math.min(math.ceil(i * shape.span), shape.buckets) * shape.bits end
  local parts = { is_part and '\1' or '\0', tail, now }
  if not is_part then parts[4] = call('GETRANGE', key, HEADER, shape.records - 1) end
  for i = 0, is_part and shape.blocks - 1 or -1 do
    local begin, after = begin_of(i), begin_of(i + 1)
    if now:sub(6 * i + 1, 6 * i + 6) ~= records:sub(6 * i + 1, 6 * i + 6) and begin < after then
      parts[#parts + 1] = call('GETRANGE', key, HEADER + floor(begin / 8), HEADER - 1 + math.ceil(after / 8))
    end
  end
  return table.concat(parts)
end

-- Whether a string that begins so, under the name that this shard doubles into, is another filter.
local function is_filter(there)
  return there:sub(1, 8) == header:sub(1, 8) and there:byte(19) ~= 2
end

local function drop(head, fresh)
  local its = fixed(head)
  if its == fixed(fresh) and given == '' then return 'gone' end
  if head ~= '' and its ~= fixed(fresh) and its ~= fixed(header) then return refuse('differs') end
  -- An empty string is somebody else's.
  if head ~= '' then write('DEL', key) end
  local there = next_key and redis.pcall('GETRANGE', next_key, BEGIN, END)
  local has_second = type(there) == 'string' and not is_filter(there) and write('DEL', next_key) == 1
  return head == '' and not has_second and 'gone' or 'dropped'
end

-- Begins a doubling: makes the second string, with the header `given`. Both get the random bytes that tell this doubling from others.
local function begin_second(shape, tail)
  command = 'GETRANGE'
  local there = redis.pcall(command, next_key, BEGIN, END)
  if type(there) ~= 'string' then error({ err = 'DENIED ' .. next_key .. ' holds something else, not a string' }) end
  if is_filter(there) then error({ err = 'DENIED ' .. next_key .. ' is another filter' }) end
  local its = shape_of(given)
  need(its, call('STRLEN', next_key))
  call('DEL', next_key)
  -- What the end needs is tried now, where it does nothing, rather than refused once everything is copied.
  call('PEXPIRE', next_key, 1)
  call('PERSIST', next_key)
  command = 'RENAME'
  local renamed = redis.pcall('RENAME', next_key, next_key)
  if renamed.err and not renamed.err:find('no such key', 1, true) then error(renamed) end
  write('SETRANGE', next_key, its.length - 1, '\0')
  write('SETRANGE', next_key, 0, given:sub(1, 18) .. '\2' .. given:sub(20, HEADER))
  write('SETRANGE', next_key, its.tail, tail:sub(1, 30) .. given:sub(HEADER + 1))
  write('SETRANGE', key, shape.tail + 30, given:sub(HEADER + 1))
  write('SETRANGE', key, 18, '\1')
  return { shape = its, moved = 0 }
end

-- Moves a piece of the table. Answers 'moved' once it has doubled, otherwise the first bucket of the piece and the one after it.
local function move(shape, tail, is_moving)
  local left = call('PTTL', key)
  local second_of, split = growth()
  local second = is_moving and second_of(shape, tail) or begin_second(shape, tail)
  command = 'SETRANGE'
  local tried = redis.pcall(command, next_key, 0, '')
  if type(tried) == 'table' then
    -- Where the server has no memory left, the second string gives back what it takes.
    if tried.err:find('OOM', 1, true) then redis_call('DEL', next_key) end
    error(tried)
  end
  local bits = shape.bits
  -- Eight buckets fill whole bytes. Each counts for three: it is read, and becomes two.
  local begin = second.moved
  local count = math.min(math.max(8, floor(ARGV[4] / 24) * 8), shape.buckets - begin)
  local at = HEADER + begin * bits / 8
  local text = call('GETRANGE', key, at, at + math.ceil(count * bits / 8) + 7)
  local run = {}
  for i = 0, count - 1 do
    local shift = i * bits % 8
    run[2 * i + 1], run[2 * i + 2] = split(shape, entries_of(shape, text, (i * bits - shift) / 8 + 1, shift))
  end
  write_run(next_key, second.shape, 2 * begin, run)
  local moved = begin + count
  if moved < shape.buckets then
    write('SETRANGE', next_key, 40, packed('<I6', moved))
    -- It does not stay for ever if the first is deleted.
    write('PEXPIRE', next_key, KEPT)
    return 'moving ' .. begin .. ' ' .. moved
  end
  write('SETRANGE', next_key, second.shape.records, call('GETRANGE', key, shape.records, -1))
  if left >= 0 then write('PEXPIRE', next_key, math.max(left, 1)) else write('PERSIST', next_key) end
  -- It is a second string until it is renamed: a call that may not do that leaves it to another one.
  command = 'RENAME'
  local renamed = redis.pcall(command, next_key, key)
  if renamed.err then
    redis.pcall('PEXPIRE', next_key, KEPT)
    error(renamed)
  end
  write('SETRANGE', key, 40, ('\0'):rep(6))
  write('SETRANGE', key, 18, '\0')
  return 'moved'
end

local function run(head)
  local shape = shape_of(header)
  -- No shard has an identity until all of them exist.
  local fresh = header:sub(1, 58) .. ('\0'):rep(6) .. header:sub(65)
  if action == 'replace' then return replace(head, fresh) end
  if action == 'make' then
    if call('PTTL', key) ~= -2 then return head == '' and refuse('other') or 'other' end
    need(shape, 0)
    call('PEXPIRE', key, 1) -- As in reset: there is no string yet, so this changes nothing.
    empty(shape, fresh, 1, given:sub(1, 6) .. '\0\0')
    write('PEXPIRE', key, given:sub(7))
    return 'created'
  end
  if action == 'drop' then return drop(head, fresh) end
  if action == 'look' then
    local risk = ''
    if given ~= '' then
      local left, info = redis.pcall('PTTL', key), redis.pcall('INFO', 'memory')
      local policy = type(info) == 'string' and info:match('maxmemory_policy:([%w-]+)') or ''
      risk = '\n' .. (type(left) == 'number' and format('%.0f', left) or '') .. ' ' .. policy
    end
    return packed('>I6', call('STRLEN', key)) .. head .. call('GETRANGE', key, -TAIL, -1) .. key .. risk
  end
  local is_moving = head:byte(19) == 1
  local tail, why = checked(head, shape)
  if action == 'hold' or action == 'made' then
    if tail then return 'there' end
    local its = head == fresh and tail_of(key, shape)
    if its and its:sub(25, 30) == given then
      write('PERSIST', key)
      if action == 'made' then write('SETRANGE', key, 56, header:sub(57, 64)) end
      return 'made'
    end
  end
  if why then return refuse(why) end
  if action == 'changed' then return changed_since(shape, tail) end
  if action == 'expire' then
    if given ~= '0' then write('PEXPIRE', key, given) else write('PERSIST', key) end
    return 'set'
  end
  if action == 'reset' then return reset(shape, tail) end
  -- What is left is to move a piece. A caller that met the doubled table has no header for more.
  if given == '' then return 'moved' end
  return move(shape, tail, is_moving)
end

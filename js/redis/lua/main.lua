-- What the caller asks for:
--   look              the length of the string (6 bytes), its header, its tail, and its name as the server has it; where 'risk' is
--                     given, a line follows with its time to live and the server's policy of eviction, if the user may read them
--   make              a new string; given: 6 random bytes, and whether other shards are to be made (1 byte)
--   made              ends the making of the filter: the shard gets its identity; given: the random bytes
--   unmake            deletes what 'make' made, if it is still being made; given: the random bytes, and 1 if its filter is deleted (1)
--   change            adds and deletes (changes.lua)
--   read              the 6 bytes at each offset in `given` (6 bytes each), for a lookup where BITFIELD is refused
--   move              moves a piece of a table that doubles; given: the header of the second string
--   changed           what has changed since an epoch (6 bytes) at which the records were the rest of `given`
--   expire            sets the time to live; given: milliseconds as text, 0 for ever
--   reset, replace    empties the table; puts another string in its place
--   drop              deletes the string, of whatever size, and the one that it may double into
-- Answers that begin with CUCKOO are errors: the string is gone, differs from the header, is doubling although KEYS[2] is left out
-- (moving), or has a lower epoch than the caller has seen (rollback); or the header did not arrive as bytes (text).
-- A server's replica, which may lack changes, gives none of these answers, unless ARGV[6] is there.

local function refuse(why)
  return redis.error_reply('CUCKOO ' .. why)
end

-- What is done with a whole shard. A function, so that it is made only where it is needed.
local function whole_shard()
  -- For so many changes after somebody asked for what has changed, the records are written.
  local FOLLOWED = 65536

  local function tail_with(size, epoch, since, till, rest)
    return packed('>I6I6I6I6', size, epoch, since, till) .. rest
  end

  -- An empty table.
  local function empty(shape, head, epoch, rest)
    write('SETRANGE', key, shape.length - 1, '\0')
    write('SETRANGE', key, 0, head)
    write('SETRANGE', key, shape.tail, tail_with(0, epoch, 0, 0, rest))
  end

  -- What a header says about the table of any size that the shard may have.
  local function fixed(h)
    return h:sub(1, 9) .. h:sub(11, 15) .. h:sub(21, 24) .. h:sub(33, 40) .. h:sub(49, 64)
  end

  local function replace(head)
    local tail = #given - TAIL
    local epoch = unpacked('>I6', given, tail + 7)
    if head ~= '' then
      if fixed(head) ~= fixed(header) then return refuse('differs') end
      epoch = math.max(epoch, unpacked('>I6', call('GETRANGE', key, -TAIL, -1), 7) + 1)
    end
    call('SETRANGE', key, 0, '') -- What follows is tried first, where it does nothing.
    -- A copy of so long a string takes longer than both commands.
    write('SET', key, given, 'KEEPTTL')
    write('SETRANGE', key, tail + 6, packed('>I6', epoch))
    return 'replaced ' .. string.format('%.0f', epoch)
  end

  local function reset(shape, tail)
    local epoch = unpacked('>I6', tail, 7) + 1
    call('SETRANGE', key, 0, header:sub(1, 1)) -- What follows is tried first, where it does nothing.
    write('SET', key, '', 'KEEPTTL')
    empty(shape, header, epoch, tail:sub(25))
    return 'emptied ' .. string.format('%.0f', epoch)
  end

  -- 1 or 0 for whether only blocks follow that have changed; the tail, the records, and the blocks.
  local function changed_since(shape, tail)
    local known = unpacked('>I6', given)
    local size, epoch, since, till = unpacked('>I6I6I6I6', tail)
    local now = call('GETRANGE', key, shape.records, shape.tail - 1)
    if known == epoch and given:sub(7) == now then return '' end
    local is_part = since > 0 and since <= known and known <= epoch and epoch <= till and #given - 6 == #now
    -- Whoever asks wants the changes that follow, too. A server that refuses to write that down sends all blocks next time.
    if epoch > till or till - epoch < FOLLOWED / 2 then
      if epoch > till then since = epoch end
      tail = tail_with(size, epoch, since, epoch + FOLLOWED, tail:sub(25))
      local kept = redis.pcall('SETRANGE', key, shape.tail + 12, tail:sub(13, 24))
      if type(kept) == 'table' then tail = tail_with(size, epoch, 0, 0, tail:sub(25)) end
    end
    local function begin_of(i) return math.min(math.ceil(i * shape.span), shape.buckets) * shape.bits end
    local parts = { is_part and '\1' or '\0', tail, now }
    if not is_part then parts[4] = call('GETRANGE', key, HEADER, shape.records - 1) end
    for i = 0, is_part and shape.blocks - 1 or -1 do
      local begin, after = begin_of(i), begin_of(i + 1)
      if now:sub(6 * i + 1, 6 * i + 6) ~= given:sub(6 * i + 7, 6 * i + 12) and begin < after then
        parts[#parts + 1] = call('GETRANGE', key, HEADER + floor(begin / 8), HEADER - 1 + math.ceil(after / 8))
      end
    end
    return table.concat(parts)
  end

  local function drop(head, fresh)
    if head ~= '' and fixed(head) ~= fixed(header) and fixed(head) ~= fixed(fresh) then return refuse('differs') end
    write('DEL', unpack(KEYS))
    return head == '' and 'gone' or 'dropped'
  end

  return { empty = empty, replace = replace, reset = reset, drop = drop, changed_since = changed_since }
end

local function run()
  -- As text in any encoding, the first byte of a header is another one.
  if header:byte() ~= 137 then return refuse('text') end
  local head = call('GETRANGE', key, 0, HEADER - 1)
  if action == 'replace' then return whole_shard().replace(head) end
  local shape = shape_of(header)
  -- A shard that is not the first has no identity until all are there.
  local fresh = unpacked('<I2', header, 57) > 0 and header:sub(1, 58) .. ('\0'):rep(6) .. header:sub(65) or header
  if action == 'make' then
    if head ~= '' then return 'other' end
    whole_shard().empty(shape, fresh, 1, given:sub(1, 6) .. '\0' .. given:sub(7))
    return 'created'
  end
  if action == 'drop' then return whole_shard().drop(head, fresh) end
  if action == 'look' then
    local risk = ''
    if given ~= '' then
      local left, info = redis.pcall('PTTL', key), redis.pcall('INFO', 'memory')
      local policy = type(info) == 'string' and info:match('maxmemory_policy:([%w-]+)') or ''
      risk = '\n' .. (type(left) == 'number' and string.format('%.0f', left) or '') .. ' ' .. policy
    end
    return packed('>I6', call('STRLEN', key)) .. head .. call('GETRANGE', key, -TAIL, -1) .. key .. risk
  end
  if head == '' then return refuse('gone') end
  local tail = tail_of(key, shape)
  -- The byte that says that the table is doubling is not compared.
  local is_same, is_moving = head == header, false
  if not is_same and head:byte(19) == 1 then
    is_moving = head:sub(1, 18) == header:sub(1, 18) and head:sub(20) == header:sub(20)
    is_same = is_moving
  end
  is_same = is_same and tail
  local is_fresh = tail and head == fresh and tail:sub(25, 30) == given
  if action == 'made' and (is_same or is_fresh) then
    write('SETRANGE', key, shape.length - 1, '\0')
    write('SETRANGE', key, 56, header:sub(57, 64))
    return 'made'
  end
  if action == 'unmake' then
    local is_own = tail and (head == fresh or head == header) and tail:sub(25, 30) == given:sub(1, 6)
    local is_unused = head == fresh and (tail:byte(TAIL) == 1 or fresh ~= header)
    if not is_own or not is_unused and given:byte(7) == 0 then return 'kept' end
    write('DEL', key)
    return 'unmade'
  end
  if not is_same then return refuse('differs') end
  local epoch = unpacked('>I6', tail, 7)
  if epoch < ARGV[5] + 0 then return refuse('rollback ' .. string.format('%.0f', epoch)) end
  if action == 'read' then
    local out = {}
    for at = 1, #given, 6 do
      local begin = unpacked('>I6', given, at)
      out[#out + 1] = call('GETRANGE', key, begin, begin + 5)
    end
    return table.concat(out)
  end
  if action == 'changed' then return whole_shard().changed_since(shape, tail) end
  if action == 'expire' then
    if given ~= '0' then write('PEXPIRE', key, given) else write('PERSIST', key) end
    return 'set'
  end
  if action == 'reset' then return whole_shard().reset(shape, tail) end
  -- A caller that met the doubled table has no header for more.
  if action == 'move' and given == '' then return 'moved' end
  if is_moving and not next_key then return refuse('moving') end
  if action == 'move' then return growth().move(shape, tail, is_moving) end
  return change(shape, tail, is_moving)
end

local is_done, answer = pcall(run)
if is_done and not has_written and not ARGV[6] then
  -- A replica refuses to write nothing, too. So may a master, because of its memory, disk or replicas; but where the user lacks the
  -- right, nothing tells one from the other.
  local tried = redis.pcall('SETRANGE', key, 0, '')
  local why = type(tried) == 'table' and tried.err:match('^%-?(%u+)')
  if why and why ~= 'OOM' and why ~= 'MISCONF' and why ~= 'NOREPLICAS' then is_done, answer, command = false, tried, 'SETRANGE' end
end
if is_done then return answer end
-- A command of the server has failed. Before Redis 7, its error is text that begins with where in the program it was called.
local text = type(answer) == 'table' and answer.err or tostring(answer)
text = text:gsub('^@[%w_]+: ?%d+: %-?', ''):gsub('^%-', '')
local code = text:match('^(%u+) ')
if has_written then code = 'PARTIAL' elseif not code or code == 'ERR' then code = 'DENIED' end
local what = has_written and ' failed after a part was written: ' or ' failed, and nothing was changed: '
return redis.error_reply(code .. ' ' .. command .. what .. text)

-- Runs what the files before it say, and answers. A server's replica, which may lack changes, answers nothing, unless ARGV[6] is there.
-- An error says which of the server's commands failed, and whether anything was changed before it.

-- The text of an error, and its code. Before Redis 7, the text begins with where in the program it was raised.
local function plain(failure)
  local text = type(failure) == 'table' and failure.err or tostring(failure)
  text = text:gsub('^@[%w_]+: ?%d+: ', ''):gsub('^%-', '')
  return text, text:match('^(%u+) ')
end

local is_done, answer = pcall(function()
  if header:byte() ~= 137 then return refuse('text') end -- as text in any encoding, it is another one
  return run(call('GETRANGE', key, BEGIN, END))
end)
if is_done and not has_written and not ARGV[6] then
  -- A replica refuses to write nothing, too. So may a master, because of its memory, disk or replicas; but where the user lacks the
  -- right (which Redis 6 says without a code), nothing tells one from the other.
  local tried = redis.pcall('SETRANGE', key, 0, '')
  local _, why = plain(tried)
  if type(tried) == 'table' and why ~= 'OOM' and why ~= 'MISCONF' and why ~= 'NOREPLICAS' then
    is_done, answer, command = false, tried, 'SETRANGE'
  end
end
if is_done then return answer end
-- A command of the server has failed.
local text, code = plain(answer)
if has_written then code = 'PARTIAL' elseif not code or code == 'ERR' then code = 'DENIED' end
local what = has_written and ' failed after a part was written: ' or ' failed, and nothing was changed: '
return redis.error_reply(code .. ' ' .. command .. what .. text)

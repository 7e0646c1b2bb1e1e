/**
 * The atomic operations of a mailbox in Redis. A topic has four keys, which expire together with
 * its last message: `messages` (hash, id → value), `expiries` (sorted set, id by time), `notes`
 * (hash: `#seq`, `#bytes`, and id → the clients that received it, one per line) and `delivered`
 * (sorted set, id by time of expiry; these are dropped first). A value begins
 * `<expires at> <published at> <publisher> <number> `.
 */

// The time comes from the Redis server, so that processes with different clocks agree. Tests pass
// their own.
const readClock = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`

const repeatedReply = 0
/** The result of publishing, instead of a time, if the topic is full. */
export const fullReply = -1

/**
 * Stores a message and announces it in one step, so that no message is stored without being
 * announced. Keys: the four and the channel. Returns the time of publication, 0 for a repeated
 * message, or -1 if the topic is full.
 */
export const publishScript = `${readClock}
local messages, expiries, notes, delivered = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, publisher, ttl, rest = ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local most, mostBytes, overhead = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])

local function drop(one)
  if redis.call('ZREM', expiries, one) == 0 then return end
  local size = redis.call('HSTRLEN', messages, one) + overhead
  redis.call('HINCRBY', notes, '#bytes', -size)
  redis.call('HDEL', messages, one)
  redis.call('HDEL', notes, one)
  redis.call('ZREM', delivered, one)
end

local former = redis.call('ZSCORE', expiries, id)
if former and tonumber(former) > now then return ${repeatedReply} end
if former then drop(id) end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', now, 'LIMIT', 0, 16)) do drop(one) end

local expires = now + ttl
local size = #rest + #publisher + 40 + overhead
local function fits()
  return redis.call('ZCARD', expiries) < most
    and tonumber(redis.call('HGET', notes, '#bytes') or 0) + size <= mostBytes
end
if not fits() then
  for _, one in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', now)) do drop(one) end
  while not fits() do
    local oldest = redis.call('ZRANGE', delivered, 0, 0)[1]
    if not oldest then return ${fullReply} end
    redis.call('ZREM', delivered, oldest)
    drop(oldest)
  end
end

local number = redis.call('HINCRBY', notes, '#seq', 1)
local value = string.format('%.0f %.0f %s %.0f ', expires, now, publisher, number) .. rest
redis.call('HSET', messages, id, value)
redis.call('ZADD', expiries, string.format('%.0f', expires), id)
redis.call('HINCRBY', notes, '#bytes', #value + overhead)
local keep = ttl + 10000
if redis.call('PTTL', messages) < keep then
  for key = 1, 4 do redis.call('PEXPIRE', KEYS[key], keep) end
end
redis.call('PUBLISH', KEYS[5], id .. ' ' .. value)
return now
`

/**
 * Messages that a client neither received nor published. Keys: messages, notes. Returns ids and
 * values alternately, in no order.
 */
export const unseenScript = `${readClock}
local client = ARGV[2]
local messages = redis.call('HGETALL', KEYS[1])
local due = {}
for at = 1, #messages, 2 do
  local id, value = messages[at], messages[at + 1]
  local expires, publisher = string.match(value, '^(%d+) %d+ (%S+) ')
  if publisher ~= client and tonumber(expires) > now then
    local seen = redis.call('HGET', KEYS[2], id)
    if not seen or not string.find('\\n' .. seen, '\\n' .. client .. '\\n', 1, true) then
      due[#due + 1] = id
      due[#due + 1] = value
    end
  end
end
return due
`

/** Records that a client received a message. Keys: expiries, notes, delivered. */
export const acknowledgeScript = `
local client, id, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
local expires = redis.call('ZSCORE', KEYS[1], id)
if not expires then return 0 end
local seen = redis.call('HGET', KEYS[2], id) or ''
if string.find('\\n' .. seen, '\\n' .. client .. '\\n', 1, true) then return 0 end
seen = seen .. client .. '\\n'
local _, count = string.gsub(seen, '\\n', '')
if count > most then seen = string.gsub(seen, '^[^\\n]*\\n', '', 1) end
redis.call('HSET', KEYS[2], id, seen)
redis.call('ZADD', KEYS[3], expires, id)
redis.call('PEXPIRE', KEYS[3], math.max(1, redis.call('PTTL', KEYS[1])))
return 1
`

/**
 * Adds topics to a client's subscriptions, all or none. Key: the client's set. Returns 1, or 0 if
 * there are too many.
 */
export const subscribeScript = `
local most, ttl = tonumber(ARGV[1]), ARGV[2]
local count = redis.call('SCARD', KEYS[1])
for at = 3, #ARGV do count = count + 1 - redis.call('SISMEMBER', KEYS[1], ARGV[at]) end
if count > most then return 0 end
for at = 3, #ARGV do redis.call('SADD', KEYS[1], ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ttl)
return 1
`

import { startServer } from '@latchkey/server'

// A relay in a separate process, without rate limits, because all clients have the same address.
const many = '1000000000'
const server = await startServer({
  ROLE: 'relay',
  PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_SECOND: '1000000',
  RELAY_RATE_BURST: many,
  RELAY_SOCKETS_PER_ADDRESS: many,
  RELAY_SOCKETS_PER_PROJECT: many,
  RELAY_MAILBOX_BYTES_PER_CLIENT: many,
  RELAY_MAILBOX_BYTES_PER_ADDRESS: many,
  RELAY_MAILBOX_BYTES_PER_PROJECT: many,
  REDIS_URL: process.env.REDIS_URL,
})
process.send?.(server.url.replace('http', 'ws'))
process.once('disconnect', () => void server.stop().then(() => process.exit(0)))

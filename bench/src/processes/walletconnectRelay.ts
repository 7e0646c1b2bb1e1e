import { startServer } from '@latchkey/server'

// A relay in a separate process: it reports its address, and ends with the process that started it.
const server = await startServer({ ROLE: 'relay', PORT: '0', LOG_LEVEL: 'silent' })
process.send?.(server.url.replace('http', 'ws'))
process.once('disconnect', () => void server.stop().then(() => process.exit(0)))

import { startServer } from '@latchkey/server'
import { tellCpuTime } from '../measure/cpuTime.ts'

// The complete server in a separate process, like at an operator, but without rate limits, because
// all clients have the same address.
const server = await startServer({
  PORT: '0',
  FRAME_PORT: '0',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_SECOND: '1000000',
  DATA_DIR: process.env.DATA_DIR,
  WEB_DIST: process.env.WEB_DIST,
  CHAINS_FILE: process.env.CHAINS_FILE,
  BUNDLER_KEY: process.env.BUNDLER_KEY,
  DATABASE_TIMEOUT_SECONDS: process.env.DATABASE_TIMEOUT_SECONDS,
  NAME_ZONES: process.env.NAME_ZONES,
  TRUST_PROXY: process.env.TRUST_PROXY,
  LOG_LEVEL: process.env.LOG_LEVEL,
})
tellCpuTime()
process.send?.(server.url)
process.once('disconnect', () => void server.stop().then(() => process.exit(0)))

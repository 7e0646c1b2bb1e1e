import { pino } from 'pino'
import { createActivity } from '../src/activity/createActivity.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/openDatabase.ts'
import { createMetrics } from '../src/metrics.ts'
import { createUpstreams } from '../src/rpc/upstreams.ts'

// The indexer of a server in a process of its own, without the rest of the server: it starts in half a second and can be
// killed as often as a test likes.
const config = readConfig(process.env)
const log = pino({ level: config.logLevel })
const { db, url } = await openDatabase(config, log)
const services = { db, config, log, clock: Date.now, metrics: createMetrics(), databaseUrl: url }
createActivity(services, createUpstreams(services))

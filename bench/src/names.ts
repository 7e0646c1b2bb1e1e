import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getSkeleton, startServer, suggestLabels } from '@latchkey/server'
import { askServer } from './measure/askServer.ts'
import { untilCalm } from './measure/cpuTime.ts'
import { quantile } from './measure/quantiles.ts'
import { endProcess, type Forked, forkProcess } from './processes/forkProcess.ts'

// Measures requests about names in a database with a million names, compared with a route that does
// nothing. The first suggestions for each name are also taken.
const names = 1_000_000
const takenSuggestions = 4
const family = 1 + takenSuggestions
const rowsAtOnce = 5_000
const rounds = 2_000
/** Rounds in which V8 compiles the code, as in a server that has run for a minute. */
const warmRounds = 3_000
const zone = 'latchkey.id'
const lookUpLimitMs = 5
const suggestionLimitMs = 20

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-names-'))
const env = {
  DATA_DIR: folder,
  DATABASE_TIMEOUT_SECONDS: '60',
  NAME_ZONES: zone,
  LOG_LEVEL: 'warn',
}
let server: Forked | undefined
try {
  await fill()
  server = await forkProcess('processes/apiProcess.ts', env)
  await untilCalm(server.child)
  await run(server.url)
} finally {
  if (server) await endProcess(server.child)
  rmSync(folder, { recursive: true, force: true })
}

async function run(url: string) {
  await checkTaken(url)
  const bare = await measure(() => `${url}/v1/profile/zones`)
  console.log(`       a route that does nothing: ${describe(bare)}`)
  report(
    'look-up by name',
    lookUpLimitMs,
    await measure((index) => `${url}${path(`account/${labelOf(index)}`)}`),
  )
  report(
    'names of an address',
    lookUpLimitMs,
    await measure((index) => `${url}${path(`reverse/${address(index)}`)}`),
  )
  report(
    'suggestions',
    suggestionLimitMs,
    await measure((index) => `${url}${path(`suggestions/${labelOf(index - (index % family))}`)}`),
  )
}

function address(index: number): string {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`
}

function path(route: string): string {
  const [kind = ''] = route.split('/')
  return `/v1/profile/${route}${kind === 'account' ? `.${zone}` : ''}?apiVersion=2`
}

/** A name, or a suggestion for the last such name before it. */
function labelOf(index: number): string {
  const place = index % family
  const typed = `name-${index - place}`
  return place === 0 ? typed : (suggestLabels(typed, takenSuggestions)[place - 1] ?? typed)
}

/** Checks that the measured suggestions are for a taken name and are all free. */
async function checkTaken(url: string) {
  const response = await fetch(`${url}${path(`suggestions/${labelOf(0)}`)}`)
  const { suggestions } = (await response.json()) as {
    suggestions: { name: string; registered: boolean }[]
  }
  const [own, ...free] = suggestions
  const taken = Array.from({ length: takenSuggestions }, (_, index) => labelOf(index + 1))
  const isTaken = free.some(({ name }) => taken.includes(name.split('.')[0] ?? ''))
  if (!own?.registered || free.length === 0 || isTaken)
    throw new Error(`The suggestions do not fit a taken name: ${JSON.stringify(suggestions)}`)
}

/** Writes the names directly into the tables that registrations use. */
async function fill() {
  const filling = await startServer({ ...env, PORT: '0', FRAME_PORT: '0' })
  const { db } = filling.services
  if (!db) throw new Error('The server has no database')
  const now = new Date()
  for (let first = 0; first < names; first += rowsAtOnce) {
    const numbers = Array.from({ length: rowsAtOnce }, (_, index) => first + index)
    const rows = numbers.map((number) => ({
      name: `${labelOf(number)}.${zone}`,
      zone,
      skeleton: getSkeleton(labelOf(number)),
      owner: Buffer.from(address(number).slice(2), 'hex'),
      owner_chain: 'eip155:1',
      confirmed: true,
      attributes: '{}',
      registered_at: now,
      updated_at: now,
    }))
    await db.insertInto('names').values(rows).execute()
    const addresses = rows.map(({ name, owner }) => ({
      name,
      coin_type: 60,
      address: owner,
      created_at: now,
    }))
    await db.insertInto('name_addresses').values(addresses).execute()
  }
  await filling.stop()
}

/** The times of successive requests, each about another name, in ms. */
async function measure(urlOf: (index: number) => string): Promise<number[]> {
  const times: number[] = []
  for (let round = -warmRounds; round < rounds; round++) {
    const index = ((round + warmRounds) * 7_919) % names
    const askedAt = performance.now()
    await askServer(urlOf(index))
    if (round >= 0) times.push(performance.now() - askedAt)
  }
  return times
}

function describe(times: readonly number[]) {
  return `p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`
}

function report(what: string, limitMs: number, times: readonly number[]) {
  const isGood = quantile(times, 0.99) <= limitMs
  if (!isGood) process.exitCode = 1
  console.log(
    `${isGood ? 'ok    ' : 'failed'} ${what}, of ${names}: ${describe(times)} (limit ${limitMs})`,
  )
}

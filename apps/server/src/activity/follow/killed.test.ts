import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sendMany } from '@latchkey/dev'
import { soak } from '@latchkey/dev/soak'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { chainWith } from '../../../test/makeServices.ts'
import { ended, spawnMain, spawnServer } from '../../../test/spawnServer.ts'
import {
  type ActivityWorld,
  accountOf,
  type Indexer,
  readTruths,
  rpc,
  startActivityWorld,
  testChainId,
} from '../../../test/startActivity.ts'
import { makeTestDir } from '../../../test/startTestServer.ts'
import type { Database } from '../../db/database.ts'
import { notify } from '../pgNotify.ts'
import { noteRequests } from './noteRequests.ts'

const kills = soak(20, 4)
const killsInTurn = soak(6, 4)
const seed = 4_815
/** A timeout for hangs only, which does not measure speed. */
const endsHangMs = 900_000
/** The accounts are backfilled one after the other, so that every kill interrupts some work. */
const followed = [0, 1, 2, 3]
const killsEach = Math.floor(kills / followed.length)

let world: ActivityWorld
let truths: Awaited<ReturnType<typeof readTruths>>

beforeAll(async () => {
  world = await startActivityWorld()
  const { url, addressAt } = world
  for (let round = 0; round < 60; round++) {
    const from = addressAt(followed[round % 4] ?? 0)
    const payment = (index: number) => ({ to: addressAt((round + index) % 5) })
    await sendMany({ url, from, count: 40, perBlock: 20, payment })
    await rpc(url, 'anvil_mine', ['0x8'])
  }
  truths = await readTruths(url, followed.map(addressAt))
})
afterAll(() => world?.stop())

/** Numbers from 0 to 1, the same in every run. */
function createDraw(state: number) {
  let next = state
  return () => {
    next = (next * 1_103_515_245 + 12_345) % 2_147_483_648
    return next / 2_147_483_648
  }
}

/**
 * The chain's node with a short latency. `busy` resolves after this many block requests of a
 * backfill.
 */
async function startSlowNode() {
  const wanted = { bodies: 0, onBusy: () => {} }
  const node = await startUpstream(async (response, calls) => {
    const [first] = calls
    if (first?.method === 'eth_getBlockByNumber' && Array.isArray(first.params) && first.params[1])
      if (--wanted.bodies === 0) wanted.onBusy()
    const answer = await fetch(world.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.length === 1 ? first : calls),
    }).then((one) => one.text())
    setTimeout(() => response.end(answer), 15)
  })
  onTestFinished(node.stop)
  const busy = (bodies: number) =>
    new Promise<void>((resolve) => Object.assign(wanted, { bodies, onBusy: resolve }))
  return { url: node.url, busy }
}

async function prepare() {
  const databaseUrl = await world.database()
  const node = await startSlowNode()
  const dir = await makeTestDir()
  const file = join(dir, 'chains.json')
  await writeFile(file, JSON.stringify({ chains: { [testChainId]: chainWith([node.url]) } }))
  // Only for reading: this process follows no chain.
  const reader = await world.open({ databaseUrl, chain: { source: 'off' } })
  const env = { DATABASE_URL: databaseUrl, CHAINS_FILE: file, DATA_DIR: dir, LOG_LEVEL: 'info' }
  return { node, reader, env }
}

async function ask(db: Kysely<Database>, index: number) {
  const account = accountOf(world.addressAt(index))
  await noteRequests(db, [account], { watched: 'watched' })
  await notify(db, { type: 'asked', chainId: account.chainId }, [account.address])
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  expect(await ended(child)).toBe('SIGKILL')
}

/**
 * The accounts with unread blocks. An account that no process has begun to follow has no work yet.
 */
const readOpen = (db: Kysely<Database>) =>
  db
    .selectFrom('activity_accounts')
    .select('id')
    .where((eb) => eb.or([eb('todo', '<>', '{}'), eb('live', '=', false)]))
    .execute()

/** After the last kill another process completes the work. Then every row is compared. */
async function compare({ activity, db }: Indexer) {
  await expect.poll(() => readOpen(db), { timeout: endsHangMs }).toEqual([])
  for (const [at, index] of followed.entries()) {
    const address = world.addressAt(index)
    const { rows, next } = await activity.page({ address, chainIds: [testChainId], limit: 10_000 })
    expect(next).toBeUndefined()
    expect(rows).toEqual(truths[at])
    expect(rows.length).toBeGreaterThan(900)
  }
}

test('behavior: a server killed -9 at random during a backfill, again and again: nothing is lost or twice', {
  timeout: endsHangMs,
}, async () => {
  const { node, reader, env } = await prepare()
  const draw = createDraw(seed)
  let interrupted = 0
  for (let count = 0; count < kills; count++) {
    const index = count % killsEach === 0 ? followed[count / killsEach] : undefined
    if (index !== undefined) await ask(reader.db, index)
    // Counted in block requests, because time does not show the progress on a busy machine.
    let isBusy = false
    const busy = node.busy(1 + Math.floor(draw() * 6)).then(() => {
      isBusy = true
    })
    const server = spawnMain(env)
    const isIdle = async () => isBusy || (await readOpen(reader.db)).length === 0
    await Promise.race([busy, expect.poll(isIdle, { timeout: endsHangMs }).toBe(true)])
    // Some are killed while they commit.
    await new Promise((resolve) => setTimeout(resolve, draw() * 30))
    await kill(server)
    const todo = reader.db.selectFrom('activity_accounts').select('id').where('todo', '<>', '{}')
    if ((await todo.execute()).length > 0) interrupted++
  }
  expect(interrupted).toBeGreaterThan(kills / 4)
  spawnMain(env)
  await compare(reader)
})

test('behavior: two processes on one database, killed in turn: the other continues', {
  timeout: endsHangMs,
}, async () => {
  const { reader, env } = await prepare()
  const start = () => spawnServer(env)
  const draw = createDraw(seed + 1)
  let running = await Promise.all([start(), start()])
  for (let count = 0; count < killsInTurn; count++) {
    if (count < followed.length) await ask(reader.db, followed[count] ?? 0)
    await new Promise((resolve) => setTimeout(resolve, draw() * 1_000))
    const [first, second] = running
    await kill(first.child)
    running = [second, await start()]
  }
  await compare(reader)
})

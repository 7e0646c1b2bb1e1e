import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fungiblePriceRoute, type PricePoint } from '@latchkey/wire'
import { chainDefinitions, type DevChainId, devChainIds } from '../chains/definitions.ts'
import type { Addresses } from '../contracts/plan.ts'
import { host } from '../ports.ts'
import { startChild } from '../processes/startChild.ts'
import { root } from '../root.ts'
import type { Plan } from '../startPart.ts'
import { getPastNote } from './mineHistory.ts'
import { type Walk, walkPrices } from './walkPrices.ts'

/** Earlier prices of a token, in the form that `addPrices.ts` of the server reads. */
type PriceHistory = { chainId: DevChainId; token: string; points: readonly PricePoint[] }

type WalkedToken = { address: string; walk: Walk }

/** A chain that lacks prices since a time; `note` is the file that records it. */
type Unpriced = { id: DevChainId; note: string; sinceMs: number }

const script = join(root, 'apps/server/scripts/addPrices.ts')

/**
 * Adds earlier prices to the running server, once for each new chain with a past: walks that end at
 * the server's present prices. On these networks the server records prices itself, but only from
 * its first start on. If that fails, logs the reason, and the next start tries again.
 */
export async function addPastPrices(plan: Plan, signal: AbortSignal): Promise<void> {
  const unpriced = findUnpriced(plan.dataDir)
  if (unpriced.length === 0 || !plan.parts.includes('server')) return
  // Invented prices belong into no other database.
  if (plan.env?.DATABASE_URL ?? process.env.DATABASE_URL)
    return plan.log('Without earlier prices, because DATABASE_URL names another database')
  const startedAtMs = Date.now()
  try {
    const histories = await Promise.all(unpriced.map((chain) => walkChain(plan, chain)))
    await store(plan, { histories: histories.flat(), signal })
    for (const { note } of unpriced) rmSync(note)
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1)
    plan.log(`${'Earlier prices'.padEnd(36)} ${seconds} s`)
  } catch (error) {
    plan.log(`Without earlier prices: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const findUnpriced = (dataDir: string): Unpriced[] =>
  devChainIds.flatMap((id) => {
    const note = getPastNote(dataDir, chainDefinitions[id].chainId)
    return existsSync(note) ? [{ id, note, sinceMs: Number(readFileSync(note, 'utf8')) }] : []
  })

async function walkChain(
  { apiPort, planned }: Plan,
  { id, sinceMs }: Unpriced,
): Promise<PriceHistory[]> {
  const tokens = listTokens(planned.plans[id].addresses)
  const { method, path, result } = fungiblePriceRoute
  const addresses = tokens.map(({ address }) => `${id}:${address}`)
  const response = await fetch(`http://${host}:${apiPort}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 'local', addresses }),
  })
  if (!response.ok) throw new Error(`The server responded with status ${response.status}`)
  const { fungibles } = result.parse(await response.json())
  const untilMs = Date.now()
  return tokens.map(({ address, walk }, index) => {
    const present = fungibles[index]?.price
    if (present === undefined) throw new Error(`${id}:${address} has no present price`)
    const points = walkPrices({ walk, present, sinceMs, untilMs })
    return { chainId: id, token: address.toLowerCase(), points }
  })
}

/** The native currency and the tokens on the list, for which the server records prices. */
const listTokens = ({ wrappedEther, btc, gold, usd }: Addresses): WalkedToken[] => [
  { address: `0x${'ee'.repeat(20)}`, walk: { seed: 1, swing: 1 } },
  { address: wrappedEther, walk: { seed: 1, swing: 1 } },
  { address: btc, walk: { seed: 2, swing: 0.8 } },
  { address: gold, walk: { seed: 3, swing: 0.4 } },
  { address: usd, walk: { seed: 4, swing: 0 } },
]

/** Stores the prices by the server's own code, in a separate process. */
async function store(
  { dataDir, databaseUrl, env }: Plan,
  { histories, signal }: { histories: readonly PriceHistory[]; signal: AbortSignal },
): Promise<void> {
  const file = join(dataDir, 'prices.json')
  writeFileSync(file, JSON.stringify(histories))
  const url = env?.DATABASE_URL ?? databaseUrl
  const child = startChild({
    name: 'prices',
    command: process.execPath,
    args: ['--import', 'tsx', script, file],
    cwd: root,
    env: { DATA_DIR: dataDir, ...(url !== '' && { DATABASE_URL: url }) },
    runDir: join(dataDir, 'run'),
    logFile: join(dataDir, 'logs/prices.log'),
    signal,
  })
  const { code, tail } = await child.exited
  rmSync(file)
  if (code !== 0) throw new Error(tail)
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendMany, startChains } from '@latchkey/dev'
import { startMemoryNode } from './activityNode.ts'
import { endProcess, forkProcess } from './processes/forkProcess.ts'

/** Transactions of the account on the chain; each size includes the previous size. */
const sizes = [20_000, 100_000]
const perBlock = 1_400
const targetPerSecond = 5_000
/**
 * Minimum ratio of the rate at the largest size to the rate at the smallest. Detects an index that
 * becomes slower as it grows.
 */
const targetGrowth = 0.7
/** The indexer's number of concurrent requests. */
const inFlight = 2
const chainId = 'eip155:31337'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-activity-'))
const chains = await startChains({ ports: 'free', dataDir: join(folder, 'chains') })
const url = chains.urls[chainId]
const [sender, receiver] = chains.accounts.map(({ address }) => address)
if (!sender || !receiver) throw new Error('The chain has no accounts')
let allKept = true
const tell = (kept: boolean, text: string) => {
  allKept &&= kept
  console.log(`${kept ? 'ok    ' : 'failed'} ${text}`)
}
try {
  let sent = 0
  const rates: number[] = []
  for (const size of sizes) {
    const payment = () => ({ to: receiver })
    await sendMany({ url, from: sender, count: size - sent, perBlock, payment })
    sent = size
    // A development chain is slower than its reader, so its own rate is measured separately.
    if (size === sizes[0]) {
      const bare = await readBare(url)
      const perSecond = await build(url, size)
      tell(true, `${textOf(size, perSecond, bare)}; from anvil`)
    }
    const node = await startMemoryNode(url)
    await readBare(node.url)
    const bare = await readBare(node.url)
    const perSecond = await build(node.url, size)
    await node.stop()
    rates.push(perSecond)
    const kept = perSecond >= targetPerSecond
    tell(kept, `${textOf(size, perSecond, bare)} (limit ${targetPerSecond}/s)`)
  }
  const growth = (rates.at(-1) ?? 0) / (rates[0] ?? 1)
  tell(
    growth >= targetGrowth,
    `${sizes.at(-1)} at ${(100 * growth).toFixed(0)} % of the rate of ${sizes[0]} (limit ${100 * targetGrowth} %)`,
  )
} finally {
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = allKept ? 0 : 1

function textOf(size: number, perSecond: number, bare: number): string {
  const share = ((100 * perSecond) / bare).toFixed(0)
  return `${size} transactions of one account indexed at ${perSecond.toFixed(0)}/s, ${share} % of the bare reading of blocks and receipts, ${inFlight} at a time (${bare.toFixed(0)}/s)`
}

/** Transactions per second if every block and all its receipts are only read and parsed. */
async function readBare(from: string): Promise<number> {
  const startedAt = performance.now()
  const head = Number(await ask<string>(from, 'eth_blockNumber', []))
  let next = 0
  let count = 0
  const read = async () => {
    while (next <= head) {
      const place = `0x${(next++).toString(16)}`
      type Block = { transactions: unknown[] }
      const block = await ask<Block>(from, 'eth_getBlockByNumber', [place, true])
      if (block.transactions.length > 0) await ask(from, 'eth_getBlockReceipts', [place])
      count += block.transactions.length
    }
  }
  await Promise.all(Array.from({ length: inFlight }, read))
  return (1_000 * count) / (performance.now() - startedAt)
}

async function ask<Result>(from: string, method: string, params: unknown[]): Promise<Result> {
  const response = await fetch(from, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = (await response.json()) as { result: Result }
  return result
}

/** Makes a new server index the account's history; returns transactions per second. */
async function build(from: string, size: number): Promise<number> {
  const dir = mkdtempSync(join(folder, 'server-'))
  const chainsFile = join(dir, 'chains.json')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = { name: 'Bench', nativeCurrency, upstreams: [from] }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [chainId]: chain } }))
  const env = { DATA_DIR: join(dir, 'data'), CHAINS_FILE: chainsFile, LOG_LEVEL: 'warn' }
  const server = await forkProcess('processes/apiProcess.ts', env)
  const history = `${server.url}/v1/account/${sender}/history?projectId=bench&chainId=${chainId}`
  const startedAt = performance.now()
  for (let complete = false; !complete; ) {
    const response = await fetch(history)
    const { sync } = (await response.json()) as { sync: { complete: boolean } }
    complete = sync.complete
    if (!complete) await new Promise((done) => setTimeout(done, 50))
  }
  const tookMs = performance.now() - startedAt
  await endProcess(server.child)
  return (1_000 * size) / tookMs
}

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeBase58 } from '@latchkey/wire'
import { quantile, spread } from './measure/quantiles.ts'
import { endProcess, forkProcess } from './processes/forkProcess.ts'
import { readSolanaNode } from './readSolanaNode.ts'

const genesis = '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz'
const chainId = `solana:${genesis.slice(0, 32)}`
const query = `projectId=bench&chainId=${chainId}`
const tokenCount = 100
const rounds = 300
/**
 * Uncounted reads of each kind, in which V8 compiles the code, as in servers that have run for a
 * minute.
 */
const warmReads = 3_000
const clients = 4
const warmRounds = 50
const pageRounds = 300
const maxRatio = 1.3
const maxPageMs = 20

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-solana-'))
const children: ChildProcess[] = []
try {
  const node = await start('processes/solanaNode.ts', { TOKENS: String(tokenCount) })
  const chainsFile = join(folder, 'chains.json')
  const chain = {
    name: 'Bench',
    nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
    upstreams: [node],
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [chainId]: chain } }))
  const env = { DATA_DIR: join(folder, 'data'), CHAINS_FILE: chainsFile, LOG_LEVEL: 'info' }
  const server = await start('processes/apiProcess.ts', env)
  const bare = await start('bare/bareSolana.ts', { SOLANA_NODE: node })
  await compareBalances({ node, bare, server })
  await timePages(server)
} finally {
  await Promise.all(children.map(endProcess))
  rmSync(folder, { recursive: true, force: true })
}

/**
 * One after the other, so that a busy moment of the machine affects all. Each owner is requested
 * once, so nothing is cached.
 */
async function compareBalances(urls: { node: string; bare: string; server: string }) {
  const times = { direct: [], batch: [], bare: [], ours: [] } as Record<Way, number[]>
  const ways: Record<Way, (owner: string) => Promise<unknown>> = {
    direct: (owner) => readDirectly(urls.node, owner, 'separate'),
    batch: (owner) => readDirectly(urls.node, owner, 'batch'),
    bare: (owner) => readJson(`${urls.bare}/${owner}`),
    ours: (owner) => readBalance(urls.server, owner),
  }
  let owner = 0
  for (const read of Object.values(ways)) {
    const end = owner + warmReads
    const readMany = async () => {
      while (owner < end) await read(addressAt(owner++))
    }
    await Promise.all(Array.from({ length: clients }, readMany))
  }
  for (let round = 0; round < warmRounds + rounds; round++)
    for (const [way, read] of Object.entries(ways)) {
      const ms = await timed(() => read(addressAt(owner + round)))
      if (round >= warmRounds) times[way as Way].push(ms)
    }
  const compare = (way: Way, base: Way) => {
    const [middle, best] = [0.5, 0.1].map(
      (at) => quantile(times[way], at) / quantile(times[base], at),
    )
    return `${middle?.toFixed(2)} × in the middle, ${best?.toFixed(2)} × among the fastest tenth`
  }
  console.log(
    `balance of ${tokenCount} SPL tokens, ${times.ours.length} times: ${spread(times.ours, 1)} ms, direct reads as client libraries send them ${spread(times.direct, 1)} ms: ${compare('ours', 'direct')}   (≤ ${maxRatio})`,
  )
  console.log(
    `  a bare server that only passes a batch on, which is about the least that one in between can take, ${spread(times.bare, 1)} ms: ${compare('bare', 'direct')}`,
  )
  console.log(
    `  against direct reads in one batch, ${spread(times.batch, 1)} ms: ${compare('ours', 'batch')}; the bare server ${compare('bare', 'batch')}`,
  )
}

type Way = 'direct' | 'batch' | 'bare' | 'ours'

async function readDirectly(node: string, owner: string, way: 'separate' | 'batch') {
  const sums = await readSolanaNode(node, owner, way)
  if (sums.size !== tokenCount) throw new Error(`Only ${sums.size} tokens`)
}

async function timePages(server: string) {
  const ms: number[] = []
  const owner = addressAt(1_000_000)
  for (let round = 0; round < pageRounds + 20; round++) {
    const pageMs = await timed(async () => {
      const { data } = (await readJson(`${server}/v1/account/${owner}/history?${query}`)) as {
        data: unknown[]
      }
      if (data.length !== 100) throw new Error(`A page of ${data.length}`)
    })
    if (round >= 20) ms.push(pageMs)
  }
  console.log(
    `stored page of 100 Solana transactions, ${ms.length} times: p50 ${quantile(ms, 0.5).toFixed(1)} ms (≤ ${maxPageMs}), p99 ${quantile(ms, 0.99).toFixed(1)} ms`,
  )
}

async function readBalance(server: string, owner: string) {
  const { balances } = (await readJson(`${server}/v1/account/${owner}/balance?${query}`)) as {
    balances: unknown[]
  }
  if (balances.length !== tokenCount + 1) throw new Error(`Only ${balances.length} balances`)
}

async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

function addressAt(index: number): string {
  const bytes = Buffer.alloc(32, 7)
  bytes.writeUInt32BE(index)
  return encodeBase58(bytes)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

async function start(file: string, env: Record<string, string>): Promise<string> {
  const { child, url } = await forkProcess(file, env)
  children.push(child)
  return url
}

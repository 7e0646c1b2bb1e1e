import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@latchkey/server'

/** Numbers of transactions of the measured accounts. */
const sizes = [1_000, 100_000]
const rounds = 200
const targetMs = 10
/** Maximum ratio of the times for a page of the large and the small account. */
const targetRatio = 1.5
const chainId = 'eip155:1'
const usd = '0x00000000000000000000000000000000000000d4'
const startMs = Date.parse('2026-01-01T00:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-history-'))
const node = await startNode()
writeFileSync(
  join(folder, 'tokens.json'),
  JSON.stringify({
    name: 'Bench',
    tokens: [{ chainId: 1, address: usd, name: 'Dev USD', symbol: 'dUSD', decimals: 6 }],
  }),
)
const chain = {
  name: 'Bench',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  upstreams: [node.url],
  tokenLists: ['tokens.json'],
}
writeFileSync(join(folder, 'chains.json'), JSON.stringify({ chains: { [chainId]: chain } }))
const server = await startServer({
  PORT: '0',
  FRAME_PORT: '0',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_SECOND: '1000000',
  DATA_DIR: folder,
  CHAINS_FILE: join(folder, 'chains.json'),
  LOG_LEVEL: 'silent',
})
const db = databaseOf(server)
const results: { readonly size: number; readonly name: string; readonly ms: number[] }[] = []
try {
  for (const [at, size] of sizes.entries()) {
    const address = `0x${String(at + 1).padStart(40, '0')}`
    await fill(address, size)
    const deep = await cursorAt(address, size * 0.9)
    for (const [name, cursor] of [
      ['first page', ''],
      ['deep page', deep],
    ] as const) {
      for (let round = 0; round < 20; round++) await ask(address, cursor)
      const ms: number[] = []
      for (let round = 0; round < rounds; round++) {
        const askedAt = performance.now()
        await ask(address, cursor)
        ms.push(performance.now() - askedAt)
      }
      results.push({ size, name, ms: ms.sort((a, b) => a - b) })
    }
  }
} finally {
  await server.stop()
  node.stop()
  rmSync(folder, { recursive: true, force: true })
}
const at = (ms: readonly number[], part: number) => ms[Math.floor(ms.length * part)] ?? Number.NaN
const bare = at(results[0]?.ms ?? [], 0.5)
let kept = true
for (const { size, name, ms } of results) {
  const [p50, p99] = [at(ms, 0.5), at(ms, 0.99)]
  const ratio = p50 / bare
  const good = p50 <= targetMs && ratio <= targetRatio
  kept &&= good
  console.log(
    `${good ? 'ok    ' : 'failed'} ${name} of ${size} transactions: p50 ${p50.toFixed(2)} ms (limit ${targetMs}), p99 ${p99.toFixed(2)} ms, ${ratio.toFixed(2)} × the first page of ${sizes[0]} (limit ${targetRatio})`,
  )
}
process.exitCode = kept ? 0 : 1

/**
 * Writes the transactions of an account, half of them token transfers, directly into the index's
 * tables.
 */
async function fill(address: string, size: number): Promise<void> {
  const own = bytes(address)
  const { id } = await db
    .insertInto('activity_accounts')
    .values({ chain_id: chainId, address: own, asked_at: new Date(), live: false, first_block: 0n })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let start = 0; start < size; start += 2_000) {
    const numbers = Array.from({ length: Math.min(2_000, size - start) }, (_, one) => start + one)
    const place = (one: number) => ({
      account_id: id,
      block: BigInt(one + 1),
      index: 0,
      mined_ms: BigInt(startMs + one * 12_000),
    })
    await db
      .insertInto('activity_rows')
      .values(
        numbers.map((one) => ({
          ...place(one),
          hash: bytes(`0x${id}${String(one).padStart(63, '0')}`),
          sender: own,
          recipient: bytes(usd),
          nonce: BigInt(one),
          value: one % 2 === 0 ? '5' : '0',
          fee: '21000',
          selector: one % 2 === 0 ? null : bytes('0xa9059cbb'),
          failed: false,
        })),
      )
      .execute()
    await db
      .insertInto('activity_transfers')
      .values(
        numbers
          .filter((one) => one % 2 === 1)
          .map((one) => ({
            ...place(one),
            position: 0,
            standard: 20,
            contract: bytes(usd),
            sender: own,
            recipient: bytes(usd),
            amount: '1500000',
          })),
      )
      .execute()
  }
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** The cursor after `rows` rows, found by reading all pages before it. */
async function cursorAt(address: string, rows: number): Promise<string> {
  let cursor = ''
  for (let seen = 0; seen < rows; seen += 50) cursor = (await ask(address, cursor)).next ?? cursor
  return cursor
}

async function ask(address: string, cursor: string): Promise<{ next: string | null }> {
  const query = `projectId=local&chainId=${chainId}${cursor && `&cursor=${cursor}`}`
  const response = await fetch(`${server.url}/v1/account/${address}/history?${query}`)
  const answer = (await response.json()) as { data?: unknown[]; next: string | null }
  if (answer.data?.length !== 50) throw new Error(`A page of 50 was expected: ${response.status}`)
  return answer
}

function databaseOf({ services }: typeof server) {
  if (services.db === undefined) throw new Error('A whole server has a database')
  return services.db
}

/** A chain of one block, so that nothing is added while it is measured. */
async function startNode() {
  const zero = `0x${'0'.repeat(64)}`
  const block = { number: '0x0', hash: zero, parentHash: zero, timestamp: '0x1', transactions: [] }
  const results: Record<string, unknown> = {
    eth_chainId: '0x1',
    eth_blockNumber: '0x0',
    eth_getBlockByNumber: block,
    eth_getLogs: [],
    eth_getBlockReceipts: [],
  }
  const http = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const json: unknown = JSON.parse(text)
    const answer = ({ id, method }: { id: number; method: string }) => ({
      jsonrpc: '2.0',
      id,
      result: results[method] ?? null,
    })
    const calls = json as { id: number; method: string }
    response.end(JSON.stringify(Array.isArray(json) ? json.map(answer) : answer(calls)))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    http.close()
    http.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, stop }
}

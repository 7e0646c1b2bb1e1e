import { setTimeout as sleep } from 'node:timers/promises'
import { requestUpstream } from '@latchkey/server'
import { askServer } from './measure/askServer.ts'
import { printRows, type Row } from './measure/printRows.ts'
import { quantile } from './measure/quantiles.ts'
import { endProcess, forkProcess } from './processes/forkProcess.ts'

/**
 * How much longer a request to a node may take than the same request by `node:http` alone, without
 * any limit.
 */
const maxRatio = 2
const rounds = 9
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
const contentType = 'application/json'
const reservation = { client: undefined, add: () => true, hold: () => true, release: () => {} }
const responseMemory = { open: () => reservation }
const request = {
  method: 'POST' as const,
  ...{ path: '', body, contentType, statuses: [] },
  read: (text: string) => ({ text }),
  isInconclusive: () => false,
}

const { child, url } = await forkProcess('bare/bareHttp.ts')
const clients = {
  upstream: () =>
    requestUpstream(url, request, { timeoutMs: 10_000, maxBytes: 2 ** 20, responseMemory }),
  bare: () => askServer(url, { method: 'POST', headers: { 'content-type': contentType }, body }),
}
try {
  const rows: Row[] = []
  rows.push(await compare('an answer of 1 kB', { bytes: 1_000, requests: 1_000, atOnce: 1 }))
  rows.push(await compare('32 at once, of 1 kB', { bytes: 1_000, requests: 2_000, atOnce: 32 }))
  rows.push(await compare('8 at once, of 200 kB', { bytes: 200_000, requests: 100, atOnce: 8 }))
  printRows(rows)
} finally {
  await endProcess(child)
}

type Load = { bytes: number; requests: number; atOnce: number }

/** Times both clients in turn, and compares their fastest rounds. */
async function compare(name: string, load: Load): Promise<Row> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x'.padEnd(load.bytes, 'a') })
  const ready = new Promise((resolve) => child.once('message', resolve))
  child.send({ text, headers: { 'content-type': contentType } })
  await ready
  const took = { upstream: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const client of round % 2
      ? (['upstream', 'bare'] as const)
      : (['bare', 'upstream'] as const))
      took[client].push(await measure(clients[client], load))
  const [ours, bare] = [quantile(took.upstream, 0.1), quantile(took.bare, 0.1)]
  const ratio = ours / bare
  return [
    name,
    ratio <= maxRatio,
    `${ours.toFixed(0)} µs, node:http ${bare.toFixed(0)} µs: ${ratio.toFixed(2)} × (≤ ${maxRatio})`,
  ]
}

/** Time per request, in µs. */
async function measure(ask: () => Promise<unknown>, { requests, atOnce }: Load): Promise<number> {
  await sleep(20)
  let left = requests
  const start = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) if (typeof (await ask()) === 'undefined') throw new Error('no answer')
    }),
  )
  return ((performance.now() - start) / requests) * 1000
}

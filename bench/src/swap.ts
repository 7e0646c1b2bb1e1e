import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChains } from '@latchkey/dev'
import { decodeFunctionData, encodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { askCpuMs, untilCalm } from './measure/cpuTime.ts'
import { quantile, spread } from './measure/quantiles.ts'
import { endProcess, forkProcess } from './processes/forkProcess.ts'

// Compares quotes from the network's pools with only their calls to the quoter, sent to the same
// node. They are sent as one request with an `eth_call` each, like any program that uses a quoter,
// and packed into one call of Multicall3, like a quote.
const rounds = 200
const warmRounds = 50
/** Uncounted quotes in which V8 compiles the code, as in a server that has run for a minute. */
const warmQuotes = 3_000
const loadRounds = 400
const clients = 8
const limits = { ratio: 1.5, upstreamCalls: 3, quotesPerSecond: 100 }
const chainId = 'eip155:31337'
const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

type Call = { readonly to: Hex; readonly data: Hex }

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-swap-'))
const chains = await startChains({ ports: 'free', dataDir: join(folder, 'chains') })
const { multicall3, quoter, usd, gold, ...at } = chains.addresses[chainId]
const node = await openNode(chains.urls[chainId])
let child: ChildProcess | undefined
try {
  const server = await startApi()
  child = server.child
  const quote = async (to: string, amount: bigint) => {
    const query = { projectId: 'bench', from: id(native), to: id(to), amount: String(amount) }
    const response = await fetch(`${server.url}/v1/convert/quotes?${new URLSearchParams(query)}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
  }
  // Reads that a server makes once per node.
  await quote(gold, amountOf(0))
  node.forget()
  await quote(usd, amountOf(0))
  report('requests to a node for the first quote of a pair', node.asked.length, {
    most: limits.upstreamCalls,
  })
  node.forget()
  await quote(usd, amountOf(1))
  report('requests to a node with warm pools', node.asked.length, { most: limits.upstreamCalls })
  const calls = getQuoterCalls(node.asked[0] ?? '')
  console.log(`       a quote has ${calls.length} calls of the quoter`)

  const packed = pack(calls)
  let next = 2
  const askMany = async (count: number) => {
    const end = next + count
    const ask = async () => {
      while (next < end) await quote(usd, amountOf(next++))
    }
    await Promise.all(Array.from({ length: clients }, ask))
  }
  await askMany(warmQuotes)
  await untilCalm(server.child)
  const times = { quote: [] as number[], calls: [] as number[], packed: [] as number[] }
  for (let round = -warmRounds; round < rounds; round++) {
    const quoteMs = await timed(() => quote(usd, amountOf(next++)))
    const callsMs = await timed(() => callNode(calls))
    const packedMs = await timed(() => callNode([packed]))
    if (round < 0) continue
    times.quote.push(quoteMs)
    times.calls.push(callsMs)
    times.packed.push(packedMs)
  }
  console.log(`       a quote takes ${spread(times.quote)} ms`)
  console.log(
    `       the calls of the quoter ${spread(times.calls)} ms, packed ${spread(times.packed)} ms`,
  )
  const ratio = quantile(times.quote, 0.5) / quantile(times.calls, 0.5)
  report('a quote, times the calls of the quoter', ratio, { most: limits.ratio, digits: 2 })

  await untilCalm(server.child)
  const before = await askCpuMs(server.child)
  await askMany(loadRounds)
  const perQuoteMs = ((await askCpuMs(server.child)) - before) / loadRounds
  report('quotes per second of one core’s time', 1_000 / perQuoteMs, {
    least: limits.quotesPerSecond,
  })
} finally {
  if (child) await endProcess(child)
  node.stop()
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
}

function id(address: string): string {
  return `${chainId}:${address}`
}

/** A different amount each time, so that no response is cached. */
function amountOf(round: number): bigint {
  return 10n ** 17n + BigInt(round) * 10n ** 12n
}

async function startApi() {
  const chainsFile = join(folder, 'chains.json')
  const list = join(folder, 'tokens.json')
  const token = { chainId: 31_337, address: gold, name: 'Dev Gold', symbol: 'dGLD', decimals: 18 }
  writeFileSync(list, JSON.stringify({ name: 'Bench', tokens: [token] }))
  const network = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [node.url],
    multicall3,
    tokenLists: [list],
    uniswapV2: { factory: at.uniswapV2Factory, wrappedNative: at.wrappedEther, usd },
    uniswapV3: { factory: at.uniswapV3Factory },
    swap: { source: 'uniswap', router: at.swapRouter, quoter },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [chainId]: network } }))
  return forkProcess('processes/apiProcess.ts', {
    DATA_DIR: join(folder, 'data'),
    CHAINS_FILE: chainsFile,
    LOG_LEVEL: 'warn',
  })
}

/**
 * A proxy of the chain's node that records the requests with an `eth_call`. The direct calls also
 * go through it.
 */
async function openNode(target: string) {
  let asked: string[] = []
  const proxy = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (body.includes('"eth_call"')) asked.push(body)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((done) => {
    proxy.listen(0, '127.0.0.1', done)
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get asked(): readonly string[] {
      return asked
    },
    forget() {
      asked = []
    },
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** The calls of the quoter in a request of the server. */
function getQuoterCalls(body: string): readonly Call[] {
  const requests = [JSON.parse(body)].flat() as { params: [Call] }[]
  const data = requests[0]?.params[0].data ?? '0x'
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'aggregate3') throw new Error('The quote does not use Multicall3')
  const found = args[0].flatMap(({ target, callData }) =>
    target.toLowerCase() === quoter.toLowerCase() ? [{ to: quoter, data: callData }] : [],
  )
  if (found.length === 0) throw new Error('The quote does not ask the quoter')
  return found
}

function pack(calls: readonly Call[]): Call {
  const all = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [all] })
  return { to: multicall3, data }
}

async function callNode(calls: readonly Call[]) {
  const requests = calls.map((call, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_call',
    params: [call, 'latest'],
  }))
  const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(requests) })
  const answers = (await response.json()) as { result?: Hex }[]
  if (answers.some(({ result }) => result === undefined))
    throw new Error('The node does not answer')
}

async function timed(action: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await action()
  return performance.now() - startedAt
}

type Limit = { readonly most?: number; readonly least?: number; readonly digits?: number }

function report(what: string, value: number, { most, least, digits = 0 }: Limit) {
  const isGood = value <= (most ?? value) && value >= (least ?? value)
  if (!isGood) process.exitCode = 1
  const limit = most === undefined ? `at least ${least}` : `limit ${most}`
  console.log(`${isGood ? 'ok    ' : 'failed'} ${what}: ${value.toFixed(digits)} (${limit})`)
}

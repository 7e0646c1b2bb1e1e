import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArtifact, sendMany, startChains } from '@latchkey/dev'
import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseAbi,
} from 'viem'
import { httpLoad } from './httpLoad.ts'
import { askCpuMs, untilCalm } from './measure/cpuTime.ts'
import { quantile, spread } from './measure/quantiles.ts'
import { endProcess, type Forked, forkProcess } from './processes/forkProcess.ts'

const tokenCount = 300
const holderCount = 8
const rounds = 2
/** Uncounted rounds in which V8 compiles the code. */
const warmRounds = 2
const currencies = ['usd', 'eur', 'gbp', 'aud', 'cad', 'inr', 'jpy']
const loadMs = 150
/**
 * How long each server is warmed up. After two seconds, a fifth of its processor time still went
 * into compiling.
 */
const warmMs = 8_000
const loadRounds = 40

const abi = parseAbi([
  'function mint(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
])
const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-balance-'))
const chains = await startChains({ ports: 'free', dataDir: join(folder, 'chains') })
const children: ChildProcess[] = []
try {
  const chainId = 'eip155:31337'
  const url = chains.urls[chainId]
  const { multicall3, uniswapV2Factory, uniswapV3Factory, wrappedEther, usd } =
    chains.addresses[chainId]
  const holders = chains.accounts.slice(0, holderCount).map(({ address }) => address)
  const tokens = await deployTokens(url, holders)
  const chainsFile = writeChains({
    name: 'Bench',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [url],
    multicall3,
    tokenLists: [writeList(tokens)],
    uniswapV2: { factory: uniswapV2Factory, wrappedNative: wrappedEther, usd },
    uniswapV3: { factory: uniswapV3Factory },
  })
  const env = { DATA_DIR: join(folder, 'data'), CHAINS_FILE: chainsFile, LOG_LEVEL: 'info' }
  const server = await start('processes/apiProcess.ts', env)
  const balanceUrl = (owner: string, currency = 'usd') =>
    `${server.url}/v1/account/${owner}/balance?projectId=bench&chainId=${chainId}&currency=${currency}`

  // One-time work: finding pools, indexing the accounts' history, optimizing code.
  for (const owner of holders) await readJson(balanceUrl(owner))
  await untilCalm(server.child)
  const direct: number[] = []
  const ours: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < warmRounds + rounds; round++) {
    // The cached accounts have expired; the first request of each round requests prices again.
    await new Promise((done) => setTimeout(done, 10_500))
    // One after the other, so that a busy moment of the machine affects both. Each currency has a
    // separate response.
    for (const currency of currencies)
      for (const owner of holders) {
        const directMs = await timed(() => readDirectly({ url, multicall3, tokens, owner }))
        const before = await askCpuMs(server.child)
        const oursMs = await timed(() => readJson(balanceUrl(owner, currency)))
        const cpuMs = (await askCpuMs(server.child)) - before
        if (round < warmRounds) continue
        direct.push(directMs)
        ours.push(oursMs)
        cpu.push(cpuMs)
      }
  }
  const best = quantile(ours, 0.1) / quantile(direct, 0.1)
  const middle = quantile(ours, 0.5) / quantile(direct, 0.5)
  console.log(
    `balance of ${tokenCount} tokens, ${ours.length} times: ${spread(ours, 1)} ms, direct multicall ${spread(direct, 1)} ms: ${middle.toFixed(2)} × in the middle, ${best.toFixed(2)} × among the fastest tenth   (≤ 1.2); processor time of the server ${spread(cpu, 1)} ms`,
  )

  const bare = await start('bare/bareHttp.ts', {})
  const hono = await start('bare/bareHono.ts', {})
  for (const [name, owner] of [
    ['an account of 300 tokens', holders[0] ?? ''],
    ['an account of nothing', '0x00000000000000000000000000000000000beef1'],
  ] as const) {
    const answer = await fetch(balanceUrl(owner))
    const text = await answer.text()
    // The same body, and as many headers.
    const headers = Object.fromEntries(answer.headers)
    for (const own of ['connection', 'content-length', 'date', 'keep-alive', 'x-request-id'])
      delete headers[own]
    for (const { child } of [bare, hono]) await tell(child, { text, headers })
    await untilCalm(server.child)
    const load = {
      bare: await createLoad(bare.child, bare.url),
      hono: await createLoad(hono.child, hono.url),
      ours: await createLoad(server.child, balanceUrl(owner)),
    }
    // Many short turns, so that a busy moment of the machine affects each.
    for (let round = 0; round < loadRounds; round++)
      for (const one of [load.bare, load.hono, load.ours]) await one.run(loadMs)
    const ratio = (one: Load) =>
      `${spread(one.cpuMs.map((ms, round) => (load.bare.cpuMs[round] ?? 0) / ms))} × by processor time, ${spread(one.rates.map((rate, round) => rate / (load.bare.rates[round] ?? 0)))} × by answers a second`
    console.log(
      `cached, ${name} (${text.length} bytes) against bare node:http (${spread(load.bare.rates, 0)} answers/s): ${ratio(load.ours)}   (≥ 0.7); a bare Hono handler ${ratio(load.hono)}`,
    )
  }
} finally {
  await Promise.all(children.map(endProcess))
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function deployTokens(url: string, holders: readonly Address[]): Promise<Address[]> {
  const from = chains.accounts[9]?.address ?? '0x'
  const { abi: tokenAbi, bytecode } = readArtifact('DevToken')
  const args = ['Bench Token', 'BENCH', 18]
  const data = encodeDeployData({ abi: tokenAbi, bytecode, args })
  const hash = await callRpc(url, 'eth_sendTransaction', [{ from, data, gas: '0x5b8d80' }])
  let mined: { contractAddress: Address } | null
  do {
    mined = (await callRpc(url, 'eth_getTransactionReceipt', [hash])) as typeof mined
  } while (mined === null)
  const code = await callRpc(url, 'eth_getCode', [mined.contractAddress, 'latest'])
  const tokens = Array.from(
    { length: tokenCount },
    (_, index): Address => `0x${(0xbe_0000 + index).toString(16).padStart(40, '0')}`,
  )
  for (const token of tokens) await callRpc(url, 'anvil_setCode', [token, code])
  await sendMany({
    url,
    from,
    count: tokens.length * holders.length,
    gas: 80_000n,
    perBlock: 300,
    payment(index) {
      const holder = holders[Math.floor(index / tokens.length)] ?? from
      const mint = [holder, 10n ** 18n * BigInt(index + 1)] as const
      return {
        to: tokens[index % tokens.length] ?? from,
        value: 0n,
        data: encodeFunctionData({ abi, functionName: 'mint', args: mint }),
      }
    },
  })
  return tokens
}

function writeList(tokens: readonly Address[]) {
  const file = join(folder, 'tokens.json')
  const entries = tokens.map((address, index) => ({
    chainId: 31337,
    address,
    name: `Bench ${index}`,
    symbol: `B${index}`,
    decimals: 18,
  }))
  writeFileSync(file, JSON.stringify({ name: 'Bench', tokens: entries }))
  return file
}

function writeChains(chain: object) {
  const file = join(folder, 'chains.json')
  writeFileSync(file, JSON.stringify({ chains: { 'eip155:31337': chain } }))
  return file
}

type Direct = {
  readonly url: string
  readonly multicall3: Address
  readonly tokens: readonly Address[]
  readonly owner: Address
}

/**
 * The work of any program that has the list of tokens: one call of Multicall3, encoded and decoded.
 */
async function readDirectly({ url, multicall3, tokens, owner }: Direct) {
  const callData = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
  const native = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'getEthBalance',
    args: [owner],
  })
  const calls = [
    { target: multicall3, allowFailure: true, callData: native },
    ...tokens.map((target) => ({ target, allowFailure: true, callData })),
  ]
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  const result = await callRpc(url, 'eth_call', [{ to: multicall3, data }, 'latest'])
  const rows = decodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    data: result as Hex,
  })
  if (rows.some(({ success }) => !success)) throw new Error('A balance was not read')
}

async function readJson(url: string) {
  const response = await fetch(url)
  const json = (await response.json()) as { balances: unknown[] }
  if (json.balances.length < tokenCount) throw new Error(`Only ${json.balances.length} balances`)
}

async function callRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

async function start(file: string, env: Record<string, string>): Promise<Forked> {
  const forked = await forkProcess(file, env)
  children.push(forked.child)
  return forked
}

function tell(child: ChildProcess, answer: { text: string; headers: Record<string, string> }) {
  return new Promise((done) => {
    child.once('message', done)
    child.send(answer)
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

type Load = Awaited<ReturnType<typeof createLoad>>

/**
 * Runs turns of load on one server. Collects responses per second, and processor time per response.
 */
async function createLoad(child: ChildProcess, url: string) {
  const rates: number[] = []
  const cpuMs: number[] = []
  await httpLoad({ url, ms: warmMs })
  return {
    rates,
    cpuMs,
    async run(ms: number) {
      const before = await askCpuMs(child)
      const { answers, seconds } = await httpLoad({ url, ms })
      cpuMs.push(((await askCpuMs(child)) - before) / answers)
      rates.push(answers / seconds)
    },
  }
}

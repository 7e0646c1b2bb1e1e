import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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

const tokenCount = 300
const holderCount = 8
const rounds = 3
const loadMs = 2_000
const loadRounds = 5

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
  const server = await start('apiProcess.ts', env)
  const balanceUrl = (owner: string) =>
    `${server.url}/v1/account/${owner}/balance?projectId=bench&chainId=${chainId}`

  // Whatever is done once: pools looked up, the account followed, code made fast.
  for (const owner of holders) await readJson(balanceUrl(owner))
  const direct: number[] = []
  const ours: number[] = []
  for (let round = 0; round < rounds; round++) {
    // What is kept of the accounts is over; prices are asked for anew by the first of each round.
    await new Promise((done) => setTimeout(done, 10_500))
    for (const owner of holders) {
      direct.push(await timed(() => readDirectly({ url, multicall3, tokens, owner })))
      ours.push(await timed(() => readJson(balanceUrl(owner))))
    }
  }
  const read = median(ours) / median(direct)
  console.log(
    `balance of ${tokenCount} tokens: ${median(ours).toFixed(1)} ms, direct multicall ${median(direct).toFixed(1)} ms: ${read.toFixed(2)} ×   (≤ 1.2)`,
  )

  const bare = await start('bareHttp.ts', {})
  const hono = await start('bareHono.ts', {})
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
    const urls = { bare: bare.url, hono: hono.url, ours: balanceUrl(owner) }
    const rates = { bare: 0, hono: 0, ours: 0 }
    for (const url of Object.values(urls)) await httpLoad({ url, ms: loadMs })
    // In turns, so that a busy moment of the machine strikes each.
    for (let round = 0; round < loadRounds; round++)
      for (const one of ['bare', 'hono', 'ours'] as const)
        rates[one] += (await httpLoad({ url: urls[one], ms: loadMs })) / loadRounds
    const ratio = (rate: number) => (rate / rates.bare).toFixed(2)
    console.log(
      `cached, ${name} (${text.length} bytes): ${rates.ours.toFixed(0)} requests/s, bare node:http ${rates.bare.toFixed(0)}: ${ratio(rates.ours)} ×   (≥ 0.7); a bare Hono handler ${rates.hono.toFixed(0)}: ${ratio(rates.hono)} ×`,
    )
  }
} finally {
  await Promise.all(children.map(end))
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

/** What any program would do that has the list: one call of Multicall3, encoded and decoded. */
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

async function start(file: string, env: Record<string, string>) {
  const child = fork(resolve(import.meta.dirname, file), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  const url = await new Promise<string>((done, fail) => {
    child.once('message', (text) => done(String(text)))
    child.once('exit', () => fail(new Error(`${file} ended`)))
  })
  return { child, url }
}

function tell(child: ChildProcess, answer: { text: string; headers: Record<string, string> }) {
  return new Promise((done) => {
    child.once('message', done)
    child.send(answer)
  })
}

function end(child: ChildProcess) {
  return new Promise<void>((done) => {
    if (child.exitCode !== null) return done()
    child.once('exit', () => done())
    child.disconnect()
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChains } from '@latchkey/dev'
import { quantile } from './measure/quantiles.ts'
import { endProcess, type Forked, forkProcess } from './processes/forkProcess.ts'

/** Number of operations that loop during validation, always in flight. */
const loopers = 8
const reads = 400
const pauseMs = 25
const maxRatio = 2
const chainId = 'eip155:31337'
const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
/** 50,000 rounds, then pays the missing funds and returns that the operation is valid. */
const code = '0x61c3505b60019003806003575f5f5f5f604435335af1505f5f5260205ff3'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-validation-'))
const chains = await startChains({ ports: 'free', dataDir: join(folder, 'chains') })
const node = chains.urls[chainId]
let server: Forked | undefined
try {
  server = await startServer()
  await run(server.url)
} finally {
  if (server) await endProcess(server.child)
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startServer() {
  const chainsFile = join(folder, 'chains.json')
  const network = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [node],
    smartAccounts: { bundler: 'own', accounts: 'any' },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [chainId]: network } }))
  return forkProcess('processes/apiProcess.ts', {
    DATA_DIR: join(folder, 'data'),
    CHAINS_FILE: chainsFile,
    LOG_LEVEL: 'error',
    BUNDLER_KEY: chains.accounts[8]?.privateKey,
  })
}

type RpcResponse = { result?: unknown; error?: { code: number; message: string } }

async function ask(url: string, method: string, params: readonly unknown[]): Promise<RpcResponse> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as RpcResponse
}

/** Creates a separate account with the loop, and funds it. */
async function makeLooper(index: number): Promise<object> {
  const sender = `0x${(0xabc000 + index).toString(16).padStart(40, '0')}`
  await ask(node, 'anvil_setCode', [sender, code])
  await ask(node, 'anvil_setBalance', [sender, '0xde0b6b3a7640000'])
  return {
    sender,
    nonce: '0x0',
    callData: '0x',
    signature: '0x',
    callGasLimit: '0x186a0',
    verificationGasLimit: '0x16bc20',
    preVerificationGas: '0x186a0',
    maxFeePerGas: '0x12a05f200',
    maxPriorityFeePerGas: '0x3b9aca00',
  }
}

/** The times of sequential reads, like a page's, in ms. */
async function measureReads(base: string): Promise<number[]> {
  const url = `${base}/v1?projectId=bench&chainId=${chainId}`
  const took: number[] = []
  for (let at = 0; at < reads; at++) {
    const startedAt = performance.now()
    const { result } = await ask(url, 'eth_getBalance', [entryPoint, 'latest'])
    if (result === undefined) throw new Error('A read failed')
    took.push(performance.now() - startedAt)
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  return took
}

async function run(base: string): Promise<void> {
  const url = `${base}/v1/bundler?projectId=bench&chainId=${chainId}`
  const operations = await Promise.all(Array.from({ length: loopers }, (_, at) => makeLooper(at)))
  // V8 compiles the code.
  await measureReads(base)
  const alone = await measureReads(base)
  let isStopped = false
  const answers: RpcResponse[] = []
  const looping = operations.map(async (operation) => {
    while (!isStopped)
      answers.push(await ask(url, 'eth_sendUserOperation', [operation, entryPoint]))
  })
  const beside = await measureReads(base)
  isStopped = true
  await Promise.all(looping)
  const taken = answers.filter(({ result }) => result !== undefined)
  const ratio = mean(beside) / mean(alone)
  const good = ratio <= maxRatio && taken.length === 0
  if (!good) process.exitCode = 1
  console.log(
    `${good ? 'ok    ' : 'failed'} reads beside ${loopers} operations that loop while they validate: ${ratio.toFixed(2)} times as long, limit ${maxRatio}; mean ${mean(alone).toFixed(1)} → ${mean(beside).toFixed(1)} ms, p50 ${quantile(alone, 0.5).toFixed(1)} → ${quantile(beside, 0.5).toFixed(1)} ms, p99 ${quantile(alone, 0.99).toFixed(1)} → ${quantile(beside, 0.99).toFixed(1)} ms; ${answers.length} operations answered, ${taken.length} of them taken, last answer: ${answers.at(-1)?.error?.message ?? ''}`,
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

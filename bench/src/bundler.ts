import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChains } from '@latchkey/dev'
import { createPublicClient, defineChain, type Hex, http, parseEther } from 'viem'
import { formatUserOperationRequest, toSimple7702SmartAccount } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { askCpuMs } from './measure/cpuTime.ts'
import { quantile } from './measure/quantiles.ts'
import { endProcess, type Forked, forkProcess } from './processes/forkProcess.ts'

const accountCount = 60
const operationsEach = 4
const singles = 30
const limits = { operationsPerSecond: 50, receiptMs: 150 }
/** The pause between two requests for a receipt. */
const lookMs = 10
const waitMs = 60_000
const chainId = 'eip155:31337'
const receiver = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
const fees = { maxFeePerGas: 3n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }
const gas = {
  callGasLimit: 60_000n,
  verificationGasLimit: 120_000n,
  preVerificationGas: 110_000n,
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-bundler-'))
const chains = await startChains({ ports: 'free', dataDir: join(folder, 'chains') })
const node = chains.urls[chainId]
const client = createPublicClient({
  chain: defineChain({
    id: 31_337,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [node] } },
  }),
  transport: http(),
})
let server: Forked | undefined
try {
  server = await startServer()
  await run(server)
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
    smartAccounts: { bundler: 'own' },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [chainId]: network } }))
  return forkProcess('processes/apiProcess.ts', {
    DATA_DIR: join(folder, 'data'),
    CHAINS_FILE: chainsFile,
    LOG_LEVEL: 'warn',
    BUNDLER_KEY: chains.accounts[8]?.privateKey,
  })
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (!response.ok || answer.error)
    throw new Error(`${method}: ${response.status} ${answer.error?.message ?? ''}`)
  return answer.result
}

/** Signed operations of a new account with money; the first one also delegates. */
async function sign(count: number): Promise<object[]> {
  const owner = privateKeyToAccount(generatePrivateKey())
  await ask(node, 'anvil_setBalance', [owner.address, `0x${parseEther('10').toString(16)}`])
  const account = await toSimple7702SmartAccount({ client, owner })
  const callData = await account.encodeCalls([{ to: receiver, value: 1n }])
  const authorization = await owner.signAuthorization({
    contractAddress: chains.addresses[chainId].smartAccount,
    chainId: 31_337,
    nonce: 0,
  })
  const signed: object[] = []
  for (let at = 0; at < count; at++) {
    const operation = {
      sender: owner.address,
      nonce: BigInt(at) << 64n,
      callData,
      factory: '0x7702' as const,
      factoryData: '0x' as const,
      ...fees,
      ...gas,
      authorization,
    }
    const signature = await account.signUserOperation({ ...operation, signature: '0x' })
    const { eip7702Auth, ...rest } = formatUserOperationRequest({ ...operation, signature })
    signed.push(at === 0 ? { ...rest, eip7702Auth } : rest)
  }
  return signed
}

/** Milliseconds from sending an operation to its receipt. */
async function send(url: string, operation: object): Promise<number> {
  const startedAt = performance.now()
  const hash = (await ask(url, 'eth_sendUserOperation', [operation, entryPoint])) as Hex
  return untilReceipt(url, { method: 'eth_getUserOperationReceipt', hash, startedAt })
}

async function untilReceipt(
  url: string,
  asked: { method: string; hash: Hex; startedAt: number },
): Promise<number> {
  while (performance.now() - asked.startedAt < waitMs) {
    if ((await ask(url, asked.method, [asked.hash])) !== null)
      return performance.now() - asked.startedAt
    await new Promise((done) => setTimeout(done, lookMs))
  }
  throw new Error(`No receipt of ${asked.hash} after ${waitMs / 1000} s`)
}

/** The same payment as a plain transaction of the node's own account. */
async function sendPlain(): Promise<number> {
  const startedAt = performance.now()
  const transaction = { from: chains.accounts[1]?.address, to: receiver, value: '0x1' }
  const hash = (await ask(node, 'eth_sendTransaction', [transaction])) as Hex
  return untilReceipt(node, { method: 'eth_getTransactionReceipt', hash, startedAt })
}

async function run({ child, url: base }: Forked): Promise<void> {
  const url = `${base}/v1/bundler?projectId=bench&chainId=${chainId}`
  const [[first, ...rest], ...crowd] = await Promise.all([
    sign(singles + 1),
    ...Array.from({ length: accountCount }, () => sign(operationsEach + 1)),
  ])
  if (!first) throw new Error('No operation was signed')
  await send(url, first)
  const alone: number[] = []
  const plain: number[] = []
  for (const operation of rest) {
    alone.push(await send(url, operation))
    plain.push(await sendPlain())
  }
  // The first ones delegate, and V8 compiles the code.
  await Promise.all(crowd.map(([opening]) => opening && send(url, opening)))
  const cpuBefore = await askCpuMs(child)
  const startedAt = performance.now()
  const times = (
    await Promise.all(
      crowd.map(async ([, ...own]) => {
        const took: number[] = []
        for (const operation of own) took.push(await send(url, operation))
        return took
      }),
    )
  ).flat()
  const seconds = (performance.now() - startedAt) / 1_000
  const cpuSeconds = ((await askCpuMs(child)) - cpuBefore) / 1_000
  print('signed operation to receipt, one at a time', {
    value: quantile(alone, 0.5),
    limit: limits.receiptMs,
    unit: 'ms (p50)',
    isGood: (value, limit) => value <= limit,
    more: `a plain transaction takes ${quantile(plain, 0.5).toFixed(0)} ms, ratio ${(quantile(alone, 0.5) / quantile(plain, 0.5)).toFixed(1)}`,
  })
  print('operations per second of one core', {
    value: times.length / cpuSeconds,
    limit: limits.operationsPerSecond,
    unit: '/s',
    isGood: (value, limit) => value >= limit,
    more: `${times.length} operations of ${accountCount} accounts at once; by the clock ${(times.length / seconds).toFixed(0)}/s, receipt after ${quantile(times, 0.5).toFixed(0)} ms (p50), ${quantile(times, 0.99).toFixed(0)} ms (p99)`,
  })
}

function print(
  name: string,
  row: {
    value: number
    limit: number
    unit: string
    isGood: (value: number, limit: number) => boolean
    more: string
  },
): void {
  const good = row.isGood(row.value, row.limit)
  if (!good) process.exitCode = 1
  console.log(
    `${good ? 'ok    ' : 'failed'} ${name}: ${row.value.toFixed(0)} ${row.unit}, limit ${row.limit}; ${row.more}`,
  )
}

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSiwxMessage } from '@latchkey/wire/siwx'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { askCpuMs, untilCalm } from './measure/cpuTime.ts'
import { quantile } from './measure/quantiles.ts'
import { endProcess, type Forked, forkProcess } from './processes/forkProcess.ts'

// Sign-ins of EVM accounts, one after the other, each with a key and a nonce of its own: from the request to the session that is
// stored. Beside them, a server that only recovers the signer of the same message, in turns, so that a busy machine slows both.
const rounds = 1_000
/** V8 compiles the code in these, as in a server that has run for a minute. */
const warmRounds = 3_000
/**
 * Processor time is that of the server's process, with its threads. The time by the clock contains PostgreSQL, its disk and the
 * turns that other processes have: its limit is a multiple of what only recovering the signer takes in the same run.
 */
const limits = { p99Ms: 3, ratio: 1, clockRatio: 1.5 }
const origin = 'http://127.0.0.1:4000'

type Times = { readonly cpu: number[]; readonly clock: number[] }

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-sign-in-'))
const children: ChildProcess[] = []
try {
  await run(await serve('processes/apiProcess.ts'), await serve('bare/bareRecover.ts'))
} finally {
  await Promise.all(children.map(endProcess))
  rmSync(folder, { recursive: true, force: true })
}

async function serve(file: string): Promise<Forked> {
  // Each sign-in says that it comes from another client: one client alone may not sign in so often.
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', TRUST_PROXY: '1' }
  const forked = await forkProcess(file, env)
  children.push(forked.child)
  return forked
}

async function run(server: Forked, bare: Forked): Promise<void> {
  const own: Times = { cpu: [], clock: [] }
  const other: Times = { cpu: [], clock: [] }
  await untilCalm(server.child)
  for (let round = -warmRounds; round < rounds; round++) {
    const headers = {
      origin,
      'content-type': 'application/json',
      'x-forwarded-for': `10.0.${(round + warmRounds) >> 8}.${(round + warmRounds) & 255}`,
    }
    const body = await sign(await getNonce(server, headers))
    const verify = `${server.url}/v1/siwx/verify?projectId=bench`
    for (const [{ child }, url, times] of [
      [server, verify, own],
      [bare, bare.url, other],
    ] as const) {
      const before = await askCpuMs(child)
      const startedAt = performance.now()
      await post(url, headers, body)
      const took = performance.now() - startedAt
      const cpu = (await askCpuMs(child)) - before
      if (round < 0) continue
      times.cpu.push(cpu)
      times.clock.push(took)
    }
  }
  console.log(`       only recovering the signer: ${describe(other)}`)
  console.log(`       a sign-in: ${describe(own)}`)
  report('a sign-in, processor time, p99', quantile(own.cpu, 0.99), limits.p99Ms)
  report(
    'a sign-in, times only recovering, processor time, p50',
    quantile(own.cpu, 0.5) / quantile(other.cpu, 0.5),
    limits.ratio,
  )
  report(
    'a sign-in, times only recovering, by the clock, p99',
    quantile(own.clock, 0.99) / quantile(other.clock, 0.99),
    limits.clockRatio,
  )
}

async function getNonce({ url }: Forked, headers: Record<string, string>): Promise<string> {
  const answer = await post(`${url}/v1/siwx/nonce?projectId=bench`, headers)
  return (JSON.parse(answer) as { nonce: string }).nonce
}

async function sign(nonce: string): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey())
  const message = createSiwxMessage({
    domain: new URL(origin).host,
    accountAddress: account.address,
    chainId: 'eip155:1',
    statement: 'Sign in to the shop',
    uri: `${origin}/login`,
    version: '1',
    nonce,
    issuedAt: new Date().toISOString(),
  })
  return JSON.stringify({ message, signature: await account.signMessage({ message }) })
}

async function post(url: string, headers: Record<string, string>, body?: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, ...(body && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text
}

function describe({ cpu, clock }: Times): string {
  const show = (times: readonly number[]) =>
    `p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`
  return `processor time ${show(cpu)}; by the clock ${show(clock)}`
}

function report(what: string, value: number, limit: number): void {
  const isGood = value <= limit
  if (!isGood) process.exitCode = 1
  console.log(`${isGood ? 'ok    ' : 'failed'} ${what}: ${value.toFixed(2)} (limit ${limit})`)
}

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSignedByKey } from '@latchkey/server'
import { checkSiwxMessage, createSiwxMessage, parseSiwxMessage } from '@latchkey/wire/siwx'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { askServer } from './measure/askServer.ts'
import { askCpuMs, untilCalm } from './measure/cpuTime.ts'
import { quantile } from './measure/quantiles.ts'
import { endProcess, type Forked, forkProcess } from './processes/forkProcess.ts'

// Sign-ins of EVM accounts, one after the other, each with a new key and nonce. First measures only
// the verification: the message, its fields, the signature. Then measures from the request to the
// stored session, alternating with a server that only recovers the signer of the same message, so
// that a busy machine slows both.
const rounds = 1_000
/**
 * Batch size: all messages of a batch are signed before the first is sent, so the times do not
 * include signing.
 */
const roundsAtOnce = 200
/** Rounds in which V8 compiles the code, as in a server that has run for a minute. */
const warmRounds = 3_000
/**
 * The times of whole sign-ins contain HTTP and PostgreSQL with its disk. Their limit applies to the
 * processor time of the server's process with its threads. It is a multiple of the time for only
 * recovering the signer in the same run.
 */
const limits = { verifyMs: 3, ratio: 1 }
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
  // Each sign-in has another client address, because a single client may not sign in so often.
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', TRUST_PROXY: '1' }
  const forked = await forkProcess(file, env)
  children.push(forked.child)
  return forked
}

async function run(server: Forked, bare: Forked): Promise<void> {
  const verifying: number[] = []
  const own: Times = { cpu: [], clock: [] }
  const other: Times = { cpu: [], clock: [] }
  await untilCalm(server.child)
  for (let first = -warmRounds; first < rounds; first += roundsAtOnce) {
    const signIns = await Promise.all(
      Array.from({ length: roundsAtOnce }, (_, index) => prepareSignIn(server, first + index)),
    )
    for (const signIn of signIns) {
      const verifyMs = timeVerifying(signIn)
      const took = await timeSignIn(server, `${server.url}/v1/siwx/verify?projectId=bench`, signIn)
      const tookOther = await timeSignIn(bare, bare.url, signIn)
      if (first < 0) continue
      verifying.push(verifyMs)
      own.cpu.push(took.cpuMs)
      own.clock.push(took.clockMs)
      other.cpu.push(tookOther.cpuMs)
      other.clock.push(tookOther.clockMs)
    }
  }
  console.log(`       only recovering the signer: ${describe(other)}`)
  console.log(`       a sign-in: ${describe(own)}`)
  report(
    'verifying a sign-in, milliseconds by the clock, p99',
    quantile(verifying, 0.99),
    limits.verifyMs,
  )
  report(
    'a sign-in, times only recovering, processor time, p50',
    quantile(own.cpu, 0.5) / quantile(other.cpu, 0.5),
    limits.ratio,
  )
}

/**
 * The time of the server's work before its first database query, in ms, in this process. Throws
 * unless the sign-in is valid.
 */
function timeVerifying({ body }: SignIn): number {
  const startedAt = performance.now()
  const signed = JSON.parse(body) as { message: string; signature: string }
  const parsed = parseSiwxMessage(signed.message)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const { chainId, accountAddress: address, nonce } = parsed.message
  const domain = new URL(origin).host
  const fault = checkSiwxMessage(parsed.message, { domain, nonce, nowMs: Date.now() })
  if (fault || !isSignedByKey({ chainId, address, ...signed }))
    throw new Error(fault ?? 'signature')
  return performance.now() - startedAt
}

type SignIn = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

async function timeSignIn({ child }: Forked, url: string, signIn: SignIn) {
  const before = await askCpuMs(child)
  const startedAt = performance.now()
  await askServer(url, { method: 'POST', ...signIn })
  const clockMs = performance.now() - startedAt
  return { clockMs, cpuMs: (await askCpuMs(child)) - before }
}

/** A message with a nonce of the server, signed by a new account of another client. */
async function prepareSignIn({ url }: Forked, round: number): Promise<SignIn> {
  const client = round + warmRounds
  const headers = {
    origin,
    'content-type': 'application/json',
    'x-forwarded-for': `10.0.${client >> 8}.${client & 255}`,
  }
  const answer = await askServer(`${url}/v1/siwx/nonce?projectId=bench`, {
    method: 'POST',
    headers,
  })
  const account = privateKeyToAccount(generatePrivateKey())
  const message = createSiwxMessage({
    domain: new URL(origin).host,
    accountAddress: account.address,
    chainId: 'eip155:1',
    statement: 'Sign in to the shop',
    uri: `${origin}/login`,
    version: '1',
    nonce: (JSON.parse(answer) as { nonce: string }).nonce,
    issuedAt: new Date().toISOString(),
  })
  const signature = await account.signMessage({ message })
  return { headers, body: JSON.stringify({ message, signature }) }
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

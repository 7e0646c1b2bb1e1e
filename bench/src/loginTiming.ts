import { createAuthClient, signIn } from '@latchkey/server/test/authClient'
import { startAuthServer } from '@latchkey/server/test/startAuthServer'
import { printRows } from './measure/printRows.ts'
import { spread } from './measure/quantiles.ts'

// Measures the response time for the start of a login, alternating between addresses with an
// account and others. If the times differed, an attacker could find out who has an account.
const rounds = 120
/** Without a real difference, 1 of 10,000 runs exceeds this. */
const limit = 3.9

type Kind = 'known' | 'unknown'

const { server, inbox, time, stop } = await startAuthServer({ DATABASE_URL: '' })
try {
  const times = await measure()
  for (const [kind, ms] of Object.entries(times))
    console.log(`       an address that is ${kind}: ${spread(ms)} ms`)
  const apart = mannWhitneyZ(times.known, times.unknown)
  printRows([
    [
      'known and unknown addresses, deviations apart',
      apart < limit,
      `${apart.toFixed(2)} (${limit})`,
    ],
  ])
} finally {
  await stop()
}

/** Starts a login in each round with one address of each kind. The order alternates. */
async function measure(): Promise<Record<Kind, number[]>> {
  const known = Array.from({ length: 6 }, (_, index) => `timed${index}@example.com`)
  for (const email of known) await signIn(await createAuthClient(server), inbox, email)
  const client = await createAuthClient(server)
  const measured: Record<Kind, number[]> = { known: [], unknown: [] }
  const begin = async (kind: Kind, email: string) => {
    time.nowMs += 3_600_000
    await client.prime()
    const startedAtMs = performance.now()
    const { status } = await client.begin(email)
    measured[kind].push(performance.now() - startedAtMs)
    if (status !== 200) throw new Error(`The login was answered with ${status}`)
  }
  for (let round = 0; round < rounds; round += 1) {
    const email = known[round % known.length] ?? ''
    const isKnownFirst = round % 2 === 0
    if (isKnownFirst) await begin('known', email)
    await begin('unknown', `never${round}@example.com`)
    if (!isKnownFirst) await begin('known', email)
  }
  return measured
}

/**
 * The difference of two samples in standard deviations, by ranks (Mann-Whitney, normal
 * approximation).
 */
function mannWhitneyZ(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, a: 1 })), ...b.map((value) => ({ value, a: 0 }))]
  all.sort((one, other) => one.value - other.value)
  const rankSum = all.reduce((sum, one, index) => sum + one.a * (index + 1), 0)
  const u = rankSum - (a.length * (a.length + 1)) / 2
  const middle = (a.length * b.length) / 2
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return Math.abs(u - middle) / deviation
}

import { entryPoint08Address } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  caipId,
  type GrantedSession,
  sink,
  startSessions,
  type TestSessions,
} from '../../test/startSessions.ts'
import { startTestServer } from '../../test/startTestServer.ts'
import { userOperation } from '../bundler/operations/userOperation.ts'
import { hashOf, sessionDelegate } from './coSign.ts'
import { toSmartSession } from './session.ts'

let running: TestSessions
beforeAll(async () => {
  running = await startSessions()
})
afterAll(() => running?.stop())
beforeEach(async () => {
  await running.server.services.db.deleteFrom('sponsored_days').execute()
  await running.server.services.db.deleteFrom('sponsorships').execute()
})

/** The operator's spending for a session today, in wei. */
const readSpent = async ({ delegate }: GrantedSession) =>
  BigInt(
    (
      await running.server.services.db
        .selectFrom('sponsored_days')
        .select('wei')
        .where('account', '=', delegate)
        .executeTakeFirst()
    )?.wei ?? 0,
  )

const calls = [{ to: sink, value: '0x1' }] as const

async function prepareSigned(granted: GrantedSession, value = '0x1') {
  const prepared = await running.prepare(granted, [{ to: sink, value: value as '0x1' }])
  const { preparedCalls, signatureRequest } = prepared
  const signature = await granted.session.sign({ hash: signatureRequest.hash })
  const userOp: Record<string, unknown> = { ...preparedCalls.data, signature }
  return { userOp, ask: { preparedCalls, signature, context: granted.pci } }
}

/** Declares the delegate of an account without code. */
const eip7702Auth = {
  address: sessionDelegate,
  chainId: '0x7a69',
  nonce: '0x0',
  ...{ r: `0x${'1'.repeat(64)}`, s: `0x${'1'.repeat(64)}`, yParity: '0x0' },
}

const sign = (granted: GrantedSession, userOp: object) =>
  running.post(`${granted.path}/sign`, { pci: granted.pci, userOp })

const reason = ({ json }: { json: unknown }) =>
  (json as { reasons: [{ description: string }] }).reasons[0].description

test('error: who knows a session, and not its key, uses up nothing of what the operator pays', async () => {
  const { openOwner, grant, native, prepare, post } = running
  const granted = await grant(await openOwner(), [native(1_000n)])
  for (let count = 0; count < 3; count++) await prepare(granted, [...calls])
  const { userOp } = await prepareSigned(granted)
  // Neither at the paymaster itself, with the account of the session.
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'pm_getPaymasterData',
    params: [{ ...userOp, eip7702Auth }, entryPoint08Address, '0x7a69'],
  }
  const asked = await post(`/v1/bundler?chainId=${caipId}`, body)
  expect(asked.json).toHaveProperty('result.paymasterData')
  const stranger = privateKeyToAccount(generatePrivateKey())
  const wrong = await stranger.signMessage({ message: 'mine' })
  expect((await sign(granted, { ...userOp, signature: wrong })).status).toBe(401)
  expect(await readSpent(granted)).toBe(0n)
  const rows = await running.server.services.db
    .selectFrom('sponsorships')
    .select('account')
    .execute()
  expect(rows).toEqual([])
})

test('default: a signed operation is counted once, and comes back if it is not used', async () => {
  const { openOwner, grant, native, rpc, time } = running
  const granted = await grant(await openOwner(), [native(1_000n)])
  const { userOp, ask } = await prepareSigned(granted)
  expect((await sign(granted, userOp)).status).toBe(200)
  const spent = await readSpent(granted)
  expect(spent).toBeGreaterThan(0n)
  expect((await sign(granted, userOp)).status).toBe(200)
  await rpc('wallet_sendPreparedCalls', [ask])
  expect(await readSpent(granted)).toBe(spent)

  // The limit applies to signed operations, with a clear error. An operation that is prepared later
  // is refused at once.
  const { db } = running.server.services
  const second = await prepareSigned(granted)
  const limit = '9999999999999999999'
  await db
    .updateTable('sponsored_days')
    .set({ wei: limit })
    .where('account', '=', granted.delegate)
    .execute()
  const reached = 'the limit of this account is reached for today'
  // While a block takes the first operation, its account changes between two reads of the server.
  await vi.waitFor(() => expect(prepareSigned(granted)).rejects.toThrow(reached), 60_000)
  const refused = await sign(granted, second.userOp)
  expect([refused.status, reason(refused)]).toEqual([
    expect.any(Number),
    expect.stringContaining(reached),
  ])
  const uses = await db
    .selectFrom('permission_uses')
    .select('amount')
    .where('pci', '=', granted.pci)
    .execute()
  expect(uses).toEqual([{ amount: '1' }])

  await db.deleteFrom('sponsored_days').execute()
  time.nowMs += 601_000
  expect(reason(await sign(granted, second.userOp))).toContain('the sponsorship has expired')
  time.nowMs -= 601_000
})

test("error: an operator's promise for another operation is not valid", async () => {
  const { openOwner, grant, native, prepare } = running
  const granted = await grant(await openOwner(), [native(1_000n)])
  const [{ preparedCalls }, second] = [
    await prepare(granted, [...calls]),
    await prepare(granted, [...calls]),
  ]
  const data = { ...second.preparedCalls.data, paymasterData: preparedCalls.data.paymasterData }
  const row = await running.server.services.db
    .selectFrom('permission_sessions')
    .selectAll()
    .where('pci', '=', granted.pci)
    .executeTakeFirstOrThrow()
  const hash = hashOf(toSmartSession(row), userOperation.parse(data))
  const signature = await granted.session.sign({ hash })
  expect(reason(await sign(granted, { ...data, signature }))).toContain('for another operation')
  expect(await readSpent(granted)).toBe(0n)
})

test('error: many small uses take few rows, and still count', async () => {
  const { openOwner, grant, native } = running
  const { db } = running.server.services
  const granted = await grant(await openOwner(), [native(1_000n)])
  expect((await sign(granted, (await prepareSigned(granted)).userOp)).status).toBe(200)
  const { period } = await db
    .selectFrom('permission_uses')
    .select('period')
    .where('pci', '=', granted.pci)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 199 }, (_, at) => ({
    pci: granted.pci,
    index: 0,
    period: String(period),
    operation: `0x${at.toString(16).padStart(64, '0')}`,
    amount: '1',
  }))
  const [row] = rows
  if (!row) throw new Error('no row')
  // A period that begins by the clock of another server.
  const operation = `earlier:${Number(period) + 1}`
  const later = { ...row, operation, period: String(Number(period) + 1), amount: '7' }
  await db
    .insertInto('permission_uses')
    .values([...rows, later])
    .execute()
  expect((await sign(granted, (await prepareSigned(granted)).userOp)).status).toBe(200)
  const left = await db
    .selectFrom('permission_uses')
    .select(['operation', 'amount'])
    .where('pci', '=', granted.pci)
    .orderBy('amount', 'desc')
    .execute()
  expect(left).toEqual([
    { operation: `earlier:${period}`, amount: '200' },
    { operation: later.operation, amount: '7' },
    { operation: expect.stringMatching(/^0x/), amount: '1' },
  ])
  // The chain would allow this, because nothing was used there.
  const spent = await readSpent(granted)
  const beyond = await sign(granted, (await prepareSigned(granted, '0x320')).userOp)
  expect(reason(beyond)).toContain('is used up')
  expect(await readSpent(granted)).toBe(spent)
  const rest = await sign(granted, (await prepareSigned(granted, '0x31f')).userOp)
  expect(rest.status).toBe(200)
})

test('error: to ask for a session costs as much of the client’s limit as ten requests', async () => {
  const fixedMs = Date.now()
  const limits = { RATE_LIMIT_BURST: '15', RATE_LIMIT_PER_SECOND: '1' }
  const small = await startTestServer({ ...running.env, ...limits }, { clock: () => fixedMs })
  try {
    const { publicKey } = privateKeyToAccount(generatePrivateKey())
    const request = {
      expiry: Math.floor(fixedMs / 1_000) + 600,
      signer: { type: 'keys', data: { keys: [{ type: 'secp256k1', publicKey }] } },
      permissions: [running.native(1n)],
      policies: [],
    }
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      const path = `${small.url}/v1/sessions/${caipId}:${sink}?projectId=local`
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(request)
      statuses.push((await fetch(path, { method: 'POST', headers, body })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  } finally {
    await small.stop()
  }
})

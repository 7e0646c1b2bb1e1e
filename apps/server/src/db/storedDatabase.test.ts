import { rm } from 'node:fs/promises'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { makeStoredEnv, siwxToken, storedAtMs } from '../../test/stored/makeStoredEnv.ts'
import { findOrder } from '../onramp/orderStore.ts'
import { readRoots } from '../smartSessions/sessionRoots.ts'
import { findSmartSession, openKey } from '../smartSessions/sessionStore.ts'
import { verifyAudit } from '../vault/audit.ts'
import type { KmsProvider } from '../vault/kms/kmsProvider.ts'
import { openKeyring } from '../vault/kms/openKeyring.ts'

/*
 * test/stored holds the database and the keyring that an earlier version's server left. Its rows
 * must be readable forever, and what they seal must open. Never rewrite them to make a test pass.
 */

const address = '0x95b2854ab0fa00aea705c4a983019f5d84793c8e'
const dir = await makeTestDir()
const clock = () => storedAtMs + 60_000
let server: TestServer
let kms: KmsProvider
beforeAll(async () => {
  const env = await makeStoredEnv(dir)
  server = await startTestServer(env, { clock })
  const { db } = server.services
  kms = await openKeyring({ db, dir: env.KEYRING_DIR ?? '', create: false })
})
afterAll(async () => {
  await server?.stop()
  await rm(dir, { recursive: true, force: true })
})

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}?projectId=local`, { headers })
  return { status: response.status, json: (await response.json()) as unknown }
}

test('behavior: a registered name resolves, and the account has it', async () => {
  const record = { name: 'ada-stored.latchkey.id' }
  expect(await get('/v1/profile/account/ada-stored.latchkey.id')).toMatchObject({
    status: 200,
    json: { ...record, addresses: { 60: { address: getAddress(address) } } },
  })
  expect(await get(`/v1/profile/reverse/${address}`)).toMatchObject({ json: [record] })
})

test('behavior: a sign-in with a wallet continues', async () => {
  const headers = { authorization: `Bearer ${siwxToken}`, origin: 'http://127.0.0.1:26313' }
  const { status, json } = await get('/v1/siwx/session', headers)
  expect({ status, json }).toMatchObject({
    status: 200,
    json: { session: { chainId: 'eip155:31337' } },
  })
})

test('behavior: the key of a smart session opens, and the secret that the next keys come from', async () => {
  const { db, log } = server.services
  const row = await db
    .selectFrom('permission_sessions')
    .select(['pci', 'delegate'])
    .executeTakeFirstOrThrow()
  const account = { chainId: 'eip155:31337', address } as const
  const session = await findSmartSession({ db }, { account, pci: row.pci })
  expect(session.parts).toHaveLength(2)
  expect((await openKey({ kms }, session)).address.toLowerCase()).toBe(row.delegate)
  const roots: Uint8Array[] = []
  for await (const root of readRoots({ db, kms, log })) roots.push(root)
  expect(roots).toHaveLength(1)
})

test('behavior: an unfinished purchase is found', async () => {
  const { db } = server.services
  const { id } = await db.selectFrom('onramp_orders').select('id').executeTakeFirstOrThrow()
  expect(await findOrder({ db, clock }, id)).toMatchObject({
    account: address,
    status: 'created',
    paymentAmount: '150',
    asset: { chainId: 'eip155:31337', asset: 'native' },
  })
})

test('behavior: the audit log is intact', async () => {
  expect(await verifyAudit(server.services.db, kms)).toMatchObject({ intact: true })
})

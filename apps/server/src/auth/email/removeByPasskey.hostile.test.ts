import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addPasskeyFactor,
  getPage,
  registerPasskey,
  startPasskey,
} from '../../../test/auth/addPasskey.ts'
import { type AuthClient, createAuthClient } from '../../../test/auth/authClient.ts'
import { signInAt } from '../../../test/auth/socialBrowser.ts'
import { startAddresses } from '../../../test/auth/startAddresses.ts'

let started: Awaited<ReturnType<typeof startAddresses>>
beforeAll(async () => {
  started = await startAddresses()
})
afterAll(() => started?.stop())

const day = 24 * 3_600_000
const action = 'unlink email'
const remove = async (client: AuthClient) => (await client.ask('/api/email/remove')).code

/** Adds a passkey with a code from the mailbox, which any browser that holds the wallet can do. */
async function addPasskey(client: AuthClient, email: string) {
  const { db } = started.server.services
  await started.confirmByCode(client, 'add passkey', email)
  const { passkey } = await registerPasskey(started, client)
  const { id } = await db
    .selectFrom('wallets')
    .select('id')
    .where('user_id', '=', client.state.tokens?.userId ?? '')
    .executeTakeFirstOrThrow()
  const factorId = await addPasskeyFactor(started, { walletId: id, credentialId: passkey.id })
  return { passkey, factorId }
}
type Passkey = Awaited<ReturnType<typeof addPasskey>>['passkey']

/**
 * Confirms an action with a passkey: the passkeys that are offered, and the server's answer to a
 * passkey that is not.
 */
async function confirmWith(passkey: Passkey, client: AuthClient, of: string) {
  const { body } = await startPasskey(started, client, { purpose: 'step-up', action: of })
  const { challenge, credentialIds, isCodeEnough } = body
  const answer = passkey.answer({ challenge, ...getPage(started) })
  const reply = await client.ask('/api/passkeys/verify', { challenge, answer })
  if (reply.status === 200) client.state.tokens = reply.body
  return { credentialIds, isCodeEnough, code: reply.code }
}
const refused = { credentialIds: [], isCodeEnough: true, code: 'PASSKEY_REFUSED' }

test("security: a passkey that a code has just added cannot remove the owner's address or sign-in", async () => {
  // The owner's address, which a thief at an unlocked device changes for his own.
  const { client, first, second, secret } = await started.withChange('ann')
  const { passkey } = await addPasskey(client, second)
  for (const of of [action, 'unlink github'])
    expect(await confirmWith(passkey, client, of)).toEqual(refused)
  expect(await remove(client)).toBe('STEP_UP_NEEDED')
  const { identities } = (await client.ask('/api/identities')).body
  const unlinked = await client.ask('/api/identities/unlink', { id: identities[0].id })
  expect(unlinked.code).toBe('STEP_UP_NEEDED')
  // It confirms everything else.
  expect(await confirmWith(passkey, client, 'new key')).toEqual({
    credentialIds: [passkey.id],
    isCodeEnough: false,
    code: undefined,
  })
  const reader = await createAuthClient(started.server)
  expect((await reader.call('/api/email/undo', { secret })).body).toEqual({ email: first })
})

test('security: nor does a passkey that was added before the change, so that it is older than the link', async () => {
  const email = 'bea@example.com'
  const client = await started.withAddress('bea', email)
  const { passkey } = await addPasskey(client, email)
  started.time.nowMs += 60_000
  expect(await confirmWith(passkey, client, action)).toEqual(refused)
})

test('behavior: with such a passkey, the older sign-in is still enough, so a thief cannot lock it out', async () => {
  const { client, second } = await started.withChange('cal')
  await addPasskey(client, second)
  await started.confirm(client, { action, account: 'cal' })
  expect(await remove(client)).toBe(undefined)
  expect(await started.emailOf(client)).toBe(null)
})

test('param: age: three days after registration and enrollment, only the passkey is enough', async () => {
  const email = 'dot@example.com'
  const client = await started.withAddress('dot', email)
  const { passkey, factorId } = await addPasskey(client, email)
  started.time.nowMs += 3 * day
  client.state.tokens = undefined
  await signInAt(client, started.server, { provider: 'github', account: 'dot' })
  const { db } = started.server.services
  const factorAt = (ms: number) =>
    db
      .updateTable('recovery_factors')
      .set({ created_at: new Date(ms) })
      .where('id', '=', factorId)
      .execute()
  await factorAt(started.time.nowMs - 3 * day + 1_000)
  expect(await confirmWith(passkey, client, action)).toEqual(refused)
  await factorAt(started.time.nowMs - 3 * day)
  await started.confirm(client, { action, account: 'dot' })
  expect(await remove(client)).toBe('STEP_UP_NEEDED')
  expect(await confirmWith(passkey, client, action)).toEqual({
    credentialIds: [passkey.id],
    isCodeEnough: false,
    code: undefined,
  })
  expect(await remove(client)).toBe(undefined)
})

test('security: what a server of an older version has confirmed, by a code or a passkey, removes neither', async () => {
  const client = await started.withAddress('eli', 'eli@example.com')
  const { db } = started.server.services
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', client.state.tokens?.userId ?? '')
    .executeTakeFirstOrThrow()
  const expires_at = new Date(started.time.nowMs + 60_000)
  const { identities } = (await client.ask('/api/identities')).body
  for (const by_passkey of [false, true]) {
    await db.deleteFrom('step_ups').where('session_id', '=', id).execute()
    await db
      .insertInto('step_ups')
      .values(
        [action, 'unlink github'].map((each) => ({
          session_id: id,
          action: each,
          by_passkey,
          older_until: null,
          expires_at,
        })),
      )
      .execute()
    expect(await remove(client)).toBe('STEP_UP_NEEDED')
    const unlinked = await client.ask('/api/identities/unlink', { id: identities[0].id })
    expect(unlinked.code).toBe('STEP_UP_NEEDED')
  }
})

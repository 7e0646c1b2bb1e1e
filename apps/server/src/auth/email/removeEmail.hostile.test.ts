import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthClient, codeIn, createAuthClient, signIn } from '../../../test/auth/authClient.ts'
import { startAddresses } from '../../../test/auth/startAddresses.ts'
import { outdatedPage } from '../mount.ts'

let started: Awaited<ReturnType<typeof startAddresses>>
beforeAll(async () => {
  started = await startAddresses()
})
afterAll(() => started?.stop())

const action = 'unlink email'
const remove = (by: AuthClient) => by.ask('/api/email/remove')

test('security: the owner removes a mailbox that a thief added; the mailbox and later sign-ins cannot', async () => {
  const { inbox, time, server } = started
  const client = await started.withAddress('kim', 'kim@example.com')
  const thief = await createAuthClient(server)
  await signIn(thief, inbox, 'kim@example.com')
  expect((await remove(thief)).code).toBe('WALLET_NOT_ENROLLED')
  expect((await remove(client)).code).toBe('STEP_UP_NEEDED')
  const byCode = { projectId: 'local', origin: server.url, purpose: 'step-up', action }
  const asked = await client.ask('/api/login', byCode)
  expect([asked.code, asked.body.data.reason]).toEqual(['INVALID_PARAMS', outdatedPage])
  // A sign-in that came after the address.
  await started.confirm(client, { action: 'link discord', account: 'kim' })
  const later = { provider: 'discord', account: 'kimlater' }
  await started.visit(client, { ...later, purpose: 'link' })
  expect(await started.confirm(client, { ...later, action })).toEqual({ refused: 'other account' })
  expect((await remove(client)).code).toBe('STEP_UP_NEEDED')
  const { identities } = (await client.ask('/api/identities')).body
  const ages = identities.map(({ provider, precedesEmail }: Record<string, unknown>) => [
    provider,
    precedesEmail,
  ])
  expect(ages).toEqual([
    ['github', true],
    ['discord', false],
  ])
  // An account's original address can be changed but not removed, even after a confirmation with a
  // passkey.
  const { db } = started.server.services
  const addedAt = (date: Date | null) =>
    db
      .updateTable('users')
      .set({ email_added_at: date })
      .where('id', '=', client.state.tokens?.userId ?? '')
      .execute()
  await started.confirm(client, { action, account: 'kim' })
  await addedAt(null)
  expect((await remove(client)).code).toBe('INVALID_PARAMS')
  await addedAt(new Date(time.nowMs - 60_000))
  await started.confirm(client, { action, account: 'kim' })
  expect((await remove(client)).status).toBe(200)
  expect(await started.emailOf(client)).toBe(null)
  expect((await thief.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect(started.mailsTo('kim@example.com')[0]?.subject).toBe(
    'Your email address was removed from your account',
  )
})

/** A user who has confirmed the removal of an address that was added and then changed. */
async function withConfirmedChange(account: string) {
  const changed = await started.withChange(account)
  await started.confirm(changed.client, { action, account })
  return changed
}

test('security: an undo link does not restore an added mailbox, neither at once nor later', async () => {
  const { client, first, second, secret } = await withConfirmedChange('lea')
  const reader = await createAuthClient(started.server)
  expect((await reader.call('/api/email/undo-link', { secret })).body.email).toBe(first)
  expect((await remove(client)).status).toBe(200)
  const open = async (path: string) => (await reader.call(path, { secret })).code
  expect(await open('/api/email/undo-link')).toBe('LINK_INVALID')
  expect(await open('/api/email/undo')).toBe('LINK_INVALID')
  expect(started.mailsTo(first)[0]?.subject).toContain('has ended')
  expect(started.mailsTo(second)[0]?.subject).toContain('was removed')
  expect(await started.emailOf(client)).toBe(null)
  const changeTx = await started.reachCode(client, 'lea', 'lea-own@example.com')
  await started.enter(client, changeTx, codeIn(started.inbox, 'lea-own@example.com'))
  expect(await open('/api/email/undo')).toBe('LINK_INVALID')
  expect(await started.emailOf(client)).toBe('lea-own@example.com')
})

test.each([
  ['users', 'rob'],
  ['email_undos', 'roy'],
] as const)(
  'error: an address in %s that does not open: the removal stands, and the other one is told',
  async (table, account) => {
    const { client, first, second } = await withConfirmedChange(account)
    const { userId = '' } = client.state.tokens ?? {}
    const sealed = Buffer.from('no address')
    const { db } = started.server.services
    if (table === 'users')
      await db.updateTable(table).set({ email_sealed: sealed }).where('id', '=', userId).execute()
    else
      await db
        .updateTable(table)
        .set({ old_sealed: sealed })
        .where('user_id', '=', userId)
        .execute()
    const count = () => [first, second].map((to) => started.mailsTo(to).length)
    const [before = 0, after = 0] = count()
    expect((await remove(client)).status).toBe(200)
    expect(await started.emailOf(client)).toBe(null)
    expect(count()).toEqual(table === 'users' ? [before + 1, after] : [before, after + 1])
  },
)

test('security: a concurrent removal and undo leave the address removed', async () => {
  const { client, secret } = await withConfirmedChange('max')
  const reader = await createAuthClient(started.server)
  await reader.prime()
  const [removed, undone] = await Promise.all([
    remove(client),
    reader.call('/api/email/undo', { secret }),
  ])
  expect(removed.status).toBe(200)
  expect([undefined, 'LINK_INVALID']).toContain(undone.code)
  expect(await started.emailOf(client)).toBe(null)
})

test('security: a link that an older server has left after a removal brings nothing back', async () => {
  const { client, secret } = await started.withChange('ned')
  const { db } = started.server.services
  await db
    .updateTable('users')
    .set({ email_index: null, email_sealed: null })
    .where('id', '=', client.state.tokens?.userId ?? '')
    .execute()
  const reader = await createAuthClient(started.server)
  const undo = async () => (await reader.call('/api/email/undo', { secret })).code
  expect(await undo()).toBe('LINK_INVALID')
  expect(await started.emailOf(client)).toBe(null)
  const changeTx = await started.reachCode(client, 'ned', 'ned-own@example.com')
  await started.enter(client, changeTx, codeIn(started.inbox, 'ned-own@example.com'))
  expect(await undo()).toBe('LINK_INVALID')
  expect(await started.emailOf(client)).toBe('ned-own@example.com')
})

test('security: what was linked with a removed mailbox is not from before the next address', async () => {
  const client = await started.withAddress('pia', 'pia@example.com')
  await started.confirmByCode(client, 'link discord', 'pia@example.com')
  const later = { provider: 'discord', account: 'pialater' }
  await started.visit(client, { ...later, purpose: 'link' })
  await started.confirm(client, { action, account: 'pia' })
  expect((await remove(client)).status).toBe(200)
  started.time.nowMs += 60_000
  const changeTx = await started.reachCode(client, 'pia', 'pia-own@example.com')
  await started.enter(client, changeTx, codeIn(started.inbox, 'pia-own@example.com'))
  const { identities } = (await client.ask('/api/identities')).body
  expect(
    identities.map((each: Record<string, unknown>) => [each.provider, each.precedesEmail]),
  ).toEqual([
    ['github', true],
    ['discord', false],
  ])
  for (const removal of [action, 'unlink github'])
    expect(await started.confirm(client, { ...later, action: removal })).toEqual({
      refused: 'other account',
    })
  // If no sign-in from before the first address remains, the existing sign-ins count as older than
  // the next address.
  await started.confirm(client, { action, account: 'pia' })
  expect((await remove(client)).status).toBe(200)
  await started.confirm(client, { action: 'unlink github', account: 'pia' })
  await client.ask('/api/identities/unlink', { id: identities[0].id })
  const next = await started.begin(client, 'pia-next@example.com')
  await started.confirm(client, { ...later, action: `change ${next}` })
  await started.add(client, next)
  await started.enter(client, next, codeIn(started.inbox, 'pia-next@example.com'))
  expect(await started.emailOf(client)).toBe('pia-next@example.com')
  const left = (await client.ask('/api/identities')).body.identities
  expect(left).toMatchObject([{ provider: 'discord', precedesEmail: true }])
})

test('security: neither the added mailbox nor a later sign-in removes the sign-in from before it', async () => {
  const { time, server } = started
  const client = await started.withAddress('oda', 'oda@example.com')
  const start = (action: string) => {
    time.nowMs += 61_000
    return client.ask('/api/login', {
      projectId: 'local',
      origin: server.url,
      purpose: 'step-up',
      action,
    })
  }
  const confirmByCode = (action: string) => started.confirmByCode(client, action, 'oda@example.com')
  const unlink = async (provider: string) => {
    const { identities } = (await client.ask('/api/identities')).body
    const { id } = identities.find((each: { provider: string }) => each.provider === provider)
    return (await client.ask('/api/identities/unlink', { id })).code
  }
  const mails = started.mailsTo('oda@example.com').length
  expect((await start('unlink github')).code).toBe('INVALID_PARAMS')
  expect(started.mailsTo('oda@example.com')).toHaveLength(mails)
  expect(await unlink('github')).toBe('STEP_UP_NEEDED')
  // The mailbox adds a sign-in, which is not older than the mailbox either.
  await confirmByCode('link discord')
  const later = { provider: 'discord', account: 'odalater' }
  await started.visit(client, { ...later, purpose: 'link' })
  const refused = await started.confirm(client, { ...later, action: 'unlink github' })
  expect(refused).toEqual({ refused: 'other account' })
  expect(await unlink('github')).toBe('STEP_UP_NEEDED')
  // A sign-in from after the address can be removed with a code. A sign-in from before it can be
  // removed with itself.
  await confirmByCode('unlink discord')
  expect(await unlink('discord')).toBe(undefined)
  await started.confirm(client, { action: 'unlink github', account: 'oda' })
  expect(await unlink('github')).toBe(undefined)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuthClient,
  codeIn,
  createAuthClient,
  reachCode,
  secretIn,
  signIn,
  wrongFor,
} from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
})
afterAll(() => started?.stop())

const newClient = () => createAuthClient(started.server)
const signedIn = async (email: string) => {
  const client = await newClient()
  await signIn(client, started.inbox, email)
  started.time.nowMs += 30_000
  return client
}
const change = async (client: AuthClient, from: string, to: string) => {
  const { changeTx } = (await client.ask('/api/email/change', { to })).body
  const code = codeIn(started.inbox, from)
  const primary = await client.ask('/api/email/primary', { changeTx, code })
  return { changeTx, primary }
}
const wholeChange = async (client: AuthClient, from: string, to: string) => {
  const { changeTx } = await change(client, from, to)
  const code = codeIn(started.inbox, to)
  return client.ask('/api/email/secondary', { changeTx, code })
}
const open = (path: string, body: object) =>
  newClient().then((client) => client.post(path, JSON.stringify(body), {}))

test('default: two codes change the address; other browsers are signed out, both addresses hear of it', async () => {
  const { inbox } = started
  const client = await signedIn('old@example.com')
  const other = await signedIn('old@example.com')
  const before = other.state.tokens
  const changed = await wholeChange(client, 'old@example.com', 'new@example.com')
  expect(changed.body).toEqual({ newEmail: 'new@example.com' })
  expect((await client.ask('/api/me')).body).toMatchObject({
    email: 'new@example.com',
    undoSeconds: 72 * 3600,
  })
  expect((await other.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect(inbox.mails[0]?.to.concat(inbox.mails[1]?.to ?? []).sort()).toEqual([
    'new@example.com',
    'old@example.com',
  ])
  started.time.nowMs += 30_000
  const again = await newClient()
  const login = await again.begin('new@example.com', { knownDevice: before?.knownDevice })
  expect(login.body.action).toBe('VERIFY_DEVICE')
})

test('changed email: no step is skipped, swapped or done twice', async () => {
  const { inbox } = started
  const client = await signedIn('row13@example.com')
  const begun = await client.ask('/api/email/change', { to: 'next13@example.com' })
  const { changeTx } = begun.body
  const primaryCode = codeIn(inbox, 'row13@example.com')
  const skip = await client.ask('/api/email/secondary', { changeTx, code: primaryCode })
  expect(skip.code).toBe('EMAIL_CHANGE_ENDED')
  expect(inbox.mails.some(({ to }) => to.includes('next13@example.com'))).toBe(false)

  const swap = { changeTx, code: primaryCode, email: 'thief@example.com' }
  expect((await client.ask('/api/email/primary', swap)).status).toBe(200)
  expect(inbox.mails[0]?.to).toEqual(['next13@example.com'])
  expect((await client.ask('/api/email/primary', swap)).code).toBe('EMAIL_CHANGE_ENDED')

  const code = codeIn(inbox, 'next13@example.com')
  if (primaryCode !== code)
    expect((await client.ask('/api/email/secondary', { changeTx, code: primaryCode })).code).toBe(
      'CODE_WRONG',
    )
  const stranger = await signedIn('stranger13@example.com')
  expect((await stranger.ask('/api/email/secondary', { changeTx, code })).code).toBe(
    'EMAIL_CHANGE_ENDED',
  )
  expect((await client.ask('/api/email/secondary', { changeTx, code })).body).toEqual({
    newEmail: 'next13@example.com',
  })
  const replay = await client.ask('/api/email/secondary', { changeTx, code })
  expect(replay.code).toBe('EMAIL_CHANGE_ENDED')
})

test('changed email: of two changes at once one wins', async () => {
  const { inbox, time } = started
  const client = await signedIn('two13@example.com')
  const first = await change(client, 'two13@example.com', 'first13@example.com')
  time.nowMs += 30_000
  const second = await change(client, 'two13@example.com', 'second13@example.com')
  const [a, b] = await Promise.all([
    client.ask('/api/email/secondary', {
      changeTx: first.changeTx,
      code: codeIn(inbox, 'first13@example.com'),
    }),
    client.ask('/api/email/secondary', {
      changeTx: second.changeTx,
      code: codeIn(inbox, 'second13@example.com'),
    }),
  ])
  expect([a?.status, b?.status].sort()).toEqual([200, 410])
  const winner = a?.status === 200 ? a : b
  expect((await client.ask('/api/me')).body.email).toBe(winner?.body.newEmail)
})

test('changed email: an address with an account gives the same response, and its owner gets a mail', async () => {
  const { inbox } = started
  await signedIn('taken13@example.com')
  const client = await signedIn('asks13@example.com')
  const free = await signedIn('asksfree13@example.com')
  const taken = await change(client, 'asks13@example.com', 'taken13@example.com')
  const letter = inbox.mails[0]
  const open = await change(free, 'asksfree13@example.com', 'free13@example.com')
  expect(taken.primary.status).toBe(open.primary.status)
  expect(taken.primary.text).toBe(open.primary.text)
  expect(letter?.to).toEqual(['taken13@example.com'])
  expect(letter?.subject).toBe('Someone tried to use your email address')
  expect(letter?.text).not.toMatch(/^ {4}\d{6}$/m)
  const guess = (code: string, one: AuthClient, changeTx: string) =>
    one.ask('/api/email/secondary', { changeTx, code })
  const wrong = wrongFor(codeIn(inbox, 'free13@example.com'))
  const refusedTaken = await guess('123456', client, taken.changeTx)
  expect(refusedTaken.text).toBe((await guess(wrong, free, open.changeTx)).text)
  expect(refusedTaken.code).toBe('CODE_WRONG')
})

test('undo: the old address takes the change back within 72 hours, and recovery waits meanwhile', async () => {
  const { inbox, server, time } = started
  const thief = await signedIn('row14@example.com')
  await wholeChange(thief, 'row14@example.com', 'thief14@example.com')
  const secret = secretIn(inbox, 'row14@example.com', 'undo')
  const start = { projectId: 'local', origin: server.url, purpose: 'recovery' }
  const frozen = await thief.ask('/api/login', start)
  expect(frozen.code).toBe('RECOVERY_FROZEN')
  expect(frozen.body.data).toEqual({ seconds: 72 * 3600 })

  // Its owner signs in as before, and gets no empty account instead.
  time.nowMs += 30_000
  const owner = await newClient()
  const tx = await reachCode(owner, inbox, 'row14@example.com')
  const code = codeIn(inbox, 'row14@example.com')
  const refused = await owner.call('/api/login/verify', { tx, code })
  expect(refused.code).toBe('EMAIL_REPLACED')

  time.nowMs += 72 * 3_600_000 - 60_000
  for (const method of ['GET', 'HEAD'])
    await fetch(`${server.frameUrl}/api/email/undo?secret=${secret}`, { method })
  expect((await open('/api/email/undo-link', { secret })).body).toMatchObject({
    email: 'row14@example.com',
    expiresInSeconds: 30,
  })
  const undone = await open('/api/email/undo', { secret })
  expect(undone.body).toEqual({ email: 'row14@example.com' })
  expect((await thief.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect((await open('/api/email/undo', { secret })).code).toBe('LINK_INVALID')
  const back = await newClient()
  const tokens = await signIn(back, inbox, 'row14@example.com')
  expect(tokens.userId).toBe(thief.state.tokens?.userId)
  expect((await back.ask('/api/me')).body.undoSeconds).toBe(0)
})

test('error: if an address cannot be decrypted, nothing changes, and the readable address hears of an undo', async () => {
  const { inbox, server } = started
  const { db } = server.services
  const client = await signedIn('sealed@example.com')
  const { changeTx } = await change(client, 'sealed@example.com', 'next@example.com')
  const code = codeIn(inbox, 'next@example.com')
  const { userId = '' } = client.state.tokens ?? {}
  const email_sealed = Buffer.from('no address')
  const ofUser = db.updateTable('users').where('id', '=', userId)
  const { email_sealed: good } = await db
    .selectFrom('users')
    .select('email_sealed')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await ofUser.set({ email_sealed }).execute()
  const enter = () => client.ask('/api/email/secondary', { changeTx, code })
  expect((await enter()).status).toBe(500)
  await ofUser.set({ email_sealed: good }).execute()
  expect((await enter()).body).toEqual({ newEmail: 'next@example.com' })

  const secret = secretIn(inbox, 'sealed@example.com', 'undo')
  const undo = () => open('/api/email/undo', { secret })
  const ofLink = db.updateTable('email_undos').where('user_id', '=', userId)
  await ofLink.set({ old_sealed: email_sealed }).execute()
  expect((await undo()).status).toBe(500)
  await ofLink.set({ old_sealed: good ?? email_sealed }).execute()
  await ofUser.set({ email_sealed }).execute()
  const mails = inbox.mails.length
  expect((await undo()).body).toEqual({ email: 'sealed@example.com' })
  expect(inbox.mails.slice(0, inbox.mails.length - mails).map(({ to }) => to)).toEqual([
    ['sealed@example.com'],
  ])
})

test('undo: after 72 hours the change is final', async () => {
  const { inbox, time } = started
  const client = await signedIn('late14@example.com')
  await wholeChange(client, 'late14@example.com', 'stays14@example.com')
  const secret = secretIn(inbox, 'late14@example.com', 'undo')
  time.nowMs += 72 * 3_600_000
  expect((await open('/api/email/undo', { secret })).code).toBe('LINK_INVALID')
})

test('undo: a thief who changes it twice cannot keep it by an undo', async () => {
  const { inbox, time } = started
  const thief = await signedIn('chain14@example.com')
  await wholeChange(thief, 'chain14@example.com', 'thiefa14@example.com')
  const owners = secretIn(inbox, 'chain14@example.com', 'undo')
  time.nowMs += 30_000
  await wholeChange(thief, 'thiefa14@example.com', 'thiefb14@example.com')
  const thiefs = secretIn(inbox, 'thiefa14@example.com', 'undo')
  expect((await open('/api/email/undo', { secret: owners })).status).toBe(200)
  expect((await open('/api/email/undo', { secret: thiefs })).code).toBe('LINK_INVALID')
})

import { startInbox } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuthClient,
  codeIn,
  createAuthClient,
  secretIn,
  signIn,
  wrongFor,
} from '../../../test/auth/authClient.ts'
import { holdWallet } from '../../../test/auth/holdWallet.ts'
import {
  choose,
  finish,
  leave,
  signInAt,
  startSocialServer,
} from '../../../test/auth/socialBrowser.ts'
import { startProxy } from '../../../test/startProxy.ts'

let started: Awaited<ReturnType<typeof startSocialServer>>
let mailbox: Awaited<ReturnType<typeof startInbox>>
/** Between the server and the inbox. */
let mailWay: Awaited<ReturnType<typeof startProxy>>
beforeAll(async () => {
  mailbox = await startInbox({ smtpPort: 0, port: 0 })
  mailWay = await startProxy(new URL(mailbox.smtpUrl))
  started = { ...(await startSocialServer({ SMTP_URL: mailWay.url })), inbox: mailbox }
})
afterAll(async () => {
  await started?.stop()
  await mailWay?.stop()
  await mailbox?.stop()
})

/** Somebody who has signed in at a provider alone. */
async function signedInAlone(account: string): Promise<AuthClient> {
  const client = await createAuthClient(started.server)
  const { status, text } = await signInAt(client, started.server, { provider: 'github', account })
  if (status !== 200) throw new Error(text)
  return client
}
/** The same in a browser that holds the wallet. */
async function signedIn(account: string): Promise<AuthClient> {
  const client = await signedInAlone(account)
  await holdWallet(started, client)
  return client
}
/** Confirms one action by signing in at the provider again. */
async function confirm(
  client: AuthClient,
  { action, account }: Record<'action' | 'account', string>,
) {
  const stepUp = { provider: 'github', purpose: 'step-up', action }
  const { tx, window, target } = await leave(client, started.server, stepUp)
  await choose(window, target, { account })
  const { body } = await finish(client, tx)
  if (body.tokens) client.state.tokens = body.tokens
  return body
}
const begin = async (client: AuthClient, to: string): Promise<string> => {
  const reply = await client.ask('/api/email/change', { to })
  expect([reply.status, reply.body.action]).toEqual([200, 'STEP_UP'])
  return reply.body.changeTx
}
const add = (client: AuthClient, changeTx: string) => client.ask('/api/email/add', { changeTx })
const enter = (client: AuthClient, changeTx: string, code: string) =>
  client.ask('/api/email/secondary', { changeTx, code })
/** Up to the code, which the mailbox has then. */
async function reachCode(client: AuthClient, account: string, to: string): Promise<string> {
  const changeTx = await begin(client, to)
  await confirm(client, { action: `change ${changeTx}`, account })
  const reply = await add(client, changeTx)
  expect(reply.body).toMatchObject({ action: 'VERIFY_SECONDARY_OTP' })
  return changeTx
}
const mailsTo = (to: string) => started.inbox.mails.filter((mail) => mail.to.includes(to))
const emailOf = async (client: AuthClient) => (await client.ask('/api/me')).body.email

test('default: confirmed at the provider and proved by a code, the address signs in to the same account', async () => {
  const { inbox, time } = started
  const [client, other] = [await signedIn('ada'), await signedIn('ada')]
  const changeTx = await reachCode(client, 'ada', 'ada@example.com')
  expect(mailsTo('ada@example.com')[0]?.text).toContain('Add this e-mail address to your account')
  const added = await enter(client, changeTx, codeIn(inbox, 'ada@example.com'))
  expect(added.body).toEqual({ newEmail: 'ada@example.com' })
  expect((await client.ask('/api/me')).body).toMatchObject({
    email: 'ada@example.com',
    hadNoEmail: true,
    // A mailbox that was just added recovers nothing for a while, as after a change.
    undoSeconds: 72 * 3600,
  })
  // It is one more way to sign in: nobody is signed out, and no address can take it back.
  expect(await emailOf(other)).toBe('ada@example.com')
  expect(mailsTo('ada@example.com').some(({ text }) => text.includes('/undo#'))).toBe(false)
  const { entries } = (await client.ask('/api/audit')).body
  expect(entries[0]).toMatchObject({ action: 'e-mail added' })
  time.nowMs += 60_000
  const byMail = await signIn(await createAuthClient(started.server), inbox, 'ada@example.com')
  expect(byMail.userId).toBe(client.state.tokens?.userId)
  // Now the mailbox confirms, and the sign-in at the provider is no longer the last.
  time.nowMs += 60_000
  const { body } = await client.ask('/api/email/change', { to: 'ada2@example.com' })
  expect(body.action).toBe('VERIFY_PRIMARY_OTP')
  expect((await add(client, body.changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
})

test('security: without a wallet nobody adds an address, so a thief of the sign-in leaves no mailbox behind', async () => {
  const client = await signedInAlone('zoe')
  const change = () => client.ask('/api/email/change', { to: 'zoe@example.com' })
  expect((await change()).code).toBe('WALLET_NOT_ENROLLED')
  // The wallet is there, but in another browser.
  await signedIn('zoe')
  expect((await change()).code).toBe('WALLET_NOT_ENROLLED')
  await holdWallet(started, client)
  expect((await change()).status).toBe(200)
})

test('error: nothing is mailed without the step-up, that of another action, change or person', async () => {
  const client = await signedIn('bob')
  const changeTx = await begin(client, 'bob@example.com')
  expect((await add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  await confirm(client, { action: 'unlink github', account: 'bob' })
  expect((await add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  const earlier = await begin(client, 'bob-first@example.com')
  await confirm(client, { action: `change ${earlier}`, account: 'bob' })
  expect((await add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  // Another person at the provider, and the session of another account.
  const wrong = await confirm(client, { action: `change ${changeTx}`, account: 'mallory' })
  expect(wrong).toEqual({ refused: 'other account' })
  const mallory = await signedIn('mallory')
  await confirm(mallory, { action: `change ${changeTx}`, account: 'mallory' })
  expect((await add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  expect((await add(mallory, changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
  // Nor in another session of the same account, which did not begin it.
  const again = await signedIn('bob')
  await confirm(again, { action: `change ${changeTx}`, account: 'bob' })
  expect((await add(again, changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
  // It has lasted for five minutes.
  await confirm(client, { action: `change ${changeTx}`, account: 'bob' })
  started.time.nowMs += 5 * 60_000
  expect((await add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  expect(mailsTo('bob@example.com')).toEqual([])
  expect(await emailOf(client)).toBe(null)
})

test('error: no step is skipped, repeated or done with a code that was used', async () => {
  const { inbox } = started
  const client = await signedIn('cid')
  const changeTx = await begin(client, 'cid@example.com')
  for (const path of ['/api/email/primary', '/api/email/secondary', '/api/email/resend'])
    expect((await client.ask(path, { changeTx, code: '123456' })).code).toBe('EMAIL_CHANGE_ENDED')
  await confirm(client, { action: `change ${changeTx}`, account: 'cid' })
  expect((await add(client, changeTx)).status).toBe(200)
  expect((await add(client, changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
  const code = codeIn(inbox, 'cid@example.com')
  expect((await enter(client, changeTx, wrongFor(code))).code).toBe('CODE_WRONG')
  const thief = await signedIn('thief')
  expect((await enter(thief, changeTx, code)).code).toBe('EMAIL_CHANGE_ENDED')
  expect((await enter(client, changeTx, code)).status).toBe(200)
  expect((await enter(client, changeTx, code)).code).toBe('EMAIL_CHANGE_ENDED')
  // The code of one account adds the mailbox to no other.
  const later = await reachCode(thief, 'thief', 'cid2@example.com')
  expect((await enter(thief, later, code)).code).toBe('CODE_WRONG')
})

test('error: an address that already has an account gets the same answers, and its owner gets a mail', async () => {
  const { inbox } = started
  await signIn(await createAuthClient(started.server), inbox, 'taken@example.com')
  started.time.nowMs += 60_000
  const [client, free] = [await signedIn('dan'), await signedIn('dora')]
  const takenTx = await reachCode(client, 'dan', 'taken@example.com')
  expect(mailsTo('taken@example.com')[0]?.subject).toBe('Someone tried to use your e-mail address')
  expect(mailsTo('taken@example.com')[0]?.text).not.toMatch(/^ {4}\d{6}$/m)
  const freeTx = await reachCode(free, 'dora', 'free@example.com')
  const wrong = wrongFor(codeIn(inbox, 'free@example.com'))
  const refused = await enter(client, takenTx, '123456')
  expect(refused.text).toBe((await enter(free, freeTx, wrong)).text)
  expect(refused.code).toBe('CODE_WRONG')
  expect(await emailOf(client)).toBe(null)
})

test('security: an undo of a later change does not shorten the wait before a first address recovers', async () => {
  const { inbox, time } = started
  const client = await signedIn('hal')
  const changeTx = await reachCode(client, 'hal', 'hal@example.com')
  await enter(client, changeTx, codeIn(inbox, 'hal@example.com'))
  time.nowMs += 60_000
  const begun = await client.ask('/api/email/change', { to: 'hal2@example.com' })
  const changed = { changeTx: begun.body.changeTx }
  await client.ask('/api/email/primary', { ...changed, code: codeIn(inbox, 'hal@example.com') })
  await enter(client, changed.changeTx, codeIn(inbox, 'hal2@example.com'))
  const secret = secretIn(inbox, 'hal@example.com', 'undo')
  const undone = await client.call('/api/email/undo', { secret })
  expect(undone.body).toEqual({ email: 'hal@example.com' })
  const { undoSeconds } = (await client.ask('/api/me')).body
  expect(undoSeconds).toBe(72 * 3600 - 60)
})

test('behavior: asked for again and again without the step-up, a stranger’s mailbox keeps its mails', async () => {
  const { inbox } = started
  const thief = await signedIn('ivy')
  for (let times = 0; times < 12; times++) await begin(thief, 'stranger@example.com')
  await signIn(await createAuthClient(started.server), inbox, 'stranger@example.com')
})

test('error: where the mail does not go out, the same addition goes on once it does', async () => {
  const { inbox } = started
  const client = await signedIn('joe')
  const changeTx = await begin(client, 'joe@example.com')
  await confirm(client, { action: `change ${changeTx}`, account: 'joe' })
  await mailWay.fail('refuse')
  expect((await add(client, changeTx)).code).toBe('MAIL_NOT_SENT')
  await mailWay.fail('pass')
  // The server tries an unavailable mail server again after half a minute.
  started.time.nowMs += 31_000
  expect((await add(client, changeTx)).status).toBe(200)
  expect((await enter(client, changeTx, codeIn(inbox, 'joe@example.com'))).status).toBe(200)
})

test('security: the owner removes a mailbox that a thief has added, and its sessions end; the mailbox and a later sign-in do not remove it', async () => {
  const { inbox, time, server } = started
  const client = await signedIn('kim')
  const changeTx = await reachCode(client, 'kim', 'kim@example.com')
  time.nowMs += 1_000
  await enter(client, changeTx, codeIn(inbox, 'kim@example.com'))
  time.nowMs += 60_000
  const thief = await createAuthClient(server)
  await signIn(thief, inbox, 'kim@example.com')
  const remove = (by: AuthClient) => by.ask('/api/email/remove')
  expect((await remove(thief)).code).toBe('WALLET_NOT_ENROLLED')
  expect((await remove(client)).code).toBe('STEP_UP_NEEDED')
  const action = 'unlink email'
  const byCode = { projectId: 'local', origin: server.url, purpose: 'step-up', action }
  expect((await client.ask('/api/login', byCode)).code).toBe('INVALID_PARAMS')
  // A sign-in that came after the address.
  await confirm(client, { action: 'link discord', account: 'kim' })
  const link = await leave(client, server, { provider: 'discord', purpose: 'link' })
  await choose(link.window, link.target, { account: 'kimlater' })
  const linked = await finish(client, link.tx)
  client.state.tokens = linked.body.tokens
  const late = await leave(client, server, { provider: 'discord', purpose: 'step-up', action })
  await choose(late.window, late.target, { account: 'kimlater' })
  expect((await finish(client, late.tx)).body).toEqual({ refused: 'other account' })
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
  // However it was confirmed, as with a passkey: an address with which an account began is changed, not removed.
  const { db } = started.server.services
  const addedAt = (date: Date | null) =>
    db
      .updateTable('users')
      .set({ email_added_at: date })
      .where('id', '=', client.state.tokens?.userId ?? '')
      .execute()
  await confirm(client, { action, account: 'kim' })
  await addedAt(null)
  expect((await remove(client)).code).toBe('INVALID_PARAMS')
  await addedAt(new Date(time.nowMs - 60_000))
  await confirm(client, { action, account: 'kim' })
  expect((await remove(client)).status).toBe(200)
  expect(await emailOf(client)).toBe(null)
  expect((await thief.ask('/api/me')).code).toBe('SIGNED_OUT')
  expect(mailsTo('kim@example.com')[0]?.subject).toBe(
    'Your e-mail address was removed from your account',
  )
})

test('error: of two additions at once one wins: of one account, and of one address', async () => {
  const { inbox } = started
  const client = await signedIn('eve')
  const own = ['eve1@example.com', 'eve2@example.com']
  const ownTx: string[] = []
  for (const to of own) ownTx.push(await reachCode(client, 'eve', to))
  const both = await Promise.all(
    own.map((to, index) => enter(client, ownTx[index] ?? '', codeIn(inbox, to))),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
  const winner = both.find(({ status }) => status === 200)
  expect(await emailOf(client)).toBe(winner?.body.newEmail)

  const accounts = ['fay', 'guy']
  const clients = [await signedIn('fay'), await signedIn('guy')]
  const entries: { client: AuthClient; changeTx: string; code: string }[] = []
  for (const [index, one] of clients.entries()) {
    const changeTx = await reachCode(one, accounts[index] ?? '', 'shared@example.com')
    entries.push({ client: one, changeTx, code: codeIn(inbox, 'shared@example.com') })
    started.time.nowMs += 60_000
  }
  const raced = await Promise.all(
    entries.map(({ client: one, changeTx, code }) => enter(one, changeTx, code)),
  )
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 410])
  const emails = await Promise.all(clients.map(emailOf))
  expect(emails.filter((email) => email === 'shared@example.com')).toHaveLength(1)
})

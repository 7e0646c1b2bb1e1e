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
import { startAddresses } from '../../../test/auth/startAddresses.ts'

let started: Awaited<ReturnType<typeof startAddresses>>
beforeAll(async () => {
  started = await startAddresses()
})
afterAll(() => started?.stop())

test('default: confirmed at the provider and proved by a code, the address signs in to the same account', async () => {
  const { inbox, time } = started
  const [client, other] = [await started.signedIn('ada'), await started.signedIn('ada')]
  const changeTx = await started.reachCode(client, 'ada', 'ada@example.com')
  expect(started.mailsTo('ada@example.com')[0]?.text).toContain(
    'Add this email address to your account',
  )
  const added = await started.enter(client, changeTx, codeIn(inbox, 'ada@example.com'))
  expect(added.body).toEqual({ newEmail: 'ada@example.com' })
  expect((await client.ask('/api/me')).body).toMatchObject({
    email: 'ada@example.com',
    hadNoEmail: true,
    // A mailbox that was just added recovers nothing for a while, as after a change.
    undoSeconds: 72 * 3600,
  })
  // The address is one more way to sign in: no session ends, and no other address can undo the
  // addition.
  expect(await started.emailOf(other)).toBe('ada@example.com')
  expect(started.mailsTo('ada@example.com').some(({ text }) => text.includes('/undo#'))).toBe(false)
  const { entries } = (await client.ask('/api/audit')).body
  expect(entries[0]).toMatchObject({ action: 'e-mail added' })
  time.nowMs += 60_000
  const byMail = await signIn(await createAuthClient(started.server), inbox, 'ada@example.com')
  expect(byMail.userId).toBe(client.state.tokens?.userId)
  // Now the mailbox confirms, and the sign-in at the provider is no longer the last.
  time.nowMs += 60_000
  const { body } = await client.ask('/api/email/change', { to: 'ada2@example.com' })
  expect(body.action).toBe('VERIFY_PRIMARY_OTP')
  expect((await started.add(client, body.changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
})

test('security: no address can be added without a wallet, so a thief cannot leave a mailbox behind', async () => {
  const client = await started.signedInAlone('zoe')
  const change = () => client.ask('/api/email/change', { to: 'zoe@example.com' })
  expect((await change()).code).toBe('WALLET_NOT_ENROLLED')
  // The wallet exists, but in another browser.
  await started.signedIn('zoe')
  expect((await change()).code).toBe('WALLET_NOT_ENROLLED')
  await holdWallet(started, client)
  expect((await change()).status).toBe(200)
})

test('error: nothing is mailed without a step-up for exactly this action, change and person', async () => {
  const client = await started.signedIn('bob')
  const changeTx = await started.begin(client, 'bob@example.com')
  expect((await started.add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  await started.confirm(client, { action: 'unlink github', account: 'bob' })
  expect((await started.add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  const earlier = await started.begin(client, 'bob-first@example.com')
  await started.confirm(client, { action: `change ${earlier}`, account: 'bob' })
  expect((await started.add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  // Another person at the provider, and the session of another account.
  const wrong = await started.confirm(client, { action: `change ${changeTx}`, account: 'mallory' })
  expect(wrong).toEqual({ refused: 'other account' })
  const mallory = await started.signedIn('mallory')
  await started.confirm(mallory, { action: `change ${changeTx}`, account: 'mallory' })
  expect((await started.add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  expect((await started.add(mallory, changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
  // Nor in another session of the same account, which did not begin it.
  const again = await started.signedIn('bob')
  await started.confirm(again, { action: `change ${changeTx}`, account: 'bob' })
  expect((await started.add(again, changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
  // It has lasted for five minutes.
  await started.confirm(client, { action: `change ${changeTx}`, account: 'bob' })
  started.time.nowMs += 5 * 60_000
  expect((await started.add(client, changeTx)).code).toBe('STEP_UP_NEEDED')
  expect(started.mailsTo('bob@example.com')).toEqual([])
  expect(await started.emailOf(client)).toBe(null)
})

test('error: no step is skipped, repeated or done with a code that was used', async () => {
  const { inbox } = started
  const client = await started.signedIn('cid')
  const changeTx = await started.begin(client, 'cid@example.com')
  for (const path of ['/api/email/primary', '/api/email/secondary', '/api/email/resend'])
    expect((await client.ask(path, { changeTx, code: '123456' })).code).toBe('EMAIL_CHANGE_ENDED')
  await started.confirm(client, { action: `change ${changeTx}`, account: 'cid' })
  expect((await started.add(client, changeTx)).status).toBe(200)
  expect((await started.add(client, changeTx)).code).toBe('EMAIL_CHANGE_ENDED')
  const code = codeIn(inbox, 'cid@example.com')
  expect((await started.enter(client, changeTx, wrongFor(code))).code).toBe('CODE_WRONG')
  const thief = await started.signedIn('thief')
  expect((await started.enter(thief, changeTx, code)).code).toBe('EMAIL_CHANGE_ENDED')
  expect((await started.enter(client, changeTx, code)).status).toBe(200)
  expect((await started.enter(client, changeTx, code)).code).toBe('EMAIL_CHANGE_ENDED')
  // The code of one account adds the mailbox to no other.
  const later = await started.reachCode(thief, 'thief', 'cid2@example.com')
  expect((await started.enter(thief, later, code)).code).toBe('CODE_WRONG')
})

test('error: an address that already has an account gets the same answers, and its owner gets a mail', async () => {
  const { inbox } = started
  await signIn(await createAuthClient(started.server), inbox, 'taken@example.com')
  started.time.nowMs += 60_000
  const [client, free] = [await started.signedIn('dan'), await started.signedIn('dora')]
  const takenTx = await started.reachCode(client, 'dan', 'taken@example.com')
  expect(started.mailsTo('taken@example.com')[0]?.subject).toBe(
    'Someone tried to use your email address',
  )
  expect(started.mailsTo('taken@example.com')[0]?.text).not.toMatch(/^ {4}\d{6}$/m)
  const freeTx = await started.reachCode(free, 'dora', 'free@example.com')
  const wrong = wrongFor(codeIn(inbox, 'free@example.com'))
  const refused = await started.enter(client, takenTx, '123456')
  expect(refused.text).toBe((await started.enter(free, freeTx, wrong)).text)
  expect(refused.code).toBe('CODE_WRONG')
  expect(await started.emailOf(client)).toBe(null)
})

test('security: an undo of a later change does not shorten the wait before a first address recovers', async () => {
  const { inbox, time } = started
  const client = await started.signedIn('hal')
  const changeTx = await started.reachCode(client, 'hal', 'hal@example.com')
  await started.enter(client, changeTx, codeIn(inbox, 'hal@example.com'))
  time.nowMs += 60_000
  const begun = await client.ask('/api/email/change', { to: 'hal2@example.com' })
  const changed = { changeTx: begun.body.changeTx }
  await client.ask('/api/email/primary', { ...changed, code: codeIn(inbox, 'hal@example.com') })
  await started.enter(client, changed.changeTx, codeIn(inbox, 'hal2@example.com'))
  const secret = secretIn(inbox, 'hal@example.com', 'undo')
  const undone = await client.call('/api/email/undo', { secret })
  expect(undone.body).toEqual({ email: 'hal@example.com' })
  const { undoSeconds } = (await client.ask('/api/me')).body
  expect(undoSeconds).toBe(72 * 3600)
})

test("behavior: repeated requests without a step-up do not use up another person's mails", async () => {
  const { inbox } = started
  const thief = await started.signedIn('ivy')
  for (let times = 0; times < 12; times++) await started.begin(thief, 'stranger@example.com')
  await signIn(await createAuthClient(started.server), inbox, 'stranger@example.com')
})

test('error: an addition whose mail could not be sent continues once the mail server works again', async () => {
  const { inbox } = started
  const client = await started.signedIn('joe')
  const changeTx = await started.begin(client, 'joe@example.com')
  await started.confirm(client, { action: `change ${changeTx}`, account: 'joe' })
  await started.mailWay.fail('refuse')
  expect((await started.add(client, changeTx)).code).toBe('MAIL_NOT_SENT')
  await started.mailWay.fail('pass')
  // The server tries an unavailable mail server again after half a minute.
  started.time.nowMs += 31_000
  expect((await started.add(client, changeTx)).status).toBe(200)
  expect((await started.enter(client, changeTx, codeIn(inbox, 'joe@example.com'))).status).toBe(200)
})

test('error: of two additions at once one wins: of one account, and of one address', async () => {
  const { inbox } = started
  const client = await started.signedIn('eve')
  const own = ['eve1@example.com', 'eve2@example.com']
  const ownTx: string[] = []
  for (const to of own) ownTx.push(await started.reachCode(client, 'eve', to))
  const both = await Promise.all(
    own.map((to, index) => started.enter(client, ownTx[index] ?? '', codeIn(inbox, to))),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
  const winner = both.find(({ status }) => status === 200)
  expect(await started.emailOf(client)).toBe(winner?.body.newEmail)

  const accounts = ['fay', 'guy']
  const clients = [await started.signedIn('fay'), await started.signedIn('guy')]
  const entries: { client: AuthClient; changeTx: string; code: string }[] = []
  for (const [index, one] of clients.entries()) {
    const changeTx = await started.reachCode(one, accounts[index] ?? '', 'shared@example.com')
    entries.push({ client: one, changeTx, code: codeIn(inbox, 'shared@example.com') })
    started.time.nowMs += 60_000
  }
  const raced = await Promise.all(
    entries.map(({ client: one, changeTx, code }) => started.enter(one, changeTx, code)),
  )
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 410])
  const emails = await Promise.all(clients.map(started.emailOf))
  expect(emails.filter((email) => email === 'shared@example.com')).toHaveLength(1)
})

import { type Inbox, startInbox } from '@latchkey/dev'
import type { StepUpAction } from '@latchkey/wire'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDurableStore } from '../../../test/migration/twoWallets.ts'
import { signInDevice } from '../../../test/signInDevice.ts'
import { failsWith, startVault, type VaultServer } from '../../../test/startVault.ts'
import type { KeyStore } from '../keyStore.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
let inbox: Inbox
beforeAll(async () => {
  inbox = await startInbox({ smtpPort: 0, port: 0 })
  server = await startVault({ clock: () => time.nowMs, env: { SMTP_URL: inbox.smtpUrl } })
})
afterAll(async () => {
  await server?.remove()
  await inbox?.stop()
})
beforeEach(() => {
  time.nowMs += 3_600_000
})

const lastMail = () => inbox.mails[0]?.text ?? ''
/** The cooldown of a mailbox has passed. */
const wait = () => {
  time.nowMs += 60_000
}

type SignedIn = Awaited<ReturnType<typeof signInDevice>>
type Browser = { readonly store: KeyStore; readonly signer: SignedIn['signer'] }

/**
 * A browser after a sign-in, or the same browser again. It is half a day later, so that no mailbox
 * has had too many mails.
 */
async function signIn(email: string, again?: Browser) {
  time.nowMs += 12 * 3_600_000
  const given = again && { signer: again.signer }
  const device = await signInDevice({ server, inbox, email, ...given })
  wait()
  const store = again?.store ?? createDurableStore()
  const open = (from: { call: typeof device.call }) =>
    createKeyWork({ ...device, store, call: from.call })
  let latest = device.ask
  const confirm = async (purpose: 'step-up' | 'recovery', action?: StepUpAction) => {
    const next = await device.confirm(purpose, action, latest)
    latest = next.ask
    const text = lastMail()
    wait()
    return { work: open(next), text }
  }
  const { deviceId, signer: own, prove } = device
  return { deviceId, signer: own, prove, store, work: open(device), confirm }
}

/** Creates two wallets of a mailbox: a wallet that the operator recovers, and a fresh wallet. */
async function makeWallets(email: string) {
  const owner = await signIn(email)
  const old = (await owner.work.create({ factors: [{ kind: 'operator' }] })).addresses
  await expect(owner.work.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('STEP_UP_NEEDED'),
  )
  const { work, text } = await owner.confirm('step-up', 'fresh wallet')
  expect(text).toContain(`Create a new wallet to move to, and keep your wallet ${old.eip155}`)
  const kit = createRecoveryKit()
  await work.createReplacement({ kit })
  const { inUse, other } = await work.readWallets({})
  const ids = { old: inUse.walletId, fresh: other?.walletId ?? '' }
  return { owner, work, old, kit, ids }
}

test('default: a mail reports the move, and each code names the wallets that it is about', async () => {
  const email = 'mails@example.org'
  const { owner, work, old, kit, ids } = await makeWallets(email)
  const { addresses: fresh } = await work.migrate({ kit })
  expect(lastMail()).toContain(`Your account now uses the wallet ${fresh.eip155}`)
  expect(lastMail()).toContain(`Before, it used ${old.eip155} (on Solana ${old.solana})`)
  const count = inbox.mails.length
  await work.migrate({ kit })
  expect(inbox.mails).toHaveLength(count)
  const ask = async (...about: Parameters<typeof owner.confirm>) =>
    (await signIn(email, owner)).confirm(...about)
  const named = async (action: Parameters<typeof owner.confirm>[1]) =>
    (await ask('step-up', action)).text
  expect(await named('delete')).toContain(
    `Delete your wallet ${fresh.eip155}, your wallet ${old.eip155} and everything`,
  )
  expect(await named('export')).toContain(`phrase of your wallet ${fresh.eip155}.`)
  expect(await named(`export ${ids.old}`)).toContain(`phrase of your wallet ${old.eip155}.`)
  expect((await ask('recovery')).text).toContain(`Recover your wallet ${old.eip155} with`)
  const dropping = await ask('step-up', `drop ${ids.old}`)
  expect(dropping.text).toContain(`Delete your wallet ${old.eip155}, which is not in use`)
  await dropping.work.dropOther({ walletId: ids.old, realm: 'main' })
  expect(lastMail()).toContain(`Your wallet ${old.eip155} was deleted from the server`)
})

test('behavior: the operator recovers the previous wallet, a day later, but not its successor', async () => {
  const email = 'left@example.org'
  const { owner, work, old, kit } = await makeWallets(email)
  await work.migrate({ kit })
  const second = await signIn(email)
  const { work: empty } = await second.confirm('recovery')
  await expect(empty.startAssisted({})).rejects.toSatisfy(failsWith('VAULT_NOT_FOUND'))
  const { id, secondsLeft } = await empty.startAssisted({ realm: 'main' })
  expect(secondsLeft).toBe(24 * 3_600)
  time.nowMs += 24 * 3_600_000
  const { work: later } = await signIn(email, second)
  expect(await later.finishAssisted({ id, realm: 'main' })).toEqual({ addresses: old })
  expect(await later.getStatus({})).toMatchObject({ status: 'not-enrolled', movedFrom: 'main' })
  expect(await later.chooseWallet({ realm: 'main' })).toEqual({ addresses: old })
  expect(await later.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  // It takes nothing away from the wallet in use.
  await expect(later.revoke({ id: owner.deviceId })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
})

test('behavior: a browser with only the new wallet delays, lists and stops a recovery of the old wallet', async () => {
  const email = 'kept@example.org'
  const { owner, work, kit } = await makeWallets(email)
  await work.migrate({ kit })
  const keeper = await signIn(email)
  await keeper.work.recover({ secret: { kind: 'kit', kit } })
  // After this, no browser holds the old wallet.
  await keeper.work.revoke({ id: owner.deviceId })
  const thief = await signIn(email)
  const { work: asking } = await thief.confirm('recovery')
  const { id, secondsLeft } = await asking.startAssisted({ realm: 'main' })
  expect(secondsLeft).toBe(24 * 3_600)
  const { json } = await keeper.prove('/api/recovery/operator/list', {})
  expect(json).toMatchObject({ recoveries: [{ id }] })
  await keeper.prove('/api/recovery/operator/cancel', { id })
  time.nowMs += 24 * 3_600_000
  const { work: late } = await signIn(email, thief)
  await expect(late.finishAssisted({ id, realm: 'main' })).rejects.toSatisfy(
    failsWith('VAULT_NOT_FOUND'),
  )
})

test('behavior: the owner gets an email if a browser without the wallet requests to drop it', async () => {
  const email = 'drops@example.org'
  const { owner, ids } = await makeWallets(email)
  const second = await signIn(email)
  const { id } = await (await second.confirm('recovery')).work.startAssisted({})
  time.nowMs += 24 * 3_600_000
  const later = await signIn(email, second)
  await later.work.finishAssisted({ id })
  await later.work.revoke({ id: owner.deviceId })
  const { work: dropping } = await later.confirm('step-up', `drop ${ids.fresh}`)
  const realm = (await dropping.readWallets({})).other?.realm ?? ''
  expect(await dropping.dropOther({ walletId: ids.fresh, realm })).toEqual({
    secondsLeft: 24 * 3_600,
  })
  expect(lastMail()).toContain(
    'in a browser that does not hold it. It can be deleted 24 hours after that request',
  )
})

import { answerEnrollment, LatchkeyError, listEnrollments, meetEnrollment } from '@latchkey/wire'
import { randomBytes, randomId, toBase64Url, wipe } from './bytes.ts'
import { commitmentOf, compareWords } from './compareWords.ts'
import { makeSlot } from './createWallet.ts'
import { hpkeSeal } from './hpke.ts'
import { readManifest, signManifest } from './manifest.ts'
import { quarantined } from './openHalf.ts'
import { openWallet } from './openWallet.ts'
import { withDevice } from './recoverWallet.ts'
import { type Identity, readState, type Vault, whileAlone } from './vault.ts'
import { ask } from './vaultServer.ts'
import { readRecord } from './walletRecord.ts'

/** A new device that waits, and what this device has said to it. */
export type Meeting = { readonly askId: string; readonly nonce: string; readonly deviceKey: string }

/** Meets a new device: from now on its key is the one that the words are about. */
export async function meetDevice(vault: Vault, askId: string): Promise<Meeting> {
  const { asks } = await ask(vault.call, listEnrollments, {})
  const found = asks.find((waiting) => waiting.askId === askId)
  if (!found) throw new LatchkeyError('VAULT_NOT_FOUND')
  const nonce = toBase64Url(randomBytes(16))
  await ask(vault.call, meetEnrollment, { askId, nonce })
  return { askId, nonce, deviceKey: found.deviceKey }
}

/** The words for this screen, once the new device has answered. Throws `WALLET_QUARANTINED` when somebody is between. */
export async function wordsOfMeeting(
  vault: Vault,
  who: Identity,
  meeting: Meeting,
): Promise<{ words: string } | undefined> {
  const met = await readMeeting(vault, meeting)
  if (met.nonce === undefined) return undefined
  const record = await readRecord(vault.store, who.userId)
  if (!record?.current) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  const { addresses } = record
  const { deviceKey, nonce: oldNonce } = meeting
  return { words: compareWords({ deviceKey, newNonce: met.nonce, oldNonce, addresses }) }
}

async function readMeeting(vault: Vault, { askId, deviceKey }: Meeting) {
  const { asks } = await ask(vault.call, listEnrollments, {})
  const found = asks.find((waiting) => waiting.askId === askId)
  if (!found) throw new LatchkeyError('VAULT_NOT_FOUND')
  const { nonce, commitment } = found
  const honest = nonce === undefined || commitmentOf(nonce, deviceKey) === commitment
  if (found.deviceKey !== deviceKey || !honest) throw quarantined('the new device has changed')
  return found
}

/** Lets the new device in: a fresh split, its share sealed to the key whose words the person has compared. */
export const approveDevice = (vault: Vault, who: Identity, meeting: Meeting): Promise<void> =>
  whileAlone(vault, async () => {
    const found = await readMeeting(vault, meeting)
    if (found.nonce === undefined) throw new LatchkeyError('WALLET_CHANGED')
    const { wallet } = await readState(vault)
    if (!wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    const change = await openWallet(vault, who, async ({ kek, keys, half, record }) => {
      const { walletId } = record
      const { epoch, recoveryKey } = half
      const known = readManifest(wallet.manifest, record.addresses.eip155)
      if (known.version < half.manifestVersion || known.epoch !== epoch)
        throw quarantined('the server shows an older state of the wallet')
      const changeId = randomId()
      const split = await makeSlot(kek, { walletId, slot: found.deviceId, epoch, recoveryKey })
      const context = ['device share', walletId, found.deviceId, changeId, epoch]
      const sealedDeviceShare = await hpkeSeal(meeting.deviceKey, split.device, context)
      wipe(split.device)
      const manifest = signManifest(
        withDevice(known, found.deviceId, meeting.deviceKey),
        keys.eip155,
      )
      return { changeId, walletId, epoch, manifest, slots: [{ ...split.slot, sealedDeviceShare }] }
    })
    await ask(vault.call, answerEnrollment, { askId: meeting.askId, change })
  })

/** Turns a new device away. */
export async function refuseDevice(vault: Vault, askId: string): Promise<void> {
  await ask(vault.call, answerEnrollment, { askId })
}

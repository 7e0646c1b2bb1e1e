import {
  answerEnrollmentRoute,
  LatchkeyError,
  listEnrollmentsRoute,
  meetEnrollmentRoute,
} from '@latchkey/wire'
import { makeSlot } from '../createWallet.ts'
import { createRandomId, randomBytes, toBase64Url, wipe } from '../crypto/bytes.ts'
import { hpkeSeal } from '../crypto/hpke.ts'
import { signManifest } from '../manifest.ts'
import { openWallet } from '../openWallet.ts'
import { readManifestFacts } from '../readFacts.ts'
import { readWalletState } from '../readState.ts'
import { withDevice } from '../recovery/enrollSelf.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { browserKeys, readRecord } from '../walletRecord.ts'
import { compareWords, createCommitment } from './compareWords.ts'
import {
  countAttempt,
  dropPin,
  enrollmentStopped,
  findIncomingPin,
  type IncomingPin,
  resetAttempts,
  withEnrollmentLock,
  writeIncomingPin,
} from './enrollmentPins.ts'

/**
 * Meets a new device: stores its key and commitment before this device reveals its nonce. Nothing
 * that arrives later changes them. Another call for the same request, also after a reload,
 * continues; a call for another request replaces it. Throws `ENROLMENT_STOPPED`, `RATE_LIMITED`,
 * `VAULT_NOT_FOUND`.
 */
export const meetDevice = (vault: WalletVault, who: VaultIdentity, askId: string): Promise<void> =>
  withEnrollmentLock(vault, async () => {
    const known = await findIncomingPin(vault, askId)
    const { oldNonce: nonce, oldDevice } = known ?? (await pinNewDevice(vault, who, askId))
    if (known) await findSame(vault, known)
    await callVault(vault.call, meetEnrollmentRoute, { askId, nonce, deviceKey: oldDevice.key })
  })

async function pinNewDevice(
  vault: WalletVault,
  who: VaultIdentity,
  askId: string,
): Promise<IncomingPin> {
  await countAttempt(vault)
  const found = await findAsk(vault, askId)
  const { deviceKey } = await browserKeys(vault.store)
  // The server showed this device its own key as another's.
  if (found.deviceKey === deviceKey || found.deviceId === who.deviceId) throw enrollmentStopped()
  const pin = {
    v: 2 as const,
    askId,
    newDevice: { id: found.deviceId, key: found.deviceKey },
    commitment: found.commitment,
    oldDevice: { id: who.deviceId, key: deviceKey },
    oldNonce: toBase64Url(randomBytes(16)),
    realm: found.realm ?? 'main',
  }
  await writeIncomingPin(vault, pin)
  return pin
}

/**
 * Returns the words for this screen, or undefined until the new device has answered. Throws
 * `ENROLMENT_STOPPED` if the answer is from another device than the stored one.
 */
export const readComparisonWords = (
  vault: WalletVault,
  who: VaultIdentity,
  askId: string,
): Promise<string | undefined> =>
  withEnrollmentLock(vault, async () => {
    const pin = await findIncomingPin(vault, askId)
    if (!pin) throw enrollmentStopped()
    const { nonce: newNonce } = await findSame(vault, pin)
    if (newNonce === undefined) return undefined
    const { realm = who.realm } = pin
    const record = await readRecord(vault.store, { ...who, realm })
    if (!record?.current) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    await writeIncomingPin(vault, { ...pin, newNonce })
    return compareWords({ ...pin, newNonce, addresses: record.addresses })
  })

async function findAsk(vault: WalletVault, askId: string) {
  const { asks } = await callVault(vault.call, listEnrollmentsRoute, {})
  const found = asks.find((waiting) => waiting.askId === askId)
  if (!found) throw new LatchkeyError('VAULT_NOT_FOUND')
  return found
}

/**
 * Reads the request that the server shows now. If it differs from the stored request, drops that
 * and throws `ENROLMENT_STOPPED`.
 */
async function findSame(vault: WalletVault, pin: IncomingPin) {
  const found = await findAsk(vault, pin.askId)
  const { nonce = pin.newNonce } = found
  const isSame =
    found.deviceId === pin.newDevice.id &&
    found.deviceKey === pin.newDevice.key &&
    found.commitment === pin.commitment &&
    (nonce === undefined || createCommitment({ ...pin, newNonce: nonce }) === pin.commitment)
  if (isSame) return { nonce }
  await dropPin(vault, 'met')
  throw enrollmentStopped()
}

/**
 * Lets in the new device whose words the user has compared. Uses its stored identity and does not
 * read it from the server again. Makes a new split whose share is sealed to that device's key.
 * Throws `ENROLMENT_STOPPED` if no words were shown.
 */
export const approveDevice = (
  vault: WalletVault,
  who: VaultIdentity,
  askId: string,
): Promise<void> =>
  withWalletLock(vault, async () => {
    const pin = await findIncomingPin(vault, askId)
    if (pin?.newNonce === undefined) throw enrollmentStopped()
    const { id, key } = pin.newDevice
    const { realm = who.realm } = pin
    const { wallet } = await readWalletState(vault, realm)
    if (!wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    const change = await openWallet(
      vault,
      { ...who, realm },
      async ({ kek, keys, deviceSplit, record }) => {
        const { walletId } = record
        const { epoch, recoveryKey } = deviceSplit
        const known = await readManifestFacts(vault, { wallet, record, deviceSplit })
        const changeId = createRandomId()
        const split = await makeSlot(kek, { walletId, slot: id, epoch, recoveryKey })
        const context = ['device share', walletId, id, changeId, epoch]
        const sealedDeviceShare = await hpkeSeal(key, split.device, context)
        wipe(split.device)
        const manifest = signManifest(withDevice(known, id, key), keys.eip155)
        return {
          changeId,
          walletId,
          epoch,
          manifest,
          slots: [{ ...split.slot, sealedDeviceShare }],
        }
      },
    )
    await callVault(vault.call, answerEnrollmentRoute, { askId, change })
    await dropPin(vault, 'met')
    await resetAttempts(vault)
  })

/** Refuses a new device. */
export async function refuseDevice(vault: WalletVault, askId: string): Promise<void> {
  if (await findIncomingPin(vault, askId)) await dropPin(vault, 'met')
  await callVault(vault.call, answerEnrollmentRoute, { askId })
}

import {
  askEnrollmentRoute,
  enrollmentVersion,
  LatchkeyError,
  pollEnrollmentRoute,
  revealEnrollmentRoute,
  type WalletAddresses,
} from '@latchkey/wire'
import { commitKeyChange } from '../commitKeyChange.ts'
import { createRandomId, randomBytes, toBase64Url } from '../crypto/bytes.ts'
import { hpkeOpen } from '../crypto/hpke.ts'
import { verifyManifest } from '../manifest.ts'
import { installPinned, pinWallet } from '../migration/pinWallet.ts'
import { quarantineError } from '../openSharedSeed.ts'
import { readWalletState } from '../readState.ts'
import { resumeKeyChange } from '../resumeKeyChange.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { browserKeys, readRecord, wrapShare } from '../walletRecord.ts'
import { compareWords, createCommitment } from './compareWords.ts'
import {
  countAttempt,
  dropPin,
  enrollmentStopped,
  type OutgoingPin,
  readOutgoingPin,
  resetAttempts,
  withEnrollmentLock,
  writeOutgoingPin,
} from './enrollmentPins.ts'

/**
 * The state of a request. The user compares `words` with the old device's screen and confirms them
 * by {@link confirmWords}.
 */
export type EnrollmentStatus =
  | { readonly status: 'waiting' | 'refused' }
  | { readonly status: 'met'; readonly words: string }
  | { readonly status: 'enrolled'; readonly addresses: WalletAddresses }

/**
 * Requests the wallet in `who.realm` from the user's other devices; returns the id of the request.
 * One request at a time. Throws `RATE_LIMITED`.
 */
export const requestEnrollment = (vault: WalletVault, who: VaultIdentity): Promise<string> =>
  withEnrollmentLock(vault, async () => {
    await countAttempt(vault)
    const { deviceKey } = await browserKeys(vault.store)
    const fresh = {
      askId: createRandomId(),
      newDevice: { id: who.deviceId, key: deviceKey },
      newNonce: toBase64Url(randomBytes(16)),
    }
    const commitment = createCommitment(fresh)
    const { askId } = fresh
    const { realm } = who
    await writeOutgoingPin(vault, { v: 2, ...fresh, realm, commitment, isSame: false })
    const ask = { v: enrollmentVersion, askId, deviceKey, commitment, realm }
    await callVault(vault.call, askEnrollmentRoute, ask)
    return askId
  })

/**
 * Checks the request, and accepts the wallet once it is approved and the user has confirmed the
 * words. Throws `ENROLMENT_STOPPED` if an answer differs from the first one.
 */
export async function checkEnrollment(
  vault: WalletVault,
  askId: string,
): Promise<EnrollmentStatus> {
  await readOutgoingPin(vault, askId)
  const answer = await callVault(vault.call, pollEnrollmentRoute, { askId })
  if (answer.status === 'waiting' || answer.status === 'refused') return { status: answer.status }
  const pin = await withEnrollmentLock(vault, () =>
    answer.status === 'met' ? pinFirstAnswer(vault, askId, answer) : readOutgoingPin(vault, askId),
  )
  const { meeting, newNonce, realm } = pin
  if (!meeting) throw await stop(vault)
  if (answer.status === 'met')
    await callVault(vault.call, revealEnrollmentRoute, { askId, nonce: newNonce })
  if (answer.status === 'met' || !pin.isSame)
    return { status: 'met', words: compareWords({ ...pin, ...meeting }) }
  const { addresses } = meeting
  const approved = { ...answer, addresses, asked: realm }
  const installed = await withWalletLock(vault, () => installApproved(vault, approved))
  await resetAttempts(vault)
  return { status: 'enrolled', addresses: installed }
}

type EnrollmentResponse = {
  readonly nonce: string
  readonly deviceId: string
  readonly deviceKey: string
  readonly addresses: WalletAddresses
}

/**
 * Stores the first answer before the nonce is shown, so that the server cannot answer again once it
 * knows the nonce.
 */
async function pinFirstAnswer(
  vault: WalletVault,
  askId: string,
  answer: EnrollmentResponse,
): Promise<OutgoingPin> {
  const pin = await readOutgoingPin(vault, askId)
  const { nonce: oldNonce, deviceId: id, deviceKey: key, addresses } = answer
  const received = { oldDevice: { id, key }, oldNonce, addresses }
  // The server showed this device its own messages as another's.
  if (id === pin.newDevice.id || key === pin.newDevice.key) throw await stop(vault)
  const { meeting } = pin
  if (!meeting) {
    const next = { ...pin, meeting: received }
    await writeOutgoingPin(vault, next)
    return next
  }
  if (compareText(meeting) !== compareText(received)) throw await stop(vault)
  return pin
}

const compareText = ({ oldDevice, oldNonce, addresses }: NonNullable<OutgoingPin['meeting']>) =>
  JSON.stringify([oldDevice.id, oldDevice.key, oldNonce, addresses.eip155, addresses.solana])

async function stop(vault: WalletVault): Promise<Error> {
  await dropPin(vault, 'asked')
  return enrollmentStopped()
}

/**
 * The user confirms that the old device shows the words of the last {@link checkEnrollment}; only
 * then is a wallet accepted.
 */
export const confirmWords = (vault: WalletVault, askId: string): Promise<void> =>
  withEnrollmentLock(vault, async () => {
    const pin = await readOutgoingPin(vault, askId)
    if (!pin.meeting) throw enrollmentStopped()
    await writeOutgoingPin(vault, { ...pin, isSame: true })
  })

/** The user reports that the words differ, or leaves: this request accepts no wallet. */
export const cancelEnrollment = (vault: WalletVault, askId: string): Promise<void> =>
  withEnrollmentLock(vault, async () => {
    await readOutgoingPin(vault, askId)
    await dropPin(vault, 'asked')
  })

type ApprovedEnrollment = {
  readonly changeId: string
  readonly addresses: WalletAddresses
  /** The realm of the requested wallet. */
  readonly asked: string | undefined
} & Pick<Parameters<typeof commitKeyChange>[1], 'manifest'> & {
    readonly sealedDeviceShare: Parameters<typeof hpkeOpen>[1]
    readonly sealedRecoveryShare: Parameters<typeof hpkeOpen>[1]
  }

async function installApproved(
  vault: WalletVault,
  approved: ApprovedEnrollment,
): Promise<WalletAddresses> {
  const { changeId, addresses, manifest, sealedDeviceShare, sealedRecoveryShare } = approved
  const { epoch, version, recoveryKey, walletId, realm } = readSigned(manifest, addresses.eip155)
  if (approved.asked !== undefined && approved.asked !== realm) throw enrollmentStopped()
  await resumeKeyChange(vault, realm)
  const state = await readWalletState(vault, realm)
  const { wallet, userId } = state
  const pinned = await readRecord(vault.store, state)
  const pinning = { state, wallet: { walletId, realm, addresses }, isAsked: true }
  if (pinned?.current?.changeId === approved.changeId) {
    await pinWallet(vault, pinning)
    return pinned.addresses
  }
  if (!wallet) throw new LatchkeyError('WALLET_CHANGED')
  if (pinned && pinned.addresses.eip155 !== addresses.eip155)
    throw quarantineError('this browser knows the wallet by another address')
  const browser = await browserKeys(vault.store)
  const context = ['device share', walletId, state.deviceId, changeId, epoch]
  const share = await hpkeOpen(browser.device, sealedDeviceShare, context).catch(
    (cause: unknown) => {
      throw enrollmentStopped(cause)
    },
  )
  const place = { walletId, userId, realm }
  const wrappedShare = await wrapShare(share, { keys: browser, ...place, changeId, epoch })
  share.fill(0)
  const install = () =>
    commitKeyChange(vault, {
      who: state,
      manifest,
      record: {
        v: 1,
        ...place,
        addresses,
        ...(pinned?.current && { current: pinned.current }),
        next: {
          changeId,
          epoch,
          manifestVersion: version,
          wrappedShare,
          sealedSeed: wallet.sealedSeed,
          sealedRecoveryShare,
          recoveryKey,
        },
      },
    })
  const record = await installPinned(vault, pinning, install)
  return record.addresses
}

function readSigned(manifest: ApprovedEnrollment['manifest'], address: string) {
  try {
    return verifyManifest(manifest, address)
  } catch (cause) {
    throw enrollmentStopped(cause)
  }
}

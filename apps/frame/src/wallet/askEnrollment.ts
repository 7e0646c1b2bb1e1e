import {
  askEnrollment as askRoute,
  LatchkeyError,
  pollEnrollment,
  revealEnrollment,
  type WalletAddresses,
} from '@latchkey/wire'
import { randomBytes, randomId, toBase64Url } from './bytes.ts'
import { commitmentOf, compareWords } from './compareWords.ts'
import { hpkeOpen } from './hpke.ts'
import { installChange } from './installChange.ts'
import { readManifest } from './manifest.ts'
import { quarantined } from './openHalf.ts'
import { settleChange } from './settleChange.ts'
import { readState, type Vault, whileAlone } from './vault.ts'
import { ask } from './vaultServer.ts'
import { browserKeys, readRecord, wrapShare } from './walletRecord.ts'

/** What a new device remembers of its ask while the person goes to the old one. */
export type Asking = {
  readonly askId: string
  readonly nonce: string
  /** Once an old device has met it: what the words are made of. */
  readonly met?: { readonly nonce: string; readonly addresses: WalletAddresses } | undefined
}

/** Where an ask stands. `words` are to be compared with the old device's screen. */
export type Enrolment =
  | { readonly status: 'waiting' | 'refused' }
  | { readonly status: 'met'; readonly words: string }
  | { readonly status: 'enrolled'; readonly addresses: WalletAddresses }

/** A new device asks the old ones to let it in. */
export async function askEnrollment(vault: Vault): Promise<Asking> {
  const { deviceKey } = await browserKeys(vault.store)
  const asking = { askId: randomId(), nonce: toBase64Url(randomBytes(16)) }
  const commitment = commitmentOf(asking.nonce, deviceKey)
  await ask(vault.call, askRoute, { askId: asking.askId, deviceKey, commitment })
  return asking
}

/**
 * Looks how far the ask has come, and takes the wallet in when it is approved. Gives the state to ask with next time.
 * Throws `WALLET_QUARANTINED` when what comes is not the wallet whose words were shown.
 */
export async function pollEnrolment(
  vault: Vault,
  asking: Asking,
): Promise<{ asking: Asking; enrolment: Enrolment }> {
  const answer = await ask(vault.call, pollEnrollment, { askId: asking.askId })
  if (answer.status === 'waiting' || answer.status === 'refused')
    return { asking, enrolment: { status: answer.status } }
  if (answer.status === 'met') {
    const met = asking.met ?? { nonce: answer.nonce, addresses: answer.addresses }
    if (met.nonce !== answer.nonce || met.addresses.eip155 !== answer.addresses.eip155)
      throw quarantined('the words have changed')
    const { deviceKey } = await browserKeys(vault.store)
    await ask(vault.call, revealEnrollment, { askId: asking.askId, nonce: asking.nonce })
    const { nonce: oldNonce, addresses } = met
    const words = compareWords({ deviceKey, newNonce: asking.nonce, oldNonce, addresses })
    return { asking: { ...asking, met }, enrolment: { status: 'met', words } }
  }
  if (!asking.met) throw quarantined('the approval came before the words')
  const { addresses } = asking.met
  return {
    asking,
    enrolment: {
      status: 'enrolled',
      addresses: await whileAlone(vault, () => takeIn(vault, { ...answer, addresses })),
    },
  }
}

type Approved = {
  readonly changeId: string
  readonly addresses: WalletAddresses
} & Pick<Parameters<typeof installChange>[1], 'manifest'> & {
    readonly sealedDeviceShare: Parameters<typeof hpkeOpen>[1]
    readonly sealedRecoveryShare: Parameters<typeof hpkeOpen>[1]
  }

async function takeIn(vault: Vault, approved: Approved): Promise<WalletAddresses> {
  await settleChange(vault)
  const state = await readState(vault)
  const { wallet, userId, realm } = state
  const pinned = await readRecord(vault.store, userId)
  if (pinned?.current?.changeId === approved.changeId) return pinned.addresses
  if (!wallet) throw new LatchkeyError('WALLET_CHANGED')
  const { changeId, addresses, manifest, sealedDeviceShare, sealedRecoveryShare } = approved
  if (pinned && pinned.addresses.eip155 !== addresses.eip155)
    throw quarantined('this browser knows the wallet by another address')
  const browser = await browserKeys(vault.store)
  const { epoch, version, recoveryKey, walletId } = readManifest(manifest, addresses.eip155)
  const context = ['device share', walletId, state.deviceId, changeId, epoch]
  const share = await hpkeOpen(browser.device, sealedDeviceShare, context).catch(
    (cause: unknown) => {
      throw quarantined('the approval is for another device', cause)
    },
  )
  const place = { walletId, userId, realm }
  const wrappedShare = await wrapShare(share, { keys: browser, ...place, changeId, epoch })
  share.fill(0)
  const record = await installChange(vault, {
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
  return record.addresses
}

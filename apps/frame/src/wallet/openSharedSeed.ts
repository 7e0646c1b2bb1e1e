import { LatchkeyError } from '@latchkey/wire'
import { type Bytes, wipe } from './crypto/bytes.ts'
import { type DerivedKeys, deriveAccounts } from './crypto/deriveAccounts.ts'
import { deriveRecoveryKeyPair } from './crypto/hpke.ts'
import { combineShares } from './crypto/splitKey.ts'
import { openSeed, type SealFacts, type WalletSecrets } from './sealSeed.ts'
import {
  type BrowserKeys,
  type DeviceSplit,
  unwrapShare,
  type WalletRecord,
} from './walletRecord.ts'

/** An opened wallet, for the duration of one task. */
export type OpenedSeed = {
  readonly kek: Bytes
  readonly secrets: WalletSecrets
  readonly keys: DerivedKeys
}

/** A problem with the data of this device or the server. Nothing is signed with such data. */
export const quarantineError = (reason: string, cause?: unknown) =>
  new LatchkeyError('WALLET_QUARANTINED', { data: { reason }, cause })

export const wipeOpened = ({ kek, secrets, keys }: OpenedSeed): void =>
  wipe(kek, secrets.seed, secrets.recoveryKey, keys.eip155, keys.solana)

type Opening = {
  readonly browser: BrowserKeys
  readonly record: WalletRecord
  readonly deviceSplit: DeviceSplit
  readonly serverShare: Bytes
}

/**
 * Combines the key and opens the seed. Throws `WALLET_QUARANTINED` if a share, the seed or an
 * address is not what was pinned. The caller wipes the result; the server's share is wiped here.
 */
export async function openSharedSeed({
  browser,
  record,
  deviceSplit,
  serverShare,
}: Opening): Promise<OpenedSeed> {
  const share = await unwrapShare(browser, record, deviceSplit).catch((cause: unknown) => {
    throw quarantineError('its share on this device was changed', cause)
  })
  const kek = await combineShares(share, serverShare).catch((cause: unknown) => {
    throw quarantineError('two shares do not belong together', cause)
  })
  wipe(share, serverShare)
  return openShareKey(kek, deviceSplit, { ...record, epoch: deviceSplit.epoch })
}

/**
 * Opens the seed with a key, and checks that it belongs to these addresses and this recovery key.
 */
export async function openShareKey(
  kek: Bytes,
  from: Pick<DeviceSplit, 'sealedSeed' | 'recoveryKey'>,
  facts: SealFacts,
): Promise<OpenedSeed> {
  const secrets = await openSeed(kek, from.sealedSeed, facts).catch((cause: unknown) => {
    wipe(kek)
    throw quarantineError('a share or the sealed seed was changed', cause)
  })
  const { keys, addresses } = await deriveAccounts(secrets.seed)
  const opened = { kek, secrets, keys }
  const { publicKey } = await deriveRecoveryKeyPair(secrets.recoveryKey)
  const same =
    addresses.eip155 === facts.addresses.eip155 &&
    addresses.solana === facts.addresses.solana &&
    publicKey === from.recoveryKey
  if (same) return opened
  wipeOpened(opened)
  throw quarantineError('the seed is of another wallet')
}

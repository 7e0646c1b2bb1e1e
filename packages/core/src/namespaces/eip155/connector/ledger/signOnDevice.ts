import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type Eth from '@ledgerhq/hw-app-eth'
import { type Hex, isAddressEqual } from 'viem'
import type { Request } from '../../../request.ts'
import type { SignatureReview } from '../../../signatureReview.ts'
import { type LedgerAccount, readLedgerAddress } from './ledgerAccounts.ts'
import type { UseDevice } from './useDevice.ts'

export type SigningParameters = {
  chainId: ChainId
  params: readonly unknown[]
  account: LedgerAccount
  node: Request
  useDevice: UseDevice
}

/** The review that the modal shows, and the function that has the device sign exactly that. */
export type Signing = { review: SignatureReview; finish: () => Promise<string> }

/**
 * A signature from the device: hex without 0x, and the recovery id as a number (0, 1, 27 or 28) or
 * as hex.
 */
export type DeviceSignature = { r: string; s: string; v: number | string }

/**
 * Has the device sign if it holds the account's key. Throws WALLET_NOT_READY if it is another
 * device, and the errors of `work`.
 */
export const signOnDevice = <Result>(
  useDevice: UseDevice,
  account: LedgerAccount,
  work: (eth: Eth) => Promise<Result>,
): Promise<Result> =>
  useDevice(async (eth) => {
    const address = await readLedgerAddress(eth, account.path)
    if (isAddressEqual(address as Hex, account.address as Hex)) return work(eth)
    const reason =
      'This Ledger does not hold the connected account. Connect the Ledger that holds it, or reconnect this one'
    throw new LatchkeyError('WALLET_NOT_READY', { data: { reason } })
  })

/** Encodes a message signature as 65 bytes of hex. */
export function joinSignature({ r, s, v }: DeviceSignature): Hex {
  const given = typeof v === 'string' ? Number.parseInt(v, 16) : v
  const id = given < 27 ? given + 27 : given
  return `0x${r.padStart(64, '0')}${s.padStart(64, '0')}${id.toString(16)}`
}

/** Throws WALLET_SIGNED_OTHER unless the account has signed exactly the requested data. */
export async function assertSigner(account: LedgerAccount, recover: () => Promise<Hex>) {
  const signer = await recover().catch(() => undefined)
  if (!signer || !isAddressEqual(signer, account.address as Hex))
    throw new LatchkeyError('WALLET_SIGNED_OTHER')
}

/** Throws UNAUTHORIZED if a request names another account. */
export function assertOwn(account: LedgerAccount, address: unknown): void {
  const isOwn =
    typeof address === 'string' && address.toLowerCase() === account.address.toLowerCase()
  if (!isOwn) throw new LatchkeyError('UNAUTHORIZED')
}

export const invalidDeviceResponse = (reason: string, cause?: unknown) =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason }, cause })

import { createHash } from 'node:crypto'
import { type ChainId, isError, type SignedNameChange } from '@latchkey/wire'
import { getAddress } from 'viem/utils'
import { addressPattern } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { type Failure, HttpFailure, networkUnavailable } from '../http/failure.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { isSignedByContract } from '../signatures/isSignedByContract.ts'
import { isSignedByKey } from '../signatures/isSignedByKey.ts'
import type { VerifiedChange } from './changeNames.ts'

/**
 * A verified change; `byKey` if a key signed and not a contract: a key has the same address on
 * every EVM network.
 */
type Verified = VerifiedChange & { readonly byKey: boolean }

/**
 * Verifies who signed a change: the key of an account, a contract, or a contract that is not
 * deployed yet (EIP-6492). Throws {@link HttpFailure} if no one did.
 */
export async function verifyChange(
  {
    config,
    upstreams,
    chainId,
  }: { readonly upstreams: Upstreams; readonly chainId: ChainId } & Pick<Services, 'config'>,
  { address, message, signature }: SignedNameChange,
): Promise<Verified> {
  if (!isChecksummed(address)) throw new HttpFailure(wrongSignature)
  const signer = address.toLowerCase() as Hex
  const hash = createHash('sha256').update(signer).update(message).digest()
  const signed = { chainId, address, message, signature }
  if (isSignedByKey(signed)) return { signer, hash, byKey: true }
  if (!Object.hasOwn(config.chains, chainId)) throw new HttpFailure(wrongSignature)
  if (!(await isByContract(upstreams, signed))) throw new HttpFailure(wrongSignature)
  return { signer, hash, byKey: false }
}

async function isByContract(
  upstreams: Upstreams,
  signed: Parameters<typeof isSignedByContract>[1],
): Promise<boolean> {
  try {
    return await isSignedByContract({ upstreams }, signed)
  } catch (error) {
    if (!isError(error)) throw error
    throw new HttpFailure(networkUnavailable)
  }
}

/** Whether an address has its EIP-55 checksum. */
export const isChecksummed = (address: string): boolean =>
  addressPattern.test(address) && getAddress(address.toLowerCase()) === address

const wrongSignature: Failure = {
  status: 401,
  field: 'signature',
  description: 'The signature is not valid for this message and address',
}

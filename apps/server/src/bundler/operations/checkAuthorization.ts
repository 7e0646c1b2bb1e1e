import { recoverAuthorizationAddress } from 'viem/utils'
import { hexQuantity } from '../../evm/schemas.ts'
import { BundlerError } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import {
  type Authorization,
  isCanonical,
  toAuthorization,
  type UserOperation,
} from './userOperation.ts'

/** The network, and the next nonce of the account there. */
type Account = { readonly chainNumber: number; readonly nonce: bigint }

/**
 * Checks that an authorization is for one network, this account and its next nonce. The network
 * drops any other authorization, or the authorization would be valid on networks that the user did
 * not intend. Throws BundlerError.
 */
export async function assertAuthorization(
  operation: UserOperation,
  account: Account,
): Promise<void> {
  const { sender, eip7702Auth } = operation
  if (!eip7702Auth) return
  assertPlace(eip7702Auth, account)
  if (!isCanonical(eip7702Auth)) throw wrong('s is too large')
  const authorization = toAuthorization(eip7702Auth)
  const found = await recoverAuthorizationAddress({ authorization }).catch(() => undefined)
  if (found?.toLowerCase() !== sender) throw wrong('is not signed by the sender')
}

/**
 * The same as {@link assertAuthorization}, for an operation that may not be signed yet: the
 * signature may be {@link stub}. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function assertDraftAuthorization(
  { ask }: Pick<ChainBundler, 'ask'>,
  operation: UserOperation,
  chainNumber: number,
): Promise<void> {
  const { sender, eip7702Auth } = operation
  if (!eip7702Auth) return
  const [count] = await ask([{ method: 'eth_getTransactionCount', params: [sender, 'latest'] }])
  const account = { chainNumber, nonce: hexQuantity.parse(count?.result) }
  const isStub = BigInt(eip7702Auth.r) === stub.r && BigInt(eip7702Auth.s) === stub.s
  if (isStub) assertPlace(eip7702Auth, account)
  else await assertAuthorization(operation, account)
}

/** The signature that viem, and the secure frame, write before the account has signed. */
const stub = {
  r: BigInt(`0x${'f'.repeat(31)}${'0'.repeat(33)}`),
  s: BigInt(`0x7${'a'.repeat(63)}`),
}

function assertPlace(
  { chainId, nonce, address }: Authorization,
  { chainNumber, nonce: next }: Account,
): void {
  if (Number(chainId) !== chainNumber) throw wrong('chainId is for another network')
  if (nonce !== next) throw wrong(`nonce must be ${next}`)
  if (BigInt(address) === 0n) throw wrong('address must not be zero')
}

const wrong = (text: string) => new BundlerError('invalidParams', `eip7702Auth: ${text}`)

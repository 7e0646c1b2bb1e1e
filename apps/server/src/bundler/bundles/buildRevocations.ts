import type { FeeRates } from '@latchkey/wire'
import { keccak256 } from 'viem'
import type { ChainBundler } from '../chainBundler.ts'
import { getNumber } from '../operations/checkOperation.ts'
import { getDataFee, serializeSigned } from '../operations/dataFee.ts'
import { type Authorization, toAuthorization } from '../operations/userOperation.ts'
import type { Slot } from './buildBundle.ts'
import type { Bundle } from './bundleStore.ts'
import { priceBundle, toFeeFields } from './priceBundle.ts'

/**
 * A revocation that waits to be sent: an authorization of the zero address (EIP-7702). `done` and
 * `failed` notify its caller.
 */
export type Revocation = {
  readonly authorization: Authorization
  done(): void
  failed(error: unknown): void
}

export const maxRevocations = 50
/**
 * Gas of a transaction without data (21 000) with a reserve, and more for each authorization
 * (EIP-7702).
 */
const baseGas = 35_000n
const authorizationGas = 25_000n

/**
 * The highest cost in wei of a revocation that is sent alone now, including a rollup's fee for its
 * data. Throws RPC_UNAVAILABLE.
 */
export async function getRevocationCost(
  chain: Pick<ChainBundler, 'account' | 'l1Fee'>,
  authorization: Authorization,
  { maxWei }: Pick<FeeRates, 'maxWei'>,
): Promise<bigint> {
  const gas = baseGas + authorizationGas
  const transaction = {
    type: 'eip7702',
    chainId: Number(authorization.chainId),
    nonce: 0xffffff,
    to: chain.account.address,
    gas,
    maxFeePerGas: maxWei,
    maxPriorityFeePerGas: maxWei,
    authorizationList: [toAuthorization(authorization)],
  } as const
  return gas * maxWei + (await getDataFee(chain, serializeSigned(transaction)))
}

/**
 * Signs a transaction of the bundler to itself that carries the authorizations, and does nothing
 * else.
 */
export async function buildRevocations(
  { account, chainId }: ChainBundler,
  { revocations, slot }: { readonly revocations: readonly Revocation[]; readonly slot: Slot },
): Promise<Bundle> {
  const { market, nonce, least } = slot
  const fees = priceBundle([], { market, least }) ?? least
  const raw = await account.signTransaction({
    type: 'eip7702',
    chainId: getNumber({ chainId }),
    nonce,
    to: account.address,
    gas: baseGas + authorizationGas * BigInt(revocations.length),
    ...toFeeFields(fees, market),
    authorizationList: revocations.map(({ authorization }) => toAuthorization(authorization)),
  } as Parameters<typeof account.signTransaction>[0])
  return { hash: keccak256(raw), raw, nonce }
}

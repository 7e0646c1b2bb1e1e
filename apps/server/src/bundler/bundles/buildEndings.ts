import { getFeeRates } from '@latchkey/wire'
import { keccak256 } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { getNumber } from '../operations/checkOperation.ts'
import { type Authorization, toAuthorization } from '../operations/userOperation.ts'
import type { Bundle } from './bundleStore.ts'

/** An authorization of the zero address that waits to be sent. `done` and `failed` tell whoever waits for it. */
export type Ending = {
  readonly authorization: Authorization
  done(): void
  failed(error: unknown): void
}

export const maxEndings = 50
/** Gas of a transaction without data (21 000) with a reserve, and more for each authorization (EIP-7702). */
const baseGas = 35_000n
const authorizationGas = 25_000n

/** What an ending that is sent alone costs at most, in units of gas. */
export const endingGas = baseGas + authorizationGas

/** Signs a transaction of the bundler to itself that carries the authorizations, and does nothing else. Throws RPC_UNAVAILABLE, ANSWER_INVALID. */
export async function buildEndings(
  { ask, account, chainId }: ChainBundler,
  endings: readonly Ending[],
): Promise<Bundle> {
  const [nonceReply, ...rates] = await ask([
    { method: 'eth_getTransactionCount', params: [account.address, 'latest'] },
    ...feeQuestions,
  ])
  const nonce = Number(hexQuantity.parse(nonceReply?.result))
  const raw = await account.signTransaction({
    type: 'eip7702',
    chainId: getNumber({ chainId }),
    nonce,
    to: account.address,
    gas: baseGas + authorizationGas * BigInt(endings.length),
    ...readRates(rates).fields,
    authorizationList: endings.map(({ authorization }) => toAuthorization(authorization)),
  } as Parameters<typeof account.signTransaction>[0])
  return { hash: keccak256(raw), raw, nonce }
}

export const feeQuestions = [
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_gasPrice', params: [] },
  { method: 'eth_maxPriorityFeePerGas', params: [] },
] as const

/** The fees of the next block from the answers to {@link feeQuestions}. Throws ANSWER_INVALID. */
export const readRates = ([block, gasPrice, tip]: Awaited<ReturnType<ChainBundler['ask']>>) =>
  getFeeRates({ block: block?.result, gasPrice: gasPrice?.result, tip: tip?.result })

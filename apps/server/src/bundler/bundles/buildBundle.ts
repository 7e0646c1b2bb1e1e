import { getFeeRates } from '@latchkey/wire'
import { keccak256 } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import { readFailure } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { getNumber } from '../operations/checkOperation.ts'
import type { StoredOperation } from '../operations/operationStore.ts'
import {
  encodeBundle,
  getBundleGas,
  getOperationGas,
  simulateBundle,
} from '../operations/simulate.ts'
import { entryPoint, toAuthorization } from '../operations/userOperation.ts'
import type { Bundle } from './bundleStore.ts'

/** The gas limit of a bundle, which must fit in a block of 30 million. */
const maxBundleGas = 24_000_000n
const maxOperations = 50

/** Why an operation cannot be in a bundle any more. */
export type Dropped = { readonly operation: StoredOperation; readonly reason: string }

/**
 * Signs a transaction with as many of the operations as fit, one of each sender; those that would fail now are left out. No
 * `bundle` if none is left. Throws RPC_UNAVAILABLE, ANSWER_INVALID.
 */
export async function buildBundle(
  chain: ChainBundler,
  waiting: readonly StoredOperation[],
): Promise<{ bundle?: Bundle; operations: StoredOperation[]; dropped: Dropped[] }> {
  const { ask, account } = chain
  let operations = await omitUsed(chain, choose(waiting))
  const dropped: Dropped[] = []
  while (operations.length > 0) {
    const [verdict, nonceReply, block, gasPrice, tip] = await ask([
      simulateBundle(
        operations.map(({ operation }) => operation),
        account.address,
      ),
      { method: 'eth_getTransactionCount', params: [account.address, 'latest'] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_gasPrice', params: [] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ])
    const failure = readFailure(verdict)
    if (failure) {
      const { index, reason } = failure
      const guilty =
        index === undefined && operations.length > 1 ? undefined : operations[index ?? 0]
      if (guilty) dropped.push({ operation: guilty, reason })
      // If it is not known which one fails, the first is tried alone.
      operations = guilty ? operations.filter((one) => one !== guilty) : operations.slice(0, 1)
      continue
    }
    const nonce = Number(hexQuantity.parse(nonceReply?.result))
    const { fields } = getFeeRates({
      block: block?.result,
      gasPrice: gasPrice?.result,
      tip: tip?.result,
    })
    return { bundle: await sign(chain, { operations, nonce, fees: fields }), operations, dropped }
  }
  return { operations, dropped }
}

function choose(waiting: readonly StoredOperation[]): StoredOperation[] {
  const chosen: StoredOperation[] = []
  const senders = new Set<string>()
  let gas = 0n
  for (const one of waiting) {
    const next = gas + getOperationGas(one.operation)
    if (senders.has(one.operation.sender) || next > maxBundleGas) continue
    if (chosen.length === maxOperations) break
    senders.add(one.operation.sender)
    chosen.push(one)
    gas = next
  }
  return chosen
}

/**
 * The operations without the authorizations that the network would skip: each counts once, and the account may have used its nonce for
 * something else since. The simulation then takes the account as it is on the chain.
 */
async function omitUsed(
  { ask }: ChainBundler,
  operations: readonly StoredOperation[],
): Promise<StoredOperation[]> {
  const signed = operations.filter(({ operation }) => operation.eip7702Auth)
  if (signed.length === 0) return [...operations]
  const replies = await ask(
    signed.map(({ operation }) => ({
      method: 'eth_getTransactionCount',
      params: [operation.sender, 'latest'],
    })),
  )
  const used = signed.filter(
    ({ operation }, index) =>
      operation.eip7702Auth?.nonce !== hexQuantity.parse(replies[index]?.result),
  )
  return operations.map((one) =>
    used.includes(one) ? { ...one, operation: { ...one.operation, eip7702Auth: undefined } } : one,
  )
}

async function sign(
  chain: ChainBundler,
  parameters: {
    operations: readonly StoredOperation[]
    nonce: number
    fees: ReturnType<typeof getFeeRates>['fields']
  },
): Promise<Bundle> {
  const { account } = chain
  const { nonce, fees } = parameters
  const operations = parameters.operations.map(({ operation }) => operation)
  const authorizationList = operations.flatMap(({ eip7702Auth }) =>
    eip7702Auth ? [toAuthorization(eip7702Auth)] : [],
  )
  const raw = await account.signTransaction({
    chainId: getNumber(chain),
    nonce,
    to: entryPoint,
    data: encodeBundle(operations, account.address),
    gas: getBundleGas(operations) + 25_000n * BigInt(authorizationList.length),
    ...fees,
    ...(authorizationList.length > 0 && { type: 'eip7702' as const, authorizationList }),
  } as Parameters<typeof account.signTransaction>[0])
  return { hash: keccak256(raw), raw, nonce }
}

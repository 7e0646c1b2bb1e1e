import { getLeastTip } from '@latchkey/wire'
import type { Hex } from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import * as z from 'zod'
import { toQuantity } from '../evm/hex.ts'
import { hexHash, hexQuantity } from '../evm/schemas.ts'
import { batchRequests } from './batchRequests.ts'
import { BundlerError, cleanReason } from './bundlerError.ts'
import { answerReceipt, findTransaction } from './bundles/answerReceipt.ts'
import type { ChainOperator } from './bundles/runBundlerLoop.ts'
import type { ChainBundler } from './chainBundler.ts'
import { type AdditionResult, addOperations } from './mempool/addOperations.ts'
import {
  findOperations,
  type NewOperation,
  type StoredOperation,
} from './mempool/operationStore.ts'
import { assertDraftAuthorization } from './operations/checkAuthorization.ts'
import { checkOperation, getNumber } from './operations/checkOperation.ts'
import { formatEstimate } from './operations/estimateGas.ts'
import { estimateOperation } from './operations/estimateOperation.ts'
import { parseOperation } from './operations/parseOperation.ts'
import { formatOperation, userOperation, userOperationDraft } from './operations/userOperation.ts'
import { forClient } from './operations/validationWork.ts'
import { readPromiseEnd } from './operations/validity.ts'
import { type Sponsor, toSponsorship } from './sponsorship/sponsorOperation.ts'
import { count, withinLimits } from './sponsorship/sponsorshipBudget.ts'

/** Answers a method. `client`: the client's address, for its limits. */
export type BundlerMethod = (
  params: readonly unknown[],
  from?: { readonly client?: string | undefined },
) => Promise<unknown>

/**
 * The methods of the server's own bundler (ERC-7769). Each throws BundlerError and RPC_UNAVAILABLE.
 */
export function createOwnBundler(
  chain: ChainBundler,
  {
    operator,
    sponsor,
  }: { readonly operator: ChainOperator; readonly sponsor?: Sponsor | undefined },
): Readonly<Record<string, BundlerMethod>> {
  const { ask } = chain
  // Operations that arrive at the same time are added with one query.
  const add = batchRequests((added: readonly NewOperation[]) => addOperations(chain, added))
  const look = batchRequests((hashes: readonly Hex[]) => findOperations(chain, hashes))
  return {
    eth_chainId: async () => toQuantity(getNumber(chain)),
    eth_supportedEntryPoints: async () => [entryPoint08Address],
    eth_sendUserOperation: async (params, { client } = {}) => {
      const operation = parseOperation(userOperation, params)
      const checked = await checkOperation(forClient(chain, client), operation)
      const isPaid = operation.paymaster === chain.trustedPaymaster
      const outcome =
        sponsor && isPaid
          ? await addSponsored(sponsor, { add, checked, client })
          : await add(checked)
      const refusal = refusals[outcome]
      if (refusal !== undefined)
        throw new BundlerError(outcome === 'poor' ? 'deposit' : 'invalidParams', refusal)
      operator.wake()
      return checked.hash
    },
    eth_estimateUserOperationGas: async (params, { client } = {}) => {
      const operation = parseOperation(userOperationDraft, params)
      const isAssumed = params.length === 2
      await assertDraftAuthorization(chain, operation, getNumber(chain))
      return formatEstimate(
        await estimateOperation(forClient(chain, client), operation, {
          chainNumber: getNumber(chain),
          isAssumed,
        }),
      )
    },
    eth_getUserOperationReceipt: async (params) => {
      const stored = await findStored(look, params)
      return stored ? answerReceipt(chain, stored) : null
    },
    eth_getUserOperationByHash: async (params) => {
      const stored = await findStored(look, params)
      if (!stored || stored.status === 'dropped') return null
      const found = await findTransaction(chain, stored)
      return {
        userOperation: formatOperation(stored.operation),
        entryPoint: entryPoint08Address,
        transactionHash: found?.mined.hash ?? null,
        blockNumber: found ? toQuantity(found.mined.blockNumber) : null,
        blockHash: found?.mined.blockHash ?? null,
      }
    },
    pimlico_getUserOperationStatus: async (params) => {
      const stored = await findStored(look, params)
      // A block can have the operation before this server has noticed.
      const isIncluded = stored?.status === 'sent' && (await answerReceipt(chain, stored))
      return formatStatus(isIncluded ? { ...stored, status: 'included' } : stored)
    },
    pimlico_getUserOperationGasPrice: async () => {
      const [block, tip] = await ask([
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
        { method: 'eth_maxPriorityFeePerGas', params: [] },
      ])
      return formatGasPrices(block?.result, tip?.result, getLeastTip(getNumber(chain)))
    },
  }
}

/**
 * Adds an operation that the operator pays for, and counts it towards the limits in the same
 * transaction. The simulation has verified the account's signature. Throws BundlerError if a limit
 * is reached.
 */
async function addSponsored(
  sponsor: Sponsor,
  {
    add,
    checked,
    client,
  }: {
    readonly add: (one: NewOperation) => Promise<AdditionResult>
    readonly checked: NewOperation
    readonly client: string | undefined
  },
): Promise<AdditionResult> {
  const { hash, operation } = checked
  const promised = toSponsorship(operation, readPromiseEnd(operation))
  const sponsorship = { ...promised, operation: hash, client }
  let outcome: AdditionResult = 'full'
  await withinLimits(sponsor, sponsorship, async () => {
    outcome = await add({
      ...checked,
      count: (transaction) => count(transaction, sponsor, sponsorship),
    })
    return isLimit(outcome) ? outcome : undefined
  })
  return outcome
}

const isLimit = (outcome: AdditionResult) =>
  outcome === 'account' || outcome === 'client' || outcome === 'network'

const refusals: Readonly<Record<string, string>> = {
  full: 'Too many operations of this sender are waiting. Try again after one of them is included',
  crowded: 'The mempool is full. Pay at least 10% more above the base fee, or try again later',
  cheap: 'replacement underpriced: raise maxFeePerGas and maxPriorityFeePerGas by at least 10%',
  sent: 'An operation with this nonce is already being sent. Unless a paymaster pays for either operation, raise maxFeePerGas and maxPriorityFeePerGas by 15% to replace it',
  poor: 'paymaster deposit too low for all waiting operations',
  entity:
    'The paymaster is the sender of another waiting operation, or the sender is its paymaster',
  delegate: 'eip7702Auth: a waiting operation of this sender has another address',
}

const statuses = {
  pending: 'not_submitted',
  sent: 'submitted',
  included: 'included',
  dropped: 'rejected',
} as const

/** The status of an operation, with Pimlico's names, and the reason if it was dropped. */
function formatStatus(stored: StoredOperation | undefined): object {
  if (!stored) return { status: 'not_found', transactionHash: null }
  const { status, bundleHash, reason } = stored
  return {
    status: statuses[status],
    transactionHash: bundleHash ?? null,
    ...(status === 'dropped' && reason !== undefined && { reason: cleanReason(reason) }),
  }
}

const base = z.object({ baseFeePerGas: hexQuantity.default(0n) })

/** Fees per gas that get an operation into the next block, in three steps. */
function formatGasPrices(block: unknown, tip: unknown, leastTip: bigint): object {
  const baseFee = base.parse(block).baseFeePerGas
  const suggested = hexQuantity.safeParse(tip).data ?? 0n
  const least = suggested > leastTip ? suggested : leastTip
  const prices = (percent: bigint) => ({
    maxFeePerGas: toQuantity((baseFee * percent) / 100n + least),
    maxPriorityFeePerGas: toQuantity(least),
  })
  return { slow: prices(115n), standard: prices(130n), fast: prices(165n) }
}

async function findStored(
  look: (hash: Hex) => Promise<StoredOperation | undefined>,
  params: readonly unknown[],
): Promise<StoredOperation | undefined> {
  const hash = hexHash.safeParse(params[0])
  if (!hash.success)
    throw new BundlerError('invalidParams', 'Missing or invalid user operation hash')
  return look(hash.data)
}

import { keccak256 } from 'viem'
import type { ChainReply } from '../askChain.ts'
import { type FailedOperation, readFailure } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import type { StoredOperation } from '../mempool/operationStore.ts'
import { getNumber } from '../operations/checkOperation.ts'
import { getDataFee, getDataIncome } from '../operations/dataFee.ts'
import { covers, type Fees, getOffer, type Market } from '../operations/market.ts'
import {
  encodeBundle,
  getBundleBytes,
  getBundleGas,
  getRiskedGas,
  maxBundleBytes,
  simulateBundle,
} from '../operations/simulate.ts'
import { entryPoint, toAuthorization, type UserOperation } from '../operations/userOperation.ts'
import { expiresSoon, isExpiring } from '../operations/validity.ts'
import type { Bundle } from './bundleStore.ts'
import { checkAgain, type Dropped } from './checkAgain.ts'
import { priceBundle, toFeeFields } from './priceBundle.ts'

const maxOperations = 50
/**
 * The most gas that a bundle may lose if a validation fails in a block, unless a single operation
 * risks more.
 */
export const maxRiskedGas = 8_000_000n

/**
 * The result for the operations: those in the bundle, those that would fail now, and those that
 * wait because they pay too little or will fail soon.
 */
export type Built = {
  readonly bundle?: Bundle
  readonly operations: readonly StoredOperation[]
  readonly dropped: readonly Dropped[]
  readonly postponed: readonly StoredOperation[]
  /** Operations whose validation may run other code than the traced code. */
  readonly changed: readonly StoredOperation[]
}

/**
 * The slot of a bundle: the market, the nonce, and the least fees that a transaction with this
 * nonce has to offer. `replaced`: the operations of the bundle that is pending with this nonce.
 */
export type Slot = {
  readonly market: Market
  readonly nonce: number
  readonly least: Fees
  readonly replaced?: readonly UserOperation[]
}

/**
 * Signs a transaction with as many of the operations as fit, at most one per sender. It offers at
 * most the gas price that each of them pays. No `bundle` if none is left. Throws RPC_UNAVAILABLE,
 * ANSWER_INVALID.
 */
export async function buildBundle(
  chain: ChainBundler,
  waiting: readonly StoredOperation[],
  slot: Slot,
): Promise<Built> {
  const { ask, account } = chain
  const expiring = waiting.filter(({ until }) => isExpiring(until, slot.market))
  const lasting = waiting.filter((one) => !expiring.includes(one))
  const checked = await checkAgain(chain, choose(lasting, slot))
  const dropped = [
    ...expiring.map((operation) => ({ operation, reason: expiresSoon })),
    ...checked.dropped,
  ]
  const { changed } = checked
  let { operations } = checked
  const postponed: StoredOperation[] = []
  while (operations.length > 0) {
    const all = operations.map(({ operation }) => operation)
    const [verdict, later] = await ask([
      simulateBundle(all, account.address),
      simulateBundle(all, account.address, 'pending'),
    ])
    const failure = readFailure(verdict)
    if (failure) {
      const { index, reason } = failure
      const guilty =
        index === undefined && operations.length > 1 ? undefined : operations[index ?? 0]
      // An operation that fails only together with others waits for the next bundle.
      const alone = operations.length > 1 && guilty ? await tryAlone(chain, guilty) : { reason }
      if (guilty && alone) dropped.push({ operation: guilty, reason: alone.reason })
      // If the failing operation is unknown, the first is tried alone.
      operations = guilty ? operations.filter((one) => one !== guilty) : operations.slice(0, 1)
      continue
    }
    const undone = operations[readPendingFailure(later) ?? -1]
    if (undone && !replaces(undone, slot)) {
      postponed.push(undone)
      operations = operations.filter((one) => one !== undone)
      continue
    }
    // A replacement fails after the pending bundle that it takes the place of. It goes alone,
    // because the node does not report what would fail after it.
    if (undone && operations.length > 1) {
      operations = [undone]
      continue
    }
    const bundle = await sign(chain, { operations, slot })
    if (!bundle) break
    const poor = await findPoor(chain, { operations, market: slot.market, raw: bundle.raw })
    if (poor.length === 0) return { bundle, operations, dropped, postponed, changed }
    postponed.push(...poor)
    operations = operations.filter((one) => !poor.includes(one))
  }
  return { operations: [], dropped, postponed, changed }
}

/** The reason why an operation fails alone; undefined if it passes. */
async function tryAlone(
  { ask, account }: ChainBundler,
  { operation }: StoredOperation,
): Promise<FailedOperation | undefined> {
  const [verdict] = await ask([simulateBundle([operation], account.address)])
  return readFailure(verdict)
}

const replaces = ({ operation }: StoredOperation, { replaced = [] }: Slot) =>
  replaced.some(({ sender, nonce }) => sender === operation.sender && nonce === operation.nonce)

/**
 * The index of the operation that will fail after the node's pending transactions; undefined if all
 * pass or the node cannot simulate that.
 */
function readPendingFailure(reply: ChainReply | undefined): number | undefined {
  try {
    return readFailure(reply)?.index
  } catch {
    return undefined
  }
}

/** The operations of the next bundle, in the order given, as far as they pay enough and fit. */
function choose(
  waiting: readonly StoredOperation[],
  { market, least }: Slot,
): readonly StoredOperation[] {
  let chosen: readonly StoredOperation[] = []
  const senders = new Set<string>()
  for (const one of waiting) {
    if (senders.has(one.operation.sender) || !covers(getOffer(one.operation, market), least))
      continue
    const next = [...chosen, one]
    // An operation with a small tip would delay the others.
    if (isUsual(next[0], market) !== isUsual(one, market) || !fits(next, market)) continue
    senders.add(one.operation.sender)
    chosen = next
  }
  return chosen
}

const isUsual = (one: StoredOperation | undefined, { usualTip }: Market) =>
  one !== undefined && one.operation.maxPriorityFeePerGas >= usualTip

function fits(chosen: readonly StoredOperation[], { gasLimit }: Market): boolean {
  const operations = chosen.map(({ operation }) => operation)
  const most = Math.min(...chosen.map(({ together }) => together ?? maxOperations))
  return (
    chosen.length <= most &&
    getBundleGas(operations) <= gasLimit &&
    (chosen.length === 1 || getRiskedGas(operations) <= maxRiskedGas) &&
    getBundleBytes(operations) <= maxBundleBytes
  )
}

/** Operations that pay less than their share of a rollup's fee for the bundle's data. */
async function findPoor(
  chain: ChainBundler,
  {
    operations,
    market,
    raw,
  }: {
    readonly operations: readonly StoredOperation[]
    readonly market: Market
    readonly raw: Bundle['raw']
  },
): Promise<readonly StoredOperation[]> {
  const fee = await getDataFee(chain, raw)
  const all = operations.map(({ operation }) => operation)
  if (fee === 0n || getDataIncome(all, market) >= fee) return []
  const bytes = BigInt(getBundleBytes(all))
  const poor = operations.filter(({ operation }) => {
    const share = fee * BigInt(getBundleBytes([operation]))
    return getDataIncome([operation], market) * bytes < share
  })
  return poor.length > 0 ? poor : operations
}

async function sign(
  chain: ChainBundler,
  parameters: { readonly operations: readonly StoredOperation[]; readonly slot: Slot },
): Promise<Bundle | undefined> {
  const { account } = chain
  const { market, nonce, least } = parameters.slot
  const operations = parameters.operations.map(({ operation }) => operation)
  const fees = priceBundle(operations, { market, least })
  if (!fees) return undefined
  const authorizationList = operations.flatMap(({ eip7702Auth }) =>
    eip7702Auth ? [toAuthorization(eip7702Auth)] : [],
  )
  const raw = await account.signTransaction({
    chainId: getNumber(chain),
    nonce,
    to: entryPoint,
    data: encodeBundle(operations, account.address),
    gas: getBundleGas(operations),
    ...toFeeFields(fees, market),
    ...(authorizationList.length > 0 && { type: 'eip7702' as const, authorizationList }),
  } as Parameters<typeof account.signTransaction>[0])
  return { hash: keccak256(raw), raw, nonce }
}

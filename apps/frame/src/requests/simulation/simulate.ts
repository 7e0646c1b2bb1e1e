import type {
  FeeFields,
  SimulatedAllowance,
  SimulatedChange,
  SimulatedOutcome,
} from '@latchkey/wire'
import type { Hex } from 'viem'
import type { ApprovalRequest } from '../approvalRequest.ts'
import type { EffectAsset } from '../effect.ts'
import type { EvmCall } from '../evm/readCall.ts'
import type { SimulationResponse } from './fetchSimulation.ts'
import { isLess } from './takesMore.ts'

/**
 * `amount`: what the account receives, negative if it leaves. `asset.amount` is the absolute value.
 */
export type ExpectedChange = {
  readonly key: string
  readonly asset: EffectAsset
  readonly amount: bigint
}

/** `asset` is undefined for every item of the collection. */
export type ExpectedAllowance = {
  readonly key: string
  readonly token: Hex
  readonly spender: Hex
  readonly asset: EffectAsset | undefined
  readonly via: Hex | undefined
}

/**
 * The worst of the nodes' results. Never trusted on its own: nodes can be wrong or lie, so it only
 * adds to the decoded calldata. `answered`: how many of the `asked` nodes answered. `reason`: why
 * it would fail, after `ran` calls. `isComplete`: whether all changes are known. `gasUsed`: per
 * call that ran, if a node reports it.
 */
export type EvmSimulation = {
  readonly asked: number
  readonly answered: number
  readonly doNodesDisagree: boolean
  readonly reason: string | undefined
  readonly ran: number
  readonly isComplete: boolean
  readonly gasUsed: readonly bigint[]
  readonly changes: readonly ExpectedChange[]
  readonly allowances: readonly ExpectedAllowance[]
  /** The price of a whole unit in dollars, by the keys of changes. For display only. */
  readonly prices: ReadonlyMap<string, number>
}

const timeoutMs = 3_000

const unavailable: SimulationResponse = { asked: 0, outcomes: [] }

/**
 * Simulates calls of the account, one after another: one for a transaction, all for a batch.
 * `fees`: the signed fees, with the gas limit for calls without a limit; without `fees`, a sponsor
 * pays. Waits for three seconds; a failure or a timeout counts as no response. Never throws.
 */
export async function simulateEvm(
  {
    fetchSimulation,
    chain,
    accounts,
  }: Pick<ApprovalRequest, 'fetchSimulation' | 'chain' | 'accounts'>,
  {
    calls,
    fees,
  }: {
    calls: readonly (EvmCall & { readonly gas?: bigint })[]
    fees?: { gas: bigint; fields: FeeFields }
  },
): Promise<EvmSimulation> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<SimulationResponse>((resolve) => {
    timer = setTimeout(() => resolve(unavailable), timeoutMs)
  })
  const asked = fetchSimulation({
    chainId: chain.id,
    from: accounts.eip155,
    calls: calls.map(({ to, value, data, gas }) => ({
      ...(to && { to }),
      value: toHex(value),
      data,
      ...(gas !== undefined && { gas: toHex(gas) }),
    })),
    ...(fees && { fees: toHexFees(fees) }),
  }).catch(() => unavailable)
  const answer = await Promise.race([asked, late])
  clearTimeout(timer)
  return mergeOutcomes(answer)
}

const toHex = (value: bigint) => `0x${value.toString(16)}`

const toHexFees = ({ gas, fields }: { gas: bigint; fields: FeeFields }) => ({
  gas: toHex(gas),
  ...('gasPrice' in fields
    ? { gasPrice: toHex(fields.gasPrice) }
    : {
        maxFeePerGas: toHex(fields.maxFeePerGas),
        maxPriorityFeePerGas: toHex(fields.maxPriorityFeePerGas),
      }),
})

type CompletedOutcome = Extract<SimulatedOutcome, { status: 'done' }>
type FailedOutcome = Extract<SimulatedOutcome, { status: 'failed' }>

/**
 * Merges the outcomes of the nodes into the worst one: the least that arrives, the most that
 * leaves, every allowance, and any failure.
 */
function mergeOutcomes({ asked, outcomes, prices = [] }: SimulationResponse): EvmSimulation {
  const isDone = outcomes.some((one) => one.status === 'done')
  const failed = outcomes.find((one): one is FailedOutcome => one.status === 'failed')
  // Calls that ran before the failed call count too: a failure must not hide them.
  const done = outcomes.flatMap((one): Omit<CompletedOutcome, 'status'>[] =>
    one.status === 'done' ? [one] : one.ran ? [one.ran] : [],
  )
  const gasUsed = done.map((one) => (one.gasUsed ?? []).map(BigInt))
  const changes = done.map((one) => new Map(one.changes.map((each) => [changeKey(each), each])))
  const keys = [...new Set(changes.flatMap((one) => [...one.keys()]))]
  const merged = keys.map((key) => {
    const amounts = changes.map((one) => BigInt(one.get(key)?.amount ?? 0))
    const [change] = changes.flatMap((one) => one.get(key) ?? [])
    return { key, change, least: smallest(amounts), most: -smallest(amounts.map((one) => -one)) }
  })
  const given = done.map(({ allowances }) => readAllowances(allowances))
  const allowed = mergeAllowances(given)
  return {
    asked,
    answered: outcomes.length,
    doNodesDisagree:
      (failed !== undefined && isDone) ||
      merged.some(({ least, most }) => isLess(most, least)) ||
      given.some((one) => one.size !== allowed.length),
    reason: failed?.reason,
    ran: failed?.ran?.gasUsed?.length ?? 0,
    gasUsed: (gasUsed.toSorted((a, b) => b.length - a.length)[0] ?? []).map(
      (_, at) => -smallest(gasUsed.map((one) => -(one[at] ?? 0n))),
    ),
    isComplete: done.every(({ isComplete }) => isComplete),
    changes: merged.flatMap(({ key, change, least }) =>
      change && least !== 0n ? { key, asset: toAsset(change, least), amount: least } : [],
    ),
    allowances: allowed,
    prices: new Map(prices.map(({ token, usd }) => [changeKey({ token, id: null }), usd])),
  }
}

const smallest = (list: readonly bigint[]) => list.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 0n

const changeKey = ({ token, id }: Pick<SimulatedChange, 'token' | 'id'>) =>
  [token?.toLowerCase() ?? 'native', ...(id === null ? [] : [id])].join(' ')

function toAsset({ token, id }: SimulatedChange, change: bigint): EffectAsset {
  const amount = change < 0n ? -change : change
  if (token === null) return { kind: 'native', amount }
  if (id === null) return { kind: 'units', token: token as Hex, amount }
  return { kind: 'item', token: token as Hex, id: BigInt(id), amount }
}

function readAllowances(list: readonly SimulatedAllowance[]): Map<string, ExpectedAllowance> {
  return new Map(
    list.map(({ token, spender, via, amount, id }) => {
      const what = id === null ? (amount === null ? 'all' : 'units') : id
      const key = [via ?? '', token, spender, what].join(' ').toLowerCase()
      const asset: EffectAsset | undefined =
        id !== null
          ? { kind: 'item', token: token as Hex, id: BigInt(id), amount: 1n }
          : amount === null
            ? undefined
            : { kind: 'units', token: token as Hex, amount: BigInt(amount) }
      const one = { key, token: token as Hex, spender: spender as Hex, asset }
      return [key, { ...one, via: (via ?? undefined) as Hex | undefined }]
    }),
  )
}

function mergeAllowances(
  given: readonly ReadonlyMap<string, ExpectedAllowance>[],
): ExpectedAllowance[] {
  const all = new Map<string, ExpectedAllowance>()
  for (const one of given.flatMap((map) => [...map.values()])) {
    const known = all.get(one.key)
    if (!known || (known.asset?.amount ?? 0n) < (one.asset?.amount ?? 0n)) all.set(one.key, one)
  }
  return [...all.values()]
}

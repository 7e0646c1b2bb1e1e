import { addGasMargin, type FeeFields, getFee, LatchkeyError, readFeeRates } from '@latchkey/wire'
import { formatUnits, type Hex } from 'viem'
import * as z from 'zod/mini'
import { executesWithin } from '../../executesWithin.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { type ApprovalRequest, type PreparedRequest, placeRows } from '../approvalRequest.ts'
import { getCounterparties } from '../counterparties.ts'
import { type Described, describeEffects } from '../describeEffects.ts'
import type { Effect } from '../effect.ts'
import { caution, danger, unique } from '../getWarnings.ts'
import { assertAccount, invalidParams, toBig } from '../params.ts'
import { sanitizeName } from '../sanitizeName.ts'
import { describeSimulation } from '../simulation/describeSimulation.ts'
import { hasGrown } from '../simulation/hasGrown.ts'
import { type Simulation, simulate } from '../simulation/simulate.ts'
import { checkFees, feeFields } from './checkFees.ts'
import { findAllowance, lowerAllowance } from './lowerAllowance.ts'
import { type Call, readCall } from './readCall.ts'
import { sendTransaction } from './sendTransaction.ts'

const t = approvals.approve
const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const bytes = z.string().check(z.regex(/^0x([0-9a-f]{2})*$/i), z.maxLength(262_146))

// The page's gas, fees and nonce are ignored. Fields that change the type of the transaction are refused.
const transaction = z.object({
  from: z.string(),
  to: z.optional(z.nullable(z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)))),
  value: z.optional(quantity),
  data: z.optional(bytes),
  input: z.optional(bytes),
  chainId: z.optional(z.union([z.string(), z.number()])),
  authorizationList: z.optional(z.never()),
  ...feeFields,
})

/**
 * eth_sendTransaction: shows what leaves the wallet, to whom, on which network and at what cost; everything else
 * comes from our RPC. It is tried out before it can be approved, and once more afterwards.
 */
export async function prepareTransaction(request: ApprovalRequest): Promise<PreparedRequest> {
  const asked = readAskedCall(request)
  return onNetwork(request, () => prepareCall(request, asked))
}

/** `asked`: the allowance that the page asks for, where all that the call does is to allow it; the user may lower it. */
export type AskedCall = { readonly call: Call; readonly asked: bigint | undefined }

/** The call of an eth_sendTransaction. Throws as {@link prepareTransaction}. */
export function readAskedCall(request: ApprovalRequest): AskedCall {
  const call = parseCall(request)
  return { call, asked: findAllowance(call, request) }
}

/** A call as a transaction of the account, which pays its fee. */
export const prepareCall = async (
  request: ApprovalRequest,
  asked: AskedCall,
): Promise<PreparedRequest> => prepareReview(request, await readReview(request, asked))

/**
 * The result of `prepare`, which runs while our RPC says of which network it is. Throws CHAIN_DISCONNECTED where that is another
 * one, whatever `prepare` throws then.
 */
export async function onNetwork<T>(
  { chain, read, signal }: ApprovalRequest,
  prepare: () => Promise<T>,
): Promise<T> {
  const prepared = prepare()
  prepared.catch(() => {})
  if (Number(await read(chain, 'eth_chainId', [], signal)) !== Number(chain.reference))
    throw new LatchkeyError('CHAIN_DISCONNECTED')
  return prepared
}

function parseCall({ params, accounts, chain }: ApprovalRequest): Call {
  const parsed = z.safeParse(z.array(transaction).check(z.length(1)), params)
  const requested = parsed.success ? parsed.data[0] : undefined
  if (!requested) throw invalidParams('transaction')
  checkFees(requested)
  assertAccount(requested.from, accounts.eip155)
  if (requested.chainId !== undefined && Number(requested.chainId) !== Number(chain.reference))
    throw invalidParams(`chainId is not that of ${chain.name}`)
  const to = (requested.to ?? undefined) as Hex | undefined
  const data = (requested.data ?? requested.input ?? '0x') as Hex
  if (
    requested.data &&
    requested.input &&
    requested.data.toLowerCase() !== requested.input.toLowerCase()
  )
    throw invalidParams('data and input differ')
  if (!to && data === '0x') throw invalidParams('to')
  if (executesWithin(accounts.eip155, { to, data })) throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  const { accessList } = requested
  return { to, value: BigInt(requested.value ?? 0), data, ...(accessList && { accessList }) }
}

/** Everything that is known of a transaction before it is shown. */
type Review = AskedCall & {
  readonly effects: readonly Effect[]
  /** What the bytes say. */
  readonly described: Described
  readonly simulation: Simulation
  readonly gas: bigint
  readonly fields: FeeFields
  readonly view: PreparedRequest['view']
}

function prepareReview(request: ApprovalRequest, review: Review): PreparedRequest {
  const { call, asked, effects, view } = review
  return {
    view,
    counterparties: getCounterparties(effects, call.to ? [call.to] : []),
    recheck: async () => {
      const now = await readReview(request, { call, asked })
      if (!hasGrown(review, now)) return undefined
      const warnings = [danger(approvals.warn.changed), ...now.view.warnings]
      return prepareReview(request, { ...now, view: { ...now.view, warnings } })
    },
    approve: () => sendTransaction(request, review),
    // What the bytes say then is read and tried out again, as if the page had asked for it.
    ...(view.editable && {
      edit: async (amount) => prepareCall(request, lowerAllowance({ call, asked }, amount)),
    }),
  }
}

async function readReview(request: ApprovalRequest, { call, asked }: AskedCall): Promise<Review> {
  const { accounts, chain, read, signal } = request
  const { value } = call
  const from = accounts.eip155
  const context = { ...request, account: from, asked }
  const effects = readCall(call, from)
  const [described, rates, estimate, isThere, balance] = await Promise.all([
    describeEffects(context, effects, false),
    readFeeRates((method, params) => read(chain, method, params, signal)),
    estimateGas(request, call),
    hasCode(request, call),
    read(chain, 'eth_getBalance', [from, 'latest'], signal).then(toBig),
  ])
  const { gas, fails } = estimate
  const { maxFeeWei: cost, fields } = getFee({ rates, gas, availableWei: balance - value })
  const tried = await simulate(request, { calls: [call], fees: { gas, fields } })
  const simulation = { ...tried, reason: fails ?? tried.reason }
  const simulated = await describeSimulation(context, { effects, ...described }, simulation)
  const warnings = [
    ...described.warnings,
    ...(isThere ? [] : [danger(approvals.warn.noContract)]),
    ...simulated.warnings,
    ...(value > 0n && cost > value ? [caution(approvals.warn.feeHigh)] : []),
  ]
  const fee = `${formatUnits(cost, chain.decimals)} ${chain.symbol}`
  const view = {
    ...described,
    groups: simulated.groups,
    rows: [],
    place: [
      ...simulated.place,
      { label: t.fee, value: fails === undefined ? fee : t.feeUnknown },
      ...placeRows(request),
    ],
    warnings: unique(warnings),
  }
  return { call, asked, effects, described, simulation, gas, fields, view }
}

/** The limit of a call whose gas is not known. */
export const unknownGas = 1_000_000n

/** The gas limit of a call on top of the latest block, and why it would fail, if it would. */
export async function estimateGas(
  { read, chain, signal, accounts }: ApprovalRequest,
  { to, value, data, accessList }: Call,
): Promise<{ gas: bigint; fails?: string }> {
  const draft = {
    from: accounts.eip155,
    ...(to && { to }),
    value: `0x${value.toString(16)}`,
    data,
    ...(accessList && { accessList }),
  }
  try {
    const gas = toBig(await read(chain, 'eth_estimateGas', [draft], signal))
    return { gas: addGasMargin(gas) }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'RPC_FAILED') throw error
    return { gas: unknownGas, fails: sanitizeName(error.message, 120) }
  }
}

/** Whether there is code for the data of a call; true if it has none. */
export async function hasCode(
  { read, chain, signal }: ApprovalRequest,
  { to, data }: Call,
): Promise<boolean> {
  if (!to || data === '0x') return true
  const code = await read(chain, 'eth_getCode', [to, 'latest'], signal)
  return typeof code === 'string' && code !== '0x'
}

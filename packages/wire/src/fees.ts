import { LatchkeyError } from './errors/errors.ts'

/** The transaction's fee fields, in wei for a unit of gas: EIP-1559, or a gas price where blocks have no base fee. */
export type FeeFields =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint }

/** What a unit of gas costs in the latest block and what a transaction should offer for it, in wei. */
export type FeeRates = {
  readonly currentWei: bigint
  readonly maxWei: bigint
  readonly fields: FeeFields
}

/** What a transaction pays at most, in wei, and the fields that say so. */
export type Fee = { readonly maxFeeWei: bigint; readonly fields: FeeFields }

/** JSON-RPC results as a node gave them; `tip` is undefined where the node does not know the method. */
export type FeeAnswers = {
  readonly block: unknown
  readonly gasPrice: unknown
  readonly tip?: unknown
}

/** 1.2 times, in tenths: a full block raises the base fee by at most an eighth (EIP-1559). */
const feeTenths = 12n

/** Reads the fees from a node and calculates the rates. Throws `ANSWER_INVALID`, and what `request` throws. */
export async function readFeeRates(
  request: (method: string, params: unknown[]) => Promise<unknown>,
): Promise<FeeRates> {
  const [block, gasPrice, tip] = await Promise.all([
    request('eth_getBlockByNumber', ['latest', false]),
    request('eth_gasPrice', []),
    request('eth_maxPriorityFeePerGas', []).catch(() => undefined),
  ])
  return getFeeRates({ block, gasPrice, tip })
}

/** The rates for a node's answers: 1.2 times the base fee plus the tip, or 1.2 times the gas price. Throws `ANSWER_INVALID`. */
export function getFeeRates({ block, gasPrice, tip }: FeeAnswers): FeeRates {
  const priceWei = parseWei(gasPrice)
  const base = (block as { baseFeePerGas?: unknown } | null | undefined)?.baseFeePerGas
  if (base === undefined || base === null) {
    const maxWei = assertWei(multiply(priceWei))
    return { currentWei: priceWei, maxWei, fields: { gasPrice: maxWei } }
  }
  const baseWei = parseWei(base)
  const tipWei = tip === undefined ? tipInPrice(priceWei, baseWei) : parseWei(tip)
  const maxWei = assertWei(multiply(baseWei) + tipWei)
  const fields = { maxFeePerGas: maxWei, maxPriorityFeePerGas: tipWei }
  return { currentWei: baseWei + tipWei, maxWei, fields }
}

/** Rounded up: a fee that is one wei short is refused. */
const multiply = (wei: bigint) => (wei * feeTenths + 9n) / 10n

/** If the node names no tip, the tip is its gas price minus the base fee. */
const tipInPrice = (priceWei: bigint, baseWei: bigint) =>
  priceWei > baseWei ? priceWei - baseWei : 0n

/**
 * The fee of a transaction with this gas limit. It offers no more than `availableWei` pays for, as long as the network takes
 * that now: otherwise a whole balance could not be sent.
 */
export function getFee(parameters: {
  readonly rates: FeeRates
  readonly gas: bigint
  readonly availableWei?: bigint
}): Fee {
  const { rates, gas, availableWei } = parameters
  const affordableWei = availableWei === undefined ? rates.maxWei : availableWei / (gas || 1n)
  if (affordableWei >= rates.maxWei || affordableWei < rates.currentWei)
    return { maxFeeWei: gas * rates.maxWei, fields: rates.fields }
  const fields =
    'gasPrice' in rates.fields
      ? { gasPrice: affordableWei }
      : { ...rates.fields, maxFeePerGas: affordableWei }
  return { maxFeeWei: gas * affordableWei, fields }
}

/** Gas of a payment that runs no code. It never changes. */
const paymentGas = 21_000n

/** The gas limit for an estimate: a fifth more, as a contract's state may change until the transaction is mined. */
export const addGasMargin = (estimate: bigint): bigint =>
  estimate === paymentGas ? estimate : (estimate * 12n) / 10n

function parseWei(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new LatchkeyError('ANSWER_INVALID')
}

/** A transaction's fields have 256 bits. */
function assertWei(value: bigint): bigint {
  if (value < 1n << 256n) return value
  throw new LatchkeyError('ANSWER_INVALID')
}

import { LatchkeyError } from './errors/errors.ts'

/**
 * The transaction's fee fields, in wei for a unit of gas: EIP-1559, or a gas price if blocks have
 * no base fee.
 */
export type FeeFields =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint }

/**
 * The price of a unit of gas in the latest block, and the price that a transaction should offer, in
 * wei.
 */
export type FeeRates = {
  readonly currentWei: bigint
  readonly maxWei: bigint
  readonly fields: FeeFields
}

/** The maximum fee of a transaction, in wei, and its fee fields. */
export type Fee = { readonly maxFeeWei: bigint; readonly fields: FeeFields }

/**
 * Unparsed JSON-RPC results of a node; `tip` is undefined if the node does not support the method.
 */
export type FeeAnswers = {
  readonly block: unknown
  readonly gasPrice: unknown
  readonly tip?: unknown
}

/** 1.2 times, in tenths: a full block raises the base fee by at most an eighth (EIP-1559). */
const feeTenths = 12n

/**
 * Chain ids of networks that accept no tip below 25 gwei, even if a node suggests less: Polygon and
 * Amoy (PIP-35).
 */
const polygonIds = [137, 80_002]

/** The smallest tip that a network accepts, in wei for a unit of gas. */
export const getLeastTip = (chainId: number | string): bigint =>
  polygonIds.includes(Number(chainId)) ? 25_000_000_000n : 0n

/**
 * Reads the fees from a node of a network and calculates the rates. Throws `ANSWER_INVALID`, and
 * the errors of `request`.
 */
export async function readFeeRates(
  request: (method: string, params: unknown[]) => Promise<unknown>,
  chainId: number | string,
): Promise<FeeRates> {
  const [block, gasPrice, tip] = await Promise.all([
    request('eth_getBlockByNumber', ['latest', false]),
    request('eth_gasPrice', []),
    request('eth_maxPriorityFeePerGas', []).catch(() => undefined),
  ])
  return getFeeRates({ block, gasPrice, tip }, chainId)
}

/**
 * The rates for a node's results: 1.2 times the base fee plus the tip, or 1.2 times the gas price.
 * Throws `ANSWER_INVALID`.
 */
export function getFeeRates(
  { block, gasPrice, tip }: FeeAnswers,
  chainId: number | string,
): FeeRates {
  const priceWei = parseWei(gasPrice)
  const base = (block as { baseFeePerGas?: unknown } | null | undefined)?.baseFeePerGas
  if (base === undefined || base === null) {
    const maxWei = assertWei(multiply(priceWei))
    return { currentWei: priceWei, maxWei, fields: { gasPrice: maxWei } }
  }
  const baseWei = parseWei(base)
  const suggestedWei = tip === undefined ? tipInPrice(priceWei, baseWei) : parseWei(tip)
  const tipWei = larger(suggestedWei, getLeastTip(chainId))
  const maxWei = assertWei(multiply(baseWei) + tipWei)
  const fields = { maxFeePerGas: maxWei, maxPriorityFeePerGas: tipWei }
  return { currentWei: baseWei + tipWei, maxWei, fields }
}

/** Rounded up: a fee that is one wei short is refused. */
const multiply = (wei: bigint) => (wei * feeTenths + 9n) / 10n

const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** If the node returns no tip, the tip is its gas price minus the base fee. */
const tipInPrice = (priceWei: bigint, baseWei: bigint) =>
  priceWei > baseWei ? priceWei - baseWei : 0n

/**
 * The fee of a transaction with this gas limit. `l1FeeWei`: the current charge of the network in
 * addition to the gas (see `readL1Fee`). The fee is at most `availableWei`, as long as that is
 * enough for the latest block: otherwise a whole balance could not be sent.
 */
export function getFee(parameters: {
  readonly rates: FeeRates
  readonly gas: bigint
  readonly l1FeeWei?: bigint
  readonly availableWei?: bigint
}): Fee {
  const { rates, gas, l1FeeWei = 0n, availableWei } = parameters
  const reservedWei = addL1FeeMargin(l1FeeWei)
  const maxFeeWei = gas * rates.maxWei + reservedWei
  const needsAll = { maxFeeWei, fields: rates.fields }
  if (availableWei === undefined || availableWei >= maxFeeWei) return needsAll
  if (availableWei < gas * rates.currentWei + l1FeeWei) return needsAll
  const affordableWei = (availableWei - reservedWei) / (gas || 1n)
  const priceWei = affordableWei > rates.currentWei ? affordableWei : rates.currentWei
  const fields =
    'gasPrice' in rates.fields
      ? { gasPrice: priceWei }
      : { ...rates.fields, maxFeePerGas: priceWei }
  const offeredWei = gas * priceWei + reservedWei
  // Then the fee contains only a part of the margin.
  if (offeredWei > availableWei) return { maxFeeWei: availableWei, fields }
  return { maxFeeWei: offeredWei, fields }
}

/**
 * A fee of `readL1Fee` with a margin of a half, rounded up. With each block, the gas of the layer
 * below costs at most an eighth more (EIP-1559). So the margin is enough for three full blocks: 36
 * seconds on Ethereum, until the transaction is in a block.
 */
export const addL1FeeMargin = (wei: bigint): bigint => (wei * 3n + 1n) / 2n

/** Gas of a payment that runs no code; a constant. */
const paymentGas = 21_000n

/**
 * The gas limit for an estimate: half more, because a contract's state may change until the
 * transaction is mined. A fifth is too little: the first swap of a second through a new pair of
 * Uniswap V2 writes two more words than the estimate, 44,000 gas.
 */
export const addGasMargin = (estimate: bigint): bigint =>
  estimate === paymentGas ? estimate : (estimate * 3n) / 2n

function parseWei(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new LatchkeyError('ANSWER_INVALID')
}

/** A transaction's fields have 256 bits. */
function assertWei(value: bigint): bigint {
  if (value < 1n << 256n) return value
  throw new LatchkeyError('ANSWER_INVALID')
}

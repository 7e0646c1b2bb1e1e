import { LatchkeyError } from '@latchkey/wire'
import type { BitcoinAddress, BitcoinAddressType } from '@latchkey/wire/bitcoin'
import type { Coin } from './esplora.ts'

/** The coins that pay for a transfer, and the change. */
export type Selection = {
  coins: readonly Coin[]
  feeSats: bigint
  /**
   * The change, which goes back to the sender; 0 if it would be dust, which is then added to the
   * fee.
   */
  changeSats: bigint
}

/** Virtual bytes of a transaction without inputs and outputs. */
const emptySize = 11
/** Virtual bytes that spending an output takes; P2SH means P2SH-P2WPKH. */
const inputSizes: Readonly<Record<BitcoinAddressType, number>> = {
  p2pkh: 148,
  p2sh: 91,
  p2wpkh: 68,
  p2wsh: 105,
  p2tr: 58,
}
/**
 * The usual upper limit of an output with an inscription. Wallets put in just enough to keep it
 * from being dust.
 */
export const maxInscribedSats = 10_000n

/**
 * The smallest output value that nodes relay, in satoshis: the cost of spending it at 3 satoshis
 * per byte.
 */
export function getDustLimit({ type, script }: BitcoinAddress): bigint {
  const spending = type === 'p2pkh' || type === 'p2sh' ? 148 : 67
  return BigInt(3 * (8 + 1 + script.length + spending))
}

type Spending = {
  coins: readonly Coin[]
  from: BitcoinAddress
  /** Satoshis per virtual byte. */
  rate: number
  /** Whether coins that may hold an inscription are spent too. */
  smallCoins?: boolean | undefined
}

/**
 * The coins of an address that can be spent: coins worth their fee, without those that may hold an
 * inscription unless `smallCoins` is true. Esplora does not know inscriptions; wallets keep them in
 * small outputs at Taproot addresses.
 */
export const getSpendableCoins = ({ smallCoins = false, ...spending }: Spending): Coin[] =>
  getWorthwhile(spending)
    .filter((coin) => smallCoins || !isSmall(coin, spending.from))
    .sort(compare)

/**
 * The sum of the coins that may hold an inscription, in satoshis. Coins that are not worth their
 * fee do not count.
 */
export const getSmallSats = (spending: Spending): bigint =>
  getWorthwhile(spending)
    .filter((coin) => isSmall(coin, spending.from))
    .reduce((sum, { value }) => sum + value, 0n)

const getWorthwhile = ({ coins, from, rate }: Spending) =>
  coins.filter(({ value }) => value > getCost(inputSizes[from.type], rate))

const isSmall = ({ value }: Coin, from: BitcoinAddress) =>
  from.type === 'p2tr' && value <= maxInscribedSats

// Confirmed coins first, then the largest: this needs the fewest inputs, and avoids inputs that may
// still vanish.
const compare = (one: Coin, other: Coin) =>
  Number(other.isConfirmed) - Number(one.isConfirmed) ||
  (one.value === other.value ? 0 : one.value < other.value ? 1 : -1)

/** Chooses coins for an amount, its fee and the change. Throws INSUFFICIENT_FUNDS. */
export function selectCoins(
  parameters: Spending & { amountSats: bigint; to: BitcoinAddress },
): Selection {
  const { amountSats, from, to, rate } = parameters
  const coins: Coin[] = []
  let available = 0n
  for (const coin of getSpendableCoins(parameters)) {
    coins.push(coin)
    available += coin.value
    const feeSats = estimateFee({ inputs: coins.length, from, outputs: [to], rate })
    if (available < amountSats + feeSats) continue
    const changeFeeSats = estimateFee({ inputs: coins.length, from, outputs: [to, from], rate })
    const changeSats = available - amountSats - changeFeeSats
    return changeSats >= getDustLimit(from)
      ? { coins, feeSats: changeFeeSats, changeSats }
      : { coins, feeSats: available - amountSats, changeSats: 0n }
  }
  throw new LatchkeyError('INSUFFICIENT_FUNDS')
}

/** The fee of a transaction that spends `inputs` coins of `from`, in satoshis, rounded up. */
export function estimateFee(parameters: {
  inputs: number
  from: BitcoinAddress
  outputs: readonly BitcoinAddress[]
  rate: number
}): bigint {
  const { inputs, from, outputs, rate } = parameters
  const paid = outputs.reduce((size, { script }) => size + 9 + script.length, 0)
  return getCost(emptySize + inputs * inputSizes[from.type] + paid, rate)
}

/**
 * Virtual bytes of a signed transaction; undefined if an input's script does not reveal the size of
 * its signature.
 */
export function estimateSize(
  spent: readonly Uint8Array[],
  paid: readonly Uint8Array[],
): number | undefined {
  let size = emptySize
  for (const { length, 0: first } of spent) {
    const type = inputTypes.find((one) => one.length === length && one.first === first)?.type
    if (!type) return undefined
    size += inputSizes[type]
  }
  return paid.reduce((total, { length }) => total + 9 + length, size)
}

const inputTypes = [
  { type: 'p2pkh', length: 25, first: 0x76 },
  { type: 'p2sh', length: 23, first: 0xa9 },
  { type: 'p2wpkh', length: 22, first: 0x00 },
  { type: 'p2tr', length: 34, first: 0x51 },
] as const

const getCost = (size: number, rate: number) => BigInt(Math.ceil(size * rate))

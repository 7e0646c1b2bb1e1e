import { encodeAddress, getPrefix } from '@latchkey/wire/polkadot'
import { bytesToHex, formatUnits, hexToBytes } from 'viem'
import type { PolkadotNetwork } from '../config.ts'
import type { Row } from '../requests/walletRequest.ts'

/** The calls that send the network's own currency, by their index in the balances pallet. */
const transfers: Readonly<Record<number, string>> = {
  0: 'Send, even if it closes the account',
  3: 'Send',
}

/** Describes a call: in words if it is a transfer, else its bytes. */
export function describeCall(
  network: PolkadotNetwork,
  method: string,
): { rows: Row[]; isUnknown: boolean } {
  const transfer = readTransfer(network, hexToBytes(method as `0x${string}`))
  if (!transfer) return { rows: [{ label: 'Call', text: method }], isUnknown: true }
  const { symbol, decimals } = network.nativeCurrency
  return {
    rows: [
      { label: transfer.title, value: `${formatUnits(transfer.value, decimals)} ${symbol}` },
      { label: 'To', value: transfer.to },
    ],
    isUnknown: false,
  }
}

/**
 * Describes a tip. `isHigh`: a whole unit or more, which no block needs. For another asset, the
 * value of its smallest unit is unknown.
 */
export function describeTip(
  { nativeCurrency: { symbol, decimals } }: PolkadotNetwork,
  { tip, assetId }: { tip: string; assetId?: string | null | undefined },
): { row: Row; isHigh: boolean } {
  const amount = BigInt(tip)
  const value = assetId
    ? `${amount} smallest units of the asset`
    : `${formatUnits(amount, decimals)} ${symbol}`
  const isHigh = assetId ? amount > 0n : amount >= 10n ** BigInt(decimals)
  return { row: { label: 'Tip', value }, isHigh }
}

/**
 * Pallet, call, the receiver as an account (`MultiAddress::Id`), and the amount as a compact
 * integer; nothing after it.
 */
function readTransfer({ id, balancesPallet }: PolkadotNetwork, call: Uint8Array) {
  const [pallet, index = -1, kind] = call
  const title = transfers[index]
  const value = readCompact(call.slice(35))
  if (pallet !== balancesPallet || title === undefined || kind !== 0 || value === undefined)
    return undefined
  return {
    title,
    to: encodeAddress(call.slice(3, 35), getPrefix(id as `polkadot:${string}`)),
    value,
  }
}

function readCompact(bytes: Uint8Array): bigint | undefined {
  const [first] = bytes
  if (first === undefined) return undefined
  const mode = first & 3
  const length = mode === 3 ? (first >> 2) + 5 : [1, 2, 4][mode]
  if (bytes.length !== length) return undefined
  const digits = bytes.slice(mode === 3 ? 1 : 0).reverse()
  const value = BigInt(bytesToHex(digits))
  return mode === 3 ? value : value >> 2n
}

import type { HistoryTransfer } from '@latchkey/wire'
import { decimalPattern } from '../format.ts'
import { fromSmallestUnit, toSmallestUnit } from '../units.ts'

/**
 * The amount of an asset that an account sent or received; `numeric` is an exact decimal string in
 * whole tokens, without a sign.
 */
export type TransferAmount = {
  readonly direction: HistoryTransfer['direction']
  readonly numeric: string
  /** One of the added transfers, for its name and picture. */
  readonly transfer: HistoryTransfer
}

/**
 * If an asset went both ways, an amount of at most a tenth of the other counts as change, not as a
 * trade.
 */
const changePart = 10n

/**
 * The amounts of a transaction. Adds up the transfers of an asset in the same direction, and
 * subtracts a small amount that came back from the amount sent. In the order of the transfers;
 * omits unwanted NFTs and amounts that are not numbers.
 */
export function getTransferAmounts(transfers: readonly HistoryTransfer[]): TransferAmount[] {
  const visible = transfers.filter(
    ({ nft_info, quantity }) =>
      !nft_info?.flags.is_spam && decimalPattern.test(quantity.numeric.trim()),
  )
  const decimals = Math.max(0, ...visible.map(({ quantity }) => countDecimals(quantity.numeric)))
  const sums = new Map<string, Sum>()
  for (const transfer of visible) {
    const key = `${transfer.direction} ${getAssetKey(transfer)}`
    const units = toSmallestUnit(transfer.quantity.numeric, decimals)
    sums.set(key, { transfer, units: (sums.get(key)?.units ?? 0n) + units })
  }
  return [...removeChange(sums).values()].map(({ transfer, units }) => ({
    direction: transfer.direction,
    numeric: fromSmallestUnit(units, decimals),
    transfer,
  }))
}

type Sum = { transfer: HistoryTransfer; units: bigint }

function removeChange(sums: Map<string, Sum>): Map<string, Sum> {
  const remaining = new Map(sums)
  for (const { transfer } of sums.values()) {
    const [outKey, inKey] = [`out ${getAssetKey(transfer)}`, `in ${getAssetKey(transfer)}`]
    const [outgoing, incoming] = [remaining.get(outKey), remaining.get(inKey)]
    if (!outgoing || !incoming) continue
    const [largerKey, larger, smallerKey, smaller] =
      outgoing.units >= incoming.units
        ? [outKey, outgoing, inKey, incoming]
        : [inKey, incoming, outKey, outgoing]
    if (smaller.units * changePart >= larger.units) continue
    remaining.set(largerKey, { ...larger, units: larger.units - smaller.units })
    remaining.delete(smallerKey)
  }
  return remaining
}

const countDecimals = (numeric: string) => numeric.trim().split('.')[1]?.length ?? 0

function getAssetKey({ address, tokenId, fungible_info, nft_info }: HistoryTransfer): string {
  if (nft_info) return `nft ${address ?? nft_info.name} ${tokenId ?? ''}`
  return `token ${address ?? `${fungible_info?.name} ${fungible_info?.symbol}`}`
}

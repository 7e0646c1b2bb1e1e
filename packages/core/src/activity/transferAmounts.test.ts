import type { HistoryTransfer } from '@latchkey/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromSmallestUnit, toSmallestUnit } from '../units.ts'
import { getTransferAmounts } from './transferAmounts.ts'

const coin = (
  direction: 'in' | 'out' | 'self',
  numeric: string,
  symbol = 'ETH',
): HistoryTransfer => ({
  fungible_info: { name: symbol, symbol },
  direction,
  quantity: { numeric },
})
const item = (tokenId: string, isSpam = false): HistoryTransfer => ({
  nft_info: { name: `Item ${tokenId}`, flags: { is_spam: isSpam } },
  address: 'eip155:1:0xabc',
  tokenId,
  direction: 'in',
  quantity: { numeric: '1' },
})
const shown = (transfers: readonly HistoryTransfer[]) =>
  getTransferAmounts(transfers).map(
    ({ direction, numeric, transfer }) =>
      `${direction} ${numeric} ${transfer.fungible_info?.symbol ?? transfer.nft_info?.name}`,
  )

test('default', () => {
  expect(shown([coin('out', '1.5'), coin('in', '2950.00', 'USD')])).toEqual([
    'out 1.5 ETH',
    'in 2950 USD',
  ])
  expect(shown([])).toEqual([])
})

test('behavior: one asset in one direction is one amount, exactly', () => {
  expect(shown([coin('in', '0.1'), coin('in', '0.2'), coin('in', '9007199254740993')])).toEqual([
    'in 9007199254740993.3 ETH',
  ])
})

test('behavior: little that came back is change, more is a trade', () => {
  expect(shown([coin('out', '1'), coin('in', '0.09')])).toEqual(['out 0.91 ETH'])
  expect(shown([coin('in', '1'), coin('out', '0.09')])).toEqual(['in 0.91 ETH'])
  expect(shown([coin('out', '1'), coin('in', '0.1')])).toEqual(['out 1 ETH', 'in 0.1 ETH'])
  expect(shown([coin('out', '1'), coin('in', '0.01', 'USD')])).toEqual(['out 1 ETH', 'in 0.01 USD'])
})

test('behavior: NFTs are apart by their id; unwanted ones and no numbers are left out', () => {
  expect(shown([item('1'), item('2'), item('3', true), coin('in', 'much')])).toEqual([
    'in 1 Item 1',
    'in 1 Item 2',
  ])
})

const units = fc.bigInt({ min: 0n, max: 10n ** 30n })
const transfer = fc
  .tuple(fc.constantFrom('in', 'out'), units, fc.constantFrom('ETH', 'USD'), fc.nat({ max: 18 }))
  .map(([direction, amount, symbol, decimals]) => ({
    ...coin(direction as 'in' | 'out', fromSmallestUnit(amount, decimals), symbol),
  }))

test('behavior: the change of an asset is exact to the last digit', () => {
  const net = (list: readonly { direction: string; numeric: string }[]) =>
    list.reduce((sum, { direction, numeric }) => {
      const amount = toSmallestUnit(numeric, 18)
      return direction === 'in' ? sum + amount : sum - amount
    }, 0n)
  fc.assert(
    fc.property(fc.array(transfer, { maxLength: 8 }), (transfers) => {
      for (const symbol of ['ETH', 'USD']) {
        const own = transfers.filter(({ fungible_info }) => fungible_info?.symbol === symbol)
        const given = own.map(({ direction, quantity }) => ({ direction, ...quantity }))
        const got = getTransferAmounts(transfers).filter(
          (amount) => amount.transfer.fungible_info?.symbol === symbol,
        )
        expect(net(got)).toBe(net(given))
      }
    }),
  )
})

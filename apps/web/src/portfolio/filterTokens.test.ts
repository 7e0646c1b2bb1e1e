import { latchkeyOne, latchkeyTwo, type Network } from '@latchkey/core/networks'
import { expect, test } from 'vitest'
import { filterTokens, noFilter } from './filterTokens.ts'

function row(symbol: string, value: number | undefined, network: Network = latchkeyOne) {
  const quantity = { decimals: '18', numeric: '1' }
  const balance = { name: `${symbol} Coin`, symbol, quantity, iconUrl: '' }
  return { balance: value === undefined ? balance : { ...balance, value }, network }
}

const rows = [
  row('ETH', 900),
  row('ETH', 0.4, latchkeyTwo),
  row('DUST', 0.99),
  row('ODD', undefined),
]
const symbols = (filter: Partial<typeof noFilter>) =>
  filterTokens(rows, { ...noFilter, ...filter }).map(({ balance }) => balance.symbol)

test('default: lists everything', () => {
  expect(symbols({})).toEqual(['ETH', 'ETH', 'DUST', 'ODD'])
})

test('param: chainId: only that network', () => {
  expect(symbols({ chainId: latchkeyTwo.caipNetworkId })).toEqual(['ETH'])
})

test('param: search: part of a name or symbol, in any case', () => {
  expect(symbols({ search: ' dust c' })).toEqual(['DUST'])
  expect(symbols({ search: 'zzz' })).toEqual([])
})

test('param: hidesSmall: a token without a price stays', () => {
  expect(symbols({ hidesSmall: true })).toEqual(['ETH', 'ODD'])
})

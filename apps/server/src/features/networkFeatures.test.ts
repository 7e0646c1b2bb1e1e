import { areas, type ChainId } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import type { ChainConfig } from '../config/chainsFile.ts'
import { getNetworkFeatures } from './networkFeatures.ts'

const chain = chainWith(['http://127.0.0.1:1'])
const [factory, wrappedNative, usd] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const uniswapV2 = { factory, wrappedNative, usd }

/** The table of one network, with a line for each area. */
function table(
  chainId: ChainId,
  parts: Record<string, unknown> = {},
  more: { priceSourceUrl?: string } = {},
) {
  const { config } = makeServices({ [chainId]: { ...chain, ...parts } })
  const found = getNetworkFeatures({ ...config, ...more }, chainId)
  return areas.map((area) => `${area} ${found[area].on ? 'on' : 'off'}: ${found[area].source}`)
}

test('default: a bare network has the data of its nodes, and reports what other areas lack', () => {
  expect(table('eip155:5')).toEqual([
    "balance on: The network's own nodes",
    'prices off: No price source: set uniswapV2 or uniswapV3 in the chains file, or PRICE_SOURCE_URL',
    "activity on: An index of the network's blocks, read from its nodes",
    "nfts on: The network's contracts; metadata by https: and data:, not ipfs: without IPFS_GATEWAY, not ar: without ARWEAVE_GATEWAY",
    "allowances on: The index of the network's blocks, confirmed by its contracts",
    'identity off: No network has `ens: { registry }` in the chains file, and NAME_ZONES is not set',
    'names off: NAME_ZONES names no zone',
    'swap off: The chains file names no `swap` for the network',
    'onramp off: ONRAMP_FILE names no provider',
    'faucet off: The chains file names no `faucet: { url }` for the network',
    'sessions off: The chains file does not set `smartAccounts.permissions`',
  ])
})

test('behavior: of Polkadot networks balances alone are known, each other area is off with its reason', () => {
  const [balance, ...lines] = table('polkadot:91b171bb158e2d3848fa23a9f1c25182')
  expect(balance).toBe("balance on: The network's own nodes")
  expect(lines).toHaveLength(areas.length - 1)
  const faucet = lines.findIndex((line) => line.startsWith('faucet off: '))
  expect(lines.splice(faucet, 1)).toHaveLength(1)
  for (const line of lines) expect(line).toMatch(/^\w+ off: .*eip155/)
})

test('behavior: of Solana networks balances are known, and prices by the outside source', () => {
  const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  expect(table(mainnet)).toEqual([
    "balance on: The network's own nodes",
    'prices off: No price source: set PRICE_SOURCE_URL',
    "activity on: Signatures and transactions from the network's nodes",
    'nfts off: NFTs are available on eip155 networks only',
    'allowances off: Allowances are available on eip155 networks only',
    'identity off: Names are available on eip155 chains only',
    'names off: Names are available on eip155 chains only',
    'swap off: Swaps are for eip155 networks only',
    'onramp off: ONRAMP_FILE names no provider',
    'faucet off: The chains file names no `faucet: { url }` for the network',
    'sessions off: Smart sessions are for eip155 networks only',
  ])
  const source = { priceSourceUrl: 'http://127.0.0.1:1' }
  expect(table(mainnet, {}, source)[1]).toBe('prices on: PRICE_SOURCE_URL')
})

test('param: uniswapV2, uniswapV3, PRICE_SOURCE_URL: each is named', () => {
  const prices = (...parameters: Parameters<typeof table>) => table(...parameters)[1]
  expect(prices('eip155:5', { uniswapV2 })).toBe('prices on: Uniswap V2 pools')
  expect(prices('eip155:5', { uniswapV2, uniswapV3: { factory } })).toBe(
    'prices on: Uniswap V2 pools, Uniswap V3 pools',
  )
  expect(prices('eip155:5', { uniswapV3: { factory } })).toBe(
    'prices off: No price source: uniswapV3 lacks wrappedNative and usd',
  )
  const source = { priceSourceUrl: 'http://127.0.0.1:1/secret-key' }
  expect(prices('eip155:1', {}, source)).toBe('prices on: PRICE_SOURCE_URL')
  expect(prices('eip155:5', {}, source)).toBe(
    'prices off: No price source: set priceSourceChain to what PRICE_SOURCE_URL calls the network',
  )
  expect(prices('eip155:5', { priceSourceChain: 'five' }, source)).toBe(
    'prices on: PRICE_SOURCE_URL',
  )
})

test('param: swap: who prepares the transactions is named, for people and for clients', () => {
  const getSwap = (swap: NonNullable<ChainConfig['swap']>) => {
    const { config } = makeServices({ 'eip155:5': { ...chain, swap } })
    return getNetworkFeatures(config, 'eip155:5').swap
  }
  expect(getSwap({ source: 'uniswap', router: factory })).toEqual({
    on: true,
    kind: 'uniswap',
    source: 'Uniswap pools of the network, by its router',
  })
  expect(getSwap({ source: '1inch' })).toMatchObject({ on: true, kind: '1inch' })
})

test('param: activity: the source, or why it is off', () => {
  const activity = (parts: object) => table('eip155:5', { activity: parts })[2]
  expect(activity({ source: 'off' })).toBe(
    'activity off: activity.source is off in the chains file',
  )
  expect(activity({ source: 'etherscan', apiKey: 'secret' })).toBe('activity on: An Etherscan API')
  expect(activity({ source: 'blockscout', url: 'http://127.0.0.1:1' })).toBe(
    'activity on: A Blockscout API',
  )
  expect(activity({ source: 'blockscout' })).toBe(
    'activity off: activity.source is blockscout, but activity.url is not set',
  )
})

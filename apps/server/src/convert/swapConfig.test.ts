import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { getNetworkFeatures } from '../features/networkFeatures.ts'
import { swapProblems } from './swapConfig.ts'

const example = fileURLToPath(new URL('../../../../docs/chains.swap.json', import.meta.url))

test('default: the example of the documentation has twelve networks, nine of which swap', () => {
  const config = readConfig({ CHAINS_FILE: example, SWAP_API_KEY: 'key' })
  const ids = Object.keys(config.chains) as (keyof typeof config.chains)[]
  expect(ids).toHaveLength(12)
  expect(ids.filter((id) => getNetworkFeatures(config, id).swap.on)).toHaveLength(9)
  for (const address of readFileSync(example, 'utf8').match(/0x[0-9a-fA-F]{40}/g) ?? [])
    expect(getAddress(address)).toBe(address)
})

const pools = { multicall3: '0x1', uniswapV2: {} }
const uniswap = { source: 'uniswap', router: '0x1' } as const

test('error: each thing that a network needs for its swaps is named', () => {
  expect(swapProblems({ 'eip155:1': { ...pools, swap: uniswap } }, {})).toEqual([])
  expect(swapProblems({ 'eip155:1': { uniswapV3: {}, swap: uniswap } }, {})).toEqual([
    'CHAINS_FILE: chains.eip155:1.swap: needs multicall3',
    'CHAINS_FILE: chains.eip155:1.swap: needs uniswapV2, or uniswapV3 with wrappedNative and usd',
    'CHAINS_FILE: chains.eip155:1.swap: needs quoter for the pools of uniswapV3',
  ])
  expect(swapProblems({ 'eip155:1': { swap: { source: '1inch' } } }, {})).toEqual([
    'SWAP_API_KEY: must be set, because eip155:1 swaps by 1inch',
  ])
  expect(swapProblems({ 'solana:1': { ...pools, swap: uniswap } }, {})).toEqual([
    'CHAINS_FILE: chains.solana:1.swap: is for eip155 networks only',
  ])
})

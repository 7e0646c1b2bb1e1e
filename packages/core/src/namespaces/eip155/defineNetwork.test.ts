import { base, foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { base as ours } from '../../networks.ts'
import { defineNetwork, fromViemChain } from './defineNetwork.ts'

const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }

test('default', () => {
  expect(defineNetwork({ id: 4242, name: 'Ours', nativeCurrency })).toEqual({
    id: 4242,
    caipNetworkId: 'eip155:4242',
    chainNamespace: 'eip155',
    name: 'Ours',
    nativeCurrency,
    rpcUrls: [],
    testnet: false,
    assets: { imageId: 'eip155-4242' },
  })
  expect(
    defineNetwork({ id: 4242, name: 'Ours', shortName: 'ours', nativeCurrency }),
  ).toMatchObject({ shortName: 'ours' })
})

test('param: rpcUrls and readsFromRpcUrls', () => {
  const reads = (parameters: object) =>
    defineNetwork({ id: 1, name: 'One', nativeCurrency, ...parameters }).readsFromRpcUrls
  expect(reads({ rpcUrls: ['https://a.example'] })).toBe(true)
  expect(reads({ rpcUrls: ['https://a.example'], readsFromRpcUrls: false })).toBeUndefined()
  expect(reads({ rpcUrls: [''] })).toBeUndefined()
})

test('behavior: a chain of viem is the network of the same id', () => {
  const { rpcUrls, readsFromRpcUrls, ...network } = fromViemChain(base)
  // viem has no swap contracts.
  const { swap, ...facts } = ours
  expect(swap).toBeDefined()
  expect(network).toEqual({
    ...facts,
    rpcUrls: undefined,
    blockExplorer: { name: 'Basescan', url: 'https://basescan.org' },
  })
  expect(rpcUrls).toEqual(['https://mainnet.base.org'])
  expect(readsFromRpcUrls).toBe(true)
  expect(fromViemChain(foundry)).toMatchObject({ id: 31337, name: 'Foundry' })
})

test('error: an id that is no chain id', () => {
  for (const id of [0, -1, 1.5, Number.NaN])
    expect(() => defineNetwork({ id, name: 'Ours', nativeCurrency })).toThrow('chain id')
})

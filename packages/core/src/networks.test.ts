import * as chains from 'viem/chains'
import { expect, test } from 'vitest'
import { allNetworks, findNetwork, latchkeyOne } from './networks.ts'

const local = ['31337', '31338', '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU']

test('default', () => {
  expect(findNetwork('eip155:31337')).toBe(latchkeyOne)
  expect(findNetwork('eip155:0')).toBeUndefined()
  const ids = allNetworks.map(({ caipNetworkId }) => caipNetworkId)
  expect(new Set(ids).size).toBe(ids.length)
  const preconfigured = allNetworks.filter(
    ({ id, chainNamespace }) => chainNamespace !== 'bip122' && !local.includes(String(id)),
  )
  expect(preconfigured.length).toBe(30)
  for (const network of allNetworks)
    expect(network.assets.imageId).toBe(`${network.chainNamespace}-${network.id}`)
})

test.each(
  allNetworks.filter(
    ({ chainNamespace, id }) => chainNamespace === 'eip155' && !local.includes(String(id)),
  ),
)("behavior: $name says what viem's definition says", (network) => {
  const chain = Object.values(chains).find(({ id }) => id === network.id) as chains.Chain
  const named = Object.values(chains).find(
    ({ id, name }) => id === network.id && name === network.name,
  ) as chains.Chain | undefined
  const definition = named ?? chain
  expect(network.name).toBe(definition.name)
  expect(network.nativeCurrency).toEqual(definition.nativeCurrency)
  expect(network.testnet).toBe(definition.testnet ?? false)
  expect(network.rpcUrls[0]).toBe(definition.rpcUrls.default.http[0])
  expect(network.blockExplorer).toMatchObject({
    name: definition.blockExplorers?.default.name,
    url: definition.blockExplorers?.default.url,
  })
  expect(network.contracts?.multicall3?.toLowerCase()).toBe(
    definition.contracts?.multicall3?.address.toLowerCase(),
  )
})

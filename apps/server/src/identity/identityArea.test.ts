import { expect, test } from 'vitest'
import { chainWith } from '../../test/makeServices.ts'
import { identityArea } from './identityArea.ts'

const ens = { registry: `0x${'1'.repeat(40)}` }
const chain = chainWith(['http://127.0.0.1:1'])

test('default: on where names count, and from which network', () => {
  const chains = {
    'eip155:10': { ...chain, ens },
    'eip155:1': { ...chain, ens },
    'eip155:137': chain,
    'eip155:11155111': { ...chain, ens, testnet: true },
  } as const
  const source = 'ENS on eip155:1, eip155:10'
  expect(identityArea({ chains, nameZones: [] }, 'eip155:1')).toEqual({ on: true, source })
  expect(identityArea({ chains, nameZones: [] }, 'eip155:137')).toEqual({ on: true, source })
  expect(identityArea({ chains, nameZones: [] }, 'eip155:11155111')).toEqual({
    on: true,
    source: 'ENS on eip155:11155111',
  })
})

test('behavior: off without a registry, and for other namespaces', () => {
  const chains = { 'eip155:1': chain } as const
  expect(identityArea({ chains, nameZones: [] }, 'eip155:1')).toEqual({
    on: false,
    source: 'No network has `ens: { registry }` in the chains file, and NAME_ZONES is not set',
  })
  expect(
    identityArea({ chains, nameZones: [] }, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'),
  ).toEqual({
    on: false,
    source: 'Names are available on eip155 chains only',
  })
})

test('param: nameZones, after ENS or alone', () => {
  const nameZones = ['latchkey.id']
  const alone = { chains: { 'eip155:1': chain }, nameZones } as const
  expect(identityArea(alone, 'eip155:1').source).toBe('names below latchkey.id')
  const both = { chains: { 'eip155:1': { ...chain, ens } }, nameZones } as const
  const source = 'ENS on eip155:1, then names below latchkey.id'
  expect(identityArea(both, 'eip155:1')).toEqual({ on: true, source })
})

import { expect, test } from 'vitest'
import { parseChains } from '../../chains.ts'
import { findBatchChain } from './findBatchChain.ts'

const chains = parseChains({ chains: [{ id: 'eip155:31337' }, { id: 'eip155:31338' }] })
const [first, second] = chains
if (!first || !second) throw new Error('no chains')
const find = (params: unknown, method = 'wallet_sendCalls') =>
  findBatchChain(chains, { method, params, chain: first })

test('default: a batch runs on the network that it names, if the frame has it', () => {
  expect(find([{ chainId: '0x7a6a' }])).toBe(second)
  expect(find([{ chainId: '0x07A6A' }])).toBe(second)
  expect(find([{ chainId: '0x7a69' }])).toBe(first)
})

test('behavior: everything else stays on the network of the request', () => {
  for (const chainId of ['0x1', '31338', 31338, '0x', undefined])
    expect(find([{ chainId }])).toBe(first)
  for (const params of [undefined, null, {}, [], [null], 'text']) expect(find(params)).toBe(first)
  expect(find([{ chainId: '0x7a6a' }], 'eth_sendTransaction')).toBe(first)
})

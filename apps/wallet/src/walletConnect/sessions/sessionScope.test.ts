import { expect, test } from 'vitest'
import { accounts } from '../../accounts.ts'
import { findAddressIndex, getScope, getSelection, indexesOn, withScope } from './sessionScope.ts'

const config = {
  polkadot: [],
  chains: [31_337, 31_338].map((chainId) => ({
    chainId,
    name: `Chain ${chainId}`,
    rpcUrl: 'http://127.0.0.1:1',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })),
}
const namespaces = {
  eip155: {
    chains: ['eip155:31337', 'eip155:1'],
    accounts: [
      `eip155:31337:${accounts[2]}`,
      `eip155:31337:${accounts[0].toLowerCase()}`,
      `eip155:1:0x${'9'.repeat(40)}`,
    ],
    methods: ['personal_sign'],
    events: [],
  },
}
const session = { topic: 't', namespaces }

test('default: networks and accounts of this wallet, in their order', () => {
  expect(getScope(session, config)).toEqual({
    chains: ['eip155:31337'],
    indexes: [2, 0],
  })
  expect(indexesOn(session, 'eip155:31337', config)).toEqual([2, 0])
  expect(indexesOn(session, 'eip155:31338', config)).toEqual([])
})

test('behavior: the chosen account is in use as long as the session has it', () => {
  const used = (sessions: Parameters<typeof getSelection>[2]['sessions']) =>
    getSelection(session, config, { sessions })
  expect(used({})).toEqual({ chainId: 31_337, account: 2 })
  expect(used({ t: { chainId: 31_337, account: 0 } })).toEqual({ chainId: 31_337, account: 0 })
  expect(used({ t: { chainId: 31_338, account: 4 } })).toEqual({ chainId: 31_337, account: 2 })
})

test('behavior: a changed scope keeps methods and events', () => {
  expect(withScope(session, { chains: ['eip155:31338'], indexes: [1] }, config)).toEqual({
    eip155: {
      chains: ['eip155:31338'],
      accounts: [`eip155:31338:${accounts[1]}`],
      methods: ['personal_sign'],
      events: [],
    },
  })
})

test('error: an address that is not ours', () => {
  for (const address of [undefined, null, 1, '', '0x', `0x${'9'.repeat(40)}`])
    expect(findAddressIndex(address)).toBeUndefined()
})

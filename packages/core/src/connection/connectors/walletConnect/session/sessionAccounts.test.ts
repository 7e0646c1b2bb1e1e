import { expect, test } from 'vitest'
import { alice, bob } from '../../../../../test/fakeWallet.ts'
import { getChainMethods, toConnectResult } from './sessionAccounts.ts'

const evm = (...accounts: string[]) => ({
  accounts,
  methods: ['personal_sign'],
  events: ['chainChanged'],
})
const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const none = { chains: {}, accounts: {} }
const account = (address: string) => ({ namespace: 'eip155', address, type: 'eoa' })

test('default', () => {
  const session = { eip155: evm(`eip155:1:${alice}`, `eip155:10:${bob}`, `eip155:1:${bob}`) }
  expect(toConnectResult({ session, choices: none, preferred: [] })).toEqual({
    chainId: 'eip155:1',
    accounts: [account(alice), account(bob)],
  })
})

test('param: preferred is the first of them that is approved', () => {
  const session = { eip155: evm(`eip155:1:${alice}`, `eip155:10:${bob}`) }
  const preferred = ['eip155:5', 'eip155:10', 'eip155:1'] as const
  expect(toConnectResult({ session, choices: none, preferred })).toEqual({
    chainId: 'eip155:10',
    accounts: [account(bob)],
  })
})

test('param: choices win, also if the account differs in case', () => {
  const session = { eip155: evm(`eip155:1:${alice}`, `eip155:1:${bob}`, `eip155:10:${bob}`) }
  const choices = {
    chains: { eip155: 'eip155:1' },
    accounts: { eip155: [bob.toLowerCase()] },
  } as const
  expect(toConnectResult({ session, choices, preferred: ['eip155:10'] })).toEqual({
    chainId: 'eip155:1',
    accounts: [account(bob.toLowerCase()), account(alice)],
  })
})

test('behavior: a chain without accounts has the accounts of the namespace', () => {
  const session = { eip155: evm(`eip155:1:${alice}`) }
  const choices = { chains: { eip155: 'eip155:137' }, accounts: {} } as const
  expect(toConnectResult({ session, choices, preferred: [] })).toEqual({
    chainId: 'eip155:137',
    accounts: [account(alice)],
  })
})

test("behavior: all namespaces, inline keys, older ids; types are the namespace's", () => {
  const session = {
    'eip155:1': evm(`eip155:1:${alice}`),
    solana: {
      accounts: [
        'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ:So11111111111111111111111111111111111111112',
      ],
      methods: ['m'],
      events: [],
    },
    bip122: {
      accounts: [`bip122:000000000019d6689c085ae165831e93:${bitcoinAddress}`],
      methods: [],
      events: [],
    },
    cosmos: { accounts: ['cosmos:hub:c1'], methods: [], events: [] },
  }
  expect(toConnectResult({ session, choices: none, preferred: [] })).toEqual({
    chainId: 'eip155:1',
    accounts: [account(alice)],
    others: [
      {
        chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        accounts: [
          {
            namespace: 'solana',
            address: 'So11111111111111111111111111111111111111112',
            type: 'eoa',
          },
        ],
      },
      {
        chainId: 'bip122:000000000019d6689c085ae165831e93',
        accounts: [{ namespace: 'bip122', address: bitcoinAddress, type: 'payment' }],
      },
    ],
  })
  expect(getChainMethods(session, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toEqual({
    methods: ['m'],
    wireChainId: 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
  })
  expect(getChainMethods(session, 'eip155:10')).toBeUndefined()
})

test('error: a session without a known namespace or valid account has no result', () => {
  const session = {
    cosmos: { accounts: ['cosmos:hub:c1'], methods: [], events: [] },
    eip155: evm('eip155:1', 'eip155:x:y', '', 'eip155:1:0x1:2'),
  }
  expect(toConnectResult({ session, choices: none, preferred: ['eip155:1'] })).toBeUndefined()
})

test("error: an address of another namespace than its chain's is passed over", () => {
  const polkadot = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const polkadotAddress = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
  const session = {
    polkadot: evm(`${polkadot}:${alice}`, `${polkadot}:${polkadotAddress}`),
    solana: evm(`${solana}:${alice}`),
    eip155: evm(`eip155:1:${polkadotAddress}`, `eip155:1:${bob}`),
  }
  expect(toConnectResult({ session, choices: none, preferred: [] })).toEqual({
    chainId: 'eip155:1',
    accounts: [account(bob)],
    others: [
      {
        chainId: polkadot,
        accounts: [{ namespace: 'polkadot', address: polkadotAddress, type: 'eoa' }],
      },
    ],
  })
  expect(getChainMethods(session, solana)).toBeUndefined()
})

// Each pair of a chain and an address of another namespace, or of another network of Bitcoin.
test.each([
  ['eip155:1', bitcoinAddress],
  ['eip155:1', 'So11111111111111111111111111111111111111112'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', alice],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ['polkadot:91b171bb158e2d3848fa23a9f1c25182', alice],
  ['polkadot:91b171bb158e2d3848fa23a9f1c25182', 'So11111111111111111111111111111111111111112'],
  ['polkadot:91b171bb158e2d3848fa23a9f1c25182', bitcoinAddress],
  ['bip122:000000000019d6689c085ae165831e93', alice],
  ['bip122:000000000019d6689c085ae165831e93', 'So11111111111111111111111111111111111111112'],
  ['bip122:000000000019d6689c085ae165831e93', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ['bip122:000000000019d6689c085ae165831e93', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['bip122:000000000933ea01ad0ee984209779ba', bitcoinAddress],
  ['bip122:000000000933ea01ad0ee984209779ba', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
] as const)('error: on %s the address %s', (chainId, address) => {
  const [namespace = ''] = chainId.split(':')
  const session = { [namespace]: evm(`${chainId}:${address}`) }
  expect(toConnectResult({ session, choices: none, preferred: [] })).toBeUndefined()
})

test('error: an address that a wallet names on one network of Bitcoin is not shown on another', () => {
  const mainnet = 'bip122:000000000019d6689c085ae165831e93'
  const session = { bip122: evm(`${mainnet}:${bitcoinAddress}`) }
  const choices = {
    chains: {},
    accounts: { bip122: ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'] },
  }
  const result = toConnectResult({ session, choices, preferred: [] })
  expect(result?.accounts.map(({ address }) => address)).toEqual([bitcoinAddress])
})

import { expect, test } from 'vitest'
import { accounts } from '../../accounts.ts'
import { approve, readProposal } from './readProposal.ts'

const config = {
  polkadot: [],
  chains: [31_337, 31_338].map((chainId) => ({
    chainId,
    name: `Chain ${chainId}`,
    rpcUrl: 'http://127.0.0.1:1',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })),
}
const namespace = (chains: string[], methods = ['personal_sign'], events = ['chainChanged']) => ({
  eip155: { chains, methods, events },
})

test('default: sorts the requested methods into supported and unsupported ones', () => {
  const read = readProposal(
    {
      requiredNamespaces: namespace(['eip155:31337']),
      optionalNamespaces: {
        ...namespace(['eip155:1', 'eip155:31338'], ['eth_sign', 'eth_sendTransaction'], ['theme']),
        'solana:x': { methods: ['solana_signMessage'], events: [] },
      },
    },
    config,
  )
  expect(read).toEqual({
    chains: [
      { id: 'eip155:31337', name: 'Chain 31337 (31337)', required: true },
      { id: 'eip155:31338', name: 'Chain 31338 (31338)', required: false },
    ],
    foreignChains: [
      { id: 'eip155:1', required: false },
      { id: 'solana:x', required: false },
    ],
    methods: [
      { id: 'personal_sign', required: true, words: 'Ask for the signature of a message' },
      { id: 'eth_sendTransaction', required: false, words: 'Ask to send a transaction' },
    ],
    foreignMethods: [
      { id: 'eth_sign', required: false },
      { id: 'solana_signMessage', required: false },
    ],
    events: [
      { id: 'chainChanged', required: true },
      { id: 'theme', required: false },
    ],
  })
})

test('behavior: a proposal without namespaces is offered all', () => {
  const proposal = { requiredNamespaces: {}, optionalNamespaces: {} }
  const read = readProposal(proposal, config)
  expect(read.chains).toHaveLength(2)
  expect(read.error).toBeUndefined()
  expect(approve(proposal, { chains: ['eip155:31338'], indexes: [1] }, config)).toMatchObject({
    namespaces: { eip155: { accounts: [`eip155:31338:${accounts[1]}`] } },
  })
})

test('behavior: chosen accounts on chosen networks, in the order of choice', () => {
  const proposal = {
    requiredNamespaces: {},
    optionalNamespaces: namespace(['eip155:31337', 'eip155:31338', 'eip155:1']),
  }
  expect(approve(proposal, { chains: ['eip155:31337'], indexes: [2, 0] }, config)).toEqual({
    namespaces: {
      eip155: {
        chains: ['eip155:31337'],
        accounts: [`eip155:31337:${accounts[2]}`, `eip155:31337:${accounts[0]}`],
        methods: ['personal_sign'],
        events: ['chainChanged'],
      },
    },
  })
})

test('error: required things that the wallet has not make it impossible', () => {
  const ask = (requiredNamespaces: ReturnType<typeof namespace>) =>
    readProposal({ requiredNamespaces, optionalNamespaces: {} }, config).error?.code
  expect(ask(namespace(['eip155:1']))).toBe(5100)
  expect(ask(namespace(['eip155:31337', 'eip155:1']))).toBe(5100)
  expect(ask(namespace(['eip155:31337'], ['eth_sign']))).toBe(5101)
  expect(ask(namespace(['nonsense']))).toBe(5100)
})

test('error: without a required network it does not conform', () => {
  const proposal = {
    requiredNamespaces: namespace(['eip155:31337']),
    optionalNamespaces: namespace(['eip155:31338']),
  }
  expect(approve(proposal, { chains: ['eip155:31338'], indexes: [0] }, config)).toMatchObject({
    error: { code: 5001 },
  })
})

test('behavior: several namespaces, each with different addresses', () => {
  const westend = 'polkadot:e143f23803ac50e8f6f8e62695d1ce9e'
  const solana = { name: 'Local', rpcUrl: 'http://127.0.0.1:2', symbols: {} }
  const nativeCurrency = { symbol: 'WND', decimals: 12 }
  const polkadot = [{ id: westend, name: 'Westend', nativeCurrency, balancesPallet: 4 }]
  const every = { ...config, solana, polkadot }
  const solanaId = 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU'
  const optionalNamespaces = {
    ...namespace(['eip155:31337']),
    solana: { chains: [solanaId], methods: ['solana_signMessage'], events: [] },
    polkadot: { chains: [westend, 'polkadot:0'], methods: ['polkadot_signMessage'], events: [] },
    bip122: { chains: ['bip122:0'], methods: ['signMessage'], events: [] },
  }
  const proposal = { requiredNamespaces: {}, optionalNamespaces }
  const read = readProposal(proposal, every)
  expect(read.chains.map(({ id }) => id)).toEqual(['eip155:31337', solanaId, westend])
  expect(read.foreignChains.map(({ id }) => id)).toEqual(['polkadot:0', 'bip122:0'])
  expect(read.foreignMethods.map(({ id }) => id)).toEqual(['signMessage'])
  const chains = ['eip155:31337', solanaId, westend]
  expect(approve(proposal, { chains, indexes: [1] }, every)).toEqual({
    namespaces: {
      eip155: {
        chains: ['eip155:31337'],
        accounts: [`eip155:31337:${accounts[1]}`],
        methods: ['personal_sign'],
        events: ['chainChanged'],
      },
      solana: {
        chains: [solanaId],
        accounts: [`${solanaId}:AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD`],
        methods: ['solana_signMessage'],
        events: [],
      },
      polkadot: {
        chains: [westend],
        accounts: [`${westend}:5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty`],
        methods: ['polkadot_signMessage'],
        events: [],
      },
    },
  })
  expect(approve(proposal, { chains: [westend], indexes: [0] }, every)).toMatchObject({
    namespaces: { polkadot: { chains: [westend] } },
  })
})

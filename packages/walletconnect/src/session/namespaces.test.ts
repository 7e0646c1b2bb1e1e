import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProposalNamespaces, SessionNamespaces } from '../rpc/shapes.ts'
import {
  approvedChains,
  approvedOn,
  approveNamespaces,
  checkConforming,
  checkProposal,
  checkSession,
} from './namespaces.ts'

const address = '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'
const on = (...chains: string[]) => chains.map((chain) => `${chain}:${address}`)
const ask = (chains: string[] | undefined, methods: string[] = [], events: string[] = []) => ({
  ...(chains === undefined ? {} : { chains }),
  methods,
  events,
})
const give = (accounts: string[], methods: string[] = [], events: string[] = []) => ({
  accounts,
  methods,
  events,
})

const proposed = (
  requiredNamespaces: ProposalNamespaces,
  optionalNamespaces: ProposalNamespaces = {},
) => checkProposal({ requiredNamespaces, optionalNamespaces })

const settled = (required: ProposalNamespaces, session: SessionNamespaces) =>
  checkSession(session) ?? checkConforming(required, session)

const eip155 = { eip155: ask(['eip155:1'], ['eth_sign'], ['accountsChanged']) }

describe('cases of the specification', () => {
  test('behavior: optional namespaces may be absent', () => {
    expect(proposed({ 'eip155:10': ask(undefined, ['personal_sign']) })).toBeUndefined()
  })
  test('error: a proposal with an empty list of chains is refused', () => {
    expect(proposed({ cosmos: ask([], ['cosmos_signDirect']) })).toMatchInlineSnapshot(`
      {
        "code": 5100,
        "message": "Unsupported chains. Chains must not be empty",
      }
    `)
    expect(proposed({ cosmos: ask(undefined, ['cosmos_signDirect']) })?.code).toBe(5100)
  })
  test('behavior: a chain id may be the key of a proposed namespace', () => {
    expect(
      proposed({
        eip155: ask(['eip155:1', 'eip155:137'], ['eth_sign']),
        'eip155:10': ask(undefined, ['personal_sign']),
      }),
    ).toBeUndefined()
  })
  test('error: a proposed chain that is not CAIP-2 is refused', () => {
    expect(proposed({ eip155: ask(['42'], ['eth_sign']) })).toMatchInlineSnapshot(`
      {
        "code": 5100,
        "message": "Unsupported chains. Chains must be CAIP-2 compliant",
      }
    `)
  })
  test('behavior: proposed methods and events may be empty', () => {
    expect(proposed({ eip155: ask(['eip155:1']) })).toBeUndefined()
  })
  test('error: a proposed chain of another namespace is refused', () => {
    expect(
      proposed(
        { eip155: ask(['eip155:1', 'cosmos:cosmoshub-4']) },
        { 'eip155:42161': ask(undefined) },
      ),
    ).toMatchInlineSnapshot(`
      {
        "code": 5100,
        "message": "Unsupported chains. Chains must be defined in matching namespace",
      }
    `)
  })
  test('error: a key that is neither a namespace nor a chain is refused', () => {
    expect(proposed({ '': ask([':1']) })).toMatchInlineSnapshot(`
      {
        "code": 5104,
        "message": "Unsupported namespace key. Namespace formatting must match CAIP-2",
      }
    `)
    expect(proposed({ '**': ask(['**:1']) })?.code).toBe(5104)
  })
  test('error: one invalid namespace makes the whole proposal invalid', () => {
    expect(proposed({ eip155: ask(['eip155:1']), cosmos: ask([]) })?.code).toBe(5100)
    expect(proposed(eip155, { cosmos: ask([]) })?.code).toBe(5100)
  })
  test('behavior: a proposal may be empty', () => {
    expect(proposed({})).toBeUndefined()
  })
  test('error: a session with an empty list of accounts is refused', () => {
    expect(settled(eip155, { eip155: give([], ['eth_sign']) })).toMatchInlineSnapshot(`
      {
        "code": 5001,
        "message": "User rejected chains. Accounts must not be empty",
      }
    `)
  })
  test('error: an approved account that is not CAIP-10 is refused', () => {
    expect(settled(eip155, { eip155: give([`eip155:${address}`]) })).toMatchInlineSnapshot(`
      {
        "code": 5001,
        "message": "User rejected chains. Accounts must be CAIP-10 compliant",
      }
    `)
  })
  test('error: a session without a required method is refused', () => {
    expect(settled(eip155, { eip155: give(on('eip155:1')) })).toMatchInlineSnapshot(`
      {
        "code": 5002,
        "message": "User rejected methods. All methods must be approved",
      }
    `)
  })
  test('error: a session without an account on a required chain is refused', () => {
    expect(
      settled(
        { eip155: ask(['eip155:1', 'eip155:10'], ['eth_sign']) },
        { eip155: give(on('eip155:1'), ['eth_sign']) },
      ),
    ).toMatchInlineSnapshot(`
      {
        "code": 5001,
        "message": "User rejected chains. All chains must have at least one account",
      }
    `)
  })
  test('behavior: a session may have more accounts, methods, events and chains than required', () => {
    const accounts = [...on('eip155:1', 'eip155:42'), 'eip155:1:0x25caCa7f7Bf3A77b1738A8c98A666dd9']
    const more = give(accounts, ['eth_sign', 'personalSign'], ['accountsChanged', 'someEvent'])
    expect(settled(eip155, { eip155: more })).toBeUndefined()
  })
  test('error: an approved account of another namespace is refused', () => {
    const accounts = on('eip155:1', 'cosmos:cosmoshub-4')
    expect(settled(eip155, { eip155: give(accounts, ['eth_sign']) })).toMatchInlineSnapshot(`
      {
        "code": 5103,
        "message": "Unsupported accounts. Accounts must be defined in matching namespace",
      }
    `)
  })
  test('error: a session without a required namespace is refused', () => {
    expect(
      settled(
        { ...eip155, cosmos: ask(['cosmos:cosmoshub-4']) },
        { eip155: give(on('eip155:1'), ['eth_sign'], ['accountsChanged']) },
      ),
    ).toMatchInlineSnapshot(`
      {
        "code": 5000,
        "message": "User rejected. All namespaces must be approved",
      }
    `)
  })
  test('error: a session without a required event is refused', () => {
    expect(
      settled(
        { eip155: ask(['eip155:1'], [], ['chainChanged']) },
        { eip155: give(on('eip155:1')) },
      ),
    ).toMatchInlineSnapshot(`
      {
        "code": 5003,
        "message": "User rejected events. All events must be approved",
      }
    `)
  })
  test('behavior: a chain id as key is a separate namespace of the session', () => {
    expect(
      settled(
        { eip155: ask(['eip155:1', 'eip155:137'], ['eth_sign']) },
        {
          eip155: { ...give(on('eip155:1', 'eip155:137'), ['eth_sign']), chains: ['eip155:1'] },
          'eip155:42161': give(on('eip155:42161'), ['personal_sign']),
        },
      ),
    ).toBeUndefined()
  })
})

test('error: a session without namespaces, and chains and accounts under another key', () => {
  expect(checkSession({})?.code).toBe(5000)
  expect(checkSession({ 'eip155:1': give(on('eip155:2')) })?.code).toBe(5103)
  expect(checkSession({ eip155: { ...give(on('eip155:1')), chains: ['solana:1'] } })?.code).toBe(
    5100,
  )
  expect(checkSession({ x: give(on('x:1')) })?.code).toBe(5104)
  expect(proposed({ 'eip155:1': ask(['eip155:2']) })?.code).toBe(5100)
})

test('behavior: a chain required by key is found in either form', () => {
  const required = { 'eip155:10': ask(undefined, ['personal_sign']) }
  const methods = ['personal_sign']
  expect(settled(required, { eip155: give(on('eip155:10'), methods) })).toBeUndefined()
  expect(settled(required, { 'eip155:10': give(on('eip155:10'), methods) })).toBeUndefined()
  expect(settled(required, { 'eip155:1': give(on('eip155:1'), methods) })?.code).toBe(5001)
})

test('behavior: an approval counts only on its chain', () => {
  const session = {
    eip155: give(on('eip155:1'), ['eth_sign']),
    'eip155:10': give(on('eip155:10', 'eip155:10'), ['personal_sign'], ['chainChanged']),
  }
  expect(approvedChains(session)).toEqual(['eip155:1', 'eip155:10'])
  expect(approvedOn(session, 'eip155:10')).toEqual({
    accounts: on('eip155:10'),
    methods: ['personal_sign'],
    events: ['chainChanged'],
  })
  expect(approvedOn(session, 'eip155:2')).toEqual({ accounts: [], methods: [], events: [] })
})

const supported: SessionNamespaces = {
  eip155: {
    chains: ['eip155:1', 'eip155:10'],
    ...give(on('eip155:1', 'eip155:10'), ['eth_sign', 'personal_sign'], ['chainChanged']),
  },
  solana: { ...give(on('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'), ['solana_signMessage']) },
}

test('default', () => {
  expect(
    approveNamespaces(
      {
        requiredNamespaces: {},
        optionalNamespaces: {
          eip155: ask(['eip155:1', 'eip155:137'], ['eth_sign', 'eth_other'], ['accountsChanged']),
          'eip155:10': ask(undefined, ['personal_sign'], ['chainChanged']),
          cosmos: ask(['cosmos:cosmoshub-4']),
        },
      },
      supported,
    ),
  ).toMatchInlineSnapshot(`
    {
      "namespaces": {
        "eip155": {
          "accounts": [
            "eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb",
            "eip155:10:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb",
          ],
          "chains": [
            "eip155:1",
            "eip155:10",
          ],
          "events": [
            "chainChanged",
          ],
          "methods": [
            "eth_sign",
            "personal_sign",
          ],
        },
      },
    }
  `)
})

test('behavior: an empty proposal gets everything', () => {
  const approved = approveNamespaces({ requiredNamespaces: {}, optionalNamespaces: {} }, supported)
  expect(approved).toEqual({
    namespaces: {
      ...supported,
      solana: { ...supported.solana, chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] },
    },
  })
})

test('error: proposals that cannot be approved', () => {
  const of = (required: ProposalNamespaces, own = supported) =>
    approveNamespaces({ requiredNamespaces: required, optionalNamespaces: {} }, own)
  expect([
    of({ eip155: ask(['42']) }),
    of({ cosmos: ask(['cosmos:cosmoshub-4']) }),
    of({ eip155: ask(['eip155:1', 'eip155:137']) }),
    of({ eip155: ask(['eip155:1'], ['eth_other']) }),
    of({ eip155: ask(['eip155:1']), cosmos: ask(['cosmos:cosmoshub-4']) }),
    of({ eip155: ask(['eip155:1'], [], ['accountsChanged']) }),
    of(eip155, { eip155: { chains: ['eip155:1'], ...give(on('eip155:10')) } }),
  ]).toMatchInlineSnapshot(`
    [
      {
        "error": {
          "code": 5100,
          "message": "Unsupported chains. Chains must be CAIP-2 compliant",
        },
      },
      {
        "error": {
          "code": 5100,
          "message": "Unsupported chains. No chain of the proposal is supported",
        },
      },
      {
        "error": {
          "code": 5001,
          "message": "User rejected chains. All chains must have at least one account",
        },
      },
      {
        "error": {
          "code": 5002,
          "message": "User rejected methods. All methods must be approved",
        },
      },
      {
        "error": {
          "code": 5000,
          "message": "User rejected. All namespaces must be approved",
        },
      },
      {
        "error": {
          "code": 5003,
          "message": "User rejected events. All events must be approved",
        },
      },
      {
        "error": {
          "code": 5103,
          "message": "Unsupported accounts. No accounts provided for chain eip155:1",
        },
      },
    ]
  `)
})

test('behavior: approved namespaces conform and were both requested and supported', () => {
  const chains = fc.subarray(['eip155:1', 'eip155:10', 'eip155:137'], { minLength: 1 })
  const part = fc.record({
    chains,
    methods: fc.subarray(['eth_sign', 'personal_sign', 'eth_other']),
    events: fc.subarray(['chainChanged', 'accountsChanged']),
  })
  const maybe = (key: string) =>
    fc.option(part, { nil: undefined }).map((found) => (found ? { [key]: found } : {}))
  fc.assert(
    fc.property(maybe('eip155'), maybe('eip155'), (requiredNamespaces, optionalNamespaces) => {
      const found = approveNamespaces({ requiredNamespaces, optionalNamespaces }, supported)
      if ('error' in found) return
      expect(settled(requiredNamespaces, found.namespaces)).toBeUndefined()
      const asked = [requiredNamespaces.eip155, optionalNamespaces.eip155]
      if (asked.every((one) => one === undefined)) return
      expect(Object.keys(found.namespaces)).toEqual(['eip155'])
      for (const method of found.namespaces.eip155?.methods ?? []) {
        expect(supported.eip155?.methods).toContain(method)
        expect(asked.flatMap((one) => one?.methods ?? [])).toContain(method)
      }
    }),
  )
})

test('error: checking any namespaces never throws', () => {
  const names = fc.array(fc.oneof(fc.string(), fc.constantFrom('eip155:1', 'eip155', ':', '::')))
  const key = fc.oneof(fc.string(), fc.constantFrom('eip155', 'eip155:1', '__proto__'))
  const any = fc.dictionary(
    key,
    fc.record({ chains: names, accounts: names, methods: names, events: names }),
  )
  fc.assert(
    fc.property(any, any, (one, other) => {
      settled(one, other)
      proposed(one, other)
      approveNamespaces({ requiredNamespaces: one, optionalNamespaces: other }, supported)
    }),
  )
})

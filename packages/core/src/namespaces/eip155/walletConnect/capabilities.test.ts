import { expect, test } from 'vitest'
import { alice } from '../../../../test/fakeWallet.ts'
import { knownCapabilities, parseCapabilitiesRequest } from './capabilities.ts'

const question = { address: alice, chainIds: [] }
const known = (
  session: Parameters<typeof knownCapabilities>[0],
  chainIds: string[] = ['eip155:1', 'eip155:10'],
) => knownCapabilities(session, { question, chainIds: chainIds as 'eip155:1'[] })

test('default', () => {
  expect(parseCapabilitiesRequest([alice, ['0x1']])).toEqual({ address: alice, chainIds: ['0x1'] })
  expect(known({})).toBeUndefined()
})

test('behavior: an answer kept before comes first', () => {
  const kept = { '0x1': { atomic: { status: 'supported' } } }
  const sessionProperties = { capabilities: { [alice]: kept }, atomic: '{"status":"ready"}' }
  expect(known({ sessionProperties })).toEqual(kept)
})

test('behavior: properties of the session, then of the chain, then of the account', () => {
  expect(
    known({
      sessionProperties: { atomic: '{"status":"ready"}', unrelated: 1 },
      scopedProperties: {
        'eip155:1': { paymasterService: { supported: true } },
        [`eip155:1:${alice}`]: '{"atomic":{"status":"supported"}}',
      },
    }),
  ).toEqual({
    '0x1': { atomic: { status: 'supported' }, paymasterService: { supported: true } },
    '0xa': { atomic: { status: 'ready' } },
  })
})

test('behavior: property names that every object inherits are not capabilities', () => {
  expect(known({ sessionProperties: { capabilities: { constructor: 1 } } })).toBeUndefined()
  expect(
    knownCapabilities(
      { sessionProperties: { capabilities: {} } },
      { question: { address: 'toString', chainIds: [] }, chainIds: [] },
    ),
  ).toBeUndefined()
})

test.each([[undefined], [[]], [[1]], [['']], [{}]])('error: %o names no address', (params) => {
  expect(() => parseCapabilitiesRequest(params)).toThrow(
    'Missing address parameter in wallet_getCapabilities request',
  )
})

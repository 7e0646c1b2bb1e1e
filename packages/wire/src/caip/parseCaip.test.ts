import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isChainId, isNamespace, namespaces } from './caip.ts'
import { parseCaipAddress, parseChainId, toChainId } from './parseCaip.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default', () => {
  expect(parseChainId('eip155:31337')).toEqual({
    namespace: 'eip155',
    reference: '31337',
    chainId: 'eip155:31337',
  })
  expect(parseCaipAddress(`eip155:1:${address}`)).toEqual({
    namespace: 'eip155',
    reference: '1',
    chainId: 'eip155:1',
    address,
  })
  expect(toChainId('eip155', 1)).toBe('eip155:1')
  expect(namespaces.every(isNamespace)).toBe(true)
})

test.each([
  '',
  'eip155',
  'eip155:',
  ':1',
  'eip155:1:2',
  'eip155:0',
  'eip155:01',
  'eip155:0x1',
  'eip155:-1',
  'eip155:1.5',
  'eip155:99999999999999999',
  'EIP155:1',
  'cosmos:1',
  'solana:a b',
  'toString:1',
])('error: %j is no network id', (text) => {
  expect(() => parseChainId(text)).toThrow('Invalid CAIP-2 network id')
  expect(isChainId(text)).toBe(false)
})

test.each(['', 'eip155:1', address, `eip155:1:${address}:`, 'a:b:c:d'])(
  'error: %j has not three parts',
  (text) => expect(() => parseCaipAddress(text)).toThrow('Invalid CAIP-10 address'),
)

test.each([`cosmos:1:${address}`, `eip155:x:${address}`, 'eip155:1:', 'eip155:1:<b>', '::'])(
  'error: %j has a malformed part',
  (text) => expect(() => parseCaipAddress(text)).toThrow('Invalid CAIP Address'),
)

test('behavior: a built id parses back', () => {
  const evm = fc.integer({ min: 1, max: 2 ** 48 }).map((id) => toChainId('eip155', id))
  const other = fc
    .tuple(
      fc.constantFrom('solana', 'bip122', 'polkadot'),
      fc.stringMatching(/^[-_a-zA-Z0-9]{1,32}$/),
    )
    .map(([namespace, reference]) => toChainId(namespace as 'solana', reference))
  const account = fc.stringMatching(/^[-.%a-zA-Z0-9]{1,128}$/)
  fc.assert(
    fc.property(fc.oneof(evm, other), account, (chainId, text) => {
      const parsed = parseCaipAddress(`${chainId}:${text}`)
      expect(parsed.chainId).toBe(chainId)
      expect(parsed.address).toBe(text)
      expect(isChainId(chainId)).toBe(true)
    }),
  )
})

test('behavior: any string is parsed, or refused with a CAIP error code', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const parse of [parseChainId, parseCaipAddress])
        try {
          parse(text)
        } catch (error) {
          expect((error as Error).message).toMatch(
            /^Invalid CAIP( Address|-10 address|-2 network id)$/,
          )
        }
    }),
  )
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { alice, bob } from '../../../../test/fakeWallet.ts'
import { parseEventAddresses, parseEventChain } from './parseWalletEvent.ts'

test.each([
  [1, 'eip155', 'eip155:1'],
  [10n, 'eip155', 'eip155:10'],
  ['137', 'eip155', 'eip155:137'],
  ['0xa', 'eip155', 'eip155:10'],
  ['eip155:5', 'eip155', 'eip155:5'],
  ['solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ', 'solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
] as const)('behavior: the chain %o of %s is %s', (value, namespace, chainId) => {
  expect(parseEventChain(value, namespace)).toBe(chainId)
})

test.each([
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['eip155:0x1'],
  ['eip155:1:0x'],
  ['0x'],
  [''],
  [-1],
  [1.5],
  [Number.NaN],
  [null],
  [undefined],
  [{}],
  [`0x${'f'.repeat(40)}`],
])('error: %o is no chain of eip155', (value) => {
  expect(parseEventChain(value, 'eip155')).toBeUndefined()
})

test('behavior: addresses plain and CAIP-10, others passed over', () => {
  const told = [alice, `eip155:1:${bob}`, `solana:x:${bob}`, '0x12', 7, null, 'javascript:x']
  expect(parseEventAddresses(told, 'eip155')).toEqual([alice, bob])
  expect(parseEventAddresses(alice, 'eip155')).toEqual([])
  const sol = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ4sGjMW1sUnHz'
  expect(parseEventAddresses([sol, 'a b', 'So1'], 'solana')).toEqual([sol])
})

test('behavior: never throws, for any event of a wallet', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.constantFrom('eip155', 'solana', 'bip122'),
      (value, namespace) => {
        expect(parseEventChain(value, namespace) ?? `${namespace}:`).toContain(`${namespace}:`)
        for (const address of parseEventAddresses([value, value], namespace))
          expect(address).toMatch(/^[-.%a-zA-Z0-9]{1,128}$/)
      },
    ),
  )
})

import { toSmallestUnit } from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import { describe, expect, test } from 'vitest'
import { getSelectedToken, getSendStep, toSendParameters } from './sendDraft.ts'
import type { ReceiverStatus } from './useReceiver.ts'

const native: Balance = {
  name: 'Ether',
  symbol: 'ETH',
  quantity: { decimals: '18', numeric: '1.5' },
  iconUrl: '',
}
const token: Balance = {
  name: 'Dollar',
  symbol: 'USD',
  address: 'eip155:31337:0xabc',
  quantity: { decimals: '6', numeric: '10' },
  iconUrl: '',
}
const step = (
  draft: { amount: string; receiverAddress: string },
  balance: Balance | undefined = native,
  receiver: ReceiverStatus = 'ready',
) => getSendStep({ draft, balance, receiver, toUnits: toSmallestUnit })

describe('sendStep', () => {
  test('default', () => {
    expect(step({ amount: '1.5', receiverAddress: '0x1' })).toBe('preview')
  })

  test.each([
    ['', 'addAmount'],
    ['0', 'incorrectValue'],
    ['0.000', 'incorrectValue'],
    ['-1', 'incorrectValue'],
    ['1e3', 'incorrectValue'],
    ['Infinity', 'incorrectValue'],
    ['1.2.3', 'incorrectValue'],
    ['0.0000000000000000001', 'incorrectValue'],
    ['1.500000000000000001', 'insufficientFunds'],
    ['99999999999999999999999', 'insufficientFunds'],
  ])('param: amount %s', (amount, expected) => {
    expect(step({ amount, receiverAddress: '' })).toBe(expected)
  })

  test('behavior: asks for the first thing that is missing', () => {
    expect(
      getSendStep({
        draft: { amount: '', receiverAddress: '' },
        balance: undefined,
        receiver: 'empty',
        toUnits: toSmallestUnit,
      }),
    ).toBe('chooseToken')
    expect(step({ amount: '1', receiverAddress: '' }, native, 'empty')).toBe('addAddress')
  })

  test.each([
    ['checking', 'preview'],
    ['invalid', 'invalidAddress'],
    ['zero', 'unresolved'],
    ['resolving', 'resolving'],
    ['unknown', 'unresolved'],
    ['invalidName', 'unresolved'],
    ['noNames', 'unresolved'],
    ['failed', 'unresolved'],
  ] as const)('param: receiver %s', (receiver, expected) => {
    expect(step({ amount: '1', receiverAddress: '' }, native, receiver)).toBe(expected)
  })
})

describe('getSelectedToken', () => {
  test('default', () => {
    const balances = [native, token]
    expect(getSelectedToken(balances, { amount: '', receiverAddress: '' })).toBe(native)
    expect(
      getSelectedToken(balances, { token: 'eip155:31337:0xabc', amount: '', receiverAddress: '' }),
    ).toBe(token)
  })

  test.each([
    ['eip155:31337:0xABC', token],
    ['eip155:31338:0xabc', undefined],
    ['0xabc', undefined],
    ['', undefined],
    ['native', native],
  ])('param: token %j', (id, expected) => {
    const draft = { token: id, amount: '', receiverAddress: '' }
    expect(getSelectedToken([native, token], draft)).toBe(expected)
  })

  test('behavior: a token that is no longer held is not replaced by another', () => {
    expect(
      getSelectedToken([native], { token: 'eip155:31337:0xabc', amount: '1', receiverAddress: '' }),
    ).toBeUndefined()
  })
})

describe('toSending', () => {
  test('default', () => {
    expect(toSendParameters({ amount: ' 1 ', receiverAddress: ' 0x1 ' }, token)).toEqual({
      to: '0x1',
      amount: '1',
      token: { symbol: 'USD', decimals: 6, address: '0xabc' },
    })
  })
})

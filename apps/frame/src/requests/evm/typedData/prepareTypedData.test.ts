import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { account, answerReads, createTestRequest } from '../../../../test/testRequest.ts'
import { prepareTypedData } from './prepareTypedData.ts'

const spender: Hex = '0x2222222222222222222222222222222222222222'
const token: Hex = '0x6b175474e89094c44da98b954eedeac495271d0f'
const text = (name: string) => ({ name, type: 'string' })
const uint = (name: string) => ({ name, type: 'uint256' })
const address = (name: string) => ({ name, type: 'address' })
const domain = { name: 'Dai Stablecoin', version: '1', chainId: 1, verifyingContract: token }
const EIP712Domain = [text('name'), text('version'), uint('chainId'), address('verifyingContract')]

/** The view of a message, on a chain where every contract is DAI. */
async function shownOf(primaryType: string, types: object, message: object) {
  const request = createTestRequest({
    method: 'eth_signTypedData_v4',
    params: [account, { types: { EIP712Domain, ...types }, primaryType, domain, message }],
    read: answerReads({ symbol: 'DAI', decimals: 18n, balance: 10n, supply: 100n }),
    keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
  })
  const { view } = await prepareTypedData(request)
  return {
    amounts: view.groups.flatMap(({ rows }) =>
      rows.flatMap((row) => (row.label === 'Amount' ? row.value : [])),
    ),
    warnings: view.warnings.map((warning) => warning.text),
  }
}

const older = {
  Permit: [
    address('holder'),
    address('spender'),
    uint('nonce'),
    uint('expiry'),
    { name: 'allowed', type: 'bool' },
  ],
}
const allowed = { holder: account, spender, nonce: 0, expiry: 4_000_000_000, allowed: true }

test('default: a permit of the older form has no limit, and the card shows it', async () => {
  const { amounts, warnings } = await shownOf('Permit', older, allowed)
  expect(amounts).toEqual(['Unlimited DAI'])
  expect(warnings.join()).toMatch(
    /no limit.*signature alone is enough.*never interacted.*more than a year/,
  )
})

test('error: fields that no type names, and that are not signed, do not change the view', async () => {
  const honest = await shownOf('Permit', older, allowed)
  expect(await shownOf('Permit', older, { ...allowed, value: '0', deadline: '1' })).toEqual(honest)

  const single = {
    PermitSingle: [
      { name: 'details', type: 'PermitDetails' },
      address('spender'),
      uint('sigDeadline'),
    ],
    PermitDetails: [
      address('token'),
      { name: 'amount', type: 'uint160' },
      { name: 'expiration', type: 'uint48' },
      { name: 'nonce', type: 'uint48' },
    ],
  }
  const details = { token, amount: '5', expiration: '4000000000', nonce: 0 }
  const signed = { details, spender, sigDeadline: '1' }
  const before = await shownOf('PermitSingle', single, signed)
  expect(before.amounts).toEqual(['0.000000000000000005 DAI'])
  const more = {
    ...signed,
    details: { ...details, permitted: { token, amount: '0' } },
    deadline: 1,
  }
  expect(await shownOf('PermitSingle', single, more)).toEqual(before)
})

test('error: a permit whose amount is not signed is not read as one', async () => {
  const types = { Permit: [address('spender'), uint('nonce')] }
  const message = { spender, nonce: 0, value: '0', deadline: '1' }
  const { amounts, warnings } = await shownOf('Permit', types, message)
  expect(amounts).toEqual([])
  expect(warnings.join()).toContain('read')
})

import { expect, test } from 'vitest'
import type { ActiveWallet } from '../connection/getActiveWallet.ts'
import { evmCalls } from '../namespaces/eip155/batch/calls.ts'
import type { AccountType } from '../state.ts'
import { isSponsored } from './isSponsored.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const sponsored = {
  '0x7a69': { atomic: { status: 'supported' }, sponsorship: { supported: true } },
}

/** A wallet that responds to wallet_getCapabilities, and the requests that it received. */
function open(type: AccountType, answer: () => unknown) {
  const asked: unknown[] = []
  const wallet = {
    connection: { account: { namespace: 'eip155', address, type }, chainId: 'eip155:31337' },
    actions: { loadCalls: async () => evmCalls },
    request: async (...args: unknown[]) => {
      asked.push(args)
      return answer()
    },
    approvedMethods: undefined,
  }
  return { asked, wallet: wallet as unknown as ActiveWallet }
}

test('default: a smart account whose wallet reports that its operator pays', async () => {
  const { asked, wallet } = open('smartAccount', () => sponsored)
  expect(await isSponsored(wallet)).toBe(true)
  expect(asked).toEqual([['wallet_getCapabilities', [address, ['0x7a69']]]])
})

test('behavior: another account is not asked', async () => {
  const { asked, wallet } = open('eoa', () => sponsored)
  expect(await isSponsored(wallet)).toBe(false)
  expect(asked).toEqual([])
})

test.each<[string, () => unknown]>([
  ['an error', () => Promise.reject(new Error('gone'))],
  ['garbage', () => ({ '0x7a69': { sponsorship: 'yes' } })],
  ['another network', () => ({ '0x7a6a': sponsored['0x7a69'] })],
  ['nothing of it', () => ({ '0x7a69': { atomic: { status: 'supported' } } })],
])('error: a wallet that answers with %s', async (_, answer) => {
  expect(await isSponsored(open('smartAccount', answer).wallet)).toBe(false)
})

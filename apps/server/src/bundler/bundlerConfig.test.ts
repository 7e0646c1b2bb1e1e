import { expect, test } from 'vitest'
import { bundlerProblems, smartAccountsSchema } from './bundlerConfig.ts'

const paymaster = `0x${'12'.repeat(20)}`
const limits = { weiPerAccountAndDay: '5', weiPerDay: '10' }

test('default: wei become numbers, and every key that the chains file needs is named', () => {
  const sponsorship = { paymaster, name: 'Shop', ...limits }
  const smartAccounts = smartAccountsSchema.parse({ bundler: 'own', sponsorship })
  expect(smartAccounts.sponsorship?.weiPerDay).toBe(10n)
  const key = `0x${'1'.repeat(64)}`
  const keys = { BUNDLER_KEY: key, SPONSOR_KEY: key }
  expect(bundlerProblems({ 'eip155:5': { smartAccounts } }, keys)).toEqual([])
  expect(bundlerProblems({ 'eip155:5': {} }, {})).toEqual([])
  expect(
    bundlerProblems({ 'eip155:5': { smartAccounts }, 'solana:x': { smartAccounts } }, {}),
  ).toEqual([
    'CHAINS_FILE: chains.solana:x.smartAccounts: is for eip155 networks only',
    'BUNDLER_KEY: must be set, because eip155:5 has `bundler: "own"`',
    'SPONSOR_KEY: must be set, because eip155:5 has a sponsorship',
  ])
})

test.each([
  ['no bundler', {}],
  ['an empty list', { bundler: [] }],
  ['another scheme', { bundler: ['ftp://a.example'] }],
  ['a sponsorship without limits', { bundler: 'own', sponsorship: { paymaster, name: 'Shop' } }],
  [
    'a limit of zero',
    { bundler: 'own', sponsorship: { paymaster, name: 'S', ...limits, weiPerDay: '0' } },
  ],
])('error: %s', (_, value) => {
  expect(smartAccountsSchema.safeParse(value).success).toBe(false)
})

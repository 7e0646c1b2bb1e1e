import { expect, test } from 'vitest'
import { readPaymentLink } from './readPaymentLink.ts'

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const eip155 = { namespace: 'eip155' }
const bitcoin = 'bcrt1qvlwxpcmszwutam7ykvwc272r748a9zzszj8a4s'
const solana = 'BELn9TCk4uWEihwdgoUx8xUfd5ujL9pKrwtJCesiQAev'

test.each([
  [`ethereum:${to}`, { ...eip155, to }],
  [`ethereum:pay-${to}@31337`, { ...eip155, chainId: 'eip155:31337', to }],
  [
    `ETHEREUM://${to}@0x7a69?value=1`,
    { ...eip155, chainId: 'eip155:31337', to, amount: '0.000000000000000001' },
  ],
  [
    `ethereum:${to}@31337?value=2.014e18&gas=21000`,
    { ...eip155, chainId: 'eip155:31337', to, amount: '2.014' },
  ],
  [`ethereum:${to}?value=1000000000000000000`, { ...eip155, to, amount: '1' }],
  ['ethereum:alice.eth@1', { ...eip155, chainId: 'eip155:1', to: 'alice.eth' }],
  [
    `ethereum:${token}@31337/transfer?address=${to}&uint256=1.5e6`,
    { ...eip155, chainId: 'eip155:31337', to, token, units: 1_500_000n },
  ],
  [`  eip155:31337:${to} `, { ...eip155, chainId: 'eip155:31337', to }],
  [
    `bitcoin:${bitcoin}?amount=0.25&label=Shop%20one`,
    { namespace: 'bip122', to: bitcoin, amount: '0.25' },
  ],
  [`BITCOIN:${bitcoin.toUpperCase()}`, { namespace: 'bip122', to: bitcoin }],
  [`solana:${solana}?amount=.5&label=Shop`, { namespace: 'solana', to: solana, amount: '.5' }],
  [
    `solana:${solana}?spl-token=${solana}&amount=2&reference=x`,
    { namespace: 'solana', to: solana, token: solana, amount: '2', hasMemo: true },
  ],
  [
    `solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ:${solana}`,
    { namespace: 'solana', chainId: 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ', to: solana },
  ],
  [`eth:${to}`, { ...eip155, chainId: 'eip155:1', to }],
  [`base:${to}`, { ...eip155, chainId: 'eip155:8453', to }],
  [`arb1:${to}`, { ...eip155, chainId: 'eip155:42161', to }],
  [`OETH:${to}`, { ...eip155, chainId: 'eip155:10', to }],
  [`matic:${to}`, { ...eip155, chainId: 'eip155:137', to }],
  [`pol:${to}`, { ...eip155, chainId: 'eip155:137', to }],
  [
    `arb-sep:\n${to.slice(0, 20)} ${to.slice(20)}\u200b`,
    { ...eip155, chainId: 'eip155:421614', to },
  ],
  [`kaia-mainnet:${to}`, { ...eip155, chainId: 'eip155:8217', to }],
  [`Nowhere-1:${to}`, { ...eip155, shortName: 'nowhere-1', to }],
  [`constructor:${to}`, { ...eip155, shortName: 'constructor', to }],
])('default: %s', (text, link) => expect(readPaymentLink(text)).toEqual(link))

test.each([
  to,
  'alice.eth',
  '',
  'https://example.com',
  `ethereum:${token}/approve?address=${to}&uint256=1`,
  `ethereum:${token}/transfer?address=${to}&uint256=1&value=5`,
  `ethereum:${token}/transfer?uint256=1`,
  `ethereum:${to}?value=1.5`,
  `ethereum:${to}?value=-1`,
  `ethereum:${to}?value=1&value=2`,
  `ethereum:${to}?value=1&VALUE=2`,
  `ethereum:${to}@0`.replace('@0', '@x'),
  `bitcoin:${bitcoin}?req-time=5`,
  `bitcoin:${bitcoin}?amount=1,000`,
  'bitcoin:?amount=1',
  'solana:https%3A%2F%2Fshop.example%2Fpay',
  'solana:https://shop.example/pay',
  `eip155:31337:${to}:1`,
  'mailto:alice@example.com',
  `eth:${to}00`,
  `eth:${to.slice(0, -1)}`,
  'eth:alice',
])('error: %s is not understood', (text) => expect(readPaymentLink(text)).toBeUndefined())

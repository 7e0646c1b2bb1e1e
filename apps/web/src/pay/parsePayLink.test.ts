import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePayLink, toPayLink } from './parsePayLink.ts'

const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const dollar = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const networks = [{ caipNetworkId: 'eip155:31337' }] as const
const asset = { chainId: 'eip155:31337', address: dollar } as const

const parse = (link: string) => {
  const [path = '', query = ''] = link.split(/\?(.*)/s)
  return parsePayLink({ path, query, networks })
}

test.each([
  ['/pay/alice.latchkey.id', { to: 'alice.latchkey.id', isName: true }],
  ['/pay/ALICE.Latchkey.ID', { to: 'alice.latchkey.id', isName: true }],
  ['/pay/b%C3%BCcher.eth', { to: 'bücher.eth', isName: true }],
  [`/pay/${bob}`, { to: bob, isName: false }],
  ['/pay/a.eth?amount=25', { to: 'a.eth', isName: true, amount: '25' }],
  ['/pay/a.eth?amount=007.5000', { to: 'a.eth', isName: true, amount: '7.5' }],
  ['/pay/a.eth?amount=0.000001', { to: 'a.eth', isName: true, amount: '0.000001' }],
  [`/pay/a.eth?amount=${'9'.repeat(78)}`, { to: 'a.eth', isName: true, amount: '9'.repeat(78) }],
  [
    '/pay/a.eth?asset=eip155:31337/slip44:60',
    { to: 'a.eth', isName: true, asset: { chainId: 'eip155:31337' } },
  ],
  [
    `/pay/a.eth?amount=1&asset=eip155%3A31337%2Ferc20%3A${dollar}`,
    { to: 'a.eth', isName: true, amount: '1', asset },
  ],
])('default: %s', (link, parsed) => expect(parse(link)).toEqual(parsed))

test.each([
  '/pay/a.eth?amount=1&amount=1000',
  '/pay/a.eth?amount=1&speed=fast&data=0x00&token=native&next=https://evil.example',
  '/pay/a.eth?amount=1&__proto__=x&to=eve.eth',
  '/pay/a.eth?AMOUNT=9&amount=1',
])('security: %s: repeated and unknown parameters change nothing', (link) =>
  expect(parse(link)).toEqual({ to: 'a.eth', isName: true, amount: '1' }),
)

test.each([
  '/pay/',
  '/pay/%',
  '/pay/%E0%A4%A',
  '/payments/a.eth',
  '/pay/.eth',
  '/pay/a..eth',
  '/pay/a.eth.',
  '/pay/a.eth/b',
  '/pay/a%2Fb.eth',
  '/pay/..%2F..%2Fa.eth',
  '/pay/a%252Eeth',
  '/pay/a b.eth',
  '/pay/a+b.eth',
  '/pay/javascript:alert.call',
  '/pay/%3Cimg.src%3E',
  '/pay/eve@a.eth',
  '/pay/a%00.eth',
  '/pay/a%0A.eth',
  '/pay/a%E2%80%AE.eth',
  '/pay/a%E2%80%8B.eth',
  '/pay/a%E2%81%A6.eth',
  '/pay/a%EF%BB%BF.eth',
  '/pay/a%C2%AD.eth',
  '/pay/a%EF%B8%8F.eth',
  '/pay/a%E3%85%A4.eth',
  '/pay/a%E2%A0%80.eth',
  '/pay/a%CD%8F.eth',
  '/pay/a%EF%BE%A0.eth',
  '/pay/a%ED%A0%80.eth',
  `/pay/${'a'.repeat(252)}.eth`,
  `/pay/${'a'.repeat(129)}`,
])('security: %s: no receiver', (link) => expect(parse(link)).toEqual({ problem: 'to' }))

test.each([
  ...['', '0', '0.000', '-1', '+1', ' 1', '1 ', '1e3', '1,5', '1.000,5', '.5', '1.', '1.2.3'],
  ...['0x10', 'Infinity', 'NaN', '1_000', '١٢', '１', '%00', '1%0A', '9'.repeat(79)],
  `1.${'1'.repeat(78)}`,
])('security: amount %j is refused', (amount) =>
  expect(parse(`/pay/a.eth?amount=${amount}`)).toEqual({ problem: 'amount' }),
)

test.each(['', 'ETH', 'eip155:31337', dollar, `eip155:31337/erc721:${dollar}/1`])(
  'error: asset %j',
  (id) => expect(parse(`/pay/a.eth?asset=${id}`)).toEqual({ problem: 'asset' }),
)

test('error: a network that this app does not have', () =>
  expect(parse('/pay/a.eth?asset=eip155:1/slip44:60')).toEqual({ problem: 'network' }))

test('security: no string makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (to, query) => {
      const link = parsePayLink({ path: `/pay/${to}`, query, networks })
      if ('to' in link) expect(link.to).not.toMatch(/[\s<>"'/\\?#\u200b-\u200f\u202a-\u202e]/)
    }),
  )
})

test.each([
  { to: 'alice.latchkey.id', isName: true, amount: '2.5' },
  { to: 'bücher.eth', isName: true },
  { to: bob, isName: false, amount: '1' },
])('default: a link that was made here is read back: %o', ({ to, isName, amount }) => {
  const link = toPayLink({ origin: 'https://app.example', to, amount, asset })
  const { pathname, search } = new URL(link)
  expect(parsePayLink({ path: pathname, query: search, networks })).toEqual({
    ...{ to, isName, asset },
    ...(amount && { amount }),
  })
})

test('default: a link is readable', () =>
  expect(toPayLink({ origin: 'https://app.example', to: 'a.eth', amount: '25', asset })).toBe(
    `https://app.example/pay/a.eth?amount=25&asset=eip155:31337/erc20:${dollar}`,
  ))

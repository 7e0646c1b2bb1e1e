import type { HistoryTransaction, HistoryTransfer } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { alice, bob } from '../../../test/fakeWallet.ts'
import { getNoteKey } from '../notes.ts'
import { toCsv } from './toCsv.ts'

const chainId = 'eip155:31337'
const coin = (
  direction: HistoryTransfer['direction'],
  numeric: string,
  { symbol = 'ETH', value = null as number | null } = {},
): HistoryTransfer => ({
  fungible_info: { name: symbol, symbol },
  direction,
  quantity: { numeric },
  value,
})

const transaction = (
  metadata: Partial<HistoryTransaction['metadata']>,
  transfers: HistoryTransfer[] = [],
): HistoryTransaction => ({
  id: `${chainId}:0x1`,
  metadata: {
    ...{ operationType: 'send', hash: '0x1', minedAt: '2026-11-28T14:02:31Z', nonce: 0 },
    ...{ sentFrom: alice, sentTo: bob, chain: chainId },
    status: 'confirmed',
    ...metadata,
  },
  transfers,
})

/** The lines of the file after its header. */
function write(transactions: HistoryTransaction[], notes: ReadonlyMap<string, string> = new Map()) {
  const csv = toCsv(transactions, { address: alice, chainId, symbol: 'ETH', notes })
  expect(csv).toMatch(/^\ufeffDate,Kind,.*,Transaction ID,Note\r\n/)
  expect(csv).toMatch(/\r\n$/)
  return csv.split('\r\n').slice(1, -1)
}

test('default: a payment with the fee of the account, and a swap', () => {
  const fee = { numeric: '0.000021', payer: alice.toLowerCase() }
  const swapped = [coin('out', '1.5'), coin('in', '2950.10', { symbol: 'USDC', value: 2950.1 })]
  expect(
    write([
      transaction({ fee }, [coin('out', '0.5')]),
      transaction({ operationType: 'trade' }, swapped),
    ]),
  ).toEqual([
    `2026-11-28T14:02:31.000Z,send,0.5,ETH,,,,0.000021,ETH,${alice},${bob},${chainId},0x1,`,
    `2026-11-28T14:02:31.000Z,trade,1.5,ETH,2950.1,USDC,2950.10,,,${alice},${bob},${chainId},0x1,`,
  ])
})

test('behavior: several amounts are several rows, and the fee is in the first', () => {
  const fee = { numeric: '0.1', payer: alice }
  const both = [coin('in', '1', { symbol: 'A' }), coin('in', '2', { symbol: 'B' })]
  expect(write([transaction({ operationType: 'claim', fee }, both)])).toEqual([
    expect.stringContaining(',claim,,,1,A,,0.1,ETH,'),
    expect.stringContaining(',claim,,,2,B,,,,'),
  ])
})

test('behavior: a fee of others, a failed payment, a pending time and a broken amount are left out', () => {
  const fee = { numeric: '0.1', payer: bob }
  const own = { numeric: '=1+1', payer: alice }
  const moved = [coin('out', '3', { value: 3 })]
  expect(
    write([
      transaction({ fee }, moved),
      transaction({ status: 'failed', fee: { ...fee, payer: alice } }, moved),
      transaction({ status: 'pending' }, moved),
      transaction({ fee: own, minedAt: 'soon' }, [coin('out', '=1+1')]),
    ]).map((line) => line.split(',').slice(0, 9).join(',')),
  ).toEqual([
    '2026-11-28T14:02:31.000Z,send,3,ETH,,,3.00,,',
    '2026-11-28T14:02:31.000Z,failed,,,,,,0.1,ETH',
    ',pending,3,ETH,,,3.00,,',
    ',send,,,,,,,',
  ])
})

test.each([
  [null, `${chainId}:0xabc/7`],
  ['Orbit #7', `“Orbit #7” ${chainId}:0xabc/7`],
  ['1,000 USDC', `"“1,000 USDC” ${chainId}:0xabc/7"`],
])('security: the NFT %j has its contract and id, and is no amount', (name, cell) => {
  const item = {
    ...{ nft_info: { name, flags: { is_spam: false } }, quantity: { numeric: '1' } },
    ...{ direction: 'in' as const, address: `${chainId}:0xabc`, tokenId: '7' },
  }
  expect(write([transaction({}, [item])])[0]).toContain(`,,,1,${cell},`)
})

test.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', "'+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'=1"],
  ['\r\n=1', "'=1"],
  ['＝1', "'＝1"],
  ['harmless; =1', `"harmless; '=1"`],
  ['Rent, "March"', '"Rent, ""March"""'],
  ['two\nlines', 'two lines'],
  ['\u202e=1\u2066 abc', "'=1 abc"],
])('formula injection: the note %j is the cell %s', (note, cell) => {
  const one = transaction({})
  const [line] = write([one], new Map([[getNoteKey(one), note]]))
  expect(line?.endsWith(`,0x1,${cell}`)).toBe(true)
})

test('formula injection: a symbol, a kind and an address of a server are no formulas', () => {
  const [line] = write([
    transaction({ operationType: '=a', sentFrom: '+b', sentTo: '-c', hash: '@d' }, [
      coin('out', '1', { symbol: '=e' }),
    ]),
  ])
  expect(line).toBe(`2026-11-28T14:02:31.000Z,'=a,1,'=e,,,,,,'+b,'-c,${chainId},'@d,`)
})

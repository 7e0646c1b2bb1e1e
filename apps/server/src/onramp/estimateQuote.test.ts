import { nativeAsset } from '@latchkey/wire'
import fc from 'fast-check'
import { pino } from 'pino'
import { parseUnits } from 'viem/utils'
import { expect, test } from 'vitest'
import { chainWith } from '../../test/makeServices.ts'
import { estimateQuote, toCents } from './estimateQuote.ts'

const chainId = 'eip155:1'
const eur = `0x${'ce'.repeat(20)}`
const dollar = 10n ** 18n

type Market = { price?: bigint; euro?: bigint; decimals?: number }
type Payment = { amount: string; currency: string; feePercent?: number }

/** Estimates a payment for the native currency at `price`, with a euro at `euro`. */
const estimate = (
  { price, euro, decimals = 18 }: Market,
  { amount, currency, feePercent = 2 }: Payment,
) =>
  estimateQuote(
    {
      config: { chains: { [chainId]: { ...chainWith([]), eur } } },
      log: pino({ level: 'silent' }),
      readPrices: async ({ tokens }) =>
        tokens.map((token) => {
          const found = token === eur ? euro : price
          return found === undefined
            ? undefined
            : { price: found, seenAtMs: 0, source: 'outside' as const }
        }),
    },
    {
      asset: { chainId, asset: nativeAsset, name: 'Ether', symbol: 'ETH', decimals },
      method: 'card',
      currency,
      amount,
    },
    { feePercent: { min: 1, max: feePercent } },
  )

test('default: a payment in euros is converted by the price of the euro, its fee is in euros', async () => {
  const market = { price: 3_000n * dollar, euro: (11n * dollar) / 10n }
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  expect(await estimate(market, { amount: '100.01', currency: 'EUR' })).toEqual({
    coinbaseFee: euros('2.01'),
    networkFee: euros('0.00'),
    paymentSubtotal: euros('98.00'),
    paymentTotal: euros('100.01'),
    // 98 euros are 107.80 dollars.
    purchaseAmount: { amount: '0.035933333333333333', currency: 'ETH' },
    quoteId: expect.stringMatching(/^estimate-/),
    isEstimate: true,
  })
  const dollars = await estimate(market, { amount: '107.80', currency: 'USD', feePercent: 0 })
  expect(dollars?.purchaseAmount.amount).toBe('0.035933333333333333')
})

test.each<[string, Market, string]>([
  ['the euro has no price', { price: dollar }, 'EUR'],
  ['the euro has an absurd price', { price: dollar, euro: 60_000n * dollar }, 'EUR'],
  ['the token has no price', { euro: dollar }, 'EUR'],
  ['the currency is not known', { price: dollar, euro: dollar }, 'GBP'],
])('behavior: there is no estimate where %s', async (_, market, currency) => {
  expect(await estimate(market, { amount: '100', currency })).toBeUndefined()
})

test('behavior: an estimate is never more than what the payment is worth, and less by a unit at most', async () => {
  const cents = fc.bigInt({ min: 1_000n, max: 2_500_000n })
  const prices = fc.bigInt({ min: 1n, max: 10n ** 24n })
  const euros = fc.bigInt({ min: dollar / 2n, max: 2n * dollar })
  const fees = fc.integer({ min: 0, max: 1_000 })
  const places = fc.constantFrom(0, 6, 9, 18)
  await fc.assert(
    fc.asyncProperty(
      cents,
      prices,
      euros,
      fees,
      places,
      async (paid, price, euro, fee, decimals) => {
        const amount = `${paid / 100n}.${String(paid % 100n).padStart(2, '0')}`
        const payment = { amount, currency: 'EUR', feePercent: fee / 100 }
        const quote = await estimate({ price, euro, decimals }, payment)
        const charged = toCents(quote?.coinbaseFee?.amount ?? '')
        expect(charged * 10_000n).toBeGreaterThanOrEqual(paid * BigInt(fee))
        const worth = (paid - charged) * euro * 10n ** BigInt(decimals)
        const units = parseUnits(quote?.purchaseAmount.amount ?? '', decimals)
        expect(units * price * 100n).toBeLessThanOrEqual(worth)
        expect((units + 1n) * price * 100n).toBeGreaterThan(worth)
      },
    ),
  )
})

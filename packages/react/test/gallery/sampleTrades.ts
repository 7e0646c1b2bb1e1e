import { latchkeyOne, type Network } from '@latchkey/core/internal'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Filling } from './fillings.ts'

const chainId = latchkeyOne.caipNetworkId
const { router, wrappedNative } = latchkeyOne.swap as NonNullable<Network['swap']>
const native = `${chainId}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`
const abi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address)',
])

/** The token that the swaps of the samples buy, with 6 decimals. */
export const gold = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'

/** The answers of a server that swaps and sells; undefined for all other routes. */
export function answerTrades(
  { word, money }: Filling,
  { pathname, searchParams }: URL,
  init: RequestInit | undefined,
): unknown {
  switch (pathname) {
    case '/v1/convert/tokens':
      return {
        tokens: [
          { ...{ name: 'Ether', symbol: 'ETH', address: native, decimals: 18 }, ...noFacts },
          { ...{ name: word, symbol: 'GOLD', address: goldId, decimals: 6 }, ...noFacts },
        ],
      }
    case '/v1/convert/quotes':
      return { quotes: [getQuote(Object.fromEntries(searchParams), word)] }
    case '/v1/convert/build-transaction':
      return { tx: prepareSwap(JSON.parse(String(init?.body)), word) }
    case '/v1/fungible/price':
      return {
        fungibles: [
          { name: '', symbol: '', iconUrl: '', decimals: 18, price: 2000, address: native },
          { name: '', symbol: '', iconUrl: '', decimals: 6, price: 1, address: goldId },
        ],
      }
    case '/v1/onramp/options':
      return getOptions(word)
    case '/v1/onramp/quote': {
      const price = { amount: money, currency: 'USD' }
      return {
        ...{ coinbaseFee: price, networkFee: price, paymentSubtotal: price },
        paymentTotal: { ...price, amount: '100' },
        ...{ purchaseAmount: { amount: `${money}3456`, currency: word }, quoteId: 'q' },
        isEstimate: true,
      }
    }
    default:
      return pathname.startsWith('/v1/onramp/orders/') ? getOrder(word) : undefined
  }
}

const goldId = `${chainId}:${gold}`
const noFacts = { logoUri: null, eip2612: null }

/** A quote of 2000 GOLD for an ether. */
const getQuote = ({ from = '', to = '', amount = '0' }: Record<string, string>, word: string) => ({
  ...{ id: null, fromAmount: amount, fromAccount: from, toAccount: to },
  toAmount: String((BigInt(amount) * 2_000n) / 10n ** 12n),
  ...{ fee: '0.3', priceImpact: '0.1' },
  route: [{ percent: 100, tokens: [from, to], exchanges: [word] }],
})

/** The transaction of a swap. The modal compares all of it with the request. */
function prepareSwap(body: Record<string, string>, word: string) {
  const quote = getQuote(body, word)
  const minimum = (BigInt(quote.toAmount) * 99n + 99n) / 100n
  const user = body.userAddress?.split(':').at(-1) as Hex
  const data = encodeFunctionData({
    abi,
    functionName: 'swapExactTokensForTokens',
    args: [BigInt(quote.fromAmount), minimum, [wrappedNative, gold], user],
  })
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 600)
  return {
    from: body.userAddress,
    to: `${chainId}:${router}`,
    data: encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, [data]] }),
    amount: quote.toAmount,
    eip155: { gas: '200000', gasPrice: '1' },
    quote,
  }
}

const limits = ['card', 'ach_bank_account'].map((id) => ({ id, min: '10.00', max: '25000.00' }))

function getOptions(word: string) {
  const sold = { name: chainId, display_name: word, chain_id: '31337', contract_address: '' }
  return {
    purchaseCurrencies: [{ id: '1', name: word, symbol: word, networks: [{ ...sold, chainId }] }],
    paymentCurrencies: [{ id: 'USD', payment_method_limits: limits }],
    providers: [
      {
        ...{ id: 'shop', name: word, feePercent: { min: 1, max: 2 }, currencies: ['USD'] },
        ...{ assets: [`${chainId}/native`], methods: ['card', 'ach_bank_account'] },
      },
    ],
  }
}

const getOrder = (word: string) => ({
  ...{ id: 'a'.repeat(24), status: 'declined', reason: 'authentication', provider: 'shop' },
  ...{ providerName: word, chainId, symbol: word, paymentAmount: '100' },
  ...{ paymentCurrency: 'USD', receivedAmount: null, transactionHash: null },
  createdAt: '2026-01-01T00:00:00.000Z',
})

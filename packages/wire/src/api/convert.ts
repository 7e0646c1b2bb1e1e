import * as z from 'zod/mini'
import type { Route } from './route.ts'

const projectId = z.string()
/** In the smallest unit. */
const wholeNumber = z.string().check(z.regex(/^\d{1,78}$/))
/** A decimal number. */
const percent = z.string().check(z.regex(/^\d{1,3}(\.\d{1,4})?$/))

/**
 * A swap at current prices. Tokens and accounts are CAIP-10 ids; the native currency of a network
 * is `0xeeee…eeee`. Only our servers send the fields after `toAccount`.
 */
const swapQuote = z.object({
  id: z.nullable(z.string()),
  fromAmount: wholeNumber,
  fromAccount: z.string(),
  toAmount: wholeNumber,
  toAccount: z.string(),
  /**
   * The paths that the amount takes: its share in percent, the tokens in order, and the pool or
   * venue of each exchange.
   */
  route: z.optional(
    z.array(
      z.object({
        percent: z.number(),
        tokens: z.array(z.string()),
        exchanges: z.array(z.string()),
      }),
    ),
  ),
  /** The pools' fee, in percent. */
  fee: z.optional(percent),
  /** How much worse the price is than the pools' middle price, in percent and without their fee. */
  priceImpact: z.optional(percent),
  /** The block of the pools' state. */
  block: z.optional(wholeNumber),
  /** Gas that the swap may use. */
  gas: z.optional(wholeNumber),
  /** The native currency is wrapped or unwrapped, so no allowance is needed. */
  isWrap: z.optional(z.boolean()),
})
export type SwapQuote = z.infer<typeof swapQuote>

/** `GET /v1/convert/quotes`: how much of another token an amount would yield. */
export const convertQuotesRoute = {
  method: 'GET',
  path: '/v1/convert/quotes',
  query: z.object({
    projectId,
    amount: wholeNumber,
    from: z.string(),
    to: z.string(),
    gasPrice: z.optional(z.string()),
    userAddress: z.optional(z.string()),
  }),
  result: z.object({ quotes: z.array(swapQuote) }),
} as const satisfies Route

const swapToken = z.object({
  name: z.string(),
  symbol: z.string(),
  /** CAIP-10. */
  address: z.string(),
  decimals: z.number(),
  logoUri: z.nullable(z.string()),
  eip2612: z.nullable(z.boolean()),
})
export type SwapToken = z.infer<typeof swapToken>

/**
 * `GET /v1/convert/tokens`: the tokens of a network that can be chosen; with `address`, that token,
 * listed or not.
 */
export const convertTokensRoute = {
  method: 'GET',
  path: '/v1/convert/tokens',
  query: z.object({ projectId, chainId: z.string(), address: z.optional(z.string()) }),
  result: z.object({ tokens: z.array(swapToken) }),
} as const satisfies Route

/** `GET /v1/convert/allowance`: how much of a user's token the router may take. */
export const convertAllowanceRoute = {
  method: 'GET',
  path: '/v1/convert/allowance',
  query: z.object({ projectId, tokenAddress: z.string(), userAddress: z.string() }),
  result: z.object({ allowance: wholeNumber }),
} as const satisfies Route

const hexData = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))

/**
 * `GET /v1/convert/build-approve`: calldata that allows the router to take `amount`, or any amount.
 * `tx.from` is the token, which is where clients send it.
 */
export const convertApprovalRoute = {
  method: 'GET',
  path: '/v1/convert/build-approve',
  query: z.object({
    projectId,
    from: z.string(),
    to: z.string(),
    amount: z.optional(wholeNumber),
    userAddress: z.optional(z.string()),
  }),
  result: z.object({
    tx: z.object({
      from: z.string(),
      to: z.string(),
      data: hexData,
      value: z.string(),
      eip155: z.nullable(z.object({ gasPrice: wholeNumber })),
    }),
  }),
} as const satisfies Route

/**
 * `POST /v1/convert/build-transaction`: the transaction that swaps. It fails if less than `minimum`
 * would arrive.
 */
export const convertTransactionRoute = {
  method: 'POST',
  path: '/v1/convert/build-transaction',
  body: z.object({
    projectId: z.optional(projectId),
    amount: wholeNumber,
    from: z.string(),
    to: z.string(),
    userAddress: z.string(),
    eip155: z.optional(
      z.object({
        /** In percent, 0 to 50. */
        slippage: z.number().check(z.minimum(0), z.maximum(50)),
        /** owner, spender, value, deadline, v, r and s of an EIP-2612 permit, ABI-encoded. */
        permit: z.optional(hexData.check(z.maxLength(1_000))),
      }),
    ),
    disableEstimate: z.optional(z.boolean()),
  }),
  result: z.object({
    tx: z.object({
      /** CAIP-10 of the user. */
      from: z.string(),
      /** CAIP-10 of the router. */
      to: z.string(),
      data: hexData,
      /** The expected amount received. */
      amount: wholeNumber,
      eip155: z.nullable(z.object({ gas: wholeNumber, gasPrice: wholeNumber })),
      /** The minimum received. */
      minimum: z.optional(wholeNumber),
      /** The native currency to send with the transaction, in wei. */
      value: z.optional(wholeNumber),
      quote: z.optional(swapQuote),
      /** Unix time in seconds after which the transaction fails. */
      deadline: z.optional(wholeNumber),
    }),
  }),
} as const satisfies Route

/** The functions of Uniswap's SwapRouter02 that swaps use, for `parseAbi`. */
export const swapRouterFunctions = [
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactInput(ExactInputParams params) payable returns (uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
] as const

/** The functions of the wrapped native currency (WETH9), for `parseAbi`. */
export const wrappedNativeFunctions = [
  'function deposit() payable',
  'function withdraw(uint256 amount)',
] as const

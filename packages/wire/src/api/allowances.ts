import * as z from 'zod/mini'
import { allowanceKind, historySync } from './history.ts'
import type { Route } from './route.ts'

const text = z.nullable(z.string())

/**
 * An on-chain allowance: what a spender may take from an account now. `erc20` and `permit2`: up to
 * `amount`, a decimal string in whole tokens, null if the token has no usable decimals. `erc721`:
 * the NFT `tokenId`. `operator`: every NFT of the contract. `token.address` is the token's contract
 * (CAIP-10), and `isListed` means that its symbol is from a token list. `spenderName` is the
 * contract's name if the server has one. `balance` is how much of the token the account holds, in
 * the unit of `amount`; undefined for NFTs and if it is unknown. `changedAt` and `expiresAt` are
 * ISO 8601.
 */
export const allowance = z.object({
  kind: allowanceKind,
  token: z.object({
    address: z.string(),
    name: text,
    symbol: text,
    iconUrl: text,
    isListed: z.optional(z.boolean()),
  }),
  tokenId: text,
  spender: z.string(),
  spenderName: text,
  amount: text,
  balance: z.optional(z.string()),
  isUnlimited: z.boolean(),
  changedAt: z.string(),
  expiresAt: text,
  isSpam: z.boolean(),
})
export type Allowance = z.infer<typeof allowance>

/**
 * `GET /v1/account/{address}/allowances`: the allowances that the account has granted on one
 * network, the last changed first. A page may have few or no entries although `next` is set.
 */
export const accountAllowancesRoute = {
  method: 'GET',
  path: '/v1/account/:address/allowances',
  query: z.object({
    projectId: z.string(),
    chainId: z.string(),
    cursor: z.optional(z.string()),
  }),
  result: z.object({ data: z.array(allowance), next: text, sync: z.optional(historySync) }),
} as const satisfies Route

import * as z from 'zod/mini'
import { historySync } from './history.ts'
import type { Route } from './route.ts'

const text = z.nullable(z.string())

/**
 * What a spender may take of an account now, as the chain says. `erc20` and `permit2`: up to
 * `amount`, a decimal string in whole tokens, null where the token has no usable decimals;
 * `erc721`: the one NFT `tokenId`; `operator`: every NFT of the contract. `token.address` is the
 * token's contract (CAIP-10), `spenderName` is that of a contract the server knows. `changedAt` and
 * `expiresAt` are ISO 8601.
 */
export const allowance = z.object({
  kind: z.enum(['erc20', 'permit2', 'erc721', 'operator']),
  token: z.object({ address: z.string(), name: text, symbol: text, iconUrl: text }),
  tokenId: text,
  spender: z.string(),
  spenderName: text,
  amount: text,
  isUnlimited: z.boolean(),
  changedAt: z.string(),
  expiresAt: text,
  isSpam: z.boolean(),
})
export type Allowance = z.infer<typeof allowance>

/**
 * `GET /v1/account/{address}/allowances`: what the account allows others on one network, the last
 * changed first. A page may hold few or none while `next` names another.
 */
export const accountAllowances = {
  method: 'GET',
  path: '/v1/account/:address/allowances',
  query: z.object({
    projectId: z.string(),
    chainId: z.string(),
    cursor: z.optional(z.string()),
  }),
  result: z.object({ data: z.array(allowance), next: text, sync: z.optional(historySync) }),
} as const satisfies Route

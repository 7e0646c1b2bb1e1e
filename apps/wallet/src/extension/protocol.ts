import * as z from 'zod/mini'

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]+$/))

/** The outcome of a provider's request, in JSON-RPC's form. */
export const outcome = z.union([
  z.strictObject({
    error: z.object({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) }),
  }),
  z.strictObject({ result: z.unknown() }),
])
export type Outcome = z.output<typeof outcome>

/** A request as a page makes it (EIP-1193). */
const call = z.object({ method: z.string(), params: z.optional(z.unknown()) })
export type Call = z.output<typeof call>

/** All that one page may know of the wallet. `accounts` is empty while locked or not connected. */
const siteState = z.object({
  connected: z.boolean(),
  accounts: z.array(z.string()),
  /** As `accounts`, of what the page has connected on Solana. */
  solanaAccounts: z.array(z.string()),
  /** The same on Polkadot. */
  polkadotAccounts: z.array(z.string()),
  /** The addresses of the account that the page has connected on Bitcoin. */
  bitcoinAddresses: z.array(
    z.object({
      address: z.string(),
      publicKey: z.string(),
      intention: z.enum(['payment', 'ordinal']),
    }),
  ),
  chainId: hexNumber,
  chainIds: z.array(hexNumber),
})
export type SiteState = z.output<typeof siteState>

/** Page to hidden frame: everything that needs no person. */
export const bridgeProtocol = {
  requests: {
    /** With what the window said last, which then holds until the wallet's state changes. */
    state: { params: z.nullable(siteState), result: siteState },
    rpc: { params: call, result: outcome },
  },
  events: { state: siteState },
} as const

/** What was decided, and what the page may know after it. */
const answer = z.object({ outcome, state: siteState })
export type Answer = z.output<typeof answer>

/** Page to popup: everything a person decides. */
export const popupProtocol = {
  requests: { ask: { params: call, result: answer } },
  events: {},
} as const

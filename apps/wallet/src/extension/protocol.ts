import * as z from 'zod/mini'

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]+$/))

/** The outcome of a provider's request, in JSON-RPC's form. */
export const outcome = z.union([
  z.strictObject({
    error: z.object({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) }),
  }),
  z.strictObject({ result: z.unknown() }),
])
export type WalletResult = z.output<typeof outcome>

/** A request of a page (EIP-1193). */
const call = z.object({ method: z.string(), params: z.optional(z.unknown()) })
export type Call = z.output<typeof call>

/** The wallet state that a page may see. `accounts` is empty while locked or not connected. */
const siteState = z.object({
  connected: z.boolean(),
  accounts: z.array(z.string()),
  /** Like `accounts`, for Solana. */
  solanaAccounts: z.array(z.string()),
  /** Like `accounts`, for Polkadot. */
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

/** Page to hidden frame: everything that does not need the user. */
export const bridgeProtocol = {
  requests: {
    /** Sends the window's last state, which applies until the wallet's state changes. */
    state: { params: z.nullable(siteState), result: siteState },
    rpc: { params: call, result: outcome },
  },
  events: { state: siteState },
} as const

/** The user's decision, and the state that the page may see after it. */
const answer = z.object({ outcome, state: siteState })
export type WalletResponse = z.output<typeof answer>

/** Page to popup: everything that the user decides. */
export const popupProtocol = {
  requests: { ask: { params: call, result: answer } },
  events: {},
} as const

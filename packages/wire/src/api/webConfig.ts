import * as z from 'zod/mini'
import type { ChainId } from '../caip/caip.ts'
import type { Route } from './route.ts'

const chainId = z.custom<ChainId>(
  (value) =>
    typeof value === 'string' &&
    /^(eip155|solana|polkadot|bip122):[-_a-zA-Z0-9]{1,32}$/.test(value),
)

const networkFacts = z.object({
  name: z.string(),
  nativeCurrency: z.object({
    name: z.string(),
    symbol: z.string(),
    decimals: z.int().check(z.minimum(0), z.maximum(36)),
  }),
  testnet: z.optional(z.boolean()),
  blockExplorer: z.optional(z.object({ name: z.string(), url: z.string() })),
})
/** Facts about a network, from the operator of a server. */
export type NetworkFacts = z.infer<typeof networkFacts>

/**
 * `GET /config.json`: the server's configuration for its web app. `networks` is in the server's
 * order.
 */
export const webConfigRoute = {
  method: 'GET',
  path: '/config.json',
  result: z.object({
    projectId: z.string(),
    networks: z.array(chainId),
    /**
     * Facts about the networks in `networks`, from the operator. Required for each network that is
     * unknown to the web app.
     */
    networkFacts: z.optional(z.record(chainId, networkFacts)),
    developmentWalletUrl: z.optional(z.string()),
    /** Origin of the secure frame, and whether this server can send the mails of an email login. */
    frameUrl: z.optional(z.string()),
    emailLogin: z.optional(z.boolean()),
    /** Whether a passkey alone begins an account. */
    passkeyAccounts: z.optional(z.boolean()),
    /** Providers of social login, in the operator's order. */
    socials: z.optional(z.array(z.string())),
    /** Whether connected accounts can or must sign in. Default: `off`. */
    signIn: z.optional(z.enum(['off', 'optional', 'required'])),
    /**
     * Whether one sign-in counts for all networks of a namespace (the default), or for one network.
     */
    signInPer: z.optional(z.enum(['namespace', 'network'])),
    /** Whether the browser stores a token (the default), or an HttpOnly cookie. */
    signInKeep: z.optional(z.enum(['token', 'cookie'])),
    /** True if the server collects events. */
    analytics: z.optional(z.boolean()),
    /** A relay other than the server's own, and the project id from its operator. */
    walletConnect: z.optional(z.object({ relayUrl: z.string(), projectId: z.string() })),
  }),
} as const satisfies Route
export type WebConfig = z.infer<typeof webConfigRoute.result>

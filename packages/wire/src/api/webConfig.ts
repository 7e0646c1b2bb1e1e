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
 * `GET /config.json`: what the web app needs to know of the server it came from. `networks` in the
 * server's order.
 */
export const webConfig = {
  method: 'GET',
  path: '/config.json',
  result: z.object({
    projectId: z.string(),
    networks: z.array(chainId),
    /**
     * Facts about the networks in `networks`, from the operator. Each network that the web app does
     * not know needs an entry.
     */
    networkFacts: z.optional(z.record(chainId, networkFacts)),
    developmentWalletUrl: z.optional(z.string()),
    /**
     * Origin of the secure frame, and whether this server can send the mails an e-mail login needs.
     */
    frameUrl: z.optional(z.string()),
    emailLogin: z.optional(z.boolean()),
    /** Providers of social login, in the operator's order. */
    socials: z.optional(z.array(z.string())),
    /**
     * Whether accounts that connect are asked to sign in, and have to. They are not unless the
     * server says so.
     */
    signIn: z.optional(z.enum(['off', 'optional', 'required'])),
    /**
     * Whether one sign-in counts for all networks of a namespace (unless the server says
     * otherwise), or for one network.
     */
    signInPer: z.optional(z.enum(['namespace', 'network'])),
    /**
     * Whether the browser keeps a token (unless the server says otherwise), or a cookie that no
     * script reads.
     */
    signInKeep: z.optional(z.enum(['token', 'cookie'])),
    /** True if the server collects events. */
    analytics: z.optional(z.boolean()),
    /** Another relay than the server's own, and the project id its operator gave. */
    walletConnect: z.optional(z.object({ relayUrl: z.string(), projectId: z.string() })),
  }),
} as const satisfies Route
export type WebConfig = z.infer<typeof webConfig.result>

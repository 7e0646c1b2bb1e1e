import type { Network } from '@latchkey/core'
import { findNetwork } from '@latchkey/core/networks'
import {
  type ChainId,
  canParseUrl,
  isChainId,
  isForeignAnswer,
  type NetworkFacts,
  parseChainId,
  readSocials,
  type SocialProvider,
  type WebConfig,
  webConfigRoute,
} from '@latchkey/wire'
import { text } from './locales/text.ts'

export type LoadedConfig = {
  projectId: string
  networks: readonly [Network, ...Network[]]
  developmentWalletUrl: string | undefined
  /** The origin of the secure frame, and whether new users can log in by email. */
  frameUrl: string | undefined
  emailLogin: boolean
  /** Whether a passkey alone makes a wallet. */
  passkeyAccounts: boolean
  socials: readonly SocialProvider[]
  walletConnect: WebConfig['walletConnect']
  /** Whether accounts that connect are prompted to sign in, and whether they have to. */
  signIn: 'off' | 'optional' | 'required'
  signInPer: 'namespace' | 'network'
  signInKeep: 'token' | 'cookie'
  /** Whether the server collects events. */
  analytics: boolean
}

/** The page shows these messages to the user. */
const failure = (reason: string, cause?: unknown) => new Error(reason, { cause })

/**
 * Loads the configuration of this page from the server. Throws an Error whose message explains the
 * problem to the user.
 */
export async function loadConfig(parameters: {
  fetch: typeof globalThis.fetch
  signal?: AbortSignal | undefined
}): Promise<LoadedConfig> {
  const response = await parameters
    // Without own headers, so that the preload of index.html answers it.
    .fetch(webConfigRoute.path, { signal: parameters.signal ?? null })
    .catch((cause: unknown) => {
      throw failure(text('config.unreachable'), cause)
    })
  const isForeign = isForeignAnswer(response)
  if (!response.ok && !isForeign)
    throw failure(text('config.status', { status: String(response.status) }))
  const answer: unknown = await response.json().catch(() => undefined)
  if (isForeign && (!response.ok || answer === undefined)) throw failure(text('config.unreachable'))
  return parseConfig(answer)
}

/**
 * Parses the configuration in a response. A network is left out if it is unknown to this app and
 * the server sends no facts about it. Throws the errors of {@link loadConfig}.
 */
function parseConfig(answer: unknown): LoadedConfig {
  const parsed = webConfigRoute.result.safeParse(answer)
  if (!parsed.success) throw failure(text('config.shape'), parsed.error)
  const [first, ...rest] = parsed.data.networks
    .map((id) => toNetwork(id, parsed.data.networkFacts?.[id]))
    .filter((network) => network !== undefined)
  if (!first) throw failure(text('config.noNetworks'))
  return {
    projectId: parsed.data.projectId,
    networks: [first, ...rest],
    developmentWalletUrl: webUrl(parsed.data.developmentWalletUrl),
    frameUrl: webUrl(parsed.data.frameUrl),
    emailLogin: parsed.data.emailLogin === true,
    passkeyAccounts: parsed.data.passkeyAccounts === true,
    socials: readSocials(parsed.data.socials ?? []),
    walletConnect: parsed.data.walletConnect,
    signIn: parsed.data.signIn ?? 'off',
    signInPer: parsed.data.signInPer ?? 'namespace',
    signInKeep: parsed.data.signInKeep ?? 'token',
    analytics: parsed.data.analytics === true,
  }
}

// Swap routers are not configured here: the product itself lists the contracts that swaps may call.
function toNetwork(caipNetworkId: ChainId, facts: NetworkFacts | undefined): Network | undefined {
  const explorer = facts?.blockExplorer && { blockExplorer: facts.blockExplorer }
  const known = findNetwork(caipNetworkId)
  if (known) return { ...known, ...explorer }
  if (!facts || !isChainId(caipNetworkId)) return undefined
  const { namespace, reference } = parseChainId(caipNetworkId)
  return {
    id: namespace === 'eip155' ? Number(reference) : reference,
    caipNetworkId,
    chainNamespace: namespace,
    name: facts.name,
    nativeCurrency: facts.nativeCurrency,
    rpcUrls: [],
    ...explorer,
    testnet: facts.testnet ?? false,
    assets: { imageId: `${namespace}-${reference}` },
  }
}

// The URL becomes the source of a script or a frame: only http and https pass, and the page's
// policy checks the origin.
function webUrl(url: string | undefined): string | undefined {
  if (url === undefined || !canParseUrl(url)) return undefined
  return /^https?:$/.test(new URL(url).protocol) ? url : undefined
}

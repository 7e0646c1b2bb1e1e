import { buildApp } from './apps/buildApp.ts'
import { serveWallet } from './apps/serveWallet.ts'
import { startApi } from './apps/startApi.ts'
import { startViteWallet, startViteWeb } from './apps/startVite.ts'
import { walletConfig } from './apps/walletConfig.ts'
import { getBundler, getSponsor } from './chains/accounts.ts'
import { startBitcoin } from './chains/bitcoin/startLazily.ts'
import { type DevChainId, devChainIds } from './chains/definitions.ts'
import { startSolana } from './chains/solana/startLazily.ts'
import { type ChainPlans, startPlannedChains } from './chains/startChains.ts'
import type { DescriptionFolders } from './chains/writeDescriptions.ts'
import type { Sold } from './checkout/listSold.ts'
import { startCheckout } from './checkout/startCheckout.ts'
import { checkoutId } from './checkout/writeOnrampFile.ts'
import { startFaucet } from './faucet/startFaucet.ts'
import { startIdentity } from './identity/startLazily.ts'
import { startInbox } from './inbox/startInbox.ts'
import { startMedia } from './media/startMedia.ts'
import { host } from './ports.ts'
import type { Child } from './processes/startChild.ts'

/** A piece of the stack; `web` is the web app's build, or in development its Vite. */
export type Part =
  | 'chains'
  | 'solana'
  | 'bitcoin'
  | 'server'
  | 'frame'
  | 'web'
  | 'wallet'
  | 'inbox'
  | 'identity'
  | 'media'
  | 'faucet'
  | 'checkout'

/** Parameters of a stack. */
export type StackParameters = {
  mode: 'production' | 'development'
  /** `free` is for tests: no later start uses the same data, and the machine may stall. */
  ports: 'default' | 'free'
  dataDir: string
  /** Called with a line per completed step, and in development with the server's output. */
  log: (line: string) => void
  parts?: Part[]
  /** Networks without smart accounts. */
  plainChains?: readonly DevChainId[]
  /** Gives new chains a past: transactions and prices of the last month. */
  past?: boolean
  /** Additional environment variables of the server. */
  env?: Record<string, string>
  /** Stops the parts that are starting. */
  signal?: AbortSignal
}

/** The parameters with each part's place. */
export type Plan = Omit<StackParameters, 'parts'> & {
  planned: ChainPlans
  /** Port of the Solana chain. */
  solanaPort: number
  parts: Part[]
  chainsFile: string
  descriptions: DescriptionFolders
  webPort: number
  apiPort: number
  walletPort: number
  framePort: number
  inboxPort: number
  identityPort: number
  smtpPort: number
  mediaPort: number
  bitcoinPort: number
  faucetPort: number
  checkoutPort: number
  /** Secret of the identity provider's clients. */
  identitySecret: string
  socialsFile: string
  /** The assets that the checkout sells, and the secret that it shares with the server. */
  sold: readonly Sold[]
  checkoutSecret: Uint8Array
  onrampFile: string
  /** The database of a test's server. Empty if the server starts its own PostgreSQL. */
  databaseUrl: string
}

/** A running part. */
export type Running = { what: string; children: Child[]; stop(): Promise<void> }

/** Starts each part. */
export const starters: Record<Part, (plan: Plan, signal: AbortSignal) => Promise<Running>> = {
  chains: async (plan, signal) => {
    const { planned, dataDir, ports, past } = plan
    const temporary = ports === 'free'
    const servers = { media: mediaUrl(plan), api: `http://${host}:${plan.apiPort}` }
    const place = { planned, dataDir, temporary, past }
    const chains = await startPlannedChains({ ...place, servers, signal })
    return { what: 'Local chains', children: chains.children, stop: chains.stop }
  },
  solana: async ({ solanaPort, dataDir, ports }) => {
    const { stop } = await startSolana({
      port: solanaPort,
      ...(ports === 'default' && { dataDir }),
    })
    return { what: 'Local Solana chain', children: [], stop }
  },
  server: async (plan, signal) => {
    const child = await startApi({
      mode: plan.mode,
      port: plan.apiPort,
      dataDir: plan.dataDir,
      env: serverEnv(plan),
      signal,
      ...(plan.mode === 'development' && { onLine: plan.log }),
    })
    return { what: 'Database and API', children: [child], stop: child.stop }
  },
  inbox: async ({ inboxPort, smtpPort }) => {
    const { stop } = await startInbox({ port: inboxPort, smtpPort })
    return { what: 'Mail inbox', children: [], stop }
  },
  identity: async ({ identityPort, identitySecret, ...plan }) => {
    const { stop } = await startIdentity({
      port: identityPort,
      frameUrl: frameUrl(plan),
      secret: identitySecret,
    })
    return { what: 'Identity provider', children: [], stop }
  },
  media: async ({ mediaPort }) => {
    const { stop } = await startMedia({ port: mediaPort })
    return { what: 'Pictures of the development items', children: [], stop }
  },
  faucet: async (plan) => {
    const { stop } = await startFaucet({
      port: plan.faucetPort,
      evm: perChain((id) => `http://${host}:${plan.planned.ports[id]}`),
      solanaUrl: `http://${host}:${plan.solanaPort}`,
      bitcoinUrl: `http://${host}:${plan.bitcoinPort}`,
    })
    return { what: 'Faucet', children: [], stop }
  },
  checkout: async (plan) => {
    const { stop } = await startCheckout({
      port: plan.checkoutPort,
      sold: plan.sold,
      nodes: {
        evm: perChain((id) => `http://${host}:${plan.planned.ports[id]}`),
        solanaUrl: `http://${host}:${plan.solanaPort}`,
      },
      webhookUrl: `http://${host}:${plan.apiPort}/v1/onramp/webhooks/${checkoutId}`,
      secret: plan.checkoutSecret,
      log: plan.log,
    })
    return { what: 'Checkout', children: [], stop }
  },
  bitcoin: async ({ bitcoinPort, dataDir, ports, past }) => {
    const places = { port: bitcoinPort, ...(ports === 'default' && { dataDir }) }
    const { stop } = await startBitcoin({ ...places, past })
    return { what: 'Local Bitcoin chain', children: [], stop }
  },
  // Without hot reload, because only the server serves it, with its own policy.
  frame: async ({ dataDir }, signal) => {
    const { built } = await buildApp({ app: 'frame', dataDir, signal })
    return { what: `Secure frame (${describeBuild(built)})`, children: [], stop: async () => {} }
  },
  web: async ({ mode, webPort, apiPort, dataDir }, signal) => {
    if (mode === 'development') {
      const stop = await startViteWeb({ port: webPort, apiUrl: `http://${host}:${apiPort}` })
      return { what: 'Web app, with hot reload', children: [], stop }
    }
    const { built } = await buildApp({ app: 'web', dataDir, signal })
    return { what: `Web app (${describeBuild(built)})`, children: [], stop: async () => {} }
  },
  wallet: async ({ mode, walletPort, apiPort, dataDir, planned, ...plan }, signal) => {
    const solana = plan.parts.includes('solana') ? { port: plan.solanaPort } : undefined
    const bitcoin = plan.parts.includes('bitcoin') ? { port: plan.bitcoinPort } : undefined
    const config = walletConfig({ ports: planned.ports, apiPort, solana, bitcoin })
    if (mode === 'development') {
      const stop = await startViteWallet({ port: walletPort, config })
      return { what: 'Development wallet, with hot reload', children: [], stop }
    }
    const { built, dist } = await buildApp({ app: 'wallet', dataDir, signal })
    const stop = await serveWallet({ dist, port: walletPort, config })
    return { what: `Development wallet (${describeBuild(built)})`, children: [], stop }
  },
}

const describeBuild = (built: boolean) => (built ? 'built' : 'build unchanged')

// A host name, because passkeys do not work with a bare IP address. Also another site than the
// pages, like in production.
export const frameUrl = ({ framePort }: Pick<Plan, 'framePort'>) => `http://localhost:${framePort}`

// `localhost` like the frame, so that the form that a provider's page posts is same-site.
export const identityUrl = ({ identityPort }: Pick<Plan, 'identityPort'>) =>
  `http://localhost:${identityPort}`

export const checkoutUrl = ({ checkoutPort }: Pick<Plan, 'checkoutPort'>) =>
  `http://${host}:${checkoutPort}`

export const mediaUrl = ({ mediaPort }: Pick<Plan, 'mediaPort'>) => `http://${host}:${mediaPort}`

const serverEnv = ({ parts, env, ...plan }: Plan): Record<string, string> => ({
  PUBLIC_URL: `http://${host}:${plan.webPort}`,
  FRAME_PORT: String(plan.framePort),
  FRAME_URL: frameUrl(plan),
  SMTP_URL: parts.includes('inbox') ? `smtp://${host}:${plan.smtpPort}` : '',
  SOCIALS_FILE: parts.includes('identity') ? plan.socialsFile : '',
  ONRAMP_FILE: parts.includes('checkout') ? plan.onrampFile : '',
  CHAINS_FILE: plan.chainsFile,
  DESCRIPTORS_DIR: plan.descriptions.descriptorsDir,
  ABIS_DIR: plan.descriptions.abisDir,
  // The only address on this machine that the server may fetch from: the pictures.
  OUTBOUND_ALLOW: `${host}:${plan.mediaPort}`,
  IPFS_GATEWAY: mediaUrl(plan),
  DEVELOPMENT_WALLET_URL: `http://${host}:${plan.walletPort}`,
  NAME_ZONES: 'latchkey.id',
  NAME_SIGNER_KEY: getSponsor(plan.planned.accounts).privateKey,
  BUNDLER_KEY: getBundler(plan.planned.accounts).privateKey,
  SPONSOR_KEY: getSponsor(plan.planned.accounts).privateKey,
  // A test never uses a database from the environment, and gives a stalled database more time.
  ...(plan.ports === 'free' && {
    DATABASE_URL: plan.databaseUrl,
    REDIS_URL: '',
    DATABASE_TIMEOUT_SECONDS: '30',
  }),
  // Someone who tries the product sees all ways to log in; in production, the operator decides.
  ...(plan.ports === 'default' && { PASSKEY_ACCOUNTS: 'on' }),
  ...env,
})

/** A value for each local EVM chain. */
export const perChain = <Value>(value: (id: DevChainId) => Value) =>
  Object.fromEntries(devChainIds.map((id) => [id, value(id)])) as Record<DevChainId, Value>

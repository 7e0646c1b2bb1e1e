import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './apps/buildApp.ts'
import { serveWallet } from './apps/serveWallet.ts'
import { startApi } from './apps/startApi.ts'
import { startViteWallet, startViteWeb } from './apps/startVite.ts'
import { walletConfig } from './apps/walletConfig.ts'
import { type DevAccount, getBundler, getSponsor } from './chains/accounts.ts'
import type { BitcoinAccount } from './chains/bitcoin/accounts.ts'
import { deriveBitcoinAccounts, startBitcoin } from './chains/bitcoin/startLazily.ts'
import { type DevChainId, devChainIds } from './chains/definitions.ts'
import { type SolanaChainId, solanaChain } from './chains/solana/definition.ts'
import { deriveSolanaAccounts, type SolanaAccount } from './chains/solana/keys.ts'
import { loadLiteSvm } from './chains/solana/loadLiteSvm.ts'
import { type SolanaAddresses, solanaAddresses } from './chains/solana/seed/addresses.ts'
import { startSolana } from './chains/solana/startLazily.ts'
import { type ChainPlans, planChains, startPlannedChains } from './chains/startChains.ts'
import { writeChainFiles } from './chains/writeChainFiles.ts'
import type { Addresses } from './contracts/plan.ts'
import { startFaucet } from './faucet/startFaucet.ts'
import { startIdentity } from './identity/startLazily.ts'
import { writeSocialsFile } from './identity/writeSocialsFile.ts'
import { startInbox } from './inbox/startInbox.ts'
import { startMedia } from './media/startMedia.ts'
import { assertPortFree, choosePort, freePort, host } from './ports.ts'
import { endOrphans } from './processes/orphans.ts'
import type { Child, Exit } from './processes/startChild.ts'

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

/** Everything running. */
export type Stack = {
  /** What runs: all that was wanted, without Solana where it cannot run. */
  parts: Part[]
  urls: {
    web: string
    frame: string
    wallet: string
    inbox: string
    /** Plays the providers of social login. */
    identity: string
    /** Metadata and pictures of the development items, and an IPFS gateway. */
    media: string
    /** Esplora's API of the local Bitcoin chain. */
    bitcoin: string
    rpc: Record<DevChainId | SolanaChainId, string>
  }
  addresses: Record<DevChainId, Addresses> & Record<SolanaChainId, SolanaAddresses>
  /** CHAINS_FILE of the server. */
  chainsFile: string
  accounts: DevAccount[]
  solanaAccounts: SolanaAccount[]
  /** Empty where the Bitcoin chain does not run. */
  bitcoinAccounts: BitcoinAccount[]
  /** Resolves when a process ends that nobody stopped. */
  died: Promise<Exit>
  stop(): Promise<void>
  /** Ends every process at once. */
  kill(): void
}

type Parameters = {
  mode: 'production' | 'development'
  /** `free` is for tests: no start on the same data follows, and the machine may stall. */
  ports: 'default' | 'free'
  dataDir: string
  /** Gets a line per step as it is done, and in development what the server writes. */
  log: (line: string) => void
  parts?: Part[]
  /** What the server's environment has besides. */
  env?: Record<string, string>
  /** Stops what has begun to start. */
  signal?: AbortSignal
}

type Plan = Omit<Parameters, 'parts'> & {
  planned: ChainPlans
  /** Port of the Solana chain. */
  solanaPort: number
  parts: Part[]
  chainsFile: string
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
  /** Of the identity provider's clients. */
  identitySecret: string
  socialsFile: string
}

const allParts: Part[] = [
  'chains',
  'solana',
  'bitcoin',
  'inbox',
  'identity',
  'media',
  'faucet',
  'server',
  'frame',
  'web',
  'wallet',
]

/** Starts the stack: all parts at once. Throws, with everything ended again, when one does not come up. */
export async function startStack(parameters: Parameters): Promise<Stack> {
  const { dataDir, log } = parameters
  makeDataDir(dataDir)
  const ended = await endOrphans(join(dataDir, 'run'))
  if (ended.length > 0) log(`Ended what an earlier run left behind: ${ended.join(', ')}`)
  const plan = await makePlan(parameters)
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, ...(parameters.signal ? [parameters.signal] : [])])

  const failures: unknown[] = []
  const results = await Promise.allSettled(
    plan.parts.map(async (part) => {
      const startedAtMs = Date.now()
      try {
        const running = await starters[part](plan, signal)
        log(`${running.what.padEnd(36)} ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
        return { part, ...running }
      } catch (error) {
        failures.push(error)
        abort.abort()
        throw error
      }
    }),
  )
  const running = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const state = { stopping: false }
  const stop = async () => {
    state.stopping = true
    for (const part of stopOrder) await running.find((one) => one.part === part)?.stop()
  }
  if (failures.length > 0) {
    await stop()
    // The rest failed because the first did.
    throw failures[0]
  }
  const children = running.flatMap((one) => one.children)
  return {
    parts: plan.parts,
    urls: {
      web: `http://${host}:${plan.webPort}`,
      frame: frameUrl(plan),
      wallet: `http://${host}:${plan.walletPort}`,
      inbox: `http://${host}:${plan.inboxPort}`,
      identity: identityUrl(plan),
      media: mediaUrl(plan),
      bitcoin: `http://${host}:${plan.bitcoinPort}`,
      rpc: {
        ...perChain((id) => `http://${host}:${plan.planned.ports[id]}`),
        [solanaChain.id]: `http://${host}:${plan.solanaPort}`,
      },
    },
    addresses: {
      ...perChain((id) => plan.planned.plans[id].addresses),
      [solanaChain.id]: solanaAddresses,
    },
    chainsFile: plan.chainsFile,
    accounts: plan.planned.accounts,
    solanaAccounts: deriveSolanaAccounts(),
    bitcoinAccounts: plan.parts.includes('bitcoin') ? await deriveBitcoinAccounts() : [],
    died: firstDeath(children, () => state.stopping),
    stop,
    kill: () => children.map((child) => child.kill()),
  }
}

type Running = { what: string; children: Child[]; stop(): Promise<void> }

const stopOrder: Part[] = [
  'server',
  'frame',
  'web',
  'wallet',
  'inbox',
  'identity',
  'media',
  'faucet',
  'bitcoin',
  'solana',
  'chains',
]

const starters: Record<Part, (plan: Plan, signal: AbortSignal) => Promise<Running>> = {
  chains: async (plan, signal) => {
    const { planned, dataDir, ports } = plan
    const temporary = ports === 'free'
    const places = { dataDir, temporary, mediaUrl: mediaUrl(plan) }
    const chains = await startPlannedChains({ planned, ...places, signal })
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
  bitcoin: async ({ bitcoinPort, dataDir, ports }) => {
    const places = { port: bitcoinPort, ...(ports === 'default' && { dataDir }) }
    const { stop } = await startBitcoin(places)
    return { what: 'Local Bitcoin chain', children: [], stop }
  },
  // Without hot reload: it is served by the server alone, under its own policy.
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

async function makePlan(parameters: Parameters): Promise<Plan> {
  const { mode, ports, dataDir, log } = parameters
  const parts = leaveOutSolana(parameters.parts ?? allParts, log)
  const names = [
    'web',
    'wallet',
    'frame',
    'inbox',
    'identity',
    'media',
    'bitcoin',
    'faucet',
  ] as const
  const [planned, smtpPort, solanaPort, ...chosen] = await Promise.all([
    planChains(ports),
    freePort(),
    choosePort('solana', ports),
    ...names.map(async (name) => {
      const port = await choosePort(name, ports)
      await assertPortFree(name, port)
      return port
    }),
  ])
  const [webPort = 0, walletPort = 0, framePort = 0, inboxPort = 0, ...others] = chosen
  const [identityPort = 0, mediaPort = 0, bitcoinPort = 0, faucetPort = 0] = others
  const apiPort = mode === 'development' ? await freePort() : webPort
  const solana = parts.includes('solana') ? { port: solanaPort } : undefined
  const bitcoin = parts.includes('bitcoin') ? { port: bitcoinPort } : undefined
  const faucet = parts.includes('faucet') ? { port: faucetPort } : undefined
  const chainsFile = writeChainFiles({ planned, solana, bitcoin, faucet, dataDir })
  const pages = { webPort, walletPort, framePort, inboxPort, identityPort, mediaPort }
  const own = { ...pages, apiPort, smtpPort, solanaPort, bitcoinPort, faucetPort }
  const identitySecret = randomBytes(24).toString('base64url')
  const identity = { url: identityUrl({ identityPort }), secret: identitySecret }
  const socialsFile = writeSocialsFile({ ...identity, dataDir })
  return { ...parameters, ...own, parts, planned, chainsFile, identitySecret, socialsFile }
}

// LiteSVM has no build for some machines; everything else works there.
function leaveOutSolana(parts: Part[], log: (line: string) => void): Part[] {
  if (!parts.includes('solana')) return parts
  try {
    loadLiteSvm()
    return parts
  } catch (error) {
    log(`Without the local Solana chain: ${error instanceof Error ? error.message : error}`)
    return parts.filter((part) => part !== 'solana')
  }
}

// By a name: passkeys work under no bare address. And of another site than the pages, as it will be for people.
const frameUrl = ({ framePort }: Pick<Plan, 'framePort'>) => `http://localhost:${framePort}`

// By a name, as the frame, so that the form that a provider's page posts is of the same site.
const identityUrl = ({ identityPort }: Pick<Plan, 'identityPort'>) =>
  `http://localhost:${identityPort}`

const mediaUrl = ({ mediaPort }: Pick<Plan, 'mediaPort'>) => `http://${host}:${mediaPort}`

const serverEnv = ({ parts, env, ...plan }: Plan): Record<string, string> => ({
  PUBLIC_URL: `http://${host}:${plan.webPort}`,
  FRAME_PORT: String(plan.framePort),
  FRAME_URL: frameUrl(plan),
  SMTP_URL: parts.includes('inbox') ? `smtp://${host}:${plan.smtpPort}` : '',
  SOCIALS_FILE: parts.includes('identity') ? plan.socialsFile : '',
  CHAINS_FILE: plan.chainsFile,
  // The server asks nobody on this machine but these pictures.
  OUTBOUND_ALLOW: `${host}:${plan.mediaPort}`,
  IPFS_GATEWAY: mediaUrl(plan),
  DEVELOPMENT_WALLET_URL: `http://${host}:${plan.walletPort}`,
  BUNDLER_KEY: getBundler(plan.planned.accounts).privateKey,
  SPONSOR_KEY: getSponsor(plan.planned.accounts).privateKey,
  // A test never touches a database that somebody has in his environment, and judges no deadline of its own.
  ...(plan.ports === 'free' && {
    DATABASE_URL: '',
    REDIS_URL: '',
    DATABASE_TIMEOUT_SECONDS: '30',
  }),
  ...env,
})

// PostgreSQL runs as another user when we are root, and must get through to its files.
function makeDataDir(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
}

const perChain = <Value>(value: (id: DevChainId) => Value) =>
  Object.fromEntries(devChainIds.map((id) => [id, value(id)])) as Record<DevChainId, Value>

const firstDeath = (children: Child[], isStopping: () => boolean) =>
  new Promise<Exit>((resolve) => {
    for (const child of children) {
      child.exited.then((exit) => {
        if (!isStopping()) resolve(exit)
      })
    }
  })

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DevAccount } from './chains/accounts.ts'
import type { BitcoinAccount } from './chains/bitcoin/accounts.ts'
import { deriveBitcoinAccounts } from './chains/bitcoin/startLazily.ts'
import type { DevChainId } from './chains/definitions.ts'
import { type SolanaChainId, solanaChain } from './chains/solana/definition.ts'
import { deriveSolanaAccounts, type SolanaAccount } from './chains/solana/keys.ts'
import { loadLiteSvm } from './chains/solana/loadLiteSvm.ts'
import { type SolanaAddresses, solanaAddresses } from './chains/solana/seed/addresses.ts'
import { planChains } from './chains/startChains.ts'
import { writeChainFiles } from './chains/writeChainFiles.ts'
import { writeDescriptions } from './chains/writeDescriptions.ts'
import type { Addresses } from './contracts/plan.ts'
import { writeSocialsFile } from './identity/writeSocialsFile.ts'
import { assertPortFree, choosePort, freePort, host } from './ports.ts'
import { endOrphans } from './processes/orphans.ts'
import type { Child, Exit } from './processes/startChild.ts'
import {
  frameUrl,
  identityUrl,
  mediaUrl,
  type Part,
  type Plan,
  perChain,
  type StackParameters,
  starters,
} from './startPart.ts'

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
export async function startStack(parameters: StackParameters): Promise<Stack> {
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

async function makePlan(parameters: StackParameters): Promise<Plan> {
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
  const descriptions = writeDescriptions(planned, dataDir)
  const pages = { webPort, walletPort, framePort, inboxPort, identityPort, mediaPort }
  const own = { ...pages, apiPort, smtpPort, solanaPort, bitcoinPort, faucetPort }
  const identitySecret = randomBytes(24).toString('base64url')
  const identity = { url: identityUrl({ identityPort }), secret: identitySecret }
  const farcaster = {
    rpcUrl: `http://${host}:${planned.ports['eip155:31337']}`,
    registry: planned.plans['eip155:31337'].addresses.farcaster,
  }
  const socialsFile = writeSocialsFile({ ...identity, farcaster, dataDir })
  const files = { chainsFile, descriptions, socialsFile }
  return { ...parameters, ...own, ...files, parts, planned, identitySecret }
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

// PostgreSQL runs as another user when we are root, and must get through to its files.
function makeDataDir(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
}

const firstDeath = (children: Child[], isStopping: () => boolean) =>
  new Promise<Exit>((resolve) => {
    for (const child of children) {
      child.exited.then((exit) => {
        if (!isStopping()) resolve(exit)
      })
    }
  })

import { join } from 'node:path'
import type { DevAccount } from './chains/accounts.ts'
import type { BitcoinAccount } from './chains/bitcoin/accounts.ts'
import { deriveBitcoinAccounts } from './chains/bitcoin/startLazily.ts'
import type { DevChainId } from './chains/definitions.ts'
import { type SolanaChainId, solanaChain } from './chains/solana/definition.ts'
import { deriveSolanaAccounts, type SolanaAccount } from './chains/solana/keys.ts'
import { type SolanaAddresses, solanaAddresses } from './chains/solana/seed/addresses.ts'
import type { Addresses } from './contracts/plan.ts'
import { addPastPrices } from './history/addPastPrices.ts'
import { makeDataDir, planStack } from './planStack.ts'
import { host } from './ports.ts'
import { endOrphans } from './processes/orphans.ts'
import type { Child, Exit } from './processes/startChild.ts'
import {
  checkoutUrl,
  frameUrl,
  identityUrl,
  mediaUrl,
  type Part,
  perChain,
  type StackParameters,
  starters,
} from './startPart.ts'

/** Everything running. */
export type Stack = {
  /** The running parts: all requested parts, without Solana if it cannot run. */
  parts: Part[]
  urls: {
    web: string
    frame: string
    wallet: string
    inbox: string
    /** Simulates the providers of social login. */
    identity: string
    /** Metadata and pictures of the development items, and an IPFS gateway. */
    media: string
    /** Esplora's API of the local Bitcoin chain. */
    bitcoin: string
    /** Sells the currencies of the local chains. */
    checkout: string
    rpc: Record<DevChainId | SolanaChainId, string>
  }
  addresses: Record<DevChainId, Addresses> & Record<SolanaChainId, SolanaAddresses>
  /** CHAINS_FILE of the server. */
  chainsFile: string
  accounts: DevAccount[]
  solanaAccounts: SolanaAccount[]
  /** Empty if the Bitcoin chain does not run. */
  bitcoinAccounts: BitcoinAccount[]
  /** Resolves when a process ends without being stopped. */
  died: Promise<Exit>
  /**
   * Kills the server like a crash, for tests. Returns a function that starts it again, with the
   * same data and ports.
   */
  killServer(): Promise<() => Promise<void>>
  stop(): Promise<void>
  /** Ends every process at once. */
  kill(): void
}

/**
 * Starts the stack: all parts at once. If a part does not start, ends everything again and throws.
 */
export async function startStack(parameters: StackParameters): Promise<Stack> {
  const { dataDir, log } = parameters
  makeDataDir(dataDir)
  const ended = await endOrphans(join(dataDir, 'run'))
  if (ended.length > 0) log(`Ended what an earlier run left behind: ${ended.join(', ')}`)
  const plan = await planStack(parameters)
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
  const state = { stopping: false, isServerKilled: false }
  const stop = async () => {
    state.stopping = true
    for (const part of stopOrder) await running.find((one) => one.part === part)?.stop()
  }
  if (failures.length > 0) {
    await stop()
    // The others failed because the first one did.
    throw failures[0]
  }
  await addPastPrices(plan, signal)
  const children = running.flatMap((one) => one.children)
  const killServer = async () => {
    const server = running.find((one) => one.part === 'server')
    state.isServerKilled = true
    for (const child of server?.children ?? []) {
      child.kill()
      await child.exited
    }
    return async () => {
      if (server) Object.assign(server, await starters.server(plan, signal))
    }
  }
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
      checkout: checkoutUrl(plan),
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
    died: firstDeath(
      children,
      ({ name }) => state.stopping || (state.isServerKilled && name === 'server'),
    ),
    killServer,
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
  'checkout',
  'bitcoin',
  'solana',
  'chains',
]

const firstDeath = (children: Child[], isMeant: (exit: Exit) => boolean) =>
  new Promise<Exit>((resolve) => {
    for (const child of children) {
      child.exited.then((exit) => {
        if (!isMeant(exit)) resolve(exit)
      })
    }
  })

import * as z from 'zod/mini'
import { accounts } from './accounts.ts'
import { getBitcoinAddresses } from './bitcoin/accounts.ts'
import { type Chain, type Config, findChain } from './config.ts'
import type { SiteState } from './extension/protocol.ts'
import { polkadotAccounts } from './polkadot/accounts.ts'
import { solanaAccounts } from './solana/accounts.ts'

const key = 'latchkey.wallet.v1'
const changed = 'latchkey:state'
const recentLimit = 20
const methodLimit = 100
const maxBatches = 50

const account = z.int().check(z.minimum(0), z.maximum(accounts.length - 1))

const schema = z.object({
  locked: z.boolean(),
  /** Whether pages may have several calls sent as one transaction. */
  sendsAtomically: z._default(z.boolean(), false),
  account,
  chainId: z.optional(z.int()),
  sites: z.record(z.string(), z.object({ sinceMs: z.number() })),
  /** Sites that are connected on Solana. */
  solanaSites: z._default(z.record(z.string(), z.object({ sinceMs: z.number() })), {}),
  /** Sites that are connected on Polkadot. */
  polkadotSites: z._default(z.record(z.string(), z.object({ sinceMs: z.number() })), {}),
  /** Sites that are connected on Bitcoin. */
  bitcoinSites: z._default(z.record(z.string(), z.object({ sinceMs: z.number() })), {}),
  recent: z.array(
    z.object({ origin: z.string(), method: z.string(), outcome: z.string(), atMs: z.number() }),
  ),
  /** By topic: the network and account in use in a WalletConnect session. */
  sessions: z._default(z.record(z.string(), z.object({ chainId: z.int(), account })), {}),
  /**
   * By topic, or by the page's origin, and id: the transactions of a batch (EIP-5792), in order.
   */
  batches: z._default(
    z.record(
      z.string(),
      z.object({
        chainId: z.int(),
        /** Id of the WalletConnect request. */
        requestId: z.int(),
        hashes: z.array(z.string()),
        step: z.enum(['sending', 'sent', 'failed']),
        isAtomic: z._default(z.boolean(), false),
        atMs: z.number(),
      }),
    ),
    {},
  ),
})
export type State = z.output<typeof schema>
export type Recent = State['recent'][number]
export type Batch = State['batches'][string]

/**
 * Reads the wallet's state from this origin's storage. Returns the initial state if nothing valid
 * is stored.
 */
export function readState(): State {
  try {
    const parsed = z.safeParse(schema, JSON.parse(readText()))
    if (parsed.success) return parsed.data
  } catch {}
  return {
    locked: false,
    sendsAtomically: false,
    account: 0,
    sites: {},
    solanaSites: {},
    polkadotSites: {},
    bitcoinSites: {},
    recent: [],
    sessions: {},
    batches: {},
  }
}

/** The stored state as a string, which is the same as long as nothing changes. */
export function readText(): string {
  // A browser without storage throws.
  try {
    return localStorage.getItem(key) ?? 'null'
  } catch {
    return 'null'
  }
}

/** Changes the state and notifies every window of the wallet. */
export function changeState(change: Partial<State> | ((state: State) => Partial<State>)): void {
  const state = readState()
  const next = { ...state, ...(typeof change === 'function' ? change(state) : change) }
  localStorage.setItem(key, JSON.stringify(next))
  window.dispatchEvent(new Event(changed))
}

/**
 * Calls `listener` after each change, made here or in another window. Returns a function that stops
 * it.
 */
export function watchState(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // WebKit also notifies a frame of changes that are not in the frame's storage.
    const isHere = event.key === key && (event.newValue ?? 'null') === readText()
    if (isHere || event.key === null) listener()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener(changed, listener)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener(changed, listener)
  }
}

export const connectSite = (origin: string, sinceMs: number): void =>
  changeState(({ sites }) => ({ sites: { ...sites, [origin]: { sinceMs } } }))

export const disconnectSite = (origin: string): void =>
  changeState(({ sites }) => {
    const { [origin]: _gone, ...otherSites } = sites
    return { sites: otherSites }
  })

export const connectSolanaSite = (origin: string, sinceMs: number): void =>
  changeState(({ solanaSites }) => ({ solanaSites: { ...solanaSites, [origin]: { sinceMs } } }))

export const disconnectSolanaSite = (origin: string): void =>
  changeState(({ solanaSites }) => {
    const { [origin]: _gone, ...otherSites } = solanaSites
    return { solanaSites: otherSites }
  })

export const connectPolkadotSite = (origin: string, sinceMs: number): void =>
  changeState(({ polkadotSites }) => ({
    polkadotSites: { ...polkadotSites, [origin]: { sinceMs } },
  }))

export const disconnectPolkadotSite = (origin: string): void =>
  changeState(({ polkadotSites }) => {
    const { [origin]: _gone, ...otherSites } = polkadotSites
    return { polkadotSites: otherSites }
  })

export const connectBitcoinSite = (origin: string, sinceMs: number): void =>
  changeState(({ bitcoinSites }) => ({ bitcoinSites: { ...bitcoinSites, [origin]: { sinceMs } } }))

export const disconnectBitcoinSite = (origin: string): void =>
  changeState(({ bitcoinSites }) => {
    const { [origin]: _gone, ...otherSites } = bitcoinSites
    return { bitcoinSites: otherSites }
  })

/** Stores the progress of a batch and drops the oldest batches. */
export const keepBatch = (key: string, batch: Omit<Batch, 'atMs'>): void =>
  changeState(({ batches: { [key]: _before, ...others } }) => ({
    batches: Object.fromEntries([
      ...Object.entries(others).slice(1 - maxBatches),
      [key, { ...batch, atMs: Date.now() }],
    ]),
  }))

/**
 * Adds to the list of recent requests. Never throws, because a full storage must not block the
 * response.
 */
export function rememberRequest(request: Recent): void {
  const short = { ...request, method: request.method.slice(0, methodLimit) }
  try {
    changeState(({ recent }) => ({ recent: [short, ...recent].slice(0, recentLimit) }))
  } catch {}
}

/** The network in use: the chosen one if it is configured, otherwise the first. */
export const currentChain = (config: Config, { chainId }: Pick<State, 'chainId'>): Chain =>
  findChain(config, chainId ?? 0) ?? (config.chains[0] as Chain)

/** The account in use. */
export const currentAccount = ({ account }: State): (typeof accounts)[number] =>
  accounts[account] ?? accounts[0]

/** The Solana address of the account in use. */
export const currentSolanaAccount = ({ account }: State): (typeof solanaAccounts)[number] =>
  solanaAccounts[account] ?? solanaAccounts[0]

/** The Polkadot address of the account in use, with the generic prefix. */
export const currentPolkadotAccount = ({ account }: State): (typeof polkadotAccounts)[number] =>
  polkadotAccounts[account] ?? polkadotAccounts[0]

/** The state that the page at `origin` may see. */
export function stateFor(origin: string, config: Config, state: State): SiteState {
  const connected = Object.hasOwn(state.sites, origin)
  return {
    connected,
    accounts: connected && !state.locked ? [currentAccount(state).toLowerCase()] : [],
    solanaAccounts:
      config.solana && Object.hasOwn(state.solanaSites, origin) && !state.locked
        ? [currentSolanaAccount(state)]
        : [],
    polkadotAccounts:
      config.polkadot.length > 0 && Object.hasOwn(state.polkadotSites, origin) && !state.locked
        ? [currentPolkadotAccount(state)]
        : [],
    bitcoinAddresses:
      config.bitcoin && Object.hasOwn(state.bitcoinSites, origin) && !state.locked
        ? [...getBitcoinAddresses(state.account)]
        : [],
    chainId: toHex(currentChain(config, state).chainId),
    chainIds: config.chains.map(({ chainId }) => toHex(chainId)),
  }
}

const toHex = (value: number): string => `0x${value.toString(16)}`

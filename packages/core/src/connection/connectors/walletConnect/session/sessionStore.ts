import type { ClientStorage } from '@latchkey/walletconnect'
import { type ChainId, isChainId, parseBoundedJson } from '@latchkey/wire'
import type { StoredCalls } from '../../../../namespaces/requestHandlers.ts'
import type { PeerWallet } from '../../../../state.ts'
import {
  fields,
  number,
  peerWallet,
  type Read,
  storedList,
  storedRecord,
  storedText,
} from '../../../../storageSchema.ts'
import type { Pairing } from '../../connector.ts'
import type { Choices } from './sessionAccounts.ts'

/** How long the response to a batch of calls is kept. */
const callsLifetimeMs = 86_400_000

/** The session in use and the user's choices in it. */
export type StoredWalletSession = Choices & { topic: string; wallet: PeerWallet }

/** A pairing, its topic, and the wallet that the user chose for it. */
export type StoredPairing = Pairing & { pairingTopic: string; wallet?: PeerWallet }

export type SessionStore = {
  session(): StoredWalletSession | undefined
  setSession(session: StoredWalletSession | undefined): void
  pairings(): readonly StoredPairing[]
  setPairings(pairings: readonly StoredPairing[]): void
  calls(id: string): StoredCalls | undefined
  addCalls(id: string, calls: StoredCalls): void
}

/**
 * The data saved for a session in addition to the client's own records; shared by all tabs. A
 * corrupt entry counts as missing.
 */
export function createSessionStore(storage: ClientStorage, now: () => number): SessionStore {
  function get<T>(key: string, read: Read<T>): T | undefined {
    try {
      const saved = storage.get(key)
      return saved === undefined ? undefined : read(parseBoundedJson(saved))
    } catch {
      return undefined
    }
  }
  const set = (key: string, value: unknown) =>
    value === undefined ? storage.remove(key) : storage.set(key, JSON.stringify(value))
  const allCalls = () =>
    Object.entries(get('calls', storedRecord(calls)) ?? {}).filter(
      ([, { atMs }]) => now() - atMs < callsLifetimeMs,
    )
  return {
    session: () => get('session', session),
    setSession: (session) => set('session', session),
    pairings: () =>
      (get('offers', storedList(pairing)) ?? []).filter((entry) => entry.expiresAtMs > now()),
    setPairings: (pairings) => set('offers', pairings.length > 0 ? pairings : undefined),
    calls: (id) => allCalls().find(([key]) => key === id)?.[1],
    addCalls: (id, entry) => set('calls', Object.fromEntries([...allCalls(), [id, entry]])),
  }
}

const chainId: Read<ChainId> = (value) => {
  if (isChainId(storedText(value))) return value as ChainId
  throw new TypeError('Not a chain')
}

const session: Read<StoredWalletSession> = (value) => {
  const { topic, wallet, chains, accounts } = fields(value)
  return {
    topic: storedText(topic),
    wallet: peerWallet(wallet),
    chains: storedRecord(chainId)(chains),
    accounts: storedRecord(storedList(storedText))(accounts),
  }
}

const pairing: Read<StoredPairing> = (value) => {
  const { pairingTopic, uri, renewAtMs, expiresAtMs, wallet } = fields(value)
  return {
    pairingTopic: storedText(pairingTopic),
    uri: storedText(uri),
    renewAtMs: number(renewAtMs),
    expiresAtMs: number(expiresAtMs),
    ...(wallet !== undefined && { wallet: peerWallet(wallet) }),
  }
}

const calls: Read<StoredCalls> = (value) => {
  const { atMs, chainId: chain, hashes } = fields(value)
  return { atMs: number(atMs), chainId: chainId(chain), hashes: storedList(storedText)(hashes) }
}

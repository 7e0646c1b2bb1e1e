import { createWallet, type RelayStatus, type Wallet } from '@latchkey/walletconnect'
import { isLocalRelay } from '../config.ts'
import { getAppName } from './appMetadata.ts'
import { openStorage } from './openStorage.ts'
import { texts } from './texts.ts'

/** An event that needs no response. */
type Notice = { id: number; text: string; atMs: number }

/** The WalletConnect client of this window, with notifications of changes for its page. */
export type WalletConnect = {
  wallet: Wallet
  relayUrl: string
  relays(): ReadonlyMap<string, RelayStatus>
  notices(): readonly Notice[]
  tell(text: string): void
  /** Reports a change by the user, which is not an event of the client. */
  changed(): void
  watch(listener: () => void): () => void
  /** Returns a different number after each change. */
  version(): number
}

const noticeLimit = 5
const reasonLimit = 200

/** Opens the client with this window's storage; it listens until the page unloads. */
export async function openWalletConnect(relayUrl: string): Promise<WalletConnect> {
  const storage = openStorage()
  const wallet = await createWallet({
    relayUrl,
    // A server on this machine accepts this id without configured projects.
    projectId: 'local',
    allowRelay: isLocalRelay,
    storage,
    metadata: {
      name: 'Latchkey Development Wallet',
      description: 'A wallet with throw-away keys for developing',
      url: window.location.origin,
      icons: [],
      redirect: { universal: window.location.origin },
    },
  })
  const listeners = new Set<() => void>()
  const relays = new Map<string, RelayStatus>([[relayUrl, wallet.relayStatus()]])
  const names = new Map<string, string>()
  const now = { version: 0, notices: [] as readonly Notice[] }
  const changed = () => {
    // When the client reports the end of a session, it no longer has the app's name.
    for (const [key, name] of getNames(wallet)) names.set(key, name)
    now.version += 1
    for (const listener of listeners) listener()
  }
  const tell = (text: string) => {
    const notice = { id: now.version, text, atMs: Date.now() }
    now.notices = [notice, ...now.notices].slice(0, noticeLimit)
    changed()
  }
  wallet.on('relay', ({ relayUrl: url, ...status }) => {
    relays.set(url, status as RelayStatus)
    changed()
  })
  watchEvents(wallet, { tell, changed, nameFor: (key) => names.get(String(key)) ?? texts.anApp })
  storage.subscribe(changed)
  reviveOnReturn(wallet)
  changed()
  return {
    wallet,
    relayUrl,
    relays: () => relays,
    notices: () => now.notices,
    tell,
    changed,
    version: () => now.version,
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function* getNames(wallet: Wallet): Generator<[string, string]> {
  for (const { topic, peer } of wallet.sessions()) yield [topic, getAppName(peer, texts.anApp)]
  for (const { id, proposer } of wallet.proposals())
    yield [String(id), getAppName(proposer, texts.anApp)]
  for (const { id, requester } of wallet.authRequests())
    yield [String(id), getAppName(requester, texts.anApp)]
}

function watchEvents(
  wallet: Wallet,
  page: {
    tell(text: string): void
    changed(): void
    nameFor(key: string | number): string
  },
): void {
  const { tell, changed, nameFor } = page
  for (const name of [
    'session_proposal',
    'session_authenticate',
    'session_request',
    'session_update',
    'session_extend',
    'pairing_expire',
  ] as const)
    wallet.on(name, changed)
  wallet.on('session_acknowledged', ({ topic }) => tell(texts.confirmed(nameFor(topic))))
  wallet.on('session_ping', ({ topic }) => tell(texts.pinged(nameFor(topic))))
  wallet.on('session_delete', ({ topic, reason }) =>
    tell(texts.ended(nameFor(topic), reason.message.slice(0, reasonLimit))),
  )
  wallet.on('session_expire', ({ topic }) => tell(texts.sessionExpired(nameFor(topic))))
  wallet.on('proposal_expire', ({ id }) => tell(texts.proposalExpired(nameFor(id))))
  wallet.on('session_request_expire', ({ topic }) => tell(texts.requestExpired(nameFor(topic))))
}

function reviveOnReturn(wallet: Wallet): void {
  window.addEventListener('online', () => wallet.revive())
  window.addEventListener('pageshow', (event) => event.persisted && wallet.revive())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wallet.revive()
  })
}

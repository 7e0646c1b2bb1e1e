import {
  type ClientStorage,
  createWallet,
  type PendingRequest,
  type SessionNamespaces,
  type SessionProposal,
  type Wallet,
} from '@latchkey/walletconnect'
import { WebSocket } from 'ws'
import { alice } from './fakeWallet.ts'

export const webSocket = WebSocket as unknown as typeof globalThis.WebSocket

export type Phone = {
  wallet: Wallet
  /** Opens a pairing and responds to the proposal. */
  scan(uri: string): Promise<void>
  proposals: SessionProposal[]
  requests: PendingRequest[]
  /** The namespaces that it approves; undefined to reject. */
  namespaces: SessionNamespaces | undefined
  /** Further properties of the sessions it approves. */
  properties: { sessionProperties?: Record<string, unknown>; disableDeepLink?: boolean }
  /** Responses by method; other methods get no response. */
  answers: Record<
    string,
    (request: PendingRequest) => { result: unknown } | { error: { code: number; message: string } }
  >
  /** Whether proposals are answered at once; else by `decide`. */
  isPrompt: boolean
  decide(): Promise<void>
  topic(): string
  close(): void
}

/** Everything on both local chains. */
export const bothChains: SessionNamespaces = {
  eip155: {
    accounts: [`eip155:31337:${alice}`, `eip155:31338:${alice}`],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

/** A phone with a wallet, over a real relay. */
export async function createPhone(relayUrl: string): Promise<Phone> {
  const wallet = await createWallet({
    relayUrl,
    projectId: 'local',
    metadata: { name: 'Phone Wallet', description: '', url: 'https://wallet.example', icons: [] },
    storage: createMemoryStorage(),
    WebSocket: webSocket,
  })
  const phone: Phone = {
    wallet,
    scan: (uri) => wallet.pair(uri),
    proposals: [],
    requests: [],
    namespaces: bothChains,
    properties: {},
    answers: {},
    isPrompt: true,
    async decide() {
      const { id } = phone.proposals.at(-1) as SessionProposal
      if (phone.namespaces === undefined)
        return wallet.reject(id, { code: 5000, message: 'User rejected.' })
      await wallet.approve(id, { namespaces: phone.namespaces, ...phone.properties })
    },
    topic: () => wallet.sessions().at(-1)?.topic ?? '',
    close: () => wallet.close(),
  }
  wallet.on('session_proposal', ({ proposal }) => {
    phone.proposals.push(proposal)
    if (phone.isPrompt) phone.decide().catch(() => {})
  })
  wallet.on('session_request', ({ request }) => {
    phone.requests.push(request)
    const answer = phone.answers[request.method]?.(request)
    if (answer) wallet.respond(request.topic, request.id, answer).catch(() => {})
  })
  return phone
}

function createMemoryStorage(): ClientStorage {
  const entries = new Map<string, string>()
  return {
    get: (key) => entries.get(key),
    set: (key, value) => entries.set(key, value),
    remove: (key) => entries.delete(key),
    keys: () => [...entries.keys()],
    subscribe: () => () => {},
  }
}

/** A clock that a test moves: it wakes every sleep that ends by then. */
export function createClock() {
  let offsetMs = 0
  const sleeping = new Set<{ untilMs: number; wake: () => void }>()
  const now = () => Date.now() + offsetMs
  return {
    now,
    advance(ms: number) {
      offsetMs += ms
      for (const sleeper of [...sleeping]) if (sleeper.untilMs <= now()) sleeper.wake()
    },
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          sleeping.delete(sleeper)
          resolve()
        }
        const sleeper = { untilMs: now() + ms, wake }
        sleeping.add(sleeper)
        if (signal?.aborted) wake()
        else signal?.addEventListener('abort', wake)
      }),
  }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 12_000) throw new Error(`It does not hold after two minutes: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

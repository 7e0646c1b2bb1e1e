import type { Connector } from '../src/connection/connectors/connector.ts'
import { createEip1193 } from '../src/namespaces/eip155/connector/eip1193.ts'
import type { InjectedProvider } from '../src/namespaces/eip155/connector/provider.ts'

export const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export type FakeWallet = InjectedProvider & {
  accounts: readonly string[]
  /** In hex, like real wallets report it. */
  chainId: string
  /** Chains to which the wallet switches, in hex. */
  readonly known: Set<string>
  /** Every request, in order. */
  readonly calls: { method: string; params: unknown }[]
  /** Responses that replace its own, by method; may throw or never resolve. */
  readonly answers: Record<string, (params: unknown) => unknown>
  emit(event: string, value?: unknown): void
  readonly listenerCount: () => number
}

/** A browser wallet that approves everything, unless a test changes its responses. */
export function createFakeWallet(): FakeWallet {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const wallet: FakeWallet = {
    accounts: [alice],
    chainId: '0x7a69',
    known: new Set(['0x7a69', '0x7a6a']),
    calls: [],
    answers: {},
    async request({ method, params }) {
      wallet.calls.push({ method, params })
      const answer = wallet.answers[method]
      if (answer) return answer(params)
      const [first] = (params ?? []) as { chainId?: string }[]
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return wallet.accounts
        case 'eth_chainId':
          return wallet.chainId
        case 'wallet_switchEthereumChain':
          if (!wallet.known.has(first?.chainId ?? '')) throw rpcError(4902, 'Unrecognized chain')
          wallet.chainId = first?.chainId ?? ''
          wallet.emit('chainChanged', wallet.chainId)
          return null
        case 'wallet_addEthereumChain':
          wallet.known.add(first?.chainId ?? '')
          return null
        case 'personal_sign':
        case 'eth_signTypedData_v4':
          return `0x${'ab'.repeat(65)}`
        default:
          throw rpcError(4200, `No ${method}`)
      }
    },
    on(event, listener) {
      if (!listeners.has(event)) listeners.set(event, new Set())
      listeners.get(event)?.add(listener)
    },
    removeListener: (event, listener) => listeners.get(event)?.delete(listener),
    emit(event, value) {
      for (const listener of listeners.get(event) ?? []) listener(value)
    },
    listenerCount: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  }
  return wallet
}

export const rpcError = (code: number, message: string, data?: unknown) =>
  Object.assign(new Error(message), { code, ...(data !== undefined && { data }) })

/** A connector for a fake wallet, like discovery would create it. */
export const fakeConnector = (parameters: {
  id: string
  wallet: InjectedProvider
  name?: string
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}): Connector =>
  createEip1193({
    info: {
      id: parameters.id,
      kind: 'announced',
      name: parameters.name ?? parameters.id,
      rdns: parameters.id,
      namespaces: ['eip155'],
    },
    provider: () => parameters.wallet,
    sleep: parameters.sleep ?? neverSleep,
  })

/** A sleep that only ends on abort, so that no timeout of a wallet fires. */
export const neverSleep = (_ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))

/** A promise and its handles. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

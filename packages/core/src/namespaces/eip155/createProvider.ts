import { getRpcCode, LatchkeyError, toError } from '@latchkey/wire'
import type { App } from '../../app.ts'
import type { WalletMessage } from '../../connection/connectors/connector.ts'
import { request } from '../../connection/requests/request.ts'
import type { State } from '../../state.ts'
import { toHexChainId } from './chainId.ts'
import {
  getAddresses,
  getProviderConnection,
  getProviderNetwork,
} from './provider/providerState.ts'

type Listener = (value: never) => void

/** An EIP-1193 provider, in the form that EVM libraries expect. */
export type Eip1193Provider = {
  request(parameters: {
    method: string
    params?: readonly unknown[] | object | undefined
  }): Promise<unknown>
  /**
   * `connect`, `disconnect`, `accountsChanged` and `chainChanged`; for WalletConnect sessions also
   * `session_ping`, `session_update` and `session_event`.
   */
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
}

/** An error with its EIP-1193 or JSON-RPC code. `cause` is the error of the wallet or the app. */
class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(error: unknown) {
    const cause = toError(error)
    const own = (cause.cause ?? {}) as { code?: unknown; data?: unknown }
    const standard = getRpcCode(cause.code)
    const given = [own.code, (cause.data as { code?: unknown }).code].find(isNumber)
    super(cause.message, { cause })
    // RPC_FAILED covers every error without its own code; a number from the wallet or the node is
    // more precise.
    this.code = (cause.code === 'RPC_FAILED' ? given : standard) ?? given ?? standard ?? -32603
    this.data = own.data
  }
}

const isNumber = (value: unknown) => typeof value === 'number'

/**
 * The connected wallet as an EIP-1193 provider, for every type of connector. It follows the
 * connection: if another wallet connects, requests go to that wallet. Accounts and chain are
 * answered without a request to the wallet. While no wallet is connected, `eth_requestAccounts`
 * (EIP-1102) and `wallet_connect` (ERC-7846) open the modal, and a node answers read-only requests.
 * `wallet_disconnect` (ERC-7846) ends the connection without a prompt, and does nothing if no
 * wallet is connected.
 */
export function createProvider(app: App): Eip1193Provider {
  const listeners = new Set<{ event: string; listener: Listener }>()
  let stop: (() => void) | undefined

  const emit = (event: string, value: unknown) => {
    for (const one of [...listeners]) if (one.event === event) one.listener(value as never)
  }
  const emitMessage = ({ name, data }: WalletMessage) => emit(name, data)
  const follow = () => {
    app.runtime.walletListeners.add(emitMessage)
    const unsubscribe = app.store.subscribe((_state, before) => {
      const now = getProviderConnection(app.store.getState())
      const old = getProviderConnection(before)
      if (now === old) return
      if (now && !old) emit('connect', { chainId: toHexChainId(now.chainId) })
      if (now && old && now.chainId !== old.chainId) emit('chainChanged', toHexChainId(now.chainId))
      if (getAddresses(now).join() !== getAddresses(old).join())
        emit('accountsChanged', getAddresses(now))
      if (!now && old)
        emit('disconnect', new ProviderRpcError(new LatchkeyError('PROVIDER_DISCONNECTED')))
    })
    return () => {
      unsubscribe()
      app.runtime.walletListeners.delete(emitMessage)
    }
  }

  return {
    async request({ method, params }) {
      const now = getProviderConnection(app.store.getState())
      if (method === 'eth_accounts' || (method === 'eth_requestAccounts' && now))
        return getAddresses(now)
      if (method === 'eth_chainId') return getChainId(app.store.getState())
      try {
        if (method === 'wallet_connect') {
          const { connectProvider } = await import('./provider/connectProvider.ts')
          return await connectProvider(app, params)
        }
        if (method === 'wallet_disconnect') {
          const { disconnect } = await import('../../connection/disconnect.ts')
          if (now) await disconnect(app, { namespace: 'eip155' })
          return null
        }
        if (!now) {
          const { answerUnconnected } = await import('./provider/answerUnconnected.ts')
          return await answerUnconnected(app, { method, params })
        }
        return await request(app, { method, ...(params && { params }), chainId: now.chainId })
      } catch (error) {
        throw new ProviderRpcError(error)
      }
    },
    on(event, listener) {
      listeners.add({ event, listener })
      stop ??= follow()
    },
    removeListener(event, listener) {
      for (const one of listeners)
        if (one.event === event && one.listener === listener) listeners.delete(one)
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    },
  }
}

function getChainId(state: State): string | undefined {
  const chainId = getProviderConnection(state)?.chainId ?? getProviderNetwork(state)?.caipNetworkId
  return chainId && toHexChainId(chainId)
}

import { type Channel, isError, openChannel } from '@latchkey/wire'
import { askingMethods, connectMethods, signingMethods } from '../requests/walletMethods.ts'
import { createPopup } from './popup.ts'
import { bridgeProtocol, type Call, type SiteState, type WalletResult } from './protocol.ts'

type Listener = (payload: unknown) => void
type Bridge = Channel<typeof bridgeProtocol>

const bridgeTimeoutMs = 10_000

/**
 * An EIP-1193 provider whose wallet lives at `walletOrigin`. It loads nothing until its first
 * request.
 */
export function createProvider(walletOrigin: string) {
  const listeners = new Map<string, Set<Listener>>()
  const popup = createPopup(walletOrigin)
  let state: SiteState | undefined
  let bridge: Promise<Bridge> | undefined
  let connecting = false

  const emit = (event: string, payload: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
  }
  const update = (next: SiteState) => {
    const before = state
    state = next
    if (!before) return emit('connect', { chainId: next.chainId })
    if (before.chainId !== next.chainId) emit('chainChanged', next.chainId)
    if (before.accounts.join() !== next.accounts.join()) emit('accountsChanged', next.accounts)
    if (before.solanaAccounts.join() !== next.solanaAccounts.join())
      emit('solanaAccountsChanged', next.solanaAccounts)
    if (before.polkadotAccounts.join() !== next.polkadotAccounts.join())
      emit('polkadotAccountsChanged', next.polkadotAccounts)
    if (JSON.stringify(before.bitcoinAddresses) !== JSON.stringify(next.bitcoinAddresses))
      emit('bitcoinAddressesChanged', next.bitcoinAddresses)
  }
  const forget = () => {
    bridge = undefined
  }
  const reachBridge = () => {
    bridge ??= openBridge({ walletOrigin, onState: update, onClose: forget }).catch((error) => {
      forget()
      throw error
    })
    return bridge
  }

  const rpc = async (call: Call): Promise<WalletResult> => {
    const channel = await reachBridge().catch(() => undefined)
    if (!channel) throw silent()
    return channel.request('rpc', call).catch((error: unknown) => {
      if (isError(error, 'INVALID_PARAMS') || isError(error, 'MESSAGE_TOO_LARGE'))
        throw failure(-32602, error.message)
      throw silent()
    })
  }

  const ask = async (call: Call): Promise<WalletResult> => {
    const isConnect = connectMethods.has(call.method)
    if (isConnect && connecting) throw failure(-32002, 'A request is already open in the wallet')
    if (isConnect) connecting = true
    try {
      // Without a click a window can only open later, so checks first whether a window is needed.
      if (!state && navigator.userActivation?.isActive === false)
        await reachBridge().catch(() => {})
      const silentOutcome = state && withoutAsking(state, call)
      const { outcome, state: nextState = null } = silentOutcome
        ? { outcome: silentOutcome }
        : await popup.ask(call)
      // From now on, events come through the bridge, and its state is the state just decided.
      const channel = await reachBridge().catch(() => undefined)
      // The decision is final, even if the bridge is gone.
      await channel?.request('state', nextState).then(update, () => {})
      return outcome
    } finally {
      if (isConnect) connecting = false
    }
  }

  const on = (event: string, listener: Listener) => {
    if (!listeners.has(event)) listeners.set(event, new Set())
    listeners.get(event)?.add(listener)
    return provider
  }
  const removeListener = (event: string, listener: Listener) => {
    listeners.get(event)?.delete(listener)
    return provider
  }
  const request = async (input: unknown): Promise<unknown> => {
    const { method, params } = (input ?? {}) as { method?: unknown; params?: unknown }
    if (typeof method !== 'string') throw failure(-32600, 'The request is not valid')
    const call: Call = params === undefined ? { method } : { method, params }
    const answer = await (askingMethods.has(method) ? ask(call) : rpc(call))
    if ('error' in answer) throw failure(answer.error.code, answer.error.message, answer.error.data)
    return answer.result
  }
  const provider = { request, on, removeListener }
  return provider
}

/**
 * The outcome of a request that needs no window because the response is already known. The popup
 * checks everything again.
 */
function withoutAsking(state: SiteState, { method, params }: Call): WalletResult | undefined {
  if (method === 'eth_requestAccounts' && state.accounts.length > 0)
    return { result: state.accounts }
  if (method === 'solana_requestAccounts' && state.solanaAccounts.length > 0)
    return { result: state.solanaAccounts.map((pubkey) => ({ pubkey })) }
  if (method === 'polkadot_requestAccounts' && state.polkadotAccounts.length > 0)
    return { result: state.polkadotAccounts.map((address) => ({ address })) }
  if (method === 'bip122_requestAddresses' && state.bitcoinAddresses.length > 0)
    return { result: state.bitcoinAddresses }
  if (signingMethods.has(method) && !state.connected)
    return { error: { code: 4100, message: 'The wallet has not allowed this' } }
  if (method !== 'wallet_switchEthereumChain' || !Array.isArray(params)) return undefined
  const asked = (params[0] as { chainId?: unknown } | undefined)?.chainId
  // The popup reports the problem.
  if (typeof asked !== 'string' || !/^0x[0-9a-f]+$/i.test(asked)) return undefined
  const chainIdHex = asked.toLowerCase()
  if (chainIdHex === state.chainId) return { result: null }
  if (state.chainIds.includes(chainIdHex)) return undefined
  return { error: { code: 4902, message: 'The wallet does not know this network' } }
}

async function openBridge(parameters: {
  walletOrigin: string
  onState: (state: SiteState) => void
  onClose: () => void
}): Promise<Bridge> {
  const { walletOrigin, onState, onClose } = parameters
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Latchkey Development Wallet'
  frame.src = `${walletOrigin}/bridge.html#${window.location.origin}`
  document.documentElement.append(frame)
  try {
    const channel = await openChannel({
      window,
      target: frame.contentWindow as Window,
      targetOrigin: walletOrigin,
      protocol: bridgeProtocol,
      timeoutMs: bridgeTimeoutMs,
      onEvent: (_name, data) => onState(data),
    })
    channel.closed.addEventListener('abort', () => {
      frame.remove()
      onClose()
    })
    onState(await channel.request('state', null))
    return channel
  } catch (error) {
    frame.remove()
    throw error
  }
}

const silent = () => failure(4900, 'The development wallet does not answer. Is it running?')

const failure = (code: number, message: string, data?: unknown) =>
  Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) })

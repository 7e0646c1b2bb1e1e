type Listener = (value: unknown) => void

export type FakeWallet = {
  accounts: readonly string[]
  /** Hex, as wallets report it. */
  chainId: string
  readonly calls: { method: string; params: unknown }[]
  /** Responses to use instead of the wallet's own, by method; may throw or never resolve. */
  readonly answers: Record<string, (params: unknown) => unknown>
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
  emit(event: string, value: unknown): void
}

/** An EIP-1193 wallet of the page that approves everything by default. */
export function createFakeWallet(): FakeWallet {
  const listeners = new Map<string, Set<Listener>>()
  const wallet: FakeWallet = {
    accounts: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    chainId: '0x7a69',
    calls: [],
    answers: {},
    async request({ method, params }) {
      wallet.calls.push({ method, params })
      const answer = wallet.answers[method]
      if (answer) return answer(params)
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return wallet.accounts
        case 'eth_chainId':
          return wallet.chainId
        case 'wallet_switchEthereumChain':
          wallet.chainId = (params as { chainId: string }[])[0]?.chainId ?? ''
          wallet.emit('chainChanged', wallet.chainId)
          return null
        case 'eth_sendTransaction':
          return `0x${'ab'.repeat(32)}`
        default:
          throw Object.assign(new Error(`No ${method}`), { code: 4200 })
      }
    },
    on(event, listener) {
      if (!listeners.has(event)) listeners.set(event, new Set())
      listeners.get(event)?.add(listener)
    },
    removeListener: (event, listener) => void listeners.get(event)?.delete(listener),
    emit(event, value) {
      for (const listener of listeners.get(event) ?? []) listener(value)
    },
  }
  return wallet
}

/** A rejection, in the form that wallets throw. */
export const refuse = (code = 4001) => {
  throw Object.assign(new Error('User rejected the request.'), { code })
}

/** A wallet that does not answer. */
export const hang = () => new Promise<never>(() => {})

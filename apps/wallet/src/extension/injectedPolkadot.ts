import { decodeHex } from './bitcoinWallet.ts'
import type { createProvider } from './provider.ts'
import { toMessage } from './toMessage.ts'

type Provider = ReturnType<typeof createProvider>
type Listener = (accounts: readonly object[]) => void

/**
 * Injects the wallet for Polkadot's apps, like an extension
 * (https://github.com/polkadot-js/extension).
 */
export function injectPolkadot(provider: Provider, { name }: { name: string }): void {
  const page = window as { injectedWeb3?: Record<string, unknown> }
  page.injectedWeb3 ??= {}
  page.injectedWeb3[name] = Object.freeze({
    version: '1',
    enable: () =>
      enable(provider).then(() => {
        enabled.save()
        return createWallet(provider)
      }),
  })
}

// Not async up to the request: the wallet's window opens in the task of the click. If this page was
// allowed before, its next request needs that window.
async function enable(provider: Provider): Promise<unknown> {
  const accounts = enabled.read() ? await provider.request({ method: 'polkadot_getAccounts' }) : []
  if ((accounts as unknown[]).length > 0) return accounts
  return provider.request({ method: 'polkadot_requestAccounts' })
}

/** Whether this page was allowed to see accounts. Unknown in a page without storage. */
const enabled = {
  key: 'latchkey-wallet-polkadot',
  read: () => {
    try {
      return localStorage.getItem(enabled.key) !== null
    } catch {
      return false
    }
  },
  save: () => {
    try {
      localStorage.setItem(enabled.key, '1')
    } catch {}
  },
}

function createWallet(provider: Provider) {
  const get = () =>
    provider
      .request({ method: 'polkadot_getAccounts' })
      .then((answer) => (answer as { address: string }[]).map(({ address }) => toAccount(address)))
  const subscribe = (listener: Listener) => {
    const onAddresses = (addresses: unknown) => listener((addresses as string[]).map(toAccount))
    provider.on('polkadotAccountsChanged', onAddresses)
    void get().then(listener, () => {})
    return () => provider.removeListener('polkadotAccountsChanged', onAddresses)
  }
  return Object.freeze({
    name: 'Latchkey Development Wallet',
    version: '1',
    accounts: Object.freeze({ get, subscribe }),
    signer: Object.freeze({
      async signRaw({ address, data }: { address: string; data: string }) {
        const params = { address, message: toMessage(decodeHex(data.slice(2))) }
        return await provider.request({ method: 'polkadot_signMessage', params })
      },
      signPayload: (payload: { address: string }) => {
        const params = { address: payload.address, transactionPayload: payload }
        return provider.request({ method: 'polkadot_signTransaction', params })
      },
    }),
  })
}

const toAccount = (address: string) => Object.freeze({ address, type: 'sr25519' })

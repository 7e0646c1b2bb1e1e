import type { BrowserWallet } from './browserWallet.ts'
import type { SatsConnectProvider } from './providers.ts'

/** Adapts a wallet of the sats-connect protocol to `BrowserWallet`. */
export function openSatsConnectWallet(
  provider: SatsConnectProvider,
  methods: readonly string[],
): BrowserWallet {
  const call = async (method: string, params?: object) =>
    readResult(await provider.request(method, params)) as Record<string, unknown>
  return {
    ...(methods.includes('wallet_getAccount') && {
      authorized: () => call('wallet_getAccount'),
    }),
    readAddresses(answer) {
      const result = readResult(answer)
      const { addresses } = result as { addresses?: unknown }
      return ((Array.isArray(result) ? result : (addresses ?? [])) as unknown[]).map((entry) => {
        const { address, purpose, publicKey, symbol } = entry as Record<string, unknown>
        return {
          // Some wallets list addresses of other chains too.
          address: symbol === undefined || symbol === 'BTC' ? address : undefined,
          purpose,
          publicKey: typeof publicKey === 'string' ? publicKey : undefined,
        }
      })
    },
    methods: ['getAccountAddresses', 'signMessage', 'signPsbt', 'sendTransfer'],
    async signMessage({ account, message, protocol }) {
      const { address } = account
      const params = { address, message, protocol: protocol.toUpperCase() }
      return (await call('signMessage', params)).signature
    },
    async signPsbt({ psbt, inputs }) {
      const signInputs: Record<string, number[]> = {}
      for (const { account, index } of inputs) {
        const indexes = signInputs[account.address] ?? []
        signInputs[account.address] = [...indexes, index]
      }
      return (await call('signPsbt', { psbt, signInputs, broadcast: false })).psbt
    },
    async sendTransfer({ to, amountSats }) {
      const recipients = [{ address: to, amount: amountSats }]
      return (await call('sendTransfer', { recipients })).txid
    },
    ...(methods.includes('wallet_disconnect') && { disconnect: () => call('wallet_disconnect') }),
    subscribe(listener) {
      const stop = provider.addListener?.('accountChange', (event) => {
        if ((event as { addresses?: unknown } | null)?.addresses !== undefined) listener(event)
      })
      return () => {
        if (typeof stop === 'function') stop()
      }
    },
  }
}

/** The result of a JSON-RPC response, or the response itself. Throws the wallet's error. */
function readResult(answer: unknown): unknown {
  const { result, error } = (answer ?? {}) as { result?: unknown; error?: unknown }
  if (error) throw toError(error)
  return result ?? answer
}

/**
 * Converts the protocol's own code for a rejection to the code that wallets of other namespaces
 * use.
 */
function toError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === -32000) return { code: 4001, message }
  return code === -32002 ? { code: 4100, message } : error
}

import { decodeBase58, decodeBase64, encodeBase58, encodeBase64 } from '@latchkey/wire'
import { solanaChains, solanaMessageChains } from '../solana/accounts.ts'
import type { createProvider } from './provider.ts'

type Provider = ReturnType<typeof createProvider>
type Input = { account: { address: string }; options?: object }
type MessageInput = Input & { message: Uint8Array }
type TransactionInput = Input & { transaction: Uint8Array; chain?: string }

const chains = [...solanaChains, ...solanaMessageChains]

const accountFeatures = [
  'solana:signMessage',
  'solana:signTransaction',
  'solana:signAndSendTransaction',
]

/**
 * Registers the wallet with this page's apps, now and later
 * (https://github.com/wallet-standard/wallet-standard).
 */
export function registerStandardWallet(wallet: object): void {
  const register = (api: { register(wallet: object): void }) => api.register(wallet)
  const announced = new CustomEvent('wallet-standard:register-wallet', { detail: register })
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<Parameters<typeof register>[0]>).detail),
  )
  window.dispatchEvent(announced)
}

/**
 * A Wallet Standard wallet that sends its requests through an EIP-1193 provider, with
 * WalletConnect's Solana methods.
 */
export function createStandardWallet(
  provider: Provider,
  info: { name: string; icon: string },
): object {
  let accounts: readonly object[] = []
  const listeners = new Set<(change: object) => void>()
  const set = (addresses: readonly string[]) => {
    accounts = addresses.map(toAccount)
    for (const listener of [...listeners]) listener({ accounts })
  }
  provider.on('solanaAccountsChanged', (addresses) => set(addresses as string[]))

  // Not async up to the request: the wallet's window opens in the task of the click.
  const connect = ({ silent = false }: { silent?: boolean } = {}) =>
    provider
      .request({ method: silent ? 'solana_getAccounts' : 'solana_requestAccounts' })
      .then((answer) => {
        const addresses = (answer as { pubkey: string }[]).map(({ pubkey }) => pubkey)
        set(addresses)
        return { accounts }
      })
  const disconnect = async () => {
    await provider.request({ method: 'solana_disconnect' })
    set([])
  }
  const on = (event: string, listener: (change: object) => void) => {
    if (event === 'change') listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const signIn = async (...inputs: readonly object[]) => {
    const outputs = []
    for (const input of inputs.length > 0 ? inputs : [{}]) {
      const answer = await provider.request({ method: 'solana_signIn', params: input })
      const { address, signedMessage, signature } = answer as Record<string, string>
      set([address ?? ''])
      const signed = [signedMessage, signature].map((text) => decodeBase58(text ?? ''))
      outputs.push({ account: accounts[0], signedMessage: signed[0], signature: signed[1] })
    }
    return outputs
  }
  const signMessage = (...inputs: readonly MessageInput[]) =>
    Promise.all(
      inputs.map(async ({ account, message }) => {
        const params = { message: encodeBase58(message), pubkey: account.address }
        const answer = await provider.request({ method: 'solana_signMessage', params })
        return { signedMessage: message, signature: getSignature(answer) }
      }),
    )
  const signTransaction = async (...inputs: readonly TransactionInput[]) => {
    const [first] = inputs
    if (!first) return []
    for (const { chain } of inputs) checkChain(chain)
    const pubkey = first.account.address
    if (inputs.length === 1) {
      const params = { transaction: encodeBase64(first.transaction), pubkey }
      const answer = await provider.request({ method: 'solana_signTransaction', params })
      return [{ signedTransaction: toBytes((answer as { transaction: string }).transaction) }]
    }
    const params = { transactions: inputs.map((one) => encodeBase64(one.transaction)), pubkey }
    const answer = await provider.request({ method: 'solana_signAllTransactions', params })
    const { transactions } = answer as { transactions: string[] }
    return transactions.map((signed) => ({ signedTransaction: toBytes(signed) }))
  }
  const signAndSendTransaction = (...inputs: readonly TransactionInput[]) =>
    Promise.all(
      inputs.map(async ({ account, transaction, chain }) => {
        checkChain(chain)
        const params = { transaction: encodeBase64(transaction), pubkey: account.address }
        const answer = await provider.request({ method: 'solana_signAndSendTransaction', params })
        return { signature: getSignature(answer) }
      }),
    )

  const supportedTransactionVersions = Object.freeze(['legacy', 0])
  const features = Object.freeze({
    'standard:connect': { version: '1.0.0', connect },
    'standard:disconnect': { version: '1.0.0', disconnect },
    'standard:events': { version: '1.0.0', on },
    'solana:signIn': { version: '1.0.0', signIn },
    'solana:signMessage': { version: '1.0.0', signMessage },
    'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions, signTransaction },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      signAndSendTransaction,
    },
  })
  return Object.freeze({
    version: '1.0.0',
    name: info.name,
    icon: info.icon,
    chains,
    features,
    get accounts() {
      return accounts
    },
  })
}

const toAccount = (address: string) =>
  Object.freeze({
    address,
    publicKey: decodeBase58(address),
    chains,
    features: accountFeatures,
  })

function checkChain(chain: string | undefined) {
  if (chain !== undefined && !(solanaChains as readonly string[]).includes(chain))
    throw new Error('The development wallet sends on the local Solana chain only')
}

const getSignature = (answer: unknown) => decodeBase58((answer as { signature: string }).signature)

function toBytes(base64: string) {
  const bytes = decodeBase64(base64)
  if (!bytes) throw new Error('The wallet answered with a transaction that is not base64')
  return bytes
}

import { decodeBase64, encodeBase64 } from '@latchkey/wire'
import { type BitcoinAddress, bitcoinChains } from '../bitcoin/accounts.ts'
import type { createProvider } from './provider.ts'
import { toMessage } from './toMessage.ts'

type Provider = ReturnType<typeof createProvider>
type Account = { address: string }
type MessageInput = { account: Account; message: Uint8Array }
type TransactionInput = {
  psbt: Uint8Array
  inputsToSign: readonly { account: Account; signingIndexes: readonly number[]; sigHash?: number }[]
}

const accountFeatures = ['bitcoin:signMessage', 'bitcoin:signTransaction']

/**
 * A wallet with the Wallet Standard's Bitcoin features that sends its requests through an EIP-1193
 * provider, with WalletConnect's methods.
 */
export function createBitcoinWallet(
  provider: Provider,
  info: { name: string; icon: string },
): object {
  let accounts: readonly object[] = []
  const listeners = new Set<(change: object) => void>()
  const set = (addresses: readonly BitcoinAddress[]) => {
    accounts = addresses.map(toAccount)
    for (const listener of [...listeners]) listener({ accounts })
    return { accounts }
  }
  provider.on('bitcoinAddressesChanged', (addresses) => set(addresses as BitcoinAddress[]))

  // Not async up to the request: the wallet's window opens in the task of the click.
  const ask = (method: string) =>
    provider.request({ method }).then((answer) => set(answer as BitcoinAddress[]))
  const connect = ({ silent = false }: { silent?: boolean } = {}) =>
    ask(silent ? 'bip122_getAddresses' : 'bip122_requestAddresses')
  const disconnect = async () => {
    await provider.request({ method: 'bip122_disconnect' })
    set([])
  }
  const on = (event: string, listener: (change: object) => void) => {
    if (event === 'change') listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const signMessage = (...inputs: readonly MessageInput[]) =>
    Promise.all(
      inputs.map(async ({ account: { address }, message }) => {
        const params = { account: address, message: toMessage(message) }
        const answer = await provider.request({ method: 'signMessage', params })
        const { signature } = answer as { signature: string }
        return { signedMessage: message, signature: decodeHex(signature) }
      }),
    )
  const signTransaction = (...inputs: readonly TransactionInput[]) =>
    Promise.all(
      inputs.map(async ({ psbt, inputsToSign }) => {
        const signInputs = inputsToSign.flatMap(
          ({ account: { address }, signingIndexes, sigHash }) =>
            signingIndexes.map((index) => ({
              address,
              index,
              ...(sigHash !== undefined && { sighashTypes: [sigHash] }),
            })),
        )
        const account = inputsToSign[0]?.account.address
        const params = { account, psbt: encodeBase64(psbt), signInputs }
        const answer = await provider.request({ method: 'signPsbt', params })
        return { signedPsbt: decodeBase64((answer as { psbt: string }).psbt) }
      }),
    )
  const features = Object.freeze({
    'standard:connect': { version: '1.0.0', connect },
    'standard:disconnect': { version: '1.0.0', disconnect },
    'standard:events': { version: '1.0.0', on },
    'bitcoin:connect': { version: '1.0.0', connect: () => connect() },
    'bitcoin:signMessage': { version: '1.0.0', signMessage },
    'bitcoin:signTransaction': { version: '1.0.0', signTransaction },
  })
  return Object.freeze({
    version: '1.0.0',
    name: info.name,
    icon: info.icon,
    chains: bitcoinChains,
    features,
    get accounts() {
      return accounts
    },
  })
}

const toAccount = ({ address, publicKey }: BitcoinAddress) =>
  Object.freeze({
    address,
    publicKey: decodeHex(publicKey),
    chains: bitcoinChains,
    features: accountFeatures,
  })

/** Decodes hex without a prefix. */
export const decodeHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

import { encodeBase64 } from '@latchkey/wire'
import type { BitcoinAddress } from '../bitcoin/accounts.ts'
import { decodeHex } from './bitcoinWallet.ts'
import type { createProvider } from './provider.ts'

type Provider = Pick<ReturnType<typeof createProvider>, 'request' | 'on' | 'removeListener'>
type Params = Readonly<Record<string, unknown>>

const network = { bitcoin: { name: 'Regtest' } }

/**
 * Lists the wallet in `window.btc_providers` (WBIP004) and puts its provider of the sats-connect
 * protocol at the path in the entry. The provider sends its requests through an EIP-1193 provider,
 * with WalletConnect's methods.
 */
export function injectSatsConnect(provider: Provider, info: { name: string; icon: string }): void {
  const page = window as unknown as { btc_providers?: object[] }
  Object.assign(window, { LatchkeyBitcoin: createSatsConnect(provider) })
  const entry = { ...info, id: 'LatchkeyBitcoin', methods: Object.keys(methods) }
  page.btc_providers = [...(page.btc_providers ?? []), Object.freeze(entry)]
}

/** The provider of the sats-connect protocol: JSON-RPC responses, also for failures. */
function createSatsConnect(provider: Provider): object {
  return Object.freeze({
    // Not async up to the wallet's request: its window opens in the task of the click.
    request: (method: string, params: Params = {}) => {
      const answer = (body: object) => ({ jsonrpc: '2.0', id: null, ...body })
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!run) return Promise.resolve(answer({ error: unsupported }))
      return run(provider, params).then(
        (result) => answer({ result }),
        (error: unknown) => answer({ error: toError(error) }),
      )
    },
    addListener(event: string, listener: (event: object) => void) {
      const onAddresses = (addresses: unknown) =>
        listener({
          type: event,
          addresses: (addresses as BitcoinAddress[]).map(toAddress),
        })
      if (event === 'accountChange') provider.on('bitcoinAddressesChanged', onAddresses)
      return () => provider.removeListener('bitcoinAddressesChanged', onAddresses)
    },
  })
}

const unsupported = { code: -32601, message: 'The wallet does not support this method' }

const methods: Readonly<Record<string, (provider: Provider, params: Params) => Promise<unknown>>> =
  {
    wallet_connect: (provider) => askAddresses(provider, 'bip122_requestAddresses'),
    wallet_getAccount: async (provider) => {
      const account = await askAddresses(provider, 'bip122_getAddresses')
      if (account.addresses.length === 0) throw { code: 4100, message: 'Not connected' }
      return account
    },
    wallet_disconnect: (provider) => provider.request({ method: 'bip122_disconnect' }),
    getAddresses: (provider) => askAddresses(provider, 'bip122_requestAddresses'),
    getAccounts: (provider) =>
      askAddresses(provider, 'bip122_requestAddresses').then(({ addresses }) => addresses),
    signMessage: (provider, { address, message, protocol }) => {
      const form = protocol === undefined ? {} : { protocol: String(protocol).toLowerCase() }
      const params = { account: address, address, message, ...form }
      return provider.request({ method: 'signMessage', params }).then((answer) => {
        const { signature } = answer as { signature: string }
        return { address, protocol, signature: encodeBase64(decodeHex(signature)) }
      })
    },
    signPsbt: (provider, { psbt, signInputs = {}, broadcast }) => {
      if (broadcast) return Promise.reject({ code: -32602, message: 'It broadcasts no PSBT' })
      const asked = Object.entries(signInputs as Readonly<Record<string, readonly number[]>>)
      const inputs = asked.flatMap(([address, indexes]) =>
        indexes.map((index) => ({ address, index })),
      )
      return provider.request({ method: 'signPsbt', params: { psbt, signInputs: inputs } })
    },
    sendTransfer: (provider, { recipients }) => {
      const [first, ...others] = (recipients ?? []) as { address: string; amount: number }[]
      if (!first || others.length > 0)
        return Promise.reject({ code: -32602, message: 'It sends to one recipient' })
      const params = { recipientAddress: first.address, amount: String(first.amount) }
      return provider.request({ method: 'sendTransfer', params })
    },
  }

const askAddresses = (provider: Provider, method: string) =>
  provider.request({ method }).then((answer) => ({
    addresses: (answer as BitcoinAddress[]).map(toAddress),
    network,
  }))

const toAddress = ({ address, publicKey, intention }: BitcoinAddress) => ({
  address,
  publicKey,
  purpose: intention === 'payment' ? 'payment' : 'ordinals',
  addressType: intention === 'payment' ? 'p2wpkh' : 'p2tr',
  walletType: 'software',
})

/** The protocol's error codes for a rejection and for a method that is not allowed. */
function toError(error: unknown) {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const codes: Readonly<Record<number, number>> = { 4001: -32000, 4100: -32002 }
  return { code: codes[Number(code)] ?? code ?? -32603, message }
}

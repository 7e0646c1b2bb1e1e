import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { decodeBytes } from '../parsePsbt.ts'
import type { BrowserWallet } from './browserWallet.ts'
import type { BitcoinProvider } from './providers.ts'

const protocols = { ecdsa: 'ecdsa', bip322: 'bip322-simple' }

/**
 * Adapts an injected wallet to `BrowserWallet`. The wallet is on one network, which its address
 * reveals.
 */
export function openInjectedWallet(provider: BitcoinProvider): BrowserWallet {
  const { getAccounts, signMessage, signPsbt, sendBitcoin } = provider
  const missing = (method: string) => new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  return {
    ...(getAccounts && { authorized: async () => getAccounts.call(provider) }),
    readAddresses: (answer) => (answer as unknown[]).map((address) => ({ address })),
    methods: [
      'getAccountAddresses',
      ...(signMessage ? ['signMessage'] : []),
      ...(signPsbt ? ['signPsbt'] : []),
      ...(sendBitcoin ? ['sendTransfer'] : []),
    ],
    async signMessage({ message, protocol }) {
      if (!signMessage) throw missing('signMessage')
      return signMessage.call(provider, message, protocols[protocol])
    },
    async signPsbt({ psbt, inputs }) {
      if (!signPsbt) throw missing('signPsbt')
      return signPsbt.call(provider, bytesToHex(decodeBytes(psbt)), {
        autoFinalized: false,
        toSignInputs: inputs.map(({ account, index, sighashTypes }) => ({
          index,
          address: account.address,
          ...(!sighashTypes.includes(0) && { sighashTypes }),
        })),
      })
    },
    ...(sendBitcoin && {
      sendTransfer: async ({ to, amountSats }) => sendBitcoin.call(provider, to, amountSats),
    }),
    subscribe(listener) {
      provider.on?.('accountsChanged', listener)
      return () => void provider.removeListener?.('accountsChanged', listener)
    },
  }
}

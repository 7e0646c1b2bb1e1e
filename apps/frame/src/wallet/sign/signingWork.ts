import { fromBase64Url, fromHex, toBase64Url } from '../crypto/bytes.ts'
import { signDigest } from '../crypto/digests.ts'
import { openWallet } from '../openWallet.ts'
import { type Identity, type Vault, withWalletLock } from '../vault.ts'
import type { KeyWork } from '../worker/messages.ts'
import { hashTypedData } from './hashTypedData.ts'
import { signEvmTransaction } from './signEvmTransaction.ts'
import { signEvmMessage, signSolanaBytes } from './signMessage.ts'

type SigningWork = KeyWork<'signEvmMessage' | 'signTypedData' | 'signEvmTransaction' | 'signSolana'>

/** The signing tasks: each opens the wallet for one signature. */
export function signingWork(vault: Vault, who: () => Promise<Identity>): SigningWork {
  const use = <T>(work: Parameters<typeof openWallet<T>>[2]): Promise<T> =>
    withWalletLock(vault, async () => openWallet(vault, await who(), work))
  return {
    signEvmMessage: async ({ message }) => ({
      signature: await use(({ keys }) => signEvmMessage(fromHex(message), keys.eip155)),
    }),
    async signTypedData({ data }) {
      const digest = hashTypedData(data)
      return { signature: await use(({ keys }) => signDigest(digest, keys.eip155)) }
    },
    signEvmTransaction: ({ transaction }) =>
      use(({ keys }) => signEvmTransaction(transaction, keys.eip155)),
    signSolana: async ({ bytes }) => ({
      signature: await use(({ keys }) =>
        toBase64Url(signSolanaBytes(fromBase64Url(bytes), keys.solana)),
      ),
    }),
  }
}

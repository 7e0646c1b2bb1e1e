import { LatchkeyError } from '@latchkey/wire'
import { isSelfExecution } from '../../isSelfExecution.ts'
import { isOfEntryPoint } from '../../smartAccount.ts'
import { fromBase64Url, fromHex, toBase64Url } from '../crypto/bytes.ts'
import { signDigest } from '../crypto/digests.ts'
import { type OpenWallet, openWallet } from '../openWallet.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import { loadPart } from '../worker/loadPart.ts'
import type { KeyWork } from '../worker/messages.ts'
import { hashTypedData } from './hashTypedData.ts'
import { signEvmMessage } from './signEvmMessage.ts'
import { signEvmTransaction } from './signEvmTransaction.ts'

type SigningWork = KeyWork<
  | 'prepareSigning'
  | 'signEvmMessage'
  | 'signTypedData'
  | 'signEvmTransaction'
  | 'signUserOperation'
  | 'signRevocation'
  | 'signEnding'
  | 'signSolanaMessage'
  | 'signSolanaTransactions'
>

/** Only wallets that sign on Solana load its rules. */
const solana = () => loadPart(() => import('./signSolana.ts'))
const operations = () => loadPart(() => import('./signUserOperation.ts'))
const toSigner = ({ record, keys }: OpenWallet) => ({
  address: record.addresses.solana,
  key: keys.solana,
})

/** The signing tasks: each opens the wallet for what one approval is about. */
export function signingWork(vault: WalletVault, who: () => Promise<VaultIdentity>): SigningWork {
  const use = <T>(work: Parameters<typeof openWallet<T>>[2]): Promise<T> =>
    withWalletLock(vault, async () => openWallet(vault, await who(), work))
  return {
    // It starts a load and does not wait: what was not ready would keep the worker, and what failed
    // would end it.
    async prepareSigning() {
      import('./signUserOperation.ts').catch(() => {})
      return {}
    },
    signEvmMessage: async ({ message }) => ({
      signature: await use(({ keys }) => signEvmMessage(fromHex(message), keys.eip155)),
    }),
    async signTypedData({ data }) {
      if (isOfEntryPoint(data.domain.verifyingContract))
        throw new LatchkeyError('SIGNING_REFUSED', { data: { reason: 'it is a user operation' } })
      const digest = hashTypedData(data)
      return { signature: await use(({ keys }) => signDigest(digest, keys.eip155)) }
    },
    signEvmTransaction: ({ transaction }) =>
      use(({ record, keys }) => {
        if (isSelfExecution(record.addresses.eip155, transaction))
          throw new LatchkeyError('SIGNING_REFUSED', { data: { reason: 'it has calls within' } })
        return signEvmTransaction(transaction, keys.eip155)
      }),
    async signUserOperation(asked) {
      const { signUserOperation } = await operations()
      return use(({ record, keys }) =>
        signUserOperation(asked, { key: keys.eip155, owner: record.addresses.eip155 }),
      )
    },
    async signRevocation({ transaction }) {
      const { signRevocation } = await operations()
      return use(({ record, keys }) =>
        signRevocation(transaction, { key: keys.eip155, owner: record.addresses.eip155 }),
      )
    },
    async signEnding(asked) {
      const { signEnding } = await operations()
      return { authorization: await use(({ keys }) => signEnding(asked, keys.eip155)) }
    },
    async signSolanaMessage({ message }) {
      const { signSolanaMessage } = await solana()
      const signature = await use((open) =>
        signSolanaMessage(fromBase64Url(message), toSigner(open)),
      )
      return { signature: toBase64Url(signature) }
    },
    async signSolanaTransactions({ transactions }) {
      const { signSolanaTransactions } = await solana()
      const all = transactions.map(({ message, reviewed }) => ({
        bytes: fromBase64Url(message),
        reviewed,
      }))
      const signatures = await use((open) => signSolanaTransactions(all, toSigner(open)))
      return { signatures: signatures.map(toBase64Url) }
    },
  }
}

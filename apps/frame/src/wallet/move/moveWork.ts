import type { Vault } from '../vault.ts'
import { withWalletLock } from '../vault.ts'
import type { KeyWork } from '../worker/messages.ts'
import { createFreshWallet } from './createFreshWallet.ts'
import { dropOther, moveToOther, readPair } from './moveWallet.ts'

type MoveWork = KeyWork<'readWallets' | 'createFresh' | 'moveTo' | 'dropOther'>

/** The tasks of a move to another wallet. */
export const moveWork = (vault: Vault): MoveWork => ({
  readWallets: () =>
    withWalletLock(vault, async () => {
      const { record, other } = await readPair(vault)
      const { walletId, addresses } = record
      if (!other) return { current: { walletId, addresses } }
      const { isOlder, realm, record: held } = other
      return {
        current: { walletId, addresses },
        other: {
          walletId: other.walletId,
          realm,
          isOlder,
          ...(held && { addresses: held.addresses }),
        },
      }
    }),
  createFresh: async ({ factors }) => ({ addresses: await createFreshWallet(vault, { factors }) }),
  moveTo: async ({ walletId }) => ({ addresses: await moveToOther(vault, { walletId }) }),
  async dropOther(parameters) {
    await dropOther(vault, parameters)
    return {}
  },
})

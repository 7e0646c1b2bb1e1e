import { type Vault, withWalletLock } from '../vault.ts'
import type { KeyWork, WorkResult } from '../worker/messages.ts'
import { chooseWallet, dropOther } from './chooseWallet.ts'
import { createFreshWallet } from './createFreshWallet.ts'
import { moveToNewer } from './moveWallet.ts'
import { readPair } from './readPair.ts'

type MoveWork = KeyWork<'readWallets' | 'createFresh' | 'moveTo' | 'chooseWallet' | 'dropOther'>

/** The tasks of a move to another wallet. */
export const moveWork = (vault: Vault): MoveWork => ({
  readWallets: () => withWalletLock(vault, () => readWallets(vault)),
  async createFresh({ kit }) {
    await createFreshWallet(vault, { kit })
    return {}
  },
  moveTo: async ({ kit }) => ({ addresses: await moveToNewer(vault, { kit }) }),
  chooseWallet: async ({ realm }) => ({ addresses: await chooseWallet(vault, { realm }) }),
  dropOther: (parameters) => dropOther(vault, parameters),
})

/**
 * Hides the addresses of a newer wallet until its kit was tried and the move is signed: no one can
 * send to it too early.
 */
async function readWallets(vault: Vault): Promise<WorkResult<'readWallets'>> {
  const { durable } = vault.store
  const { record, other, move } = await readPair(vault)
  const { walletId, realm, addresses } = record
  const inUse = { walletId, realm, addresses }
  const isMoved = move !== undefined
  if (!other) return { durable, isMoved, inUse }
  const { isNewer, record: held, dropAtMs } = other
  return {
    durable,
    isMoved,
    inUse,
    other: {
      walletId: other.walletId,
      realm: other.realm,
      isNewer,
      isHeld: held !== undefined,
      ...(held && (isMoved || !isNewer) && { addresses: held.addresses }),
      ...(dropAtMs !== undefined && { dropAtMs }),
    },
  }
}

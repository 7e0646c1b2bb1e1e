import type { VaultState, WalletAddresses } from '@latchkey/wire'
import type { Vault } from '../vault.ts'
import { findMovePin, writeMovePin } from './movePin.ts'
import { isSameWallet, readSignedMove } from './signedMove.ts'

type Pinning = {
  readonly state: VaultState
  readonly walletId: string
  readonly addresses: WalletAddresses
}

/**
 * Uses the wallet of `state` in this browser, which has just been brought here. The moves from and to it that both wallets have signed
 * are known from now on, so that a wallet that was left and is brought on purpose stays in use.
 */
export async function pinWallet(vault: Vault, { state, ...wallet }: Pinning): Promise<void> {
  const { userId, realm, moves: shown = [] } = state
  // A damaged pin is replaced: what brought the wallet here vouches for it.
  const pin = await findMovePin(vault.store, userId).catch(() => undefined)
  const known = pin?.moves ?? []
  const added = shown.filter((move) => {
    const facts = readSignedMove(move, userId)
    if (!facts || known.some(({ text }) => text === move.text)) return false
    return (
      isSameWallet(facts.from, { ...wallet, realm }) || isSameWallet(facts.to, { ...wallet, realm })
    )
  })
  if (pin?.realm === realm && added.length === 0) return
  await writeMovePin(vault.store, userId, { v: 1, ...pin, realm, moves: [...known, ...added] })
}

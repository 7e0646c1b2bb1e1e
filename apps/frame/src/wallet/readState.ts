import { getWallet, type VaultState } from '@latchkey/wire'
import { followMoves } from './move/followMoves.ts'
import { quarantineError } from './openSplit.ts'
import type { Vault } from './vault.ts'
import { callVault } from './vaultServer.ts'

/**
 * The server's state of the wallet in `realm`, otherwise of the wallet in use. If that is another one than before, the wallet that
 * this browser holds must have signed so. Throws `WALLET_QUARANTINED` if it has not.
 */
export async function readState(vault: Vault, realm?: string): Promise<VaultState> {
  if (realm === undefined) {
    const state = await callVault(vault.call, getWallet, { gone: true, moves: true })
    await followMoves(vault, state)
    return state
  }
  const state = await callVault(vault.call, getWallet, { gone: true, realm })
  if (state.realm !== realm) throw quarantineError('the server shows another wallet')
  return state
}

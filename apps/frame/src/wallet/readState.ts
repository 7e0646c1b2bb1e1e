import { getWalletRoute, isError, parseMove, type VaultState } from '@latchkey/wire'
import { followMigrations } from './migration/followMigrations.ts'
import {
  findPinned,
  type MigrationPin,
  pinRealm,
  writeMigrationPin,
} from './migration/migrationPin.ts'
import { quarantineError } from './openSharedSeed.ts'
import type { WalletVault } from './vault.ts'
import { callVault } from './vaultServer.ts'
import { sameAddresses } from './walletRecord.ts'

/**
 * Reads the server's state of the wallet in `realm`, otherwise of the wallet that this browser
 * uses; in a browser without a known wallet, of the wallet that the server names. Throws
 * `WALLET_QUARANTINED` if the server shows no wallet or another wallet than the pinned one.
 */
export async function readWalletState(vault: WalletVault, realm?: string): Promise<VaultState> {
  if (realm !== undefined) return readRealm(vault, realm)
  const shown = await ask(vault, {})
  const pin = await followMigrations(vault, shown)
  if (!pin) return shown
  const state = pin.realm === shown.realm ? shown : await readRealm(vault, pin.realm)
  const pinned = findPinned(pin, pin.realm)
  const { wallet } = state
  if (!wallet) return leaveLost(vault, { userId: shown.userId, pin })
  if (pinned && (pinned.walletId !== wallet.id || !sameAddresses(pinned, wallet)))
    throw quarantineError('the server shows another wallet')
  return state
}

/** For a wallet that was left and then deleted elsewhere: uses its successor from now on. */
async function leaveLost(
  vault: WalletVault,
  { userId, pin }: { readonly userId: string; readonly pin: MigrationPin },
): Promise<VaultState> {
  const next = pin.moves
    .map(({ text }) => parseMove(text))
    .findLast(({ from }) => from.realm === pin.realm)
  if (!next) throw quarantineError('the server does not know the wallet')
  await writeMigrationPin(vault.store, userId, pinRealm(pin, next.to.realm))
  return readWalletState(vault)
}

async function readRealm(vault: WalletVault, realm: string): Promise<VaultState> {
  const state = await ask(vault, { realm })
  if (state.realm !== realm) throw quarantineError('the server shows another wallet')
  return state
}

async function ask({ call }: WalletVault, one: { readonly realm?: string }): Promise<VaultState> {
  const body = { gone: true, moves: true, ...one } as const
  try {
    return await callVault(call, getWalletRoute, { ...body, accountType: true })
  } catch (error) {
    // An older server does not support this parameter.
    if (!isError(error, 'INVALID_PARAMS')) throw error
    return callVault(call, getWalletRoute, body)
  }
}

import { isError, type VaultState } from '@latchkey/wire'
import { finishKeyChange, isGone } from './commitKeyChange.ts'
import { pinUsed } from './migration/migrationPin.ts'
import { quarantineError } from './openSharedSeed.ts'
import { promote } from './openWallet.ts'
import { readWalletState } from './readState.ts'
import type { WalletVault } from './vault.ts'
import {
  deleteRecord,
  readRecord,
  sameAddresses,
  type WalletRecord,
  writeRecord,
} from './walletRecord.ts'

/**
 * The state of the server and this browser, after an interrupted change was finished or dropped.
 */
export type ResumedState = { readonly state: VaultState; readonly record: WalletRecord | undefined }

/**
 * Finishes or drops an interrupted change of the wallet in `realm`, otherwise of the one in use.
 * Throws `WALLET_QUARANTINED` if the server has lost a wallet that this browser has used, or names
 * another one: neither is ever replaced automatically.
 */
export async function resumeKeyChange(vault: WalletVault, realm?: string): Promise<ResumedState> {
  const settled = await settle(vault, realm)
  if (realm === undefined) await pinUsed(vault.store, settled.state.userId)
  return settled
}

async function settle(vault: WalletVault, realm: string | undefined): Promise<ResumedState> {
  const state = await readWalletState(vault, realm)
  const record = await readRecord(vault.store, state)
  if (!record) return { state, record }
  const { wallet } = state
  if (record.current && !wallet) throw quarantineError('the server does not know the wallet')
  if (wallet && wallet.id === record.walletId && !sameAddresses(record, wallet))
    throw quarantineError('the server shows other addresses')
  if (wallet && wallet.id !== record.walletId) {
    if (record.current) throw quarantineError('the server shows another wallet')
    // Never committed and never shown, because another browser was faster.
    await deleteRecord(vault.store, state)
    return { state, record: undefined }
  }
  if (!record.next) return { state, record }
  if (wallet?.slot?.changeId === record.next.changeId)
    return { state, record: await promote(vault, record) }
  try {
    return { state: await after(vault, state), record: await readRecord(vault.store, state) }
  } catch (error) {
    // It was not committed, so its address was never shown.
    if (!isGone(error) && !isError(error, 'WALLET_QUARANTINED')) throw error
    return { state, record: await dropNext(vault, record) }
  }
}

async function after(vault: WalletVault, state: VaultState): Promise<VaultState> {
  await finishKeyChange(vault, state)
  return readWalletState(vault, state.realm)
}

async function dropNext(
  vault: WalletVault,
  record: WalletRecord,
): Promise<WalletRecord | undefined> {
  const { next: _, ...rest } = record
  if (rest.current) {
    await writeRecord(vault.store, rest)
    return rest
  }
  await deleteRecord(vault.store, record)
  return undefined
}

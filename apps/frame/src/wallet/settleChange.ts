import { isError, type VaultState } from '@latchkey/wire'
import { finishChange, isGone } from './installChange.ts'
import { pinUsed } from './move/movePin.ts'
import { quarantineError } from './openSplit.ts'
import { promote } from './openWallet.ts'
import { readState } from './readState.ts'
import type { Vault } from './vault.ts'
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
export type SettledState = { readonly state: VaultState; readonly record: WalletRecord | undefined }

/**
 * Finishes or drops an interrupted change of the wallet in `realm`, otherwise of the one in use.
 * Throws `WALLET_QUARANTINED` if the server has lost a wallet that this browser has used, or names
 * another one: neither is ever replaced automatically.
 */
export async function settleChange(vault: Vault, realm?: string): Promise<SettledState> {
  const settled = await settle(vault, realm)
  if (realm === undefined) await pinUsed(vault.store, settled.state.userId)
  return settled
}

async function settle(vault: Vault, realm: string | undefined): Promise<SettledState> {
  const state = await readState(vault, realm)
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

async function after(vault: Vault, state: VaultState): Promise<VaultState> {
  await finishChange(vault, state)
  return readState(vault, state.realm)
}

async function dropNext(vault: Vault, record: WalletRecord): Promise<WalletRecord | undefined> {
  const { next: _, ...rest } = record
  if (rest.current) {
    await writeRecord(vault.store, rest)
    return rest
  }
  await deleteRecord(vault.store, record)
  return undefined
}

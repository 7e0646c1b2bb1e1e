import { isNewerRealm, LatchkeyError, type MoveFacts, type VaultState } from '@latchkey/wire'
import { resumeKeyChange } from '../resumeKeyChange.ts'
import type { WalletVault } from '../vault.ts'
import { deleteRecord, findRecord, sameAddresses, type WalletRecord } from '../walletRecord.ts'
import { findMigrationPin, type MigrationPin } from './migrationPin.ts'
import { isSameWallet, readSignedMigration } from './signedMigration.ts'

/**
 * The user's wallets in this browser. Only the server reports that a second wallet exists;
 * everything else is pinned or signed.
 */
export type WalletPair = {
  readonly state: VaultState
  readonly pin: MigrationPin
  /** The record of the wallet that this browser uses. */
  readonly record: WalletRecord
  readonly other?: {
    readonly walletId: string
    readonly realm: string
    readonly isNewer: boolean
    /** Absent if this browser does not hold it. */
    readonly record?: WalletRecord
    readonly dropAtMs?: number | undefined
  }
  /** The move from the older to the newer one, if both have signed it. */
  readonly move?: NonNullable<VaultState['moves']>[number]
}

/**
 * Reads both wallets, and finishes or drops an interrupted change of either. Throws
 * `WALLET_NOT_ENROLLED` if this browser does not hold the wallet that it uses.
 */
export async function readWalletPair(vault: WalletVault): Promise<WalletPair> {
  const { state, record } = await resumeKeyChange(vault)
  const { userId, wallet } = state
  const pin = await findMigrationPin(vault.store, userId)
  if (!pin || !record?.current || !wallet?.slot) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  if (!state.other) return { state, pin, record }
  const { id: walletId, realm, dropAtMs } = state.other
  const held = await settleOther(vault, state)
  const isNewer = isNewerRealm(realm, record.realm)
  const other = { walletId, realm, isNewer, dropAtMs, ...(held && { record: held }) }
  // A wallet that this browser holds is pinned. Otherwise the server reports which wallet it is,
  // and the move that both wallets have signed must match.
  const its = held ?? { walletId, realm, addresses: state.other.addresses }
  const move = findMove({ state, pin, record, its, isNewer })
  return { state, pin, record, other, ...(move && { move }) }
}

/** The record of the other wallet, if this browser holds it. */
async function settleOther(
  vault: WalletVault,
  { userId, other }: VaultState,
): Promise<WalletRecord | undefined> {
  if (!other) return undefined
  const owner = { userId, realm: other.realm }
  const found = await findRecord(vault.store, owner)
  if (!found) return undefined
  if (found.walletId !== other.id) {
    // Never committed and never shown, because another browser was faster.
    if (!found.current) await deleteRecord(vault.store, owner)
    return undefined
  }
  const record = found.next ? (await resumeKeyChange(vault, other.realm)).record : found
  return record?.current && other.isHeld && sameAddresses(record, other) ? record : undefined
}

type Finding = Pick<WalletPair, 'state' | 'pin' | 'record'> & {
  readonly its: MoveFacts['to']
  readonly isNewer: boolean
}

function findMove({ state, pin, record, its, isNewer }: Finding): WalletPair['move'] {
  return [...pin.moves, ...(state.moves ?? [])].find((move) => {
    const facts = readSignedMigration(move, state.userId)
    if (!facts) return false
    const [own, other] = isNewer ? [facts.from, facts.to] : [facts.to, facts.from]
    return isSameWallet(own, record) && isSameWallet(other, its)
  })
}

import {
  dropWallet,
  LatchkeyError,
  moveFacts,
  moveWallet,
  type VaultState,
  type WalletAddresses,
} from '@latchkey/wire'
import { signDigest } from '../crypto/digests.ts'
import { openWallet } from '../openWallet.ts'
import { forgetPin } from '../readFacts.ts'
import { readState } from '../readState.ts'
import { type Vault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { deleteRecord, readRecord, sameAddresses, type WalletRecord } from '../walletRecord.ts'
import { readMovePin, writeMovePin } from './movePin.ts'
import { moveDigest } from './signedMove.ts'

/** The two wallets as this browser knows them. Nothing in it is only the server's word. */
export type WalletPair = {
  readonly state: VaultState
  readonly record: WalletRecord
  /** The one that is not in use. */
  readonly other?: {
    readonly isOlder: boolean
    readonly walletId: string
    readonly realm: string
    /** Absent if this browser does not hold it. */
    readonly record?: WalletRecord
  }
}

/** Reads both wallets. Throws `WALLET_NOT_ENROLLED` if this browser does not hold the one in use. */
export async function readPair(vault: Vault): Promise<WalletPair> {
  const state = await readState(vault)
  const { userId, wallet, other } = state
  const record = await readRecord(vault.store, state)
  if (!record?.current || wallet?.id !== record.walletId || !wallet.slot)
    throw new LatchkeyError('WALLET_NOT_ENROLLED')
  if (!other) return { state, record }
  const { id: walletId, realm, isOlder } = other
  const held = await readRecord(vault.store, { userId, realm })
  const isHeld =
    other.isHeld &&
    held?.current !== undefined &&
    held.walletId === walletId &&
    sameAddresses(held, other)
  return { state, record, other: { isOlder, walletId, realm, ...(isHeld && { record: held }) } }
}

/**
 * Uses the other wallet from now on, which this browser must hold: both sign the move. If that has happened already, changes
 * nothing. Throws `WALLET_CHANGED` if there is no such wallet, `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`.
 */
export const moveToOther = (
  vault: Vault,
  { walletId }: { readonly walletId: string },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const { state, record, other } = await readPair(vault)
    if (record.walletId === walletId) return record.addresses
    if (other?.walletId !== walletId) throw new LatchkeyError('WALLET_CHANGED')
    const target = other.record
    if (!target) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    const { userId } = state
    const pin = await readMovePin(vault.store, userId)
    const number = Math.max(pin.number, readLastNumber(state)) + 1
    const { realm, addresses } = target
    const text = JSON.stringify(
      moveFacts.parse({
        v: 1,
        userId,
        number,
        from: {
          walletId: record.walletId,
          realm: record.realm,
          eip155: record.addresses.eip155,
        },
        to: { walletId, realm, addresses },
      }),
    )
    const sign = (from: WalletRecord) =>
      openWallet(vault, { ...state, realm: from.realm }, ({ keys }) =>
        signDigest(moveDigest(text), keys.eip155),
      )
    const move = { text, signature: await sign(record), toSignature: await sign(target) }
    await callVault(vault.call, moveWallet, { move })
    await writeMovePin(vault.store, userId, { realm, number, follows: { walletId, addresses } })
    return addresses
  })

/** The server refuses a number that is not the next, so its word is enough here. */
function readLastNumber({ moves = [] }: VaultState): number {
  const numbers = moves.map(({ text }) => moveFacts.parse(JSON.parse(text)).number)
  return Math.max(0, ...numbers)
}

/**
 * Deletes the wallet that is not in use, at the server and then here. Repeating it changes nothing. Throws `WALLET_CHANGED` for the
 * wallet in use, `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`.
 */
export const dropOther = (
  vault: Vault,
  { walletId, realm }: { readonly walletId: string; readonly realm: string },
): Promise<void> =>
  withWalletLock(vault, async () => {
    const { state } = await readPair(vault)
    const { userId } = state
    await callVault(vault.call, dropWallet, { walletId, confirm: 'drop this wallet' })
    const pin = await readMovePin(vault.store, userId)
    if (pin.realm === realm) throw new LatchkeyError('WALLET_CHANGED')
    await deleteRecord(vault.store, { userId, realm })
    await forgetPin(vault, walletId)
    const { next, ...rest } = pin
    if (next === realm) await writeMovePin(vault.store, userId, rest)
  })

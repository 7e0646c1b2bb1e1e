import { LatchkeyError, type MoveFacts, parseMove, type WalletAddresses } from '@latchkey/wire'
import { addHeld, findMigrationPin, findSides } from '../migration/migrationPin.ts'
import { isSameWallet } from '../migration/signedMigration.ts'
import type { WalletVault } from '../vault.ts'
import { findRecord } from '../walletRecord.ts'

type PinnedWalletParameters = {
  readonly userId: string
  readonly realm: string
  /** The wallet that the server shows in the realm, once it was read. */
  readonly wallet?: { readonly walletId: string; readonly addresses: WalletAddresses }
}

/**
 * Email and the operator vouch for no wallet. A browser that knows any of the user's wallets
 * recovers in this way only a wallet that it has pinned, at the same addresses: a wallet that it
 * holds or has used, even if it has lost all records since, or the wallet that the wallet in use
 * was moved from. Otherwise a server could name an attacker's wallet. Throws `RECOVERY_FAILED`.
 */
export async function requirePinned(
  { store }: WalletVault,
  { userId, realm, wallet }: PinnedWalletParameters,
): Promise<void> {
  const pin = await findMigrationPin(store, userId).catch(() => 'damaged' as const)
  if (pin === undefined) return
  const record = await findRecord(store, { userId, realm })
  if (record?.current) return
  if (pin !== 'damaged') {
    const { used = [], moves } = await addHeld(store, userId, pin)
    const named = findSides(pin).findLast((side) => side.realm === pin.realm)
    // The browser holds no wallet and was interrupted when it brought its first wallet.
    const known = used.length === 0 && named ? [named] : used
    // An earlier frame has stored only the name, and the record is lost.
    if (known.length === 0 && realm === pin.realm) return
    const current = known.find((one) => one.realm === pin.realm)
    const left = moves
      .map(({ text }) => parseMove(text))
      .filter(({ to }) => current && isSameWallet(to, current))
      .map(({ from }) => from)
    const isAsked = (one: MoveFacts['to']) =>
      one.realm === realm && (!wallet || isSameWallet(one, { ...wallet, realm }))
    if ([...known, ...left].some(isAsked)) return
  }
  throw new LatchkeyError('RECOVERY_FAILED', {
    data: {
      reason:
        'this browser knows another wallet of this account, so email does not bring this one. Use its kit, its passkey or another device, or a browser that has never held this account',
    },
  })
}

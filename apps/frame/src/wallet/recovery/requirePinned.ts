import { LatchkeyError, parseMove, type WalletAddresses } from '@latchkey/wire'
import { findMovePin } from '../move/movePin.ts'
import { isSameWallet } from '../move/signedMove.ts'
import type { Vault } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'

type Asked = {
  readonly userId: string
  readonly realm: string
  /** What the server shows there, once it was read. */
  readonly wallet?: { readonly walletId: string; readonly addresses: WalletAddresses }
}

/**
 * E-mail and the operator vouch for no wallet. A browser that knows one of the user's wallets recovers in this way only what it has pinned: a
 * wallet that it holds, or the one that the wallet in use was moved from. Otherwise a server could name a wallet of somebody else. Throws
 * `RECOVERY_FAILED`.
 */
export async function requirePinned(
  { store }: Vault,
  { userId, realm, wallet }: Asked,
): Promise<void> {
  const pin = await findMovePin(store, userId).catch(() => 'damaged' as const)
  if (pin === undefined) return
  if ((await readRecord(store, { userId, realm }))?.current) return
  const own = pin !== 'damaged' && (await readRecord(store, { userId, realm: pin.realm }))
  if (pin !== 'damaged' && own && own.current)
    for (const { text } of pin.moves) {
      const { from, to } = parseMove(text)
      if (!isSameWallet(to, own) || from.realm !== realm) continue
      if (!wallet || isSameWallet(from, { ...wallet, realm })) return
    }
  throw new LatchkeyError('RECOVERY_FAILED', {
    data: {
      reason:
        'this browser knows another wallet of this account, so e-mail does not bring this one. Use its kit, its passkey or another device',
    },
  })
}

import { LatchkeyError, type MoveFacts, parseMove, type WalletAddresses } from '@latchkey/wire'
import { findMovePin, findTarget } from '../move/movePin.ts'
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
 * wallet that it holds, or the one that the wallet in use was moved from. One that has lost all it held recovers the pinned wallet too.
 * Otherwise a server could name a wallet of somebody else. Throws `RECOVERY_FAILED`.
 */
export async function requirePinned(
  { store }: Vault,
  { userId, realm, wallet }: Asked,
): Promise<void> {
  const pin = await findMovePin(store, userId).catch(() => 'damaged' as const)
  if (pin === undefined) return
  const find = async (one: string) => {
    const record = await readRecord(store, { userId, realm: one })
    return record?.current && record
  }
  if (await find(realm)) return
  if (pin !== 'damaged') {
    const moves = pin.moves.map(({ text }) => parseMove(text))
    const realms = ['main', pin.realm, ...moves.flatMap(({ from, to }) => [from.realm, to.realm])]
    const held = (await Promise.all(realms.map(find))).filter((one) => one !== undefined)
    const target = findTarget(pin, pin.realm)
    const used = held.length > 0 ? await find(pin.realm) : target
    const isShown = (one: MoveFacts['to']) => !wallet || isSameWallet(one, { ...wallet, realm })
    const isLeft = moves.some(
      ({ from, to }) => used && isSameWallet(to, used) && from.realm === realm && isShown(from),
    )
    const isLost = held.length === 0 && realm === pin.realm && (!target || isShown(target))
    if (isLeft || isLost) return
  }
  throw new LatchkeyError('RECOVERY_FAILED', {
    data: {
      reason:
        'this browser knows another wallet of this account, so e-mail does not bring this one. Use its kit, its passkey or another device, or a browser that has never held this account',
    },
  })
}

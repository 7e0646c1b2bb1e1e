import type { VaultState } from '@latchkey/wire'
import type { Db } from '../vault.ts'
import { findSlot, type WalletRow } from '../wallet/findWallet.ts'

const maxMoves = 50

type Reading = { readonly wallet: WalletRow; readonly deviceId: string }

/** The wallet that is not in use, and of each wallet that was left the last move. Both are absent if there is none. */
export async function readMoves(
  db: Db,
  { wallet, deviceId }: Reading,
): Promise<Pick<VaultState, 'moves' | 'other'>> {
  const [rows, other] = await Promise.all([
    db
      .selectFrom('wallet_moves')
      .select('body')
      .where('user_id', '=', wallet.user_id)
      .orderBy('number', 'desc')
      .limit(maxMoves)
      .execute(),
    db
      .selectFrom('wallets')
      .selectAll()
      .where('user_id', '=', wallet.user_id)
      .where('place', '=', 'other')
      .executeTakeFirst(),
  ])
  const slot = other && (await findSlot(db, { walletId: other.id, slot: deviceId }))
  return {
    ...(rows.length > 0 && { moves: rows.map(({ body }) => body) }),
    ...(other && {
      other: {
        id: other.id,
        realm: other.realm,
        addresses: { eip155: other.eip155, solana: other.solana },
        isHeld: slot !== undefined,
        isOlder: other.created_at < wallet.created_at,
      },
    }),
  }
}

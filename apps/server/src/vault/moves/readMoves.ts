import type { VaultState } from '@latchkey/wire'
import type { Db } from '../vault.ts'
import { findSlot } from '../wallet/findWallet.ts'

const maxMoves = 50

type Reading = {
  readonly userId: string
  readonly deviceId: string
  /** The realm of the wallet that the response is about. */
  readonly realm: string
}

/**
 * The user's other wallet, and for each wallet that was left the move away from it. Both are absent
 * if they do not exist.
 */
export async function readMoves(
  db: Db,
  { userId, deviceId, realm }: Reading,
): Promise<Pick<VaultState, 'moves' | 'other'>> {
  const rows = await db
    .selectFrom('wallet_moves')
    .select('body')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(maxMoves)
    .execute()
  const other = await db
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('realm', '!=', realm)
    .executeTakeFirst()
  const slot = other && (await findSlot(db, { walletId: other.id, slot: deviceId }))
  return {
    ...(rows.length > 0 && { moves: rows.map(({ body }) => body) }),
    ...(other && {
      other: {
        id: other.id,
        realm: other.realm,
        addresses: { eip155: other.eip155, solana: other.solana },
        isHeld: slot !== undefined,
        ...(other.drop_at && { dropAtMs: other.drop_at.getTime() }),
      },
    }),
  }
}

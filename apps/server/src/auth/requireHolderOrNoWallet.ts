import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Session } from './session/session.ts'

/**
 * If there is a wallet, requires a device that holds it, so that a login by e-mail alone cannot take anything away from the
 * owner. Throws `WALLET_NOT_ENROLLED`.
 */
export async function requireHolderOrNoWallet(
  db: Kysely<Database>,
  { userId, deviceId }: Pick<Session, 'userId' | 'deviceId'>,
): Promise<void> {
  const wallet = await db
    .selectFrom('wallets')
    .leftJoin('wallet_slots', (join) =>
      join
        .onRef('wallet_slots.wallet_id', '=', 'wallets.id')
        .on('wallet_slots.slot', '=', deviceId),
    )
    .select('wallet_slots.slot')
    .where('wallets.user_id', '=', userId)
    .executeTakeFirst()
  if (wallet && wallet.slot === null) throw new LatchkeyError('WALLET_NOT_ENROLLED')
}

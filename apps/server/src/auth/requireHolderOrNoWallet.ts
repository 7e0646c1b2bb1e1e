import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Session } from './session/session.ts'

/**
 * Where there is a wallet, only a device that holds it may go on: a login by e-mail alone takes nothing away from its owner.
 * Throws `WALLET_NOT_ENROLLED`.
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

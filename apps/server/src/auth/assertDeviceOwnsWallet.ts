import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { StoredLogin } from './session/session.ts'

/**
 * If the user has a wallet, requires a device that holds the wallet in use, so that a login by
 * email alone cannot take anything away from the owner. An action that names a wallet (`export ID`)
 * requires a holder of that wallet. An action that a wallet approves (`allow ID`) requires a holder
 * of any wallet of the user. Throws `WALLET_NOT_ENROLLED`.
 */
export async function assertDeviceOwnsWallet(
  db: Kysely<Database>,
  { userId, deviceId }: Pick<StoredLogin, 'userId' | 'deviceId'>,
  action?: string | null | undefined,
): Promise<void> {
  const wallets = await db
    .selectFrom('wallets')
    .leftJoin('wallet_slots', (join) =>
      join
        .onRef('wallet_slots.wallet_id', '=', 'wallets.id')
        .on('wallet_slots.slot', '=', deviceId),
    )
    .select(['wallets.id', 'wallets.place', 'wallet_slots.slot'])
    .where('wallets.user_id', '=', userId)
    .execute()
  const [verb, id] = (action ?? '').split(' ')
  const isMeant = (wallet: (typeof wallets)[number]) => {
    if (verb === 'allow') return true
    return verb === 'export' && id !== undefined ? wallet.id === id : wallet.place === 'current'
  }
  const holds = wallets.some((wallet) => isMeant(wallet) && wallet.slot !== null)
  if (wallets.length > 0 && !holds) throw new LatchkeyError('WALLET_NOT_ENROLLED')
}

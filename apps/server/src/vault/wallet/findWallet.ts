import { type Db, realm } from '../vault.ts'

/** The wallet of a user, if there is one. */
export const findWallet = (db: Db, userId: string) =>
  db
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('realm', '=', realm)
    .executeTakeFirst()

/** A wallet as stored. */
export type WalletRow = NonNullable<Awaited<ReturnType<typeof findWallet>>>

/** The part of a wallet that the server holds for one device, or for recovery. */
export const findSlot = (
  db: Db,
  { walletId, slot }: { readonly walletId: string; readonly slot: string },
) =>
  db
    .selectFrom('wallet_slots')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .where('slot', '=', slot)
    .executeTakeFirst()

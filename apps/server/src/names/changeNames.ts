import { type ChainId, fromCoinType } from '@latchkey/wire'
import { sql, type Transaction } from 'kysely'
import { hexToBytes } from 'viem/utils'
import type { Database } from '../db/database.ts'
import type { Hex } from '../evm/hex.ts'
import { type Failure, HttpFailure } from '../http/failure.ts'
import { notOwner, taken, tooManyNames, usedMessage } from './changeFailures.ts'
import { getSkeleton } from './looks.ts'
import { messageLifetimeMs } from './nameMessages.ts'
import { type NameStore, readOne, type StoredName } from './nameStore.ts'
import type { ParsedName } from './parseName.ts'

/**
 * How long only the last owner can register a released name again, so that no one else soon
 * receives payments that were meant for the last owner.
 */
const quarantineMs = 90 * 24 * 3_600_000
/**
 * The most names that one account may have signed for. Names that others gave to it do not count,
 * because otherwise anyone could use up the limit.
 */
const maxNames = 10

/**
 * A change whose signature was verified: the signer, and the hash that makes it usable only once.
 */
export type VerifiedChange = { readonly signer: Hex; readonly hash: Buffer }

/** A refused change. It is returned from the transaction, because the message counts as used. */
type Refused = { readonly failure: Failure }

function orThrow(result: StoredName | Refused): StoredName {
  if ('failure' in result) throw new HttpFailure(result.failure)
  return result
}

/**
 * Registers a name for the signer. Throws {@link HttpFailure} if the message was used before, if
 * the account has enough names, or if the name or a similar-looking name is registered or was
 * released a short time ago.
 */
export async function insertName(
  store: NameStore,
  { label, name, zone }: ParsedName,
  {
    attributes,
    coinTypes,
    ownerChain,
    change,
  }: {
    readonly attributes: Readonly<Record<string, string>>
    readonly coinTypes: readonly number[]
    readonly ownerChain: ChainId
    readonly change: VerifiedChange
  },
): Promise<StoredName> {
  const now = new Date(store.clock())
  const owner = toBytes(change.signer)
  const result = await store.db
    .transaction()
    .execute(async (trx): Promise<StoredName | Refused> => {
      await lockNames(trx, change)
      if (!(await takeMessage(store, trx, change))) return { failure: usedMessage }
      if (await isFull(trx, owner)) return { failure: tooManyNames }
      const skeleton = getSkeleton(label)
      await trx
        .deleteFrom('names')
        .where('zone', '=', zone)
        .where('skeleton', '=', skeleton)
        .where('released_at', 'is not', null)
        .where(({ or, eb }) =>
          or([
            eb('released_at', '<', new Date(now.getTime() - quarantineMs)),
            eb('owner', '=', owner),
          ]),
        )
        .execute()
      const inserted = await trx
        .insertInto('names')
        .values({
          name,
          zone,
          skeleton,
          owner,
          owner_chain: ownerChain,
          confirmed: true,
          attributes: JSON.stringify(attributes),
          registered_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('name')
        .executeTakeFirst()
      if (inserted === undefined) return { failure: taken }
      const rows = coinTypes.map((coin_type) => ({
        name,
        coin_type,
        address: owner,
        created_at: now,
      }))
      await trx.insertInto('name_addresses').values(rows).execute()
      return readOne(trx, name)
    })
  return orThrow(result)
}

/** The effect of a change on the row of a name. */
export type NameUpdate =
  | { readonly attributes: Readonly<Record<string, string>> }
  | { readonly coinType: number; readonly address: Hex }
  | { readonly to: Hex; readonly coinType: number }
  | { readonly primary: true }
  | { readonly release: true }

/**
 * Changes a name whose owner signed; any change but a transfer confirms that the name belongs to
 * the signer. A transfer replaces all addresses by the new owner's address on one network. Throws
 * {@link HttpFailure} if the message was used before, if the signer no longer owns the name, or if
 * the change would confirm the name and the account has enough names.
 */
export async function updateName(
  store: NameStore,
  {
    name,
    update,
    change,
  }: { readonly name: string; readonly update: NameUpdate; readonly change: VerifiedChange },
): Promise<StoredName> {
  const now = new Date(store.clock())
  const owner = toBytes(change.signer)
  const keeps = !('to' in update || 'release' in update)
  const result = await store.db
    .transaction()
    .execute(async (trx): Promise<StoredName | Refused> => {
      await lockNames(trx, change)
      if (!(await takeMessage(store, trx, change))) return { failure: usedMessage }
      if (keeps && (await isGiven(trx, name)) && (await isFull(trx, owner)))
        return { failure: tooManyNames }
      const updated = await trx
        .updateTable('names')
        .set({
          updated_at: now,
          confirmed: !('to' in update),
          ...('attributes' in update && { attributes: JSON.stringify(update.attributes) }),
          ...('to' in update && {
            owner: toBytes(update.to),
            owner_chain: `eip155:${fromCoinType(update.coinType)}`,
            attributes: '{}',
            primary_at: null,
          }),
          ...('primary' in update && { primary_at: now }),
          ...('release' in update && { released_at: now }),
        })
        .where('name', '=', name)
        .where('owner', '=', owner)
        .where('released_at', 'is', null)
        .returning('name')
        .executeTakeFirst()
      if (updated === undefined) return { failure: notOwner }
      const address = getNewAddress(update)
      if (!keeps) await trx.deleteFrom('name_addresses').where('name', '=', name).execute()
      if (address) {
        const row = {
          name,
          coin_type: address.coinType,
          address: toBytes(address.address),
          created_at: now,
        }
        await trx
          .insertInto('name_addresses')
          .values(row)
          .onConflict((conflict) => conflict.columns(['name', 'coin_type']).doUpdateSet(row))
          .execute()
      }
      return readOne(trx, name)
    })
  return orThrow(result)
}

function getNewAddress(update: NameUpdate) {
  if ('address' in update) return update
  return 'to' in update ? { coinType: update.coinType, address: update.to } : undefined
}

/**
 * Serializes the changes of one account, so that two changes cannot both add the last name it may
 * have.
 */
const lockNames = (trx: Transaction<Database>, { signer }: VerifiedChange) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`name ${signer}`}, 0))`.execute(trx)

/** Whether the owner of a name has not signed for it yet. */
async function isGiven(trx: Transaction<Database>, name: string): Promise<boolean> {
  const row = await trx
    .selectFrom('names')
    .select('name')
    .where('name', '=', name)
    .where('confirmed', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account has as many names as it may have. */
async function isFull(trx: Transaction<Database>, owner: Buffer): Promise<boolean> {
  const { count } = await trx
    .selectFrom('names')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('owner', '=', owner)
    .where('confirmed', '=', true)
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count) >= maxNames
}

/** Deletes used messages that are too old to be used again anyway. */
export async function sweepNames({ db, clock }: NameStore): Promise<void> {
  await db.deleteFrom('name_messages').where('expires_at', '<=', new Date(clock())).execute()
}

/** Marks a message as used; false if it was already. */
async function takeMessage(
  { clock }: NameStore,
  trx: Transaction<Database>,
  { hash }: VerifiedChange,
): Promise<boolean> {
  const taken = await trx
    .insertInto('name_messages')
    .values({ hash, expires_at: new Date(clock() + messageLifetimeMs) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

const toBytes = (address: Hex) => Buffer.from(hexToBytes(address))

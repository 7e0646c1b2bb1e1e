import {
  type ChainId,
  etherCoinType,
  fromCoinType,
  type NameRecord,
  toCoinType,
} from '@latchkey/wire'
import { type Kysely, sql, type Transaction } from 'kysely'
import { bytesToHex, getAddress, hexToBytes } from 'viem/utils'
import type { Database } from '../db/database.ts'
import { parseAddress } from '../evm/address.ts'
import { getChainReference } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { getSkeleton } from './looks.ts'
import { messageLifetimeMs } from './nameMessages.ts'
import type { ParsedName } from './parseName.ts'

/** A registered name and who may change it. `owner` is in lower case; a contract owns it on `ownerChain` only. */
export type StoredName = NameRecord & {
  readonly owner: Hex
  readonly ownerChain: ChainId
  readonly confirmed: boolean
}

/** Where names are kept. */
export type NameStore = { readonly db: Kysely<Database>; readonly clock: () => number }

/** How long only the last owner can have a released name again, so that nobody else soon gets what was meant for them. */
const quarantineMs = 90 * 24 * 3_600_000
/** Names of one account. */
const maxNames = 10

/** Finds a registered name, in lower case. */
export async function findName({ db }: NameStore, name: string): Promise<StoredName | undefined> {
  const [found] = await readNames(db, sql`name = ${name} and released_at is null`)
  return found
}

/** The names of an account in lower case, oldest first; those it has signed for, or `all` that are its own. */
export async function findNames(
  { db }: NameStore,
  { owner, all }: { readonly owner: Hex; readonly all: boolean },
): Promise<StoredName[]> {
  const bytes = Buffer.from(hexToBytes(owner))
  const which = all ? sql`true` : sql`confirmed`
  return readNames(db, sql`owner = ${bytes} and released_at is null and ${which}`)
}

/** The address that a name has on a network: its own there, or that of Ethereum. In lower case. */
export function getNameAddress(
  { addresses }: Pick<StoredName, 'addresses'>,
  chainId: ChainId = 'eip155:1',
): Hex | undefined {
  const coinType = toCoinType(Number(getChainReference(chainId)))
  const found = addresses[coinType] ?? addresses[etherCoinType]
  return parseAddress(found?.address)
}

/** Those of `names` that cannot be registered any more, because they or others that look alike are. */
export async function findTaken(
  { db }: NameStore,
  { zone, labels }: { readonly zone: string; readonly labels: readonly string[] },
): Promise<Set<string>> {
  const skeletons = labels.map(getSkeleton)
  const rows = await db
    .selectFrom('names')
    .select('skeleton')
    .where('zone', '=', zone)
    .where('skeleton', 'in', skeletons)
    .execute()
  const taken = new Set(rows.map(({ skeleton }) => skeleton))
  return new Set(labels.filter((label) => taken.has(getSkeleton(label))))
}

/** A change whose signature was verified: who signed, and the hash by which it is used once. */
export type VerifiedChange = { readonly signer: Hex; readonly hash: Buffer }

/**
 * Registers a name for who signed. Says why not: `taken` (also by one that looks alike, or released a short time ago), `full`
 * (the account has enough), `used` (the message was).
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
): Promise<StoredName | 'taken' | 'full' | 'used'> {
  const now = new Date(store.clock())
  const owner = Buffer.from(hexToBytes(change.signer))
  return store.db.transaction().execute(async (trx) => {
    // One at a time for each account, so that two requests cannot both be its last name.
    const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`name ${change.signer}`}, 0))`
    await lock.execute(trx)
    if (!(await takeMessage(store, trx, change))) return 'used'
    const { count } = await trx
      .selectFrom('names')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('owner', '=', owner)
      .where('released_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= maxNames) return 'full'
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
    if (inserted === undefined) return 'taken'
    const rows = coinTypes.map((coin_type) => ({
      name,
      coin_type,
      address: owner,
      created_at: now,
    }))
    await trx.insertInto('name_addresses').values(rows).execute()
    return readOne(trx, name)
  })
}

/** What a change does to the row of a name. */
export type NameUpdate =
  | { readonly attributes: Readonly<Record<string, string>> }
  | { readonly coinType: number; readonly address: Hex }
  | { readonly to: Hex; readonly coinType: number }
  | { readonly release: true }

/**
 * Changes a name whose owner signed; any change but a transfer confirms that the name is theirs. A transfer replaces all
 * addresses by the new owner's on one network. Says why not: `used`, or `lost` (no longer the signer's).
 */
export async function updateName(
  store: NameStore,
  {
    name,
    update,
    change,
  }: { readonly name: string; readonly update: NameUpdate; readonly change: VerifiedChange },
): Promise<StoredName | 'used' | 'lost'> {
  const now = new Date(store.clock())
  return store.db.transaction().execute(async (trx) => {
    if (!(await takeMessage(store, trx, change))) return 'used'
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
        }),
        ...('release' in update && { released_at: now }),
      })
      .where('name', '=', name)
      .where('owner', '=', toBytes(change.signer))
      .where('released_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (updated === undefined) return 'lost'
    const address = getNewAddress(update)
    if ('to' in update || 'release' in update)
      await trx.deleteFrom('name_addresses').where('name', '=', name).execute()
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
}

function getNewAddress(update: NameUpdate) {
  if ('address' in update) return update
  return 'to' in update ? { coinType: update.coinType, address: update.to } : undefined
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

async function readOne(db: Kysely<Database>, name: string): Promise<StoredName> {
  const [found] = await readNames(db, sql`name = ${name}`)
  if (found === undefined) throw new Error(`${name} is gone`)
  return found
}

type Row = {
  readonly name: string
  readonly owner: Buffer
  readonly owner_chain: ChainId
  readonly confirmed: boolean
  readonly attributes: Record<string, string>
  readonly registered_at: Date
  readonly updated_at: Date
  readonly addresses: readonly { coin_type: number; address: string; created_at: string }[]
}

/** Names with their addresses in one statement, oldest first. */
async function readNames(db: Kysely<Database>, where: ReturnType<typeof sql>) {
  const { rows } = await sql<Row>`
    select name, owner, owner_chain, confirmed, attributes, registered_at, updated_at,
      coalesce((
        select json_agg(json_build_object('coin_type', coin_type, 'address', encode(address, 'hex'),
          'created_at', created_at) order by coin_type)
        from name_addresses where name_addresses.name = names.name
      ), '[]') as addresses
    from names where ${where} order by registered_at, name limit 100`.execute(db)
  return rows.map(toStoredName)
}

function toStoredName(row: Row): StoredName {
  const addresses = row.addresses.map(({ coin_type, address, created_at }) => {
    const created = new Date(created_at).toISOString()
    const record = { address: getAddress(`0x${address}`), created_at: created, created }
    return [String(coin_type), record] as const
  })
  return {
    name: row.name,
    registered_at: row.registered_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    attributes: row.attributes,
    addresses: Object.fromEntries(addresses),
    owner: bytesToHex(row.owner),
    ownerChain: row.owner_chain,
    confirmed: row.confirmed,
  }
}

const toBytes = (address: Hex) => Buffer.from(hexToBytes(address))

import { type ChainId, etherCoinType, type NameRecord, toCoinType } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import { bytesToHex, getAddress, hexToBytes } from 'viem/utils'
import type { Database } from '../db/database.ts'
import { parseAddress } from '../evm/address.ts'
import { getChainReference } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { getSkeleton } from './looks.ts'

/**
 * A registered name and who may change it. `owner` is in lower case; a contract owns it on
 * `ownerChain` only.
 */
export type StoredName = NameRecord & {
  readonly owner: Hex
  readonly ownerChain: ChainId
  readonly confirmed: boolean
}

/** The store of names. */
export type NameStore = { readonly db: Kysely<Database>; readonly clock: () => number }

/** Finds a registered name, in lower case. */
export async function findName({ db }: NameStore, name: string): Promise<StoredName | undefined> {
  const [found] = await readNames(db, sql`name = ${name} and released_at is null`)
  return found
}

/**
 * The names that an account in lower case has signed for, the last chosen first, then the oldest.
 * With `all`, the names that others gave to it follow, the latest first. At most 100.
 */
export async function findNames(
  { db }: NameStore,
  { owner, all }: { readonly owner: Hex; readonly all: boolean },
): Promise<StoredName[]> {
  const bytes = Buffer.from(hexToBytes(owner))
  const which = all ? sql`true` : sql`confirmed`
  return readNames(db, sql`owner = ${bytes} and released_at is null and ${which}`)
}

/**
 * The address of a name on a network: its own address there, or else its address on Ethereum. In
 * lower case.
 */
export function getNameAddress(
  { addresses }: Pick<StoredName, 'addresses'>,
  chainId: ChainId = 'eip155:1',
): Hex | undefined {
  const coinType = toCoinType(Number(getChainReference(chainId)))
  const found = addresses[coinType] ?? addresses[etherCoinType]
  return parseAddress(found?.address)
}

/** The labels that cannot be registered, because they or look-alikes are already registered. */
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

/** Reads a name that exists, released or not. */
export async function readOne(db: Kysely<Database>, name: string): Promise<StoredName> {
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

/**
 * Names with their addresses, in one statement. First the names that their owner has chosen to
 * show, the latest choice first; then the owner's other names, the oldest first; then names that
 * other accounts gave. Names from others come last, so that they cannot hide an owner's name. The
 * latest of them comes first, because a name that the owner expects would otherwise be behind all
 * of them.
 */
async function readNames(db: Kysely<Database>, where: ReturnType<typeof sql>) {
  const { rows } = await sql<Row>`
    select name, owner, owner_chain, confirmed, attributes, registered_at, updated_at,
      coalesce((
        select json_agg(json_build_object('coin_type', coin_type, 'address', encode(address, 'hex'),
          'created_at', created_at) order by coin_type)
        from name_addresses where name_addresses.name = names.name
      ), '[]') as addresses
    from names where ${where} 
    order by primary_at desc nulls last, confirmed desc, case when confirmed then registered_at end,
      case when not confirmed then updated_at end desc, name limit 100`.execute(db)
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

/** The public part of a name. */
export const toRecord = ({ owner, ownerChain, confirmed, ...record }: StoredName): NameRecord =>
  record

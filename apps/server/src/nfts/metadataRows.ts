import type { ChainId } from '@latchkey/wire'
import { type Selectable, sql } from 'kysely'
import { type NftId, nftKey } from '../evm/nft.ts'
import type { Services } from '../services.ts'
import type { Metadata } from './parseMetadata.ts'
import type { NftTables } from './tables.ts'

/** An NFT's metadata as stored. */
export type MetadataRow = Selectable<NftTables['nft_metadata']>

type MetadataRowsDeps = Pick<Services, 'db' | 'clock'>
type Id = Omit<NftId, 'standard'>

const claimMs = 60_000
const freshMs = 24 * 3_600_000
const pausesMs = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 12 * 3_600_000, freshMs]
const retentionMs = 30 * freshMs
const maxRows = 200_000

/** Rows by {@link nftKey}, of NFTs of one chain. */
export async function findMetadata(
  { db }: MetadataRowsDeps,
  chainId: ChainId,
  ids: readonly Id[],
): Promise<Map<string, MetadataRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('nft_metadata')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('contract', 'token_id'),
        'in',
        ids.map(({ contract, tokenId }) => tuple(contract as string, String(tokenId))),
      ),
    )
    .execute()
  return new Map(rows.map((row) => [`${row.chain_id}:${row.contract}:${row.token_id}`, row]))
}

/** The stored names of NFTs of a chain, by {@link nftKey}. */
export async function findNftNames(
  deps: MetadataRowsDeps,
  chainId: ChainId,
  ids: readonly Id[],
): Promise<Map<string, string>> {
  // The same item may have moved often.
  const unique = [...new Map(ids.map((id) => [nftKey(id), id])).values()]
  const rows = await findMetadata(deps, chainId, unique)
  return new Map([...rows].flatMap(([key, { name }]) => (name ? [[key, name] as const] : [])))
}

/**
 * Claims the new or due NFTs for a minute, so that no other process reads them too. Returns the
 * claimed ones.
 */
export async function claimDue<One extends Id>(
  { db, clock }: MetadataRowsDeps,
  ids: readonly One[],
): Promise<One[]> {
  if (ids.length === 0) return []
  const nextAt = new Date(clock() + claimMs)
  const sorted = [...ids].sort((a, b) => (nftKey(a) < nftKey(b) ? -1 : 1))
  const claimed = await db
    .insertInto('nft_metadata')
    .values(
      sorted.map(({ chainId, contract, tokenId }) => ({
        chain_id: chainId,
        contract,
        token_id: String(tokenId),
        state: 'pending' as const,
        failures: 0,
        next_at: nextAt,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['chain_id', 'contract', 'token_id'])
        .doUpdateSet({ next_at: nextAt })
        .where('nft_metadata.next_at', '<=', new Date(clock())),
    )
    .returning(['chain_id', 'contract', 'token_id'])
    .execute()
  const keys = new Set(claimed.map((row) => `${row.chain_id}:${row.contract}:${row.token_id}`))
  return sorted.filter((id) => keys.has(nftKey(id)))
}

/** Stores the metadata of an NFT for a day. `metadata` is null if the NFT has no metadata. */
export async function saveMetadata(
  { db, clock }: MetadataRowsDeps,
  id: Id,
  { metadata, hash }: { readonly metadata: Metadata | null; readonly hash: string | null },
): Promise<void> {
  await updateRow(db, id)
    .set({
      state: metadata === null ? 'none' : 'ready',
      reason: null,
      name: metadata?.name ?? null,
      description: metadata?.description ?? null,
      image: metadata?.image ?? null,
      external_url: metadata?.externalUrl ?? null,
      attributes: JSON.stringify(metadata?.attributes ?? []),
      hash,
      read_at: new Date(clock()),
      failures: 0,
      next_at: new Date(clock() + freshMs),
    })
    .execute()
}

/**
 * Records that the metadata could not be read. The next try follows after a while, longer each
 * time. Earlier metadata stays.
 */
export async function saveFailure(
  { db, clock }: MetadataRowsDeps,
  id: Id,
  reason: string,
): Promise<void> {
  const { failures = 0 } =
    (await db
      .selectFrom('nft_metadata')
      .select('failures')
      .where('chain_id', '=', id.chainId)
      .where('contract', '=', id.contract)
      .where('token_id', '=', String(id.tokenId))
      .executeTakeFirst()) ?? {}
  const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? freshMs
  await updateRow(db, id)
    .set({
      state: sql`case when state = 'ready' then 'ready' else 'failed' end`,
      reason: reason.slice(0, 300),
      failures: failures + 1,
      next_at: new Date(clock() + pauseMs),
    })
    .execute()
}

/**
 * Deletes metadata that no client has requested for a month, and beyond `most` rows the least
 * recently requested rows.
 */
export async function sweepMetadata(
  { db, clock }: MetadataRowsDeps,
  { most = maxRows }: { readonly most?: number } = {},
): Promise<void> {
  await db
    .deleteFrom('nft_metadata')
    .where('next_at', '<', new Date(clock() - retentionMs))
    .execute()
  await sql`delete from nft_metadata where next_at <= (
    select next_at from nft_metadata order by next_at desc offset ${most} limit 1
  )`.execute(db)
}

const updateRow = (db: MetadataRowsDeps['db'], { chainId, contract, tokenId }: Id) =>
  db
    .updateTable('nft_metadata')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('token_id', '=', String(tokenId))

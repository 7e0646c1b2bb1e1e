import type { ColumnType } from 'kysely'
import type { Attribute } from './parseMetadata.ts'

/**
 * `image`: a URL, or `kept:` and the hash of a picture that the URI itself held. Times are the
 * server's.
 */
type NftMetadataTable = {
  chain_id: string
  contract: string
  /** Decimal. */
  token_id: string
  state: 'pending' | 'ready' | 'failed' | 'none'
  /** Why it could not be read the last time. */
  reason: string | null
  name: string | null
  description: string | null
  image: string | null
  external_url: string | null
  attributes: ColumnType<Attribute[], string | undefined, string>
  /** The hash of the metadata as it was read. */
  hash: string | null
  read_at: Date | null
  /** In a row. */
  failures: number
  next_at: Date
}

export type NftTables = { nft_metadata: NftMetadataTable }

import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../evm/hex.ts'
import type { FollowedAccount, HeldNft } from '../activity.ts'

/**
 * See `Activity.readTokens`. Walks from contract to contract in the index, not over every transfer.
 */
export async function readTokens(
  db: Kysely<Database>,
  { chainId, address }: FollowedAccount,
  limit: number,
): Promise<Hex[]> {
  const { rows } = await sql<{ contract: Buffer }>`
    with recursive account as (
      select id from activity_accounts where chain_id = ${chainId} and address = ${hexToBytes(address)}
    ), token as (
      (select t.account_id, t.contract from account join activity_transfers t on t.account_id = id
        where t.standard = 20 order by t.contract limit 1)
      union all
      select token.account_id, (select t.contract from activity_transfers t
        where t.account_id = token.account_id and t.standard = 20 and t.contract > token.contract
        order by t.contract limit 1)
      from token where token.contract is not null
    )
    select token.contract, latest.block from token cross join lateral (
      select t.block from activity_transfers t
      where t.account_id = token.account_id and t.standard = 20 and t.contract = token.contract
        and t.recipient = ${hexToBytes(address)}
      order by t.block desc limit 1) latest
    order by latest.block desc, token.contract limit ${limit}`.execute(db)
  return rows.map(({ contract }) => bytesToHex(contract))
}

/**
 * See `Activity.readNfts`. Received minus sent. Unknown older transfers can only add to that, so
 * the NFT that was received last, and any NFT that was sent more often than received, may be held
 * too.
 */
export async function readNfts(
  db: Kysely<Database>,
  { chainId, address }: FollowedAccount,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<HeldNft[]> {
  const { rows } = await sql<{
    contract: Buffer
    standard: number
    token_id: string
    amount: string
    moved_ms: bigint
    own_act: boolean | null
  }>`
    with held as (
      select t.account_id, t.contract, t.token_id, max(t.standard) as standard,
        sum(case when t.recipient = a.address then t.amount else 0 end
          - case when t.sender = a.address then t.amount else 0 end) as amount,
        max(t.mined_ms) as moved_ms,
        max(array[t.block, t.index, t.position]) filter (where t.recipient = a.address) as came,
        max(array[t.block, t.index, t.position]) filter (where t.sender = a.address) as went
      from activity_accounts a join activity_transfers t on t.account_id = a.id
      where a.chain_id = ${chainId} and a.address = ${hexToBytes(address)} and t.standard > 20
      group by t.account_id, t.contract, t.token_id
    ), page as (
      select * from held where amount > 0 or came >= went or (standard = 1155 and amount < 0)
      order by moved_ms desc, contract, token_id offset ${offset} limit ${limit}
    )
    select contract, standard, token_id, amount, moved_ms, brought.own_act
    from page left join lateral (
      select r.sender = ${hexToBytes(address)} as own_act
      from activity_transfers t join activity_rows r using (account_id, mined_ms, block, index)
      where t.account_id = page.account_id and t.contract = page.contract
        and t.token_id = page.token_id and t.recipient = ${hexToBytes(address)}
      order by t.block desc, t.index desc limit 1) brought on true
    order by moved_ms desc, contract, token_id`.execute(db)
  return rows.map((row) => ({
    contract: bytesToHex(row.contract),
    standard: row.standard === 721 ? 'erc721' : 'erc1155',
    tokenId: BigInt(row.token_id),
    amount: BigInt(row.amount),
    movedAtMs: Number(row.moved_ms),
    ownAct: row.own_act ?? false,
  }))
}

import { sql } from 'kysely'
import { bytesToHex, type Hex, hexToBytes } from '../../../evm/hex.ts'
import { rpcUnavailable } from '../../../nodes/rpcUnavailable.ts'
import { isNodeFault } from '../../nodes/askNode.ts'
import type { BlockRange } from '../../nodes/chainData.ts'
import { findOldestBalance, readBalances } from '../../nodes/readBalances.ts'
import { notify } from '../../pgNotify.ts'
import { readNativeChanges } from '../../query/readChanges.ts'
import type { LeaderState } from '../followHead.ts'
import { writeAsHolder } from '../lease.ts'
import { replaceBlocks } from '../replaceBlocks.ts'
import { findChanges, type UnexplainedChange, type WeighedBlocks } from './findChanges.ts'
import { readAgain } from './readAgain.ts'
import { storeBalanceChanges } from './storeBalanceChanges.ts'

/**
 * The progress of a round over all accounts, up to the block that was the head at its start.
 * `failed`: accounts that wait for the next round.
 */
export type WeighPace = { upTo: number | undefined; readonly failed: Set<number> }

export const createWeighPace = (): WeighPace => ({ upTo: undefined, failed: new Set() })

const accountsPerStep = 50
const blocksPerStep = 20_000

/**
 * Blocks of an account whose rows are indexed but not yet compared with the balance: `from` to
 * `to`.
 */
type Piece = {
  readonly id: number
  readonly address: Hex
  readonly from: number
  readonly to: number
  /** The latest balance that was read, at the end of `block`. */
  readonly last: { readonly balance: bigint; readonly block: number } | undefined
}

/**
 * Compares the native balances of some accounts with the changes that their rows explain, and
 * stores the difference as a separate row: money that a contract paid without a trace, or that a
 * validator withdrew. `done` at the end of a round. Throws RPC_UNAVAILABLE, Superseded.
 */
export async function weighBalances(
  leader: LeaderState,
  pace: WeighPace,
): Promise<'done' | 'more'> {
  const { generation, head } = leader.state
  if (head === undefined) return 'done'
  const upTo = Math.min(pace.upTo ?? head, head)
  pace.upTo = upTo
  const pieces = await nextPieces(leader, upTo, pace.failed)
  if (pieces.length === 0) {
    pace.upTo = undefined
    pace.failed.clear()
    return 'done'
  }
  const places = pieces.map(({ address, to }) => ({ address, block: to }))
  const { block, balances } = await readBalances(leader.node, places, upTo)
  if (block.hash !== leader.state.recentBlocks.get(upTo)?.hash)
    throw rpcUnavailable(leader.lease.chainId)
  for (const [index, piece] of pieces.entries()) {
    try {
      await weigh(leader, generation, { piece, after: balances[index] })
    } catch (error) {
      if (!isNodeFault(error)) throw error
      pace.failed.add(piece.id)
    }
  }
  return 'more'
}

/** The newest such blocks of each account, of the accounts first that were compared least far. */
async function nextPieces(
  { lease: { db, chainId } }: LeaderState,
  upTo: number,
  failed: ReadonlySet<number>,
): Promise<Piece[]> {
  const { rows } = await sql<{
    id: number
    address: Buffer
    balance: string | null
    balance_block: bigint | null
    from: bigint
    to: bigint
  }>`with known as (
      select id, address, balance, balance_block, weighed,
        int8multirange(int8range(least(first_block, ${upTo + 1}::int8), ${upTo + 1}::int8))
          - todo - unread - weighed as blocks
      from activity_accounts where chain_id = ${chainId} and live and first_block is not null
        and id <> all(${[...failed]}::int4[])
    )
    select id, address, balance, balance_block, upper(blocks) - 1 as to,
      (select greatest(max(lower(part)), max(upper(part)) - ${blocksPerStep}::int8)
        from unnest(blocks) part) as from
    from known where blocks <> '{}'
    order by upper(weighed) nulls first, id limit ${accountsPerStep}`.execute(db)
  return rows.map(({ id, address, balance, balance_block, from, to }) => ({
    ...{ id, address: bytesToHex(address), from: Number(from), to: Number(to) },
    last:
      balance === null || balance_block === null
        ? undefined
        : { balance: BigInt(balance), block: Number(balance_block) },
  }))
}

async function weigh(
  leader: LeaderState,
  generation: bigint,
  { piece, after }: { readonly piece: Piece; readonly after: bigint | undefined },
): Promise<void> {
  const { lease, state } = leader
  // A node that has the block has its state, unless the block is old.
  if (after === undefined && state.recentBlocks.has(piece.to)) throw rpcUnavailable(lease.chainId)
  const blocks = after === undefined ? undefined : await readEnds(leader, piece, after)
  const found = blocks === undefined ? [] : await explain(leader, piece, blocks)
  const changes = found.flatMap(({ change, range }) => (range === undefined ? [change] : []))
  await writeAsHolder(lease, generation, async (transaction) => {
    await storeBalanceChanges(transaction, piece, changes)
    for (const { range } of found) if (range) await replaceBlocks(transaction, piece, range)
    await sql`update activity_accounts set
        weighed = weighed + int8multirange(int8range(${piece.from}, ${piece.to}, '[]'))
      where id = ${piece.id}`.execute(transaction)
    // While older blocks wait to be read, the balance before these blocks is kept, because the
    // nodes may no longer have it.
    if (after !== undefined)
      await sql`update activity_accounts
        set balance = ${after.toString()}::numeric, balance_block = ${piece.to}
        where id = ${piece.id} and (balance_block is null or balance_block < ${piece.to}
          and not todo && int8range(least(balance_block, ${piece.to}::int8), ${piece.to}::int8))`.execute(
        transaction,
      )
    const changed = found.length > 0 ? [piece.address] : []
    await notify(transaction, { type: 'changed', chainId: lease.chainId }, changed)
  })
}

/**
 * The balances at both ends of the blocks, or of the newest blocks if the nodes do not have an
 * older state; undefined if the nodes have neither.
 */
async function readEnds(
  { node }: LeaderState,
  { address, from, to, last }: Piece,
  after: bigint,
): Promise<WeighedBlocks | undefined> {
  const start = Math.max(0, from - 1)
  if (last?.block === start) return { low: start, high: to, before: last.balance, after }
  const [before] = (await readBalances(node, [{ address, block: start }], to)).balances
  if (before !== undefined) return { low: start, high: to, before, after }
  const oldest = await findOldestBalance(node, { address, low: start, high: to })
  return oldest && { low: oldest.block, high: to, before: oldest.balance, after }
}

/**
 * The changes that no row explains, each with its block if that could be read again and explains
 * the change now.
 */
async function explain(
  leader: LeaderState,
  { id, address }: Piece,
  blocks: WeighedBlocks,
): Promise<{ readonly change: UnexplainedChange; readonly range: BlockRange | undefined }[]> {
  const { node, lease, state, limits } = leader
  const known = await readNativeChanges(lease.db, {
    ...{ id, own: hexToBytes(address), from: blocks.low + 1, to: blocks.high },
    sinceMs: state.recentBlocks.get(blocks.low)?.minedMs ?? 0,
  })
  const found = await findChanges(node, { address, known, dustWei: limits.dustWei }, blocks)
  for (const { block } of found)
    if ((state.recentBlocks.get(block.number)?.hash ?? block.hash) !== block.hash)
      throw rpcUnavailable(lease.chainId)
  const explained = []
  for (const change of found)
    explained.push({ change, range: await readAgain(leader, change, { address, known }) })
  return explained
}

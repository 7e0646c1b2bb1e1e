import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import { type Address, encodeFunctionData, numberToHex, pad, parseAbi } from 'viem'
import * as z from 'zod'
import type { Database } from '../../db/database.ts'
import type { AskChain } from '../askChain.ts'
import { doneTopic, type OperationEvent, parseLogs, readEvents } from '../bundles/readReceipt.ts'
import { entryPoint } from '../operations/userOperation.ts'
import type { OperationStatus } from '../tables.ts'
import { addToDay, everybody, lockSponsorships, toDay } from './sponsoredDays.ts'

/**
 * A block that is so much later than the end of a promise, in seconds, is not replaced by one
 * before it.
 */
const marginSeconds = 120
/** The number of sponsorships that are checked at a time. */
const maxChecked = 50

/** The store of sponsorships, and the chain that shows their outcome. */
export type Counted = {
  readonly db: Kysely<Database>
  readonly chainId: ChainId
  readonly ask: AskChain
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

type Row = {
  readonly id: bigint
  readonly account: string
  readonly client: string | null
  readonly is_unsigned: boolean
  readonly nonce: string
  readonly wei: string
  readonly valid_until: bigint
  readonly status: OperationStatus | null
  readonly block_number: string | null
}

/** A sponsorship with its final cost, in wei. */
type Settled = { readonly row: Row; readonly cost: bigint }

/**
 * Replaces the highest cost of today's sponsorships by the real cost, first for the account's
 * sponsorships, then for the largest. The EntryPoint's event contains the cost of an operation in a
 * block; a dropped operation cost nothing. Any other promise cost nothing if no block can use it,
 * also if its operation still waits: the time of the chain is after the end of the promise, and the
 * EntryPoint has not seen its nonce. Resolves to whether a sponsorship was settled. Throws
 * RPC_UNAVAILABLE.
 */
export async function settleSponsorships(budget: Counted, account?: Address): Promise<boolean> {
  const { db, chainId, clock } = budget
  const day = toDay(clock())
  const rows = await listOpen(budget, { day, account })
  const settled = [
    ...rows.filter(({ status }) => status === 'dropped').map((row) => ({ row, cost: 0n })),
    ...(await readCosts(
      budget,
      rows.filter(({ status }) => status === 'included'),
    )),
    ...(await checkUse(
      budget,
      rows.filter(({ status }) => status !== 'dropped' && status !== 'included'),
    )),
  ]
  if (settled.length === 0) return false
  await db.transaction().execute((transaction) => apply(transaction, { chainId, day, settled }))
  // Another request may have given them back at the same time.
  return true
}

async function listOpen(
  { db, chainId, clock }: Pick<Counted, 'db' | 'chainId' | 'clock'>,
  { day, account = '0x' }: { readonly day: string; readonly account?: Address | undefined },
): Promise<Row[]> {
  const endedBefore = String(Math.floor(clock() / 1_000) - marginSeconds)
  const { rows } = await sql<Row>`
    select s.id, s.account, s.client, s.is_unsigned, s.nonce, s.wei, s.valid_until, o.status, b.block_number
    from sponsorships s
    left join user_operations o on o.chain_id = s.chain_id and o.hash = s.operation
    left join user_operation_bundles b on b.chain_id = s.chain_id and b.hash = o.bundle_hash
    where s.chain_id = ${chainId} and s.day = ${day}::date and (o.status = 'dropped'
      or (o.status = 'included' and b.block_number is not null)
      or (o.status is distinct from 'included' and (s.valid_until < ${endedBefore}::bigint or (s.is_unsigned and s.account = ${account}))))
    order by (s.account = ${account}) desc, s.wei desc limit ${maxChecked}`.execute(db)
  return rows
}

/** Reads the costs of operations in blocks, as far as the node has these blocks. */
async function readCosts({ ask }: Pick<Counted, 'ask'>, rows: readonly Row[]): Promise<Settled[]> {
  const blocks = [...new Set(rows.map(({ block_number }) => block_number ?? ''))]
  if (blocks.length === 0) return []
  const replies = await ask(
    blocks.map((number) => {
      const own = rows.filter(({ block_number }) => block_number === number)
      const topics = [doneTopic, null, own.map(({ account }) => pad(account as Address))]
      const at = numberToHex(BigInt(number))
      return {
        method: 'eth_getLogs',
        params: [{ address: entryPoint, fromBlock: at, toBlock: at, topics }],
      }
    }),
  )
  const events = replies.flatMap(({ result }) => readEvents(parseLogs(result) ?? []))
  return rows.flatMap((row) => {
    const isOwn = ({ sender, nonce }: OperationEvent) =>
      sender.toLowerCase() === row.account && nonce === BigInt(row.nonce)
    const event = events.find(isOwn)
    if (!event) return []
    // The account may have used the nonce for an operation that it paid for itself.
    return [{ row, cost: BigInt(event.paymaster) === 0n ? 0n : event.actualGasCost }]
  })
}

const block = z.object({ number: z.string(), timestamp: z.string() })
const word = z.string().regex(/^0x[0-9a-f]{64}$/i)
const nonceAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])

/**
 * Reads which promises a block has used, and which no block can use now, from the node's state. A
 * used promise keeps its highest cost.
 */
async function checkUse({ ask }: Pick<Counted, 'ask'>, rows: readonly Row[]): Promise<Settled[]> {
  if (rows.length === 0) return []
  const [head] = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
  const latest = block.safeParse(head?.result)
  if (!latest.success) return []
  const endSeconds = Number(latest.data.timestamp) - marginSeconds
  const hasExpired = ({ valid_until }: Row) => Number(valid_until) < endSeconds
  const checked = rows.filter((row) => row.is_unsigned || hasExpired(row))
  if (checked.length === 0) return []
  // From the same block, because a node that is behind would miss a use.
  const nonces = await readNonces({ ask }, checked, latest.data.number)
  return checked.flatMap((row, index) => {
    const next = nonces[index]
    if (next === undefined) return []
    if (next > BigInt(row.nonce)) return [{ row, cost: BigInt(row.wei) }]
    return hasExpired(row) ? [{ row, cost: 0n }] : []
  })
}

/**
 * The next nonce of each account under the key of the given nonce; undefined if the node does not
 * return it.
 */
export async function readNonces(
  { ask }: { readonly ask: AskChain },
  asked: readonly { readonly account: string; readonly nonce: string | bigint }[],
  blockTag: string,
): Promise<(bigint | undefined)[]> {
  const replies = await ask(
    asked.map(({ account, nonce }) => {
      const args = [account as Address, BigInt(nonce) >> 64n] as const
      const data = encodeFunctionData({ abi: nonceAbi, functionName: 'getNonce', args })
      return { method: 'eth_call', params: [{ to: entryPoint, data }, blockTag] }
    }),
  )
  return replies.map(({ result }) => {
    const next = word.safeParse(result)
    return next.success ? BigInt(next.data) : undefined
  })
}

async function apply(
  transaction: Kysely<Database>,
  {
    chainId,
    day,
    settled,
  }: { readonly chainId: ChainId; readonly day: string; readonly settled: readonly Settled[] },
): Promise<void> {
  await lockSponsorships(transaction, chainId)
  const gone = await transaction
    .deleteFrom('sponsorships')
    .where(
      'id',
      'in',
      settled.map(({ row }) => row.id),
    )
    .returning('id')
    .execute()
  const ids = new Set(gone.map(({ id }) => id))
  const changes = new Map<string, bigint>()
  const add = (who: string, wei: bigint) => changes.set(who, (changes.get(who) ?? 0n) + wei)
  for (const { row, cost } of settled.filter((one) => ids.has(one.row.id))) {
    const back = cost - BigInt(row.wei)
    add(everybody, back)
    if (row.client !== null) add(row.client, back)
    // An unsigned promise has not counted for the account yet.
    add(row.account, row.is_unsigned ? cost : back)
  }
  for (const [who, wei] of changes) await addToDay(transaction, { chainId, day, who, wei })
}

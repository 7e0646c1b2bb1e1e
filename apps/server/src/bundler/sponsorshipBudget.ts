import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import * as z from 'zod'
import type { Database } from '../db/database.ts'
import type { AskChain } from './askChain.ts'
import type { SponsorshipConfig } from './bundlerConfig.ts'
import { BundlerError } from './bundlerError.ts'
import { entryPoint } from './operations/userOperation.ts'

/** What was promised: at most `cost` in wei, for the operation with this nonce, in blocks until `until` (seconds since 1970). */
export type Sponsorship = {
  readonly account: Address
  readonly nonce: bigint
  readonly cost: bigint
  readonly until: number
}

/** `cost`: in wei, at most. */
type Spent = Pick<Sponsorship, 'account' | 'cost'>

/** The limits of one chain, and where they are counted. */
export type SponsorshipBudget = {
  readonly chainId: ChainId
  readonly db: Kysely<Database>
  readonly ask: AskChain
  readonly policy: Pick<SponsorshipConfig, 'weiPerAccountAndDay' | 'weiPerDay'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Told of each operation that a limit refuses once it has its gas; not of drafts. */
  readonly onRefused: (reached: LimitReached) => void
}

/** What refuses an operation: the limit of its account or of the network, or a cost beyond either from the start of the day on. */
export type LimitReached = 'account' | 'network' | 'operation'

/** The limit for all, beside those of accounts. */
export const everybody = 'all'
/** A block that is so much later than the end of a promise, in seconds, is not replaced by one before it. */
const marginSeconds = 120
/** As many promises are checked at a time. */
const maxChecked = 50

/**
 * Counts a promise towards the limits of its account and of all. Where one is reached, promises that ended without use are given
 * back first: many approvals are rejected. Throws BundlerError where a limit is reached all the same, or the nonce cannot be used,
 * and RPC_UNAVAILABLE where no node answers.
 */
export async function takeBudget(
  budget: SponsorshipBudget,
  sponsorship: Sponsorship,
): Promise<void> {
  // A promise for a nonce that was used before would look as if it had been used itself, and never come back.
  const [next] = await readNonces(budget, [sponsorship], 'latest')
  if (next === undefined)
    throw new BundlerError('paymaster', 'Not sponsored: the nonce cannot be checked')
  if (next > sponsorship.nonce)
    throw new BundlerError('paymaster', 'Not sponsored: the nonce was used already')
  await count(budget, sponsorship, sponsorship)
}

/** Counts what is spent at once and never comes back. Throws BundlerError where a limit is reached, and RPC_UNAVAILABLE. */
export const spendBudget = (budget: SponsorshipBudget, spent: Spent): Promise<void> =>
  count(budget, spent)

async function count(
  budget: SponsorshipBudget,
  spent: Spent,
  promise?: Sponsorship,
): Promise<void> {
  await withUnused(budget, spent, () => take(budget, spent, promise)).catch((error) => {
    if (error instanceof LimitError)
      budget.onRefused(isTooMuch(budget, spent) ? 'operation' : error.limit)
    throw error
  })
}

/**
 * Throws BundlerError where the limits leave no promise of this cost to the account; nothing is promised, and `onRefused` is not
 * told: a draft may name any cost, and a false alarm would hide the real one of the same day.
 */
export const assertBudget = (budget: SponsorshipBudget, asked: Spent): Promise<void> =>
  withUnused(budget, asked, () => look(budget, asked))

/** Does the work; where a limit stops it that leaves room for the cost, once more after unused promises were given back. */
async function withUnused(
  budget: SponsorshipBudget,
  asked: Spent,
  work: () => Promise<void>,
): Promise<void> {
  await work().catch(async (error) => {
    if (!(error instanceof LimitError) || isTooMuch(budget, asked)) throw error
    // A node that does not answer gives nothing back.
    if (!(await giveBackUnused(budget, asked.account).catch(() => false))) throw error
    await work()
  })
}

/** Whether a cost is beyond a limit from the start of the day on. */
const isTooMuch = (
  { policy: { weiPerAccountAndDay, weiPerDay } }: SponsorshipBudget,
  { cost }: Pick<Sponsorship, 'cost'>,
) => cost > weiPerAccountAndDay || cost > weiPerDay

/**
 * Whether as much is counted already for the same nonce, until the same time or later: of the operations with one nonce, the chain
 * takes one.
 */
export async function isPromised(
  { db, chainId }: SponsorshipBudget,
  { account, nonce, cost, until }: Sponsorship,
): Promise<boolean> {
  const row = await db
    .selectFrom('sponsorships')
    .select('id')
    .where('chain_id', '=', chainId)
    .where('valid_until', '>=', BigInt(until))
    .where('account', '=', account)
    .where('nonce', '=', String(nonce))
    .where(sql<boolean>`wei >= ${String(cost)}::numeric`)
    .executeTakeFirst()
  return row !== undefined
}

async function look(
  { db, chainId, policy, clock }: SponsorshipBudget,
  { account, cost }: Spent,
): Promise<void> {
  const rows = await db
    .selectFrom('sponsored_days')
    .select(['account', 'wei'])
    .where('chain_id', '=', chainId)
    .where('day', '=', sql<string>`${toDay(clock())}::date`)
    .where('account', 'in', [account, everybody])
    .execute()
  const limits = { [account]: policy.weiPerAccountAndDay, [everybody]: policy.weiPerDay }
  for (const [who, limit] of Object.entries(limits)) {
    const promised = BigInt(rows.find((row) => row.account === who)?.wei ?? 0)
    if (promised + cost > limit) throw new LimitError(who)
  }
}

class LimitError extends BundlerError {
  readonly limit: 'account' | 'network'
  constructor(who: string) {
    const limit = who === everybody ? 'network' : 'account'
    super('paymaster', `Not sponsored: the limit of this ${limit} is reached for today`)
    this.limit = limit
  }
}

async function take(
  { db, chainId, policy, clock }: SponsorshipBudget,
  { account, cost }: Spent,
  promise?: Sponsorship,
): Promise<void> {
  const day = toDay(clock())
  await db.transaction().execute(async (transaction) => {
    const add = async (who: string, limit: bigint) => {
      const { rows } = await sql`
        insert into sponsored_days as d (chain_id, account, day, wei)
        select ${chainId}, ${who}, ${day}::date, ${String(cost)}::numeric
        where ${String(cost)}::numeric <= ${String(limit)}::numeric
        on conflict (chain_id, account, day) do update set wei = d.wei + excluded.wei
        where d.wei + excluded.wei <= ${String(limit)}::numeric
        returning 1`.execute(transaction)
      if (rows.length > 0) return
      throw new LimitError(who)
    }
    await add(account, policy.weiPerAccountAndDay)
    await add(everybody, policy.weiPerDay)
    if (!promise) return
    await transaction
      .insertInto('sponsorships')
      .values({
        chain_id: chainId,
        account,
        nonce: String(promise.nonce),
        day,
        wei: String(cost),
        valid_until: promise.until,
      })
      .execute()
  })
}

/** The day of a time in milliseconds since 1970 (UTC), as 2026-01-31. */
export const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

type Ended = {
  readonly id: bigint
  readonly account: string
  readonly nonce: string
  readonly valid_until: bigint
}

/**
 * Gives back what was promised today and not used, the account's own promises first, then the largest. Only what no block can
 * use any more: the chain itself is beyond the end of the promise, and the EntryPoint has not seen its nonce. Resolves to
 * whether there was any.
 */
async function giveBackUnused(budget: SponsorshipBudget, account: Address): Promise<boolean> {
  const { db, chainId, clock } = budget
  const day = toDay(clock())
  const ended: Ended[] = await db
    .selectFrom('sponsorships')
    .select(['id', 'account', 'nonce', 'valid_until'])
    .where('chain_id', '=', chainId)
    .where('day', '=', day)
    .where('valid_until', '<', BigInt(Math.floor(clock() / 1_000) - marginSeconds))
    .orderBy(sql`account = ${account}`, 'desc')
    .orderBy('wei', 'desc')
    .limit(maxChecked)
    .execute()
  const checked = ended.length > 0 ? await checkUse(budget, ended) : []
  if (checked.length === 0) return false
  const unused = new Set(checked.flatMap(({ id, isUsed }) => (isUsed ? [] : [id])))
  return db.transaction().execute(async (transaction) => {
    const gone = await transaction
      .deleteFrom('sponsorships')
      .where(
        'id',
        'in',
        checked.map(({ id }) => id),
      )
      .returning(['id', 'account', 'wei'])
      .execute()
    const back = gone.filter(({ id }) => unused.has(id))
    // Rows are locked in the order in which promises lock them, so that two transactions cannot wait for each other.
    for (const who of [...new Set(back.map((one) => one.account))].sort().concat(everybody)) {
      const own = who === everybody ? back : back.filter((one) => one.account === who)
      const wei = own.reduce((sum, one) => sum + BigInt(one.wei), 0n)
      await transaction
        .updateTable('sponsored_days')
        .set({ wei: sql`wei - ${String(wei)}::numeric` })
        .where('chain_id', '=', chainId)
        .where('account', '=', who)
        .where('day', '=', day)
        .execute()
    }
    // Another request may have given them back at the same time.
    return unused.size > 0
  })
}

const block = z.object({ number: z.string(), timestamp: z.string() })
const word = z.string().regex(/^0x[0-9a-f]{64}$/i)
const nonceAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])

/** Which of the promises were used, as far as the chain is beyond their end and the node says it. */
async function checkUse(
  { ask }: SponsorshipBudget,
  ended: readonly Ended[],
): Promise<{ id: bigint; isUsed: boolean }[]> {
  const [head] = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
  const latest = block.safeParse(head?.result)
  if (!latest.success) return []
  const endSeconds = Number(latest.data.timestamp) - marginSeconds
  const over = ended.filter(({ valid_until }) => Number(valid_until) < endSeconds)
  if (over.length === 0) return []
  // Of the same block: a node that is behind would not know of a use.
  const nonces = await readNonces({ ask }, over, latest.data.number)
  return over.flatMap(({ id, nonce }, index) => {
    const next = nonces[index]
    return next === undefined ? [] : [{ id, isUsed: next > BigInt(nonce) }]
  })
}

/** The next nonce of each account under the key of the given one; undefined where the node does not say. */
async function readNonces(
  { ask }: Pick<SponsorshipBudget, 'ask'>,
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

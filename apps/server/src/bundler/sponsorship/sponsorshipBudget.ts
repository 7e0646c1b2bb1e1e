import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Database } from '../../db/database.ts'
import type { SponsorshipConfig } from '../bundlerConfig.ts'
import { BundlerError } from '../bundlerError.ts'
import { type Counted, readNonces, settleSponsorships } from './settleSponsorships.ts'
import { addToDay, everybody, lockSponsorships, toDay } from './sponsoredDays.ts'

/**
 * An operation that the operator pays for: at most `cost` in wei, for the operation with this
 * nonce, in blocks until `until` (seconds since 1970).
 */
export type Sponsorship = Spent & {
  readonly nonce: bigint
  readonly until: number
  /** Its hash in our mempool, which records its outcome. */
  readonly operation?: Hex
}

/** `cost`: in wei, at most. */
type Spent = {
  readonly account: Address
  readonly cost: bigint
  /** The client, by its {@link clientKey}. Counts towards the limit of a client. */
  readonly client?: string | undefined
  /**
   * Whether the account's signature is not known. It then counts towards the account's limit only
   * once a block has the operation.
   */
  readonly isUnsigned?: boolean
}

/** The limits of one chain, and the store that counts them. */
export type SponsorshipBudget = Counted & {
  readonly policy: Pick<
    SponsorshipConfig,
    'weiPerAccountAndDay' | 'weiPerClientAndDay' | 'weiPerDay'
  >
  /** Called for each operation with gas values that a limit refuses; not for drafts. */
  readonly onRefused: (reached: LimitReached) => void
}

/**
 * The limit that refuses an operation: of its account, of the client or of the network.
 * `operation`: its cost alone exceeds a limit.
 */
export type LimitReached = LimitName | 'operation'

/**
 * Counts a promise towards the limits of its account, of the client and of the network. If a limit
 * is reached, sponsorships that cost less in the end are settled first: users reject many
 * approvals. Throws BundlerError if a limit is still reached or the nonce cannot be used, and
 * RPC_UNAVAILABLE if no node answers.
 */
export async function takeBudget(
  budget: SponsorshipBudget,
  sponsorship: Sponsorship,
): Promise<void> {
  // A promise for a nonce that was used before would look as if the promise had been used, and its
  // cost would never be returned.
  const [next] = await readNonces(budget, [sponsorship], 'latest')
  if (next === undefined)
    throw new BundlerError('paymaster', 'Not sponsored: the nonce cannot be checked')
  if (next > sponsorship.nonce)
    throw new BundlerError('paymaster', 'Not sponsored: the nonce was used already')
  // Promises to the account without its signature count now if a block contains them.
  if (sponsorship.isUnsigned) await settleSponsorships(budget, sponsorship.account)
  await withinLimits(budget, sponsorship, () => take(budget, sponsorship))
}

/**
 * Counts a cost that is spent at once and never returned. Throws BundlerError if a limit is
 * reached, and RPC_UNAVAILABLE.
 */
export const spendBudget = (budget: SponsorshipBudget, spent: Spent): Promise<void> =>
  withinLimits(budget, spent, () => take(budget, spent))

const take = (
  budget: SponsorshipBudget,
  spent: Spent | Sponsorship,
): Promise<LimitName | undefined> =>
  budget.db.transaction().execute((transaction) => count(transaction, budget, spent))

/**
 * Throws BundlerError if the limits leave less than this cost, and calls `onRefused`. Counts
 * nothing.
 */
export const assertBudget = (budget: SponsorshipBudget, asked: Spent): Promise<void> =>
  withinLimits(budget, asked, () => findReached(budget.db, budget, asked, asked.cost))

/**
 * Does what {@link assertBudget} does for a draft, without `onRefused`: a draft may contain any
 * cost, and a false alarm would hide the real alarm of that day.
 */
export const assertDraftBudget = (budget: SponsorshipBudget, asked: Spent): Promise<void> =>
  withinLimits({ ...budget, onRefused: () => {} }, asked, () =>
    findReached(budget.db, budget, asked, asked.cost),
  )

/**
 * Does the work, which returns the limit that stops it, and does it once more after sponsorships
 * were settled, unless the cost alone is beyond a limit. Throws BundlerError if a limit still stops
 * it.
 */
export async function withinLimits(
  budget: SponsorshipBudget,
  asked: Spent,
  work: () => Promise<LimitName | undefined>,
): Promise<void> {
  let reached = await work()
  if (reached === undefined) return
  const isTooMuch = listLimits(budget, asked).some(({ most }) => asked.cost > most)
  // If the node does not answer, no promise is returned.
  if (!isTooMuch && (await settleSponsorships(budget, asked.account).catch(() => false)))
    reached = await work()
  if (reached === undefined) return
  budget.onRefused(isTooMuch ? 'operation' : reached)
  throw new BundlerError(
    'paymaster',
    `Not sponsored: the limit of this ${reached} is reached for today`,
  )
}

/** A limit that more than one operation can reach together. */
export type LimitName = 'account' | 'client' | 'network'

/**
 * `who`: the name in `sponsored_days`. With `isOpen`, a promise itself does not count towards the
 * limit.
 */
type Limit = {
  readonly name: LimitName
  readonly who: string
  readonly most: bigint
  readonly isOpen: boolean
}

const listLimits = (
  { policy }: Pick<SponsorshipBudget, 'policy'>,
  { account, client, isUnsigned = false }: Omit<Spent, 'cost'>,
): Limit[] => [
  { name: 'account', who: account, most: policy.weiPerAccountAndDay, isOpen: isUnsigned },
  ...(client === undefined
    ? []
    : [{ name: 'client', who: client, most: policy.weiPerClientAndDay, isOpen: false } as const]),
  { name: 'network', who: everybody, most: policy.weiPerDay, isOpen: false },
]

async function findReached(
  db: Kysely<Database>,
  budget: Pick<SponsorshipBudget, 'chainId' | 'policy' | 'clock'>,
  spent: Omit<Spent, 'cost'>,
  more: bigint,
): Promise<LimitName | undefined> {
  const limits = listLimits(budget, spent)
  const rows = await db
    .selectFrom('sponsored_days')
    .select(['account', 'wei'])
    .where('chain_id', '=', budget.chainId)
    .where('day', '=', sql<string>`${toDay(budget.clock())}::date`)
    .where(
      'account',
      'in',
      limits.map(({ who }) => who),
    )
    .execute()
  const isReached = ({ who, most }: Limit) =>
    BigInt(rows.find(({ account }) => account === who)?.wei ?? 0) + more > most
  return limits.find(isReached)?.name
}

/**
 * Counts in a transaction, all or nothing, and returns the limit that is reached. The chain
 * executes only a single operation per nonce, so operations with the same nonce together count as
 * much as the most expensive of them.
 */
export async function count(
  transaction: Kysely<Database>,
  budget: Pick<SponsorshipBudget, 'chainId' | 'policy' | 'clock'>,
  spent: Spent | Sponsorship,
): Promise<LimitName | undefined> {
  const { chainId } = budget
  const day = toDay(budget.clock())
  await lockSponsorships(transaction, chainId)
  const sponsorship = 'nonce' in spent ? spent : undefined
  const known = sponsorship && (await findSame(transaction, { chainId, day, sponsorship }))
  const before = BigInt(known?.wei ?? 0)
  const more = spent.cost > before ? spent.cost - before : 0n
  const counted = { ...spent, ...(known && { client: known.client ?? undefined }) }
  const reached = await findReached(transaction, budget, counted, more)
  if (reached !== undefined && more > 0n) return reached
  for (const { who, isOpen } of listLimits(budget, counted))
    if (!isOpen) await addToDay(transaction, { chainId, day, who, wei: more })
  if (!sponsorship) return undefined
  if (known) await transaction.deleteFrom('sponsorships').where('id', '=', known.id).execute()
  const until = Math.max(sponsorship.until, Number(known?.valid_until ?? 0))
  await transaction
    .insertInto('sponsorships')
    .values({
      chain_id: chainId,
      account: spent.account,
      nonce: String(sponsorship.nonce),
      day,
      wei: String(before + more),
      valid_until: until,
      operation: sponsorship.operation ?? known?.operation ?? null,
      client: counted.client ?? null,
      is_unsigned: spent.isUnsigned ?? false,
    })
    .execute()
  return undefined
}

const findSame = (
  db: Kysely<Database>,
  {
    chainId,
    day,
    sponsorship: { account, nonce, isUnsigned = false },
  }: { chainId: ChainId; day: string; sponsorship: Sponsorship },
) =>
  db
    .selectFrom('sponsorships')
    .select(['id', 'wei', 'client', 'valid_until', 'operation'])
    .where('chain_id', '=', chainId)
    .where('account', '=', account)
    .where('nonce', '=', String(nonce))
    .where('day', '=', day)
    .where('is_unsigned', '=', isUnsigned)
    .executeTakeFirst()

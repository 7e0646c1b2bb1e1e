import { LatchkeyError } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Address, Hex } from 'viem'
import {
  hashOperation,
  type UserOperation,
  userOperation,
} from '../bundler/operations/userOperation.ts'
import type { OutsideReply } from '../bundler/outsideBundler.ts'
import type { Database } from '../db/database.ts'
import { badInput } from '../http/request/badInput.ts'
import { describeIssue } from '../http/request/describeIssue.ts'
import { getAmount } from './matchCall.ts'
import { isRevokedOnChain, readGranted } from './readGrants.ts'
import { decodeRedemption, type Redeemed, refuse } from './redemption.ts'
import type { SmartSession, SmartSessionsDeps } from './session.ts'
import { openKey, revoke } from './sessionStore.ts'
import { verifyHash } from './verifyKey.ts'

/** The contract that the account of a session's key delegates to: it only has to execute calls. */
export const sessionDelegate: Address = '0xe6cae83bde06e4c305530e199d7217f42808555b'

/** The result of the bundler or the paymaster. Throws RPC_FAILED with their reason. */
export function readReply(reply: OutsideReply): unknown {
  if ('result' in reply) return reply.result
  throw new LatchkeyError('RPC_FAILED', { data: { reason: reply.error.message } })
}

/** The hash that identifies a session's operation, and that its key signs. */
export const hashOf = ({ account }: SmartSession, operation: UserOperation): Hex =>
  hashOperation(
    { ...operation, factory: '0x7702' },
    { chainId: Number(account.chainId.slice('eip155:'.length)), delegate: sessionDelegate },
  )

/**
 * The reason why a session cannot be used at all, according to this server; undefined if it can be
 * used.
 */
export function findEnd(
  { clock }: Pick<SmartSessionsDeps, 'clock'>,
  { row, grant }: SmartSession,
): string | undefined {
  if (row.revoked_at !== null) return 'the session was revoked'
  if (row.activated_at === null) return 'the session was not granted'
  return grant.expiry <= Math.floor(clock() / 1_000) ? 'the session has ended' : undefined
}

/** Throws SIGNING_REFUSED if the session has ended, on this server or on the chain. */
export async function assertOpen(deps: SmartSessionsDeps, session: SmartSession): Promise<void> {
  const end = findEnd(deps, session)
  if (end !== undefined) throw refuse(end)
  if ((await readGranted(deps, session)).isAny) return
  if (!(await isRevokedOnChain(deps, session)))
    throw refuse('a node of the network does not have the session yet. Try again')
  await revoke(deps, session)
  throw refuse('the session was revoked')
}

/**
 * Signs an operation that the session's own key has signed, and counts it towards the session's
 * allowances and the operator's budget. Throws SIGNING_REFUSED for anything that the permissions do
 * not cover, UNAUTHORIZED for a wrong signature, RPC_FAILED if the operator's budget is used up.
 */
export async function coSign(
  deps: SmartSessionsDeps,
  session: SmartSession,
  { userOp, signature }: { readonly userOp: unknown; readonly signature?: Hex },
): Promise<{ readonly signature: Hex; readonly operation: UserOperation; readonly hash: Hex }> {
  const parsed = userOperation.safeParse(userOp, {
    error: (issue) => describeIssue(issue, 'userOp'),
  })
  if (!parsed.success)
    throw badInput('userOp', parsed.error.issues[0]?.message ?? 'userOp is not a user operation')
  const operation = parsed.data
  const [key] = session.grant.signer.data.keys
  if (!key || operation.sender !== session.row.delegate)
    throw refuse('it is not an operation of this session')
  const hash = hashOf(session, operation)
  if (!(await verifyHash(key, hash, signature ?? operation.signature)))
    throw new LatchkeyError('UNAUTHORIZED')
  const redeemed = decodeRedemption(session, operation.callData)
  await assertOpen(deps, session)
  // An operation that is refused here does not use the operator's budget.
  const uses = listUses(deps, session, { hash, redeemed })
  for (const use of uses) await assertAllowed(deps.db, use)
  readReply(await deps.bundlers.countSponsored(session.account.chainId, operation))
  await countUses(deps, session, uses)
  const signer = await openKey(deps, session)
  return { signature: await signer.sign({ hash }), operation, hash }
}

type AllowancePeriod = { readonly pci: string; readonly index: number; readonly period: number }

/** The amount that an operation uses of an allowance, and the allowance's maximum per period. */
type Use = AllowancePeriod & { readonly hash: Hex; readonly amount: bigint; readonly max: bigint }

/**
 * The amount that an operation uses of each allowance in its current period. Throws SIGNING_REFUSED
 * for an allowance that has not begun.
 */
function listUses(
  { clock }: Pick<SmartSessionsDeps, 'clock'>,
  { row, parts }: SmartSession,
  { hash, redeemed }: { readonly hash: Hex; readonly redeemed: readonly Redeemed[] },
): Use[] {
  const now = Math.floor(clock() / 1_000)
  return parts.flatMap(({ allowed }, index) => {
    if (allowed.kind === 'call') return []
    const amount = redeemed
      .filter(({ part }) => part === index)
      .reduce((sum, { call }) => sum + getAmount(allowed, call), 0n)
    if (amount === 0n) return []
    if (now < allowed.start) throw refuse('an allowance has not begun yet')
    const period = Math.floor((now - allowed.start) / allowed.period)
    return [{ pci: row.pci, index, period, hash, amount, max: allowed.amount }]
  })
}

/**
 * Counts uses towards their allowances, all or nothing. Concurrent uses wait for each other. The
 * chain counts as well; a use above a limit here is not even sent to the chain.
 */
async function countUses(
  { db }: Pick<SmartSessionsDeps, 'db'>,
  { row }: SmartSession,
  uses: readonly Use[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select 1 from permission_sessions where pci = ${row.pci} for update`.execute(trx)
    for (const use of uses) {
      const { pci, index, period, hash, amount } = use
      // The chain no longer takes anything from an earlier period, so its uses need not be kept.
      await trx
        .deleteFrom('permission_uses')
        .where('pci', '=', pci)
        .where('index', '=', index)
        .where('period', '<', period)
        .execute()
      await mergeUses(trx, use)
      await assertAllowed(trx, use)
      await trx
        .insertInto('permission_uses')
        .values({ pci, index, period, operation: hash, amount: String(amount) })
        // The same operation, signed once more, still counts once.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  })
}

/**
 * How many uses of a period are kept individually. Each of them may be signed once more without
 * counting again.
 */
const maxUses = 200

/** Merges the uses of a period if there are many, so that small uses do not fill the database. */
async function mergeUses(
  db: Kysely<Database>,
  { pci, index, period }: AllowancePeriod,
): Promise<void> {
  const { rows } = await sql<{ count: bigint; sum: string }>`
    select count(*) as count, sum(amount) as sum from permission_uses
    where pci = ${pci} and index = ${index} and period = ${period}`.execute(db)
  const [uses] = rows
  if (!uses || uses.count < maxUses) return
  await db
    .deleteFrom('permission_uses')
    .where('pci', '=', pci)
    .where('index', '=', index)
    .where('period', '=', period)
    .execute()
  // An operation has a single row across all periods, so the name of this row contains its period.
  await db
    .insertInto('permission_uses')
    .values({ pci, index, period, operation: `earlier:${period}`, amount: uses.sum })
    .execute()
}

/** Throws SIGNING_REFUSED if the other uses of the period leave less than this operation uses. */
async function assertAllowed(
  db: Kysely<Database>,
  { pci, index, period, hash, amount, max }: Use,
): Promise<void> {
  const row = await db
    .selectFrom('permission_uses')
    .select(({ fn }) => fn.sum<string | null>('amount').as('sum'))
    .where('pci', '=', pci)
    .where('index', '=', index)
    .where('period', '=', period)
    .where('operation', '!=', hash)
    .executeTakeFirst()
  if (BigInt(row?.sum ?? 0) + amount > max) throw refuse('the allowance of this period is used up')
}

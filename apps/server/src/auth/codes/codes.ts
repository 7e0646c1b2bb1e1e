import { scrypt, timingSafeEqual } from 'node:crypto'
import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import { isKnownBrowser } from '../login/isKnownBrowser.ts'
import { generateCode } from './generateCode.ts'
import { type Budget, consumeLimit, readWait, refund } from './rateLimits.ts'

/**
 * The binding of a code, which is valid for nothing else. `step` distinguishes the codes of one
 * transaction, `emailIndex` is the mailbox that received it, and `binding` contains everything else
 * that must match (device key, origin, project).
 */
export type CodeBinding = {
  readonly txHash: Uint8Array
  readonly step: string
  readonly purpose: string
  readonly emailIndex: Uint8Array
  readonly binding: readonly string[]
}

export const codeLifetimeMs = 10 * 60_000
const attemptsPerCode = 3
const minuteMs = 60_000
const wrongCodeLimits = [
  { limit: 6, ms: 15 * minuteMs },
  { limit: 15, ms: 60 * minuteMs },
  { limit: 30, ms: 24 * 60 * minuteMs },
]
// 16 MiB each. The pepper and the limit of three attempts protect a code; this slows an attacker
// who has the pepper.
const cost = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** Creates the code of a step; the previous code becomes invalid. */
export async function issueCode(auth: Auth, of: CodeBinding): Promise<string> {
  const code = generateCode()
  const row = {
    code_hash: await hashCode(auth, of, code),
    attempts: 0,
    expires_at: new Date(auth.clock() + codeLifetimeMs),
    consumed_at: null,
  }
  await auth.db
    .insertInto('codes')
    .values({ tx_hash: of.txHash, step: of.step, ...row })
    .onConflict((conflict) => conflict.columns(['tx_hash', 'step']).doUpdateSet(row))
    .execute()
  return code
}

/** Whether a step has a code, used or not. */
export async function hasCode({ db }: Auth, { txHash, step }: CodeBinding): Promise<boolean> {
  const row = await db
    .selectFrom('codes')
    .select('tx_hash')
    .where('tx_hash', '=', txHash)
    .where('step', '=', step)
    .executeTakeFirst()
  return row !== undefined
}

/** Lets the code of a step live ten minutes from now. Returns false if there is no code. */
export async function renewCode(
  { db, clock }: Auth,
  { txHash, step }: CodeBinding,
): Promise<boolean> {
  const renewed = await db
    .updateTable('codes')
    .set({ expires_at: new Date(clock() + codeLifetimeMs) })
    .where('tx_hash', '=', txHash)
    .where('step', '=', step)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/**
 * Compares a code and consumes it if it is correct. Each code allows three attempts, and each
 * mailbox and purpose 30 wrong codes per day. A browser with which the mailbox's owner has signed
 * in has its own attempts, so that an attacker cannot lock it out. `then` runs in the transaction
 * of the one caller that consumed the code. Throws `CODE_WRONG`, `CODE_USED_UP` and
 * `CODE_THROTTLED`.
 */
export async function consumeCode<Result>(
  auth: Auth,
  { of, code, jkt }: { readonly of: CodeBinding; readonly code: string; readonly jkt: string },
  then: (trx: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const nowMs = auth.clock()
  const subject = await getAttemptSubject(auth, { emailIndex: of.emailIndex, jkt })
  const budget = { scope: `wrong ${of.purpose}`, subject, windows: wrongCodeLimits }
  const storedHash = await countAttempt(auth, of, { budget, nowMs })
  const enteredHash = await hashCode(auth, of, code)
  if (!timingSafeEqual(storedHash, enteredHash)) throw new LatchkeyError('CODE_WRONG')
  return auth.db.transaction().execute(async (trx) => {
    const consumed = await trx
      .updateTable('codes')
      .set({ consumed_at: new Date(nowMs) })
      .where('tx_hash', '=', of.txHash)
      .where('step', '=', of.step)
      .where('code_hash', '=', storedHash)
      .where('consumed_at', 'is', null)
      .executeTakeFirst()
    if (consumed.numUpdatedRows !== 1n) throw new LatchkeyError('CODE_USED_UP')
    await refund(trx, { budget, nowMs })
    return then(trx)
  })
}

async function getAttemptSubject(
  { db, secrets }: Auth,
  by: { readonly emailIndex: Uint8Array; readonly jkt: string },
): Promise<Uint8Array> {
  if (!(await isKnownBrowser(db, by))) return by.emailIndex
  const mailbox = Buffer.from(by.emailIndex).toString('hex')
  return secrets.mac('budget', JSON.stringify([mailbox, by.jkt]))
}

/** Counts an attempt towards the code and its mailbox, or neither, before anything is compared. */
async function countAttempt(
  { db }: Auth,
  { txHash, step }: CodeBinding,
  { budget, nowMs }: { budget: Budget; nowMs: number },
): Promise<Uint8Array> {
  const throttle = (waitMs: number) => {
    if (waitMs === 0) return
    throw new LatchkeyError('CODE_THROTTLED', { data: { seconds: Math.ceil(waitMs / 1000) } })
  }
  // Refuse a flood before it waits for the row lock.
  throttle(await readWait(db, { budget, nowMs }))
  return db.transaction().execute(async (trx) => {
    throttle(await consumeLimit(trx, { budget, nowMs }))
    const counted = await trx
      .updateTable('codes')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('tx_hash', '=', txHash)
      .where('step', '=', step)
      .where('attempts', '<', attemptsPerCode)
      .where('consumed_at', 'is', null)
      .where('expires_at', '>', new Date(nowMs))
      .returning('code_hash')
      .executeTakeFirst()
    if (counted === undefined) throw new LatchkeyError('CODE_USED_UP')
    return counted.code_hash
  })
}

async function hashCode({ secrets }: Auth, of: CodeBinding, code: string): Promise<Uint8Array> {
  const { txHash, step, purpose, emailIndex, binding } = of
  const hex = [txHash, emailIndex].map((bytes) => Buffer.from(bytes).toString('hex'))
  const peppered = await secrets.mac(
    'code',
    JSON.stringify([...hex, step, purpose, ...binding, code]),
  )
  return new Promise((resolve, reject) =>
    scrypt(peppered, txHash, 32, cost, (error, key) => (error ? reject(error) : resolve(key))),
  )
}

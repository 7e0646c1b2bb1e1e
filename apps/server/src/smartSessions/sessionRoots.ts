import type { SmartSessionsDeps } from './session.ts'
import { rootContext } from './sessionKeys.ts'

type SessionRootsDeps = Pick<SmartSessionsDeps, 'db' | 'kms' | 'clock' | 'log'>

const dayMs = 86_400_000
const getDay = ({ clock }: Pick<SessionRootsDeps, 'clock'>) => Math.floor(clock() / dayMs)

/**
 * The secret of today, which derives new sessions. It is created when first needed, and is the same
 * for all servers of this database. A secret that cannot be read is replaced, because nothing
 * derived from it can be activated anyway.
 */
export async function ensureRoot(deps: SessionRootsDeps): Promise<Uint8Array> {
  const { db, kms, log } = deps
  const day = getDay(deps)
  const read = () =>
    db.selectFrom('permission_roots').select('wrapped').where('day', '=', day).executeTakeFirst()
  const found = await read()
  if (found)
    try {
      return await kms.unwrap(found.wrapped, rootContext(day))
    } catch (error) {
      log.error({ err: error, day }, unreadable)
    }
  const { wrapped } = await kms.generateDataKey(rootContext(day))
  // Of several concurrent servers, one writes.
  if (found)
    await db
      .updateTable('permission_roots')
      .set({ wrapped })
      .where('day', '=', day)
      .where('wrapped', '=', found.wrapped)
      .execute()
  else
    await db
      .insertInto('permission_roots')
      .values({ day, wrapped })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const made = await read()
  if (!made) throw new Error('a secret that was just written is missing')
  return kms.unwrap(made.wrapped, rootContext(day))
}

/**
 * The secrets of the last days, the newest first: a grant may take until the next day, and clocks
 * differ. A secret that cannot be read does not affect sessions of the others: VAULT_UNAVAILABLE is
 * thrown after the last secret.
 */
export async function* readRoots({ db, kms, log }: Pick<SessionRootsDeps, 'db' | 'kms' | 'log'>) {
  const rows = await db
    .selectFrom('permission_roots')
    .selectAll()
    .orderBy('day', 'desc')
    .limit(3)
    .execute()
  const failures: unknown[] = []
  for (const { day, wrapped } of rows) {
    const root = await kms.unwrap(wrapped, rootContext(day)).catch((error: unknown) => {
      log.error({ err: error, day }, unreadable)
      failures.push(error)
    })
    if (root) yield root
  }
  if (failures.length > 0) throw failures[0]
}

const unreadable = 'a secret of permission sessions cannot be read'

/**
 * Deletes secrets from before yesterday, so that anyone who obtains the others later learns no key
 * of a session that was opened earlier.
 */
export async function sweepRoots(deps: Pick<SessionRootsDeps, 'db' | 'clock'>): Promise<void> {
  await deps.db
    .deleteFrom('permission_roots')
    .where('day', '<', getDay(deps) - 1)
    .execute()
}

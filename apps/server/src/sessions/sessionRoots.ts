import type { Sessions } from './session.ts'

type Needs = Pick<Sessions, 'db' | 'kms' | 'clock'>

const dayMs = 86_400_000
const getDay = ({ clock }: Pick<Needs, 'clock'>) => Math.floor(clock() / dayMs)
const kmsContext = (day: number) => ({ purpose: 'auth-share', use: `session root ${day}` }) as const

/** The secret of today, from which new sessions come. Made when it is first needed, the same for all servers of this database. */
export async function ensureRoot(needs: Needs): Promise<Uint8Array> {
  const day = getDay(needs)
  const read = () =>
    needs.db
      .selectFrom('permission_roots')
      .select('wrapped')
      .where('day', '=', day)
      .executeTakeFirst()
  const found = await read()
  if (found) return needs.kms.unwrap(found.wrapped, kmsContext(day))
  const { wrapped } = await needs.kms.generateDataKey(kmsContext(day))
  await needs.db
    .insertInto('permission_roots')
    .values({ day, wrapped })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await read()
  if (!made) throw new Error('a secret that was just written is not there')
  return needs.kms.unwrap(made.wrapped, kmsContext(day))
}

/** The secrets of the last days, the newest first: a grant may take until tomorrow, and clocks differ. */
export async function readRoots({ db, kms }: Pick<Needs, 'db' | 'kms'>): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('permission_roots')
    .selectAll()
    .orderBy('day', 'desc')
    .limit(3)
    .execute()
  return Promise.all(rows.map(({ day, wrapped }) => kms.unwrap(wrapped, kmsContext(day))))
}

/** Deletes those from before yesterday: who gets the others later learns no key of a session that was opened before. */
export async function sweepRoots(needs: Pick<Needs, 'db' | 'clock'>): Promise<void> {
  await needs.db
    .deleteFrom('permission_roots')
    .where('day', '<', getDay(needs) - 1)
    .execute()
}

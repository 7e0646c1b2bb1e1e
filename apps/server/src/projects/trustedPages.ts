import { LatchkeyError, type PassingPage } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Services } from '../services.ts'
import { exactOrigins } from './originAllowed.ts'

/**
 * The exact origins whose pages a project trusts with codes: the origins that it lists, if its
 * setting `otp_surface` is `host`, and otherwise no origin. From the recent copy of the projects.
 */
export async function trustedOrigins(
  { projects }: Pick<Services, 'projects'>,
  projectId: string,
): Promise<string[]> {
  if (!(await projects.isHost(projectId))) return []
  return exactOrigins((await projects.read(projectId)).get(projectId) ?? [])
}

/**
 * Whether a project trusts this page with codes now. Reads the database, so that turning the
 * setting off takes effect at once.
 */
export async function isTrustedPage(
  db: Kysely<Database>,
  { projectId, origin }: PassingPage,
): Promise<boolean> {
  const project = await db
    .selectFrom('projects')
    .select('allowed_origins')
    .where('id', '=', projectId)
    .where('otp_surface', '=', 'host')
    .executeTakeFirst()
  return project !== undefined && exactOrigins(project.allowed_origins).includes(origin)
}

/**
 * Throws `CODE_NOT_TAKEN` if a page has passed on a code and its project does not trust it with
 * codes.
 */
export async function requireTrustedPage(
  db: Kysely<Database>,
  page: PassingPage | undefined,
): Promise<void> {
  if (page !== undefined && !(await isTrustedPage(db, page)))
    throw new LatchkeyError('CODE_NOT_TAKEN')
}

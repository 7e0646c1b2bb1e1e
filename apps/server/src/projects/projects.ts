import type { FramePageFacts } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import { StartError } from '../startError.ts'

/**
 * Where users type codes: only in the secure frame, or also in the pages that the project lists.
 */
type OtpSurface = FramePageFacts['otpSurface']

/** A stored project: its id, a name for people, its allowed origins, and where users type codes. */
export type Project = {
  readonly id: string
  readonly name: string
  readonly allowedOrigins: readonly string[]
  readonly otpSurface: OtpSurface
  readonly createdAt: Date
}

/** Adds a project. Returns false, and changes nothing, if a project with this id exists. */
export async function addProject(
  db: Kysely<Database>,
  {
    id,
    name,
    allowedOrigins,
    otpSurface = 'frame',
  }: Pick<Project, 'id' | 'name' | 'allowedOrigins'> & Pick<ProjectChanges, 'otpSurface'>,
): Promise<boolean> {
  const added = await db
    .insertInto('projects')
    .values({ id, name, allowed_origins: [...allowedOrigins], otp_surface: otpSurface })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** The parts of a project to change; omitted parts stay unchanged. */
export type ProjectChanges = {
  readonly name?: string | undefined
  readonly allowedOrigins?: readonly string[] | undefined
  readonly otpSurface?: OtpSurface | undefined
}

/** Changes a project. Throws `PROJECT_MISSING`. */
export async function editProject(
  db: Kysely<Database>,
  { id, name, allowedOrigins, otpSurface }: ProjectChanges & { readonly id: string },
): Promise<void> {
  const edited = await db
    .updateTable('projects')
    .set({
      ...(name !== undefined && { name }),
      ...(allowedOrigins && { allowed_origins: [...allowedOrigins] }),
      ...(otpSurface && { otp_surface: otpSurface }),
    })
    .where('id', '=', id)
    .executeTakeFirst()
  if (edited.numUpdatedRows !== 1n) throw new StartError('PROJECT_MISSING', { data: { id } })
}

/** Every project, the oldest first. */
export async function listProjects(db: Kysely<Database>): Promise<Project[]> {
  const rows = await db.selectFrom('projects').selectAll().orderBy('created_at').execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    allowedOrigins: row.allowed_origins,
    otpSurface: row.otp_surface,
    createdAt: row.created_at,
  }))
}

/** The facts about all projects that the checks of requests need. */
export type ProjectFacts = {
  /** The allowed origins of each project, by its id. */
  readonly origins: ReadonlyMap<string, readonly string[]>
  /** The ids of the projects whose pages may pass on codes. */
  readonly hosts: ReadonlySet<string>
}

/** Reads the facts about all projects that the checks of requests need. */
export async function readProjectFacts(db: Kysely<Database>): Promise<ProjectFacts> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'allowed_origins', 'otp_surface'])
    .execute()
  return {
    origins: new Map(rows.map((row) => [row.id, row.allowed_origins])),
    hosts: new Set(rows.filter((row) => row.otp_surface === 'host').map(({ id }) => id)),
  }
}

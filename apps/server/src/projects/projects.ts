import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import { StartError } from '../startError.ts'

/** A stored project: its id, a name for people, and its allowed origins. */
export type Project = {
  readonly id: string
  readonly name: string
  readonly allowedOrigins: readonly string[]
  readonly createdAt: Date
}

/** Adds a project. Returns false, and changes nothing, if a project with this id exists. */
export async function addProject(
  db: Kysely<Database>,
  { id, name, allowedOrigins }: Omit<Project, 'createdAt'>,
): Promise<boolean> {
  const added = await db
    .insertInto('projects')
    .values({ id, name, allowed_origins: [...allowedOrigins] })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** The parts of a project to change; what is left out stays. */
export type ProjectChanges = {
  readonly name?: string | undefined
  readonly allowedOrigins?: readonly string[] | undefined
}

/** Changes a project. Throws `PROJECT_MISSING`. */
export async function editProject(
  db: Kysely<Database>,
  { id, name, allowedOrigins }: ProjectChanges & { readonly id: string },
): Promise<void> {
  const edited = await db
    .updateTable('projects')
    .set({
      ...(name !== undefined && { name }),
      ...(allowedOrigins && { allowed_origins: [...allowedOrigins] }),
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
    createdAt: row.created_at,
  }))
}

/** The allowed origins of each project, by its id. */
export async function readOrigins(
  db: Kysely<Database>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.selectFrom('projects').select(['id', 'allowed_origins']).execute()
  return new Map(rows.map((row) => [row.id, row.allowed_origins]))
}

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

/** Adds a project. Throws `PROJECT_EXISTS`. */
export async function addProject(
  db: Kysely<Database>,
  { id, name, allowedOrigins }: Omit<Project, 'createdAt'>,
): Promise<void> {
  const added = await db
    .insertInto('projects')
    .values({ id, name, allowed_origins: [...allowedOrigins] })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows !== 1n)
    throw new StartError('PROJECT_EXISTS', { data: { id } })
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

import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'

/** A project as kept: its id, a name for people, and who may use it. */
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
    throw new LatchkeyError('PROJECT_EXISTS', { data: { id } })
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

/** The origins a project may be used from; `undefined` when there is none of that id. */
export async function findOrigins(db: Kysely<Database>, id: string): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('allowed_origins')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.allowed_origins
}

/** Whether any project was added: until then a server is open to its own machine. */
export async function anyProject(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('projects').select('id').limit(1).executeTakeFirst()) !== undefined
}

import type { Migration } from 'kysely'
import * as projects from './0001_projects.ts'

/** Every migration by name, in order. A published one never changes. */
export const migrations: Record<string, Migration> = {
  '0001_projects': projects,
}

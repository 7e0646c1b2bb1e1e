import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../startError.ts'
import { getStartTime, isAlive } from './process.ts'

type Owner = { readonly pid: number; readonly start: string | undefined }

/**
 * Makes this process the only process that may run the database in `base`. The returned function
 * releases it. Throws `DATABASE_IN_USE` while another owner is alive; a claim of a dead process
 * does not count.
 */
export async function claimDatabase(base: string): Promise<() => Promise<void>> {
  const path = join(base, 'owner.json')
  const self: Owner = { pid: process.pid, start: getStartTime(process.pid) }
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      await writeFile(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 })
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const pid = await findLiveOwner(base)
    if (pid !== undefined) throw new StartError('DATABASE_IN_USE', { data: { pid, dir: base } })
    await rm(path, { force: true })
  }
  throw new StartError('DATABASE_IN_USE', { data: { pid: 'unknown', dir: base } })
}

/** The process id of the server that runs the database in `base`, if one does. */
export async function findLiveOwner(base: string): Promise<number | undefined> {
  const text = await readFile(join(base, 'owner.json'), 'utf8').catch(() => '')
  const owner = parse(text)
  if (owner === undefined || !isAlive(owner.pid)) return undefined
  return getStartTime(owner.pid) === owner.start ? owner.pid : undefined
}

function parse(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null
    return typeof owner?.pid === 'number' ? { pid: owner.pid, start: owner.start } : undefined
  } catch {
    return undefined
  }
}

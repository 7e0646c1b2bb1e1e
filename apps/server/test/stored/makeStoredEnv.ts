import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDatabase } from '@latchkey/dev'
import stored from './server.json'

/** The time at which the stored server was stopped. */
export const storedAtMs = stored.nowMs

/** The token of the sign-in that the stored database holds. */
export const { siwxToken } = stored

/**
 * Restores the database and the keyring that an earlier version's server left, with the keyring in
 * a new folder of `dir`. Returns the environment of a server on them.
 */
export async function makeStoredEnv(dir: string): Promise<Record<string, string>> {
  const keyring = join(dir, 'keyring')
  await mkdir(keyring, { mode: 0o700 })
  for (const [name, text] of Object.entries(stored.keyring))
    await writeFile(join(keyring, name), text, { mode: 0o600 })
  const sql = await readFile(new URL('database.sql', import.meta.url), 'utf8')
  return { DATABASE_URL: await makeDatabase(sql), KEYRING_DIR: keyring, NAME_ZONES: 'latchkey.id' }
}

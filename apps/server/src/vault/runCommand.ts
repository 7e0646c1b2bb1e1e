import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import { verifyAudit } from './audit.ts'
import { type ListKeys, rewrapKeys } from './keys/rewrapKeys.ts'
import { createFileKeyring, rotateFileKeyring } from './kms/fileKeyring.ts'
import { openKeyring } from './kms/openKeyring.ts'

type VaultCommand = {
  readonly dir: string
  readonly command: 'kms create' | 'kms rotate' | 'kms verify' | 'audit verify'
  /** The wrapped keys of other areas. */
  readonly lists: readonly ListKeys[]
}

/** Runs a command of the operator. Returns the text to print and the exit code. */
export async function runVaultCommand(
  db: Kysely<Database>,
  { dir, command, lists }: VaultCommand,
): Promise<{ readonly text: string; readonly code: number }> {
  if (command === 'kms create') {
    await openKeyring({ db, dir, create: true })
    await createFileKeyring(dir)
    return { text: `The keyring is in ${dir}: back it up separately from the database\n`, code: 0 }
  }
  const kms = await openKeyring({ db, dir, create: false })
  if (command === 'audit verify') {
    const { intact, entries, brokenAt } = await verifyAudit(db, kms)
    if (intact) return { text: `The log is intact: ${entries} entries\n`, code: 0 }
    return { text: `The log was changed at entry ${brokenAt ?? entries}\n`, code: 1 }
  }
  if (command === 'kms rotate') await rotateFileKeyring(dir)
  const { keys, rewrapped, closed } = await rewrapKeys(db, { kms, lists })
  const text = `${keys} keys open, ${rewrapped} of them were rewrapped\n`
  if (closed.length === 0) return { text, code: 0 }
  const names = closed.map((name) => `  ${name}\n`).join('')
  return { text: `${text}These keys do not open:\n${names}`, code: 1 }
}

import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import { verifyAudit } from './audit.ts'
import { rewrapKeys } from './keys/rewrapKeys.ts'
import { createFileKeyring, rotateFileKeyring } from './kms/fileKeyring.ts'
import { openKeyring } from './kms/openKeyring.ts'

type VaultCommand = {
  readonly dir: string
  readonly command: 'kms create' | 'kms rotate' | 'kms verify' | 'audit verify'
}

/** Runs a command of the operator. Returns the text to print and the exit code. */
export async function runVaultCommand(
  db: Kysely<Database>,
  { dir, command }: VaultCommand,
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
  const { keys, rewrapped } = await rewrapKeys(db, kms)
  return { text: `${keys} keys open, ${rewrapped} of them were rewrapped\n`, code: 0 }
}

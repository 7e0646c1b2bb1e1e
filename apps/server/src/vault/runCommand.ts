import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import { verifyAudit } from './audit.ts'
import { type ListKeys, rewrapKeys } from './keys/rewrapKeys.ts'
import { createFileKeyring } from './kms/fileKeyring.ts'
import { openKeyring, readVersions, rotateKeyring } from './kms/openKeyring.ts'

type VaultCommand = {
  readonly dir: string
  readonly command: 'kms create' | 'kms rotate' | 'kms verify' | 'audit verify'
  /** The wrapped keys of other areas. */
  readonly lists: readonly ListKeys[]
}

/** Runs a command of the operator. Returns the output to print and the exit code. */
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
  if (command === 'kms rotate') await rotateKeyring({ db, dir })
  const { keys, rewrapped, closed } = await rewrapKeys(db, { kms, lists })
  const versions = await readVersions({ db, dir })
  const isEven = new Set(versions.map(({ version }) => version)).size === 1
  const lines = [
    ...versions.map(({ purpose, version }) => `${purpose} has version ${version}`),
    ...(isEven
      ? []
      : ['A rotation was interrupted between the two: run `latchkey kms rotate` again']),
    `${keys} keys open, ${rewrapped} of them were rewrapped`,
    ...(closed.length > 0 ? ['These keys do not open:', ...closed.map((name) => `  ${name}`)] : []),
  ]
  const text = lines.map((line) => `${line}\n`).join('')
  return { text, code: isEven && closed.length === 0 ? 0 : 1 }
}

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { StartError } from '../../startError.ts'
import {
  createFileKeyring,
  isKeyringMissing,
  openFileKeyring,
  readKeyVersions,
  rotateFileKeyring,
} from './fileKeyring.ts'
import { type KmsProvider, kmsPurposes } from './kmsProvider.ts'

type Opening = {
  readonly db: Kysely<Database>
  readonly dir: string
  /** Whether a missing keyring may be created: in development, at the first start. */
  readonly create: boolean
}

/**
 * Opens the keyring of this database. Throws `KEYRING_UNUSABLE` if it is missing and must not be
 * created, if it is missing and the database was used with a keyring before, or if it is another
 * keyring. Nothing is ever encrypted with the wrong key.
 */
export async function openKeyring({ db, dir, create }: Opening): Promise<KmsProvider> {
  return withKeyringLock(db, async (trx) => {
    const known = await trx.selectFrom('kms_keys').selectAll().execute()
    if (await isKeyringMissing(dir)) {
      if (known.length > 0) throw unusable(dir, 'it is missing. Restore it from its backup')
      if (!create) throw unusable(dir, 'it is missing. Create it with `latchkey kms create`')
      await createFileKeyring(dir)
    }
    const kms = await openFileKeyring(dir)
    const fingerprints = await kms.health()
    for (const id of kmsPurposes) {
      const fingerprint = fingerprints[id]
      const before = known.find((row) => row.id === id)
      if (before && Buffer.compare(before.fingerprint, fingerprint) !== 0)
        throw unusable(dir, `its key ${id} is not the key with which this database was written`)
      if (!before) await trx.insertInto('kms_keys').values({ id, fingerprint }).execute()
    }
    return kms
  })
}

/**
 * Adds a version to the keys of the keyring of this database. A concurrent process waits: two at
 * once would both create the same version, and keys wrapped with the overwritten version would
 * never open again.
 */
export const rotateKeyring = ({ db, dir }: Pick<Opening, 'db' | 'dir'>): Promise<void> =>
  withKeyringLock(db, () => rotateFileKeyring(dir))

/** The versions of the keys that rotate. Waits while another process is between the two of them. */
export const readVersions = ({ db, dir }: Pick<Opening, 'db' | 'dir'>) =>
  withKeyringLock(db, () => readKeyVersions(dir))

/** If the process ends for any reason, its transaction ends too, and so does its lock. */
const withKeyringLock = <Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(4815162343)`.execute(trx)
    return work(trx)
  })

const unusable = (dir: string, reason: string) =>
  new StartError('KEYRING_UNUSABLE', { data: { dir, reason } })

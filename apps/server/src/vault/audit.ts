import { createHash } from 'node:crypto'
import type { Db, Vault } from './vault.ts'

/**
 * An event and the user that it concerns. Never contains a share, a code, a token, an email address
 * or signed content.
 */
export type AuditEntry = {
  readonly subject: string
  readonly deviceId?: string | undefined
  readonly action: string
  readonly detail?: Readonly<Record<string, string | number>> | undefined
}

type AuditDeps = Pick<Vault, 'kms' | 'clock'>

const start = Buffer.alloc(32)

/**
 * Appends an entry to the hash chain: each row's hash covers the previous row, and the KMS signs
 * the last hash. Call it last in a transaction: it blocks other appends until the transaction ends.
 */
export async function appendAudit(
  trx: Db,
  { kms, clock }: AuditDeps,
  entry: AuditEntry,
): Promise<void> {
  const { subject, deviceId, action, detail } = entry
  const head = await lockHead(trx)
  const row = {
    sequence: head.sequence + 1n,
    at: new Date(clock()),
    subject,
    device_id: deviceId ?? null,
    action,
    detail: JSON.stringify(detail ?? {}),
  }
  const hash = hashRow(head.hash, row)
  await trx
    .insertInto('audit')
    .values({ ...row, hash })
    .execute()
  const mac = await computeMac(kms, row.sequence, hash)
  await trx.updateTable('audit_head').set({ sequence: row.sequence, hash, mac }).execute()
}

async function lockHead(trx: Db) {
  const head = trx.selectFrom('audit_head').selectAll().forUpdate()
  const found = await head.executeTakeFirst()
  if (found) return found
  await trx
    .insertInto('audit_head')
    .values({ one: true, sequence: 0n, hash: start, mac: start })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return head.executeTakeFirstOrThrow()
}

type Row = {
  readonly sequence: bigint
  readonly at: Date
  readonly subject: string
  readonly device_id: string | null
  readonly action: string
  readonly detail: string
}

function hashRow(before: Uint8Array, row: Row): Buffer {
  const { sequence, at, subject, device_id, action, detail } = row
  const text = JSON.stringify([String(sequence), at.getTime(), subject, device_id, action, detail])
  return createHash('sha256').update(before).update(text).digest()
}

const computeMac = (kms: AuditDeps['kms'], sequence: bigint, hash: Uint8Array) =>
  kms.mac('audit head', Buffer.concat([Buffer.from(`${sequence}\n`), hash]))

/** Verifies the log: detects changed, missing, added or reordered rows, and a truncated end. */
export async function verifyAudit(
  db: Db,
  kms: AuditDeps['kms'],
): Promise<{ readonly intact: boolean; readonly entries: number; readonly brokenAt?: number }> {
  const rows = await db.selectFrom('audit').selectAll().orderBy('sequence').execute()
  let before: Uint8Array = start
  for (const [index, row] of rows.entries()) {
    const expected = hashRow(before, row)
    if (row.sequence !== BigInt(index + 1) || Buffer.compare(expected, row.hash) !== 0)
      return { intact: false, entries: rows.length, brokenAt: index + 1 }
    before = expected
  }
  const head = await db.selectFrom('audit_head').selectAll().executeTakeFirst()
  if (!head) return { intact: rows.length === 0, entries: rows.length }
  const mac = await computeMac(kms, BigInt(rows.length), before)
  const intact = head.sequence === BigInt(rows.length) && Buffer.compare(mac, head.mac) === 0
  return intact
    ? { intact, entries: rows.length }
    : { intact, entries: rows.length, brokenAt: rows.length }
}

const pageLength = 100

/** The entries that a user may read about their own account, newest first. */
export async function readAudit(
  { db }: Pick<Vault, 'db'>,
  { subject, before }: { readonly subject: string; readonly before?: number | undefined },
) {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('subject', '=', subject)
    .$if(before !== undefined, (query) => query.where('sequence', '<', BigInt(before ?? 0)))
    .orderBy('sequence', 'desc')
    .limit(pageLength)
    .execute()
  return rows.map(({ sequence, at, action, device_id, detail }) => ({
    sequence: Number(sequence),
    atMs: at.getTime(),
    action,
    ...(device_id !== null && { deviceId: device_id }),
    detail: JSON.parse(detail) as Record<string, string | number>,
  }))
}

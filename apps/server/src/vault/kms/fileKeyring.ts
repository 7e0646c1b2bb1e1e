import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { appendFile, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod'
import { StartError } from '../../startError.ts'
import { gcmOpen, gcmSeal } from '../keys/gcm.ts'
import { type KmsContext, type KmsProvider, type KmsPurpose, kmsPurposes } from './kmsProvider.ts'

const keyFile = z.strictObject({
  latchkey: z.literal('keyring'),
  purpose: z.enum(kmsPurposes),
  /** Each version is 32 bytes in base64. The last version is current. */
  versions: z.array(z.base64().length(44)).min(1),
})

type Keyring = { readonly keys: Readonly<Record<KmsPurpose, readonly Buffer[]>> }

const shreddedFile = 'shredded'
const versionBytes = 4

/**
 * A KMS made of files: one file per key, with mode 0400 or 0600, and a list of users whose keys are
 * shredded. Back the directory up separately from the database. Throws `KEYRING_UNUSABLE` if a file
 * is missing, readable by others or not a key.
 */
export async function openFileKeyring(dir: string): Promise<KmsProvider> {
  let keyring = await readKeyring(dir)
  const fresh = async () => {
    keyring = await readKeyring(dir)
    return keyring
  }
  const getKeyVersion = async (purpose: KmsPurpose, version: number) => {
    // Another process may have rotated the keys in the meantime.
    const key = keyring.keys[purpose][version - 1] ?? (await fresh()).keys[purpose][version - 1]
    if (!key) throw new Error(`no version ${version} of ${purpose}`)
    return key
  }
  const wrapUnder = (plaintext: Uint8Array, context: KmsContext) => {
    const version = keyring.keys[context.purpose].length
    const key = keyring.keys[context.purpose][version - 1] ?? Buffer.alloc(0)
    const head = Buffer.alloc(versionBytes)
    head.writeUInt32BE(version)
    const sealed = gcmSeal(key, plaintext, canonical(context, version))
    return { wrapped: Buffer.concat([head, sealed]), keyId: `${context.purpose}/${version}` }
  }
  const unwrap = async (wrapped: Uint8Array, context: KmsContext) => {
    if (context.userId !== undefined && (await isShredded(dir, context.userId)))
      throw new Error('shredded')
    const bytes = Buffer.from(wrapped)
    const version = bytes.readUInt32BE(0)
    const key = await getKeyVersion(context.purpose, version)
    return gcmOpen(key, bytes.subarray(versionBytes), canonical(context, version))
  }
  return {
    id: 'file',
    generateDataKey: guarded(async (context) => {
      const plaintext = randomBytes(32)
      // Read again, so that a key made after a rotation in any process uses the current version.
      await fresh()
      return { plaintext, ...wrapUnder(plaintext, context) }
    }),
    unwrap: guarded(unwrap),
    rewrap: guarded(async (wrapped, context) => {
      const current = (await fresh()).keys[context.purpose].length
      if (Buffer.from(wrapped).readUInt32BE(0) === current) return undefined
      return wrapUnder(await unwrap(wrapped, context), context)
    }),
    mac: guarded(async (purpose, data) => {
      const key = hkdfSync('sha256', keyring.keys.lookup[0] ?? '', '', `mac ${purpose}`, 32)
      return createHmac('sha256', Buffer.from(key)).update(data).digest()
    }),
    shred: guarded(async (userId) => {
      const file = await open(join(dir, shreddedFile), 'a', 0o600)
      await file.appendFile(`${userId}\n`)
      await file.sync()
      await file.close()
    }),
    health: guarded(async () => {
      const { keys } = await fresh()
      const of = (purpose: KmsPurpose) =>
        createHmac('sha256', keys[purpose][0] ?? '')
          .update('latchkey fingerprint')
          .digest()
      return { 'auth-share': of('auth-share'), recovery: of('recovery'), lookup: of('lookup') }
    }),
  }
}

/** Creates the missing keys of the three. Existing keys stay unchanged. */
export async function createFileKeyring(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const purpose of kmsPurposes) {
    try {
      await writeKeyFile(dir, { purpose, versions: [randomBytes(32)], flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  await appendFile(join(dir, shreddedFile), '', { mode: 0o600 })
}

/** Whether the directory holds no key at all, so that a keyring can be created in it. */
export async function isKeyringMissing(dir: string): Promise<boolean> {
  const found = await Promise.all(
    kmsPurposes.map((purpose) => stat(getPath(dir, purpose)).catch(() => undefined)),
  )
  return found.every((file) => file === undefined)
}

const rotating = ['auth-share', 'recovery'] as const

/**
 * The versions of the keys that rotate. They differ after a rotation that was killed between the
 * two.
 */
export async function readKeyVersions(dir: string) {
  const { keys } = await readKeyring(dir)
  return rotating.map((purpose) => ({ purpose, version: keys[purpose].length }))
}

/**
 * Brings `auth-share` and `recovery` to the same next version. Keys wrapped with older versions
 * still open. `lookup` never changes. Do not call it concurrently: one call would overwrite the
 * version of the other.
 */
export async function rotateFileKeyring(dir: string): Promise<void> {
  const { keys } = await readKeyring(dir)
  const next = 1 + Math.max(...rotating.map((purpose) => keys[purpose].length))
  for (const purpose of rotating) {
    const versions = [...keys[purpose]]
    while (versions.length < next) versions.push(randomBytes(32))
    await writeKeyFile(dir, { purpose, versions, flag: 'replace' })
  }
}

type Writing = {
  readonly purpose: KmsPurpose
  readonly versions: readonly Buffer[]
  readonly flag: 'wx' | 'replace'
}

/**
 * Writes the file under a temporary name, then renames it: a crash leaves either the old file or
 * the new one.
 */
async function writeKeyFile(dir: string, { purpose, versions, flag }: Writing): Promise<void> {
  const path = getPath(dir, purpose)
  const target = flag === 'wx' ? path : `${path}.${randomBytes(4).toString('hex')}`
  const file = await open(target, 'wx', 0o400)
  const text = versions.map((version) => version.toString('base64'))
  await file.writeFile(`${JSON.stringify({ latchkey: 'keyring', purpose, versions: text })}\n`)
  await file.sync()
  await file.close()
  if (target !== path) await rename(target, path)
  // Sync before any key is wrapped with it, so that a power failure does not undo the rename.
  const folder = await open(dir)
  await folder.sync()
  await folder.close()
}

const getPath = (dir: string, purpose: KmsPurpose) => join(dir, `${purpose}.json`)

async function readKeyring(dir: string): Promise<Keyring> {
  const [share, recovery, lookup] = await Promise.all(
    kmsPurposes.map((purpose) => readKeyFile(dir, purpose)),
  )
  if (!share || !recovery || !lookup) throw unusable(dir, 'a key is missing')
  const first = [share, recovery, lookup].map((versions) => versions[0]?.toString('hex'))
  if (new Set(first).size !== first.length) throw unusable(dir, 'two keys are the same')
  return { keys: { 'auth-share': share, recovery, lookup } }
}

async function readKeyFile(dir: string, purpose: KmsPurpose): Promise<Buffer[]> {
  const path = getPath(dir, purpose)
  const file = `${purpose}.json`
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0)
      throw unusable(dir, `${file} is readable by other users: run chmod 600 on it`)
    const parsed = keyFile.parse(JSON.parse(await readFile(path, 'utf8')))
    if (parsed.purpose !== purpose) throw unusable(dir, `${file} holds another key`)
    return parsed.versions.map((version) => Buffer.from(version, 'base64'))
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? `${file} is missing` : `${file} cannot be read as a key`
    throw unusable(dir, reason, cause)
  }
}

async function isShredded(dir: string, userId: string): Promise<boolean> {
  const text = await readFile(join(dir, shreddedFile), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    },
  )
  return text.split('\n').includes(userId)
}

const canonical = (context: KmsContext, version: number) =>
  Buffer.from(
    JSON.stringify([
      ...Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1)),
      ['version', version],
    ]),
  )

const unusable = (dir: string, reason: string, cause?: unknown) =>
  new StartError('KEYRING_UNUSABLE', { data: { dir, reason }, cause })

/** Turns every failure into one error, so that no key or path leaves this module. */
const guarded =
  <Args extends unknown[], Made>(work: (...args: Args) => Promise<Made>) =>
  async (...args: Args): Promise<Made> => {
    try {
      return await work(...args)
    } catch (cause) {
      throw new LatchkeyError('VAULT_UNAVAILABLE', { cause })
    }
  }

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LatchkeyError } from '@latchkey/wire'

/** What a ciphertext belongs to: it opens under no other. Never with an address in it. */
export type SealContext = Readonly<Record<string, string>>

/** The keys of the server, wherever they are kept. */
export type Secrets = {
  /** A keyed hash of 32 bytes, another for each purpose. */
  mac(purpose: string, data: string | Uint8Array): Promise<Uint8Array>
  seal(context: SealContext, data: Uint8Array): Promise<Uint8Array>
  /** Throws when `sealed` was changed or sealed under another context. */
  open(context: SealContext, sealed: Uint8Array): Promise<Uint8Array>
}

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** The secrets in the data directory's file `auth.key`: made on first use, readable by nobody else. */
export async function openFileSecrets(dataDir: string): Promise<Secrets> {
  const root = await readKey(dataDir)
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', root, '', label, keyBytes))
  const sealKey = derive('seal')
  return {
    mac: async (purpose, data) =>
      createHmac('sha256', derive(`mac:${purpose}`))
        .update(data)
        .digest(),
    async seal(context, data) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(canonical(context))
      return Buffer.concat([iv, cipher.update(data), cipher.final(), cipher.getAuthTag()])
    },
    async open(context, sealed) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, ivBytes))
      decipher.setAAD(canonical(context)).setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
    },
  }
}

const canonical = (context: SealContext) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))))

async function readKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'auth.key')
  await mkdir(dataDir, { recursive: true })
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(keyBytes))
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const { mode } = await stat(path)
  const key = await readFile(path)
  const problem =
    (mode & 0o077) !== 0
      ? 'may be read by others: run chmod 600 on it'
      : key.length !== keyBytes
        ? `must have ${keyBytes} bytes`
        : undefined
  if (problem !== undefined)
    throw new LatchkeyError('SERVER_CONFIGURATION_INVALID', {
      data: { problems: `${path} ${problem}` },
    })
  return key
}

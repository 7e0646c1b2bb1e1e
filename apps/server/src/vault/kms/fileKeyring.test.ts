import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isError } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import { StartError } from '../../startError.ts'
import { createFileKeyring, openFileKeyring, rotateFileKeyring } from './fileKeyring.ts'
import { kmsPurposes } from './kmsProvider.ts'

async function makeKeyring() {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-keyring-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await createFileKeyring(dir)
  return { dir, kms: await openFileKeyring(dir) }
}
const context = { purpose: 'auth-share', userId: 'u', realm: 'r' } as const
const unavailable = (error: unknown) => isError(error, 'VAULT_UNAVAILABLE')
const unusable = (error: unknown) =>
  error instanceof StartError && error.code === 'KEYRING_UNUSABLE'

test('default: three independent keys that only their owner may read', async () => {
  const { dir, kms } = await makeKeyring()
  const texts = await Promise.all(
    kmsPurposes.map((name) => readFile(join(dir, `${name}.json`), 'utf8')),
  )
  expect(new Set(texts.map((text) => JSON.parse(text).versions[0])).size).toBe(3)
  for (const name of kmsPurposes)
    expect((await stat(join(dir, `${name}.json`))).mode & 0o777).toBe(0o400)
  const { plaintext, wrapped, keyId } = await kms.generateDataKey(context)
  expect(keyId).toBe('auth-share/1')
  expect(await kms.unwrap(wrapped, context)).toEqual(plaintext)
  await createFileKeyring(dir)
  expect(await (await openFileKeyring(dir)).unwrap(wrapped, context)).toEqual(plaintext)
})

test('missing keys: every changed byte and every other context is refused', async () => {
  const { kms } = await makeKeyring()
  const { wrapped } = await kms.generateDataKey(context)
  for (let at = 0; at < wrapped.length; at++) {
    const bad = Buffer.from(wrapped)
    bad[at] = (bad[at] ?? 0) ^ 1
    await expect(kms.unwrap(bad, context)).rejects.toSatisfy(unavailable)
  }
  for (const other of [
    { ...context, userId: 'v' },
    { ...context, realm: 's' },
    { ...context, purpose: 'recovery' as const },
    { ...context, walletId: 'w' },
  ])
    await expect(kms.unwrap(wrapped, other)).rejects.toSatisfy(unavailable)
  await expect(kms.unwrap(Buffer.alloc(0), context)).rejects.toSatisfy(unavailable)
})

test('behavior: after a rotation old values open, new ones use the new key, macs stay', async () => {
  const { dir, kms } = await makeKeyring()
  const { plaintext, wrapped } = await kms.generateDataKey(context)
  const mac = await kms.mac('p', 'data')
  expect(await kms.rewrap(wrapped, context)).toBeUndefined()
  await rotateFileKeyring(dir)
  expect(await kms.unwrap(wrapped, context)).toEqual(plaintext)
  expect((await kms.generateDataKey(context)).keyId).toBe('auth-share/2')
  const fresh = await kms.rewrap(wrapped, context)
  expect(fresh?.keyId).toBe('auth-share/2')
  expect(await kms.unwrap(fresh?.wrapped ?? Buffer.alloc(0), context)).toEqual(plaintext)
  expect(await kms.mac('p', 'data')).toEqual(mac)
  expect(await kms.mac('q', 'data')).not.toEqual(mac)
  expect((await readdir(dir)).sort()).toEqual([
    'auth-share.json',
    'lookup.json',
    'recovery.json',
    'shredded',
  ])
})

test('deleted wallets: keys of a shredded user no longer open, in any process', async () => {
  const { dir, kms } = await makeKeyring()
  const other = await openFileKeyring(dir)
  const { wrapped } = await kms.generateDataKey(context)
  await kms.shred('u')
  await expect(kms.unwrap(wrapped, context)).rejects.toSatisfy(unavailable)
  await expect(other.unwrap(wrapped, context)).rejects.toSatisfy(unavailable)
  await expect((await openFileKeyring(dir)).rewrap(wrapped, context)).resolves.toBeUndefined()
})

test('missing keys: a key that others may read, that is missing, or that is no key is refused at the start', async () => {
  const { dir } = await makeKeyring()
  const path = join(dir, 'recovery.json')
  for (const mode of [0o644, 0o640, 0o604, 0o620]) {
    await chmod(path, mode)
    await expect(openFileKeyring(dir)).rejects.toThrow(
      'is readable by other users: run chmod 600 on it',
    )
  }
  await chmod(path, 0o600)
  await openFileKeyring(dir)
  const whole = await readFile(path, 'utf8')
  for (const text of ['', '{}', whole.replace('recovery', 'lookup'), whole.slice(0, -20)]) {
    await writeFile(path, text)
    await expect(openFileKeyring(dir)).rejects.toSatisfy(unusable)
  }
  const share = await readFile(join(dir, 'auth-share.json'), 'utf8')
  await writeFile(path, share.replace('auth-share', 'recovery'))
  await expect(openFileKeyring(dir)).rejects.toThrow('two keys are the same')
  await rm(path)
  await expect(openFileKeyring(dir)).rejects.toThrow('recovery.json is missing')
})

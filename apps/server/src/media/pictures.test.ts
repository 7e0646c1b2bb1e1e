import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { OverBudget } from '../http/failure.ts'
import { findPicture, hashContent, openPictures, storePicture } from './pictures.ts'

const block = 4_096

async function open(maxBytes: number) {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-pictures-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const now = { ms: Date.UTC(2026, 0, 1) }
  return { now, dir, pictures: openPictures({ ...makeServices({}, () => now.ms), dir, maxBytes }) }
}

test('default: a stored picture is found, with its age', async () => {
  const { pictures, now } = await open(10 * block)
  const hash = hashContent('a')
  expect(await findPicture(pictures, hash)).toBeUndefined()
  await storePicture(pictures, hash, Buffer.from('picture'))
  now.ms += 5_000
  await findPicture(pictures, hash)
  now.ms += 5_000
  expect(await findPicture(pictures, hash)).toEqual({
    bytes: Buffer.from('picture'),
    ageMs: 10_000,
  })
  await storePicture(pictures, hash, Buffer.from('newer'))
  expect(await findPicture(pictures, hash)).toEqual({ bytes: Buffer.from('newer'), ageMs: 0 })
})

test('behavior: if there are too many, the least recently requested are removed, down to four fifths', async () => {
  const { pictures, now, dir } = await open(10 * block)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
    now.ms += 1_000
    await storePicture(pictures, hashContent(name), Buffer.alloc(block, name))
    await findPicture(pictures, hashContent('a'))
  }
  expect(await readdir(dir)).toHaveLength(10)
  now.ms += 1_000
  await storePicture(pictures, hashContent('k'), Buffer.alloc(block, 'k'))
  const left = await Promise.all(
    [...'abcdefghijk'].map(async (name) =>
      (await findPicture(pictures, hashContent(name))) ? name : '',
    ),
  )
  expect(left.join('')).toBe('aefghijk')
})

test('behavior: pictures from before a restart or of another process count', async () => {
  const { pictures, dir, now } = await open(10 * block)
  await writeFile(join(dir, hashContent('old')), Buffer.alloc(9 * block))
  now.ms = Date.now() + 60_000
  await storePicture(pictures, hashContent('new'), Buffer.alloc(2 * block))
  expect(await readdir(dir)).toEqual([hashContent('new')])
})

test('behavior: many small pictures are counted by their size on the disk', async () => {
  const { pictures, dir } = await open(10 * block)
  for (let index = 0; index < 30; index++)
    await storePicture(pictures, hashContent(String(index)), Buffer.from('small'))
  expect((await readdir(dir)).length).toBeLessThanOrEqual(10)
})

test('error: while answers hold all there is no picture is read', async () => {
  const { pictures } = await open(10 * block)
  const hash = hashContent('a')
  await storePicture(pictures, hash, Buffer.from('picture'))
  const { responseMemory } = pictures
  // The total, plus a quarter for the server's own work.
  const all = responseMemory.open(undefined, 1.25 * 256 * 1024 * 1024)
  await expect(findPicture(pictures, hash)).rejects.toBeInstanceOf(OverBudget)
  all?.release()
  expect((await findPicture(pictures, hash))?.bytes).toEqual(Buffer.from('picture'))
  expect(responseMemory.held()).toBe(0)
})

import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readBuiltFile } from './readBuiltFile.ts'

test('behavior: later clients get a file in a smaller form with the same content and the same version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-built-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'app.js')
  await copyFile(join(import.meta.dirname, '../../server.test.ts'), file)
  const first = await readBuiltFile(file, 'br')
  if (!first) throw new Error('not served')
  await expect
    .poll(async () => (await readBuiltFile(file, 'br'))?.body.length, { timeout: 10_000 })
    .toBeLessThan(first.body.length)
  const later = await readBuiltFile(file, 'br')
  expect(later?.headers).toEqual(first.headers)
  for (const { body } of [first, later ?? first])
    expect(brotliDecompressSync(body)).toEqual(await readFile(file))
})

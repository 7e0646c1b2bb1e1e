import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders: string[] = []

/** A clean build of the frame: what is in it, by name. */
async function buildOnce(): Promise<Record<string, string>> {
  const outDir = await mkdtemp(join(tmpdir(), 'latchkey-build-'))
  folders.push(outDir)
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const files = await Promise.all(
    names.map(async (name) => [name.slice(outDir.length + 1), await readFile(name, 'latin1')]),
  )
  return Object.fromEntries(files)
}

let first: Record<string, string>
beforeAll(async () => {
  first = await buildOnce()
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

test('other origins: two clean builds are the same, byte for byte', async () => {
  const second = await buildOnce()
  const hashes = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        createHash('sha256').update(text, 'latin1').digest('hex'),
      ]),
    )
  expect(hashes(second)).toEqual(hashes(first))
})

test('other origins: at most 12 packages are bundled', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const foreign = Object.keys(manifest.dependencies).filter(
    (name) => !name.startsWith('@latchkey/'),
  )
  expect(foreign.length).toBeLessThanOrEqual(12)
})

test('foreign scripts: no page has anything inline, and no script writes markup or evaluates text', () => {
  // The recovery page is one file on purpose; its own policy names what is in it by hash.
  const pages = Object.entries(first).filter(
    ([name]) => name.endsWith('.html') && name !== 'recover.html',
  )
  expect(pages).toHaveLength(9)
  for (const [, html] of pages) {
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/)
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  }
  const scripts = Object.entries(first).filter(([name]) => name.endsWith('.js'))
  for (const [name, code] of scripts) {
    expect([
      name,
      /\beval\(|new Function\(|document\.write|outerHTML|insertAdjacentHTML/.test(code),
    ]).toEqual([name, false])
    // The view library names its marks by chance; keys are another matter.
    const isOfWorker = name.includes('keyWorker') || code.includes('"./keyWorker-')
    if (isOfWorker) expect([name, code.includes('Math.random')]).toEqual([name, false])
  }
})

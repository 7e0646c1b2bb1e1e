import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeTurn } from './takeTurn.ts'

const place = () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, path: join(folder, 'turn') }
}

test('default: one after the other', async () => {
  const { folder, path } = place()
  const seen: string[] = []
  const work = async (name: string) => {
    const release = await takeTurn(path)
    seen.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${name} ends`)
    release()
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  expect(seen.map((line) => line.split(' ')[1])).toEqual(Array(3).fill(['begins', 'ends']).flat())
  for (let at = 0; at < seen.length; at += 2) expect(seen[at]?.[0]).toBe(seen[at + 1]?.[0])
  expect(readdirSync(folder)).toEqual([])
})

test('behavior: the turn of a process that died is free', async () => {
  const { path } = place()
  const { pid } = spawnSync('true')
  writeFileSync(path, String(pid))
  const release = await takeTurn(path)
  release()
})

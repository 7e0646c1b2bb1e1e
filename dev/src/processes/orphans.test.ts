import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { root } from '../root.ts'
import { endOrphans, isAlive, rememberProcess } from './orphans.ts'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  cleanups.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

// A separate launcher, which starts the chains and then waits to be killed.
async function launchChains(dataDir: string) {
  const script = `import { startChains } from ${JSON.stringify(`${root}/dev/src/index.ts`)}
    const chains = await startChains({ dataDir: ${JSON.stringify(dataDir)} })
    console.log(chains.children.map(({ pid }) => pid).join())
    setInterval(() => {}, 1000)`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const launcher = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => launcher.kill('SIGKILL'))
  const text = await new Promise<string>((resolve) =>
    launcher.stdout.once('data', (data) => resolve(String(data))),
  )
  return { launcher, pids: text.trim().split(',').map(Number) }
}

test('default: ends the processes of a killed launcher, and throws while the launcher is running', async () => {
  const dataDir = folder()
  const runDir = join(dataDir, 'run')
  const { launcher, pids } = await launchChains(dataDir)
  await expect(endOrphans(runDir)).rejects.toThrow(
    `Latchkey already runs on this data (process ${launcher.pid}, ${runDir}). Stop it, or set LATCHKEY_DATA to another folder.`,
  )
  const gone = new Promise((resolve) => launcher.once('exit', resolve))
  launcher.kill('SIGKILL')
  await gone
  expect(pids.map(isAlive)).toEqual([true, true])
  expect((await endOrphans(runDir)).sort()).toEqual(['chain-31337', 'chain-31338'])
  expect(pids.map(isAlive)).toEqual([false, false])
  expect(await endOrphans(runDir)).toEqual([])
})

test('behavior: a process that only got the id again is left alone', async () => {
  const runDir = folder()
  rememberProcess(runDir, { name: 'chain', pid: process.pid, command: 'anvil' })
  expect(await endOrphans(runDir)).toEqual([])
})

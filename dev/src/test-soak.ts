import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureHeadlessShell } from './gates/ensureChromium.ts'
import { ensureRedis } from './gates/ensureRedis.ts'
import { root } from './root.ts'
import { reports, vitestCount } from './suites/counts.ts'
import { unitTests } from './suites/steps.ts'

/** The test files that call `soak`. */
function findSoaks(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts*'], {
    cwd: root,
    encoding: 'utf8',
  })
  const isSoak = (path: string) => /\bsoak\(/.test(readFileSync(join(root, path), 'utf8'))
  return stdout.split('\n').filter((path) => path !== '' && isSoak(path))
}

/**
 * Runs these tests at full depth: `npm run test:soak -- [WORD]`, only the files whose path has the
 * word.
 */
async function main() {
  const word = process.argv[2] ?? ''
  const files = findSoaks().filter((path) => path.includes(word))
  const startedAtMs = Date.now()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const [program = '', ...args] = unitTests
  spawnSync(program, [...args, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SOAK: '1',
      CHROMIUM: await ensureHeadlessShell(),
      REDIS_SERVER: await ensureRedis(),
    },
  })
  const { passed, failed, names = [] } = vitestCount()
  if (failed > 0) console.log(`\nFailed:\n${names.join('\n')}`)
  console.log(`\n${((Date.now() - startedAtMs) / 1000).toFixed(1)} s in all`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

await main()

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ensureBrowsers } from '../gates/ensureBrowsers.ts'
import { root } from '../root.ts'
import { type Count, playwrightCount, reports, vitestCount } from './counts.ts'
import { touchedSpecs, touchedTests, touchesExamples } from './touched.ts'

/** The changes since a commit, including uncommitted changes: paths from the root. */
export type Changes = { since: string; paths: readonly string[] }

/** A gate or a suite of `npm test`. */
export type Step = {
  name: string
  /** Installs the requirements of this step only. Throws if they cannot be installed. */
  prepare?: () => void
  command: readonly string[]
  env?: Record<string, string>
  /**
   * Reads the counts from the output. If undefined, the step is one test, decided by the exit code.
   */
  count?: (code: number) => Count
  /** Arguments that restrict the command to what changes touch; undefined if they touch nothing. */
  narrow?: (changes: Changes) => readonly string[] | undefined
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const script = (path: string) => [process.execPath, '--import', 'tsx', join(root, path)]

/** The gates, which read only the sources; the slowest comes first. */
export const gates: readonly Step[] = [
  // One program and one checker: several would each check the shared types.
  {
    name: 'types',
    command: [bin('tsc'), '-p', join(root, 'tsconfig.all.json'), '--checkers', '1'],
  },
  { name: 'lint', command: [bin('biome'), 'ci', '--max-diagnostics=50', '.'] },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'licenses and sources of packages', command: script('dev/src/gates/lockFile.ts') },
  { name: 'names and layers', command: script('dev/src/gates/sources.ts') },
  { name: 'bundle budgets', command: script('bench/src/budgets.ts') },
]

/** The Playwright projects that neither install nor build. */
const quickProjects = [
  ...['embedded', 'accounts', 'social', 'embedded-solana', 'solana', 'visits'],
  'first-wallet',
  ...['pages', 'money', 'walletconnect', 'firefox', 'webkit'],
]

/** Vitest on every test file, or on those whose names follow. */
export const unitTests: readonly string[] = [
  bin('vitest'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, 'vitest.json')}`,
]

/** The suites, which follow the gates one after the other. */
export const suites: readonly Step[] = [
  {
    name: 'unit, chain, server and component tests',
    command: unitTests,
    count: vitestCount,
    narrow: narrowVitest,
  },
  {
    name: 'end-to-end tests',
    prepare: ensureBrowsers,
    command: [bin('playwright'), 'test', '--config', join(root, 'e2e/playwright.config.ts')],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json') },
    count: playwrightCount('playwright.json'),
    narrow: ({ paths }) => {
      const specs = touchedSpecs(paths)
      if (specs.length === 0) return undefined
      const projects = touchesExamples(paths)
        ? []
        : quickProjects.map((project) => `--project=${project}`)
      return [...projects, 'browsers/smoke', ...specs.map((spec) => `specs/${spec}`)]
    },
  },
]

/** Vitest finds the importers of a changed file; a table has the rest. */
function narrowVitest({ since, paths }: Changes): string[] | undefined {
  const list = join(reports, 'changed.json')
  const args = ['list', '--filesOnly', `--changed=${since}`, `--json=${list}`]
  const { status } = spawnSync(bin('vitest'), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`vitest ${args.join(' ')} failed`)
  const importing: { file: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  const tests = [...importing.map(({ file }) => relative(root, file)), ...touchedTests(paths)]
  return tests.length > 0 ? [...new Set(tests)] : undefined
}

/**
 * The files that differ from a commit, including untracked files. Throws if the commit does not
 * exist.
 */
export function readChanges(since: string): Changes {
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr.trim())
    return stdout.split('\n').filter(Boolean)
  }
  const changed = git('diff', '--name-only', since)
  return { since, paths: [...changed, ...git('ls-files', '--others', '--exclude-standard')] }
}

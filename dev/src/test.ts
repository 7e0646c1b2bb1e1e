import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ensureChromium } from './gates/ensureChromium.ts'
import { ensureRedis } from './gates/ensureRedis.ts'

type Count = { passed: number; failed: number; names?: readonly string[] }
type Step = { name: string; command: readonly string[]; count?: (code: number) => Count }

const root = resolve(import.meta.dirname, '../..')
const reports = join(root, '.latchkey', 'test-reports')
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const script = (path: string) => [process.execPath, '--import', 'tsx', join(root, path)]

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numTotalTests: number
  success: boolean
  testResults: readonly {
    name: string
    status: string
    assertionResults: readonly {
      status: string
      fullName: string
      failureMessages: readonly string[]
    }[]
  }[]
}

/** Reads what Vitest counted; a run that wrote no report failed once. A skipped test is a failed one. */
const vitestCount = (): Count => {
  const report = readReport<VitestReport>(join(reports, 'vitest.json'))
  if (report === undefined) return { passed: 0, failed: 1 }
  const { numPassedTests: passed, numFailedTests, numTotalTests, success, testResults } = report
  const brokenFiles = success || numFailedTests > 0 ? 0 : 1
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status !== 'passed')
    const file = relative(root, name)
    if (tests.length === 0 && status !== 'passed') return [file]
    return tests.map(
      ({ fullName, failureMessages: [why = ''] }) => `${file} › ${fullName}: ${why.split('\n')[0]}`,
    )
  })
  return { passed, failed: numTotalTests - passed + brokenFiles, names }
}

type PlaywrightSuite = {
  file: string
  specs: readonly { ok: boolean; title: string }[]
  suites?: readonly PlaywrightSuite[]
}
type PlaywrightReport = { stats: Record<string, number>; suites: readonly PlaywrightSuite[] }

const brokenSpecs = ({ file, specs, suites = [] }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => `${file} › ${title}`),
  ...suites.flatMap(brokenSpecs),
]

/** The same for Playwright; a flaky test is a failed one. */
const playwrightCount = (code: number): Count => {
  const report = readReport<PlaywrightReport>(join(reports, 'playwright.json'))
  if (report === undefined) return { passed: 0, failed: 1 }
  const { stats, suites } = report
  const failed = (stats.unexpected ?? 0) + (stats.flaky ?? 0) + (stats.skipped ?? 0)
  return {
    passed: stats.expected ?? 0,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    names: suites.flatMap(brokenSpecs),
  }
}

const steps: readonly Step[] = [
  { name: 'types', command: script('dev/src/gates/types.ts') },
  { name: 'lint', command: [bin('biome'), 'ci', '--max-diagnostics=50', '.'] },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'licences and sources of packages', command: script('dev/src/gates/lockFile.ts') },
  { name: 'names and layers', command: script('dev/src/gates/sources.ts') },
  { name: 'bundle budgets', command: script('bench/src/budgets.ts') },
  {
    name: 'unit, chain, server and component tests',
    command: [
      bin('vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(reports, 'vitest.json')}`,
    ],
    count: vitestCount,
  },
  {
    name: 'end-to-end tests',
    command: [bin('playwright'), 'test', '--config', join(root, 'e2e/playwright.config.ts')],
    count: playwrightCount,
  },
]

function readReport<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

const run = ([command, ...args]: readonly string[], env: NodeJS.ProcessEnv) =>
  new Promise<number>((done) => {
    const child = spawn(command as string, args, { cwd: root, env, stdio: 'inherit' })
    child.once('error', (error) => {
      console.error(String(error))
      done(1)
    })
    child.once('exit', (code) => done(code ?? 1))
  })

/** Runs the gates and suites whose name contains the argument, or all of them. */
async function main() {
  const wanted = process.argv[2]
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const env = {
    ...process.env,
    CHROMIUM: await ensureChromium(),
    REDIS_SERVER: await ensureRedis(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json'),
  }
  const total: Count = { passed: 0, failed: 0 }
  const failures: string[] = []
  for (const step of steps.filter(({ name }) => wanted === undefined || name.includes(wanted))) {
    console.log(`\n── ${step.name}`)
    const startedAtMs = Date.now()
    const code = await run(step.command, env)
    const count: Count = step.count?.(code) ?? {
      passed: code === 0 ? 1 : 0,
      failed: code === 0 ? 0 : 1,
    }
    total.passed += count.passed
    total.failed += count.failed
    if (count.failed > 0)
      failures.push(step.name, ...(count.names ?? []).map((name) => `  ${name}`))
    console.log(
      `── ${step.name}: ${count.passed} passed, ${count.failed} failed in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`,
    )
  }
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
}

await main()

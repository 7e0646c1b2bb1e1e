import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../root.ts'

/** How many tests of a step passed and failed, and the names of those that failed. */
export type Count = { passed: number; failed: number; names?: readonly string[] }

/** Folder of the suites' reports. */
export const reports = join(root, '.latchkey', 'test-reports')

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

/**
 * Reads Vitest's counts; a run without a report counts as one failure. A skipped test counts as
 * failed.
 */
export const vitestCount = (): Count => {
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

/** The same for a run of Playwright that reported to `file`; a flaky test is a failed one. */
export const playwrightCount =
  (file: string) =>
  (code: number): Count => {
    const report = readReport<PlaywrightReport>(join(reports, file))
    if (report === undefined) return { passed: 0, failed: 1 }
    const { stats, suites } = report
    const failed = (stats.unexpected ?? 0) + (stats.flaky ?? 0) + (stats.skipped ?? 0)
    return {
      passed: stats.expected ?? 0,
      failed: failed === 0 && code !== 0 ? 1 : failed,
      names: suites.flatMap(brokenSpecs),
    }
  }

function readReport<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

/** Everything of a suite. */
export const all = ['']

type Table = readonly (readonly [path: RegExp, tests: readonly string[]])[]

// Tests that start processes or builds, and therefore do not import the tested code.
const unitTests: Table = [
  [/^apps\/frame\//, ['apps/frame/test/', 'dev/src/stack.test.ts']],
  [/^apps\/wallet\//, ['apps/wallet/test/', 'dev/src/stack.test.ts']],
  [/^apps\/web\//, ['dev/src/stack.test.ts']],
  [
    /^apps\/server\//,
    [
      'apps/server/src/main.test.ts',
      'apps/server/src/cli.test.ts',
      'apps/server/src/db/',
      'apps/server/src/relay/relayCluster.test.ts',
      'apps/server/src/activity/follow/killed.test.ts',
      'apps/frame/src/wallet/interruption.test.ts',
      'dev/src/history/history.test.ts',
    ],
  ],
]

// The first match counts; product files without a match touch every spec.
const specs: Table = [
  [/\.test\.tsx?$|\.md$|^bench\/|^e2e\/interop\/|^dev\/src\/(gates|suites)\//, []],
  [/^examples\/|^e2e\/linkInstalled\.ts|^dev\/src\/(packages\/|build-packages\.ts)/, ['examples']],
  [/^apps\/frame\/|^apps\/server\/src\/(auth|vault|mail|frame)\//, ['embedded/', 'login-pause']],
  [/^packages\/walletconnect\/|^apps\/server\/src\/relay\//, ['walletconnect/']],
  [/^apps\/server\/src\/allowances\//, ['allowances']],
  [/^apps\/server\/src\/(nfts|media)\//, ['nfts', 'identity']],
  [/^apps\/server\/src\/(activity|history)\//, ['activity']],
  [/^apps\/server\/src\/identity\//, ['identity', 'send']],
  [/^apps\/server\/src\/(balance|prices|tokens|evm)\//, ['activity', 'send', 'areas']],
  [/^(apps|packages|dev|e2e)\//, all],
]

/**
 * The unit tests that changed files can break though they import none of them, as Vitest's filters.
 */
export const touchedTests = (changed: readonly string[]): string[] =>
  unique(
    changed.flatMap((path) => unitTests.flatMap(([area, tests]) => (area.test(path) ? tests : []))),
  )

/**
 * The end-to-end specs that changed files can break, as Playwright's filters; {@link all} for every
 * one.
 */
export function touchedSpecs(changed: readonly string[]): string[] {
  const found = unique(
    changed.flatMap((path) => {
      const own = /^e2e\/specs\/([\w/-]+)\.spec\.ts$/.exec(path)?.[1]
      return own ? [own] : (specs.find(([area]) => area.test(path))?.[1] ?? [])
    }),
  )
  return found.includes('') ? all : found
}

/**
 * Whether changed files can break the examples, which install the packed packages and take longer
 * than any other spec.
 */
export const touchesExamples = (changed: readonly string[]): boolean =>
  changed.some(
    (path) =>
      /^packages\/[^/]+\/(src\/|package\.json)/.test(path) ||
      touchedSpecs([path])[0] === 'examples',
  )

const unique = (texts: readonly string[]) => [...new Set(texts)]

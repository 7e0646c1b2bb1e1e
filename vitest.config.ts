import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './dev/src/slowestFirst.ts'
import { soak } from './dev/src/suites/soak.ts'
import { testWorkers } from './dev/src/suites/testWorkers.ts'

const memoryTests = '**/memoryUsage.test.ts'

/** Ends a test that hangs, and judges no speed. */
const limitMs = soak(3_600_000, 300_000)

// Real chains, databases and browsers share the processors: few workers and generous limits. No
// retries.
export default defineConfig({
  test: {
    maxWorkers: testWorkers(),
    sequence: { sequencer: SlowestFirst },
    retry: 0,
    allowOnly: false,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: [
            '{packages/wire,packages/core,packages/walletconnect,apps/*,dev,bench}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts', memoryTests],
          // Modules hold no state, so a worker loads them once for all its files.
          isolate: false,
          setupFiles: ['dev/src/suites/unstubGlobals.ts'],
          // Ledger's modules are written for bundlers.
          server: { deps: { inline: [/@ledgerhq/] } },
          globalSetup: ['dev/src/bundleServer.ts', 'apps/server/test/shareDatabases.ts'],
          testTimeout: limitMs,
          hookTimeout: limitMs,
        },
      },
      {
        extends: true,
        test: {
          // What other tests leave behind would be collected while these measure.
          name: 'memory',
          environment: 'node',
          include: [memoryTests],
          exclude: ['**/node_modules/**', '**/dist/**'],
          execArgv: ['--expose-gc'],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          environment: 'node',
          include: ['e2e/interop/**/*.test.ts'],
          setupFiles: ['e2e/interop/loopbackOnly.ts'],
          // As above; the fixtures check in each file who connects.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      'packages/react',
    ],
  },
})

import { defineConfig } from '@playwright/test'
import type { Options } from './fixtures.ts'

/** Browsers that are driven by their own protocols, beside each other, with one stack. */
export default defineConfig<object, Options>({
  testDir: '.',
  globalSetup: '../startStacks.ts',
  outputDir: '../../.latchkey/test-results-browsers',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  expect: { timeout: 120_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  projects: [
    { name: 'firefox', workers: 1, use: { runs: 'firefox' } },
    { name: 'webkit', workers: 1, use: { runs: 'webkit' } },
  ],
})

import { defineConfig } from '@playwright/test'

/** One worker: the specs share one stack of real chains, server and development wallet. */
export default defineConfig({
  testDir: './specs',
  globalSetup: './startStack.ts',
  outputDir: '../.latchkey/test-results',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    headless: true,
    viewport: { width: 1280, height: 800 },
    // A film of each test would take a third of its time.
    trace: process.env.CI ? 'off' : { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})

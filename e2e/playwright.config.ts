import { testWorkers } from '@latchkey/dev/testWorkers'
import { defineConfig } from '@playwright/test'
import type { Options } from './browsers/fixtures.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
// Playwright turns off storage partitioning; the last of these switches wins.
const partitioned = [...args, '--disable-features=Translate,MediaRouter']

/** Specs that send the development wallet's money and compare its balances to the last digit. */
const money = ['allowances', 'buy', 'person', 'send', 'swap'].map((name) => `specs/${name}.spec.ts`)
/** Specs of the web app that send nothing. */
const visits = [
  ...['connect', 'failing', 'hostile', 'login-pause', 'networks'],
  ...['sign', 'sign-in', 'sign-in-cookie'],
].map((name) => `specs/${name}.spec.ts`)
/** Specs of the email wallet in which the operator pays the fees, up to a total limit. */
const paid = ['replaceOperation', 'sessions', 'swap', 'wallet', 'walletBatches'].map(
  (name) => `embedded/${name}.spec.ts`,
)
/** Specs of sign-ins at providers. */
const social = ['social', 'socialWindow', 'visit'].map((name) => `embedded/${name}.spec.ts`)
/** The first wallet of a user, which exists before recovery is set up. */
const first = ['firstWallet', 'passkeyAccount'].map((name) => `embedded/${name}.spec.ts`)
const withSolana = ['plainNetwork', 'replace', 'solana'].map((name) => `embedded/${name}.spec.ts`)

/**
 * Each project has a stack of real chains, server and development wallet, or shares the stack that
 * `metadata` names. The specs of a project share a browser and run one after the other: each
 * additional worker would start and warm up another browser. The longest projects come first, so
 * that none runs alone at the end.
 */
export default defineConfig<object, Options>({
  testDir: './specs',
  globalSetup: './startStacks.ts',
  outputDir: '../.latchkey/test-results',
  workers: testWorkers(),
  retries: 0,
  forbidOnly: true,
  // A busy machine stalls for seconds: these timeouts only end a hanging test and do not limit its
  // speed.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    headless: true,
    viewport: { width: 1280, height: 800 },
    // A press without a target fails as early as an expectation, not with the whole test.
    actionTimeout: 120_000,
    // The processor renders every frame of an animation. Specs of animations turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    // It would download all code into each new browser. Specs of the service worker allow it.
    serviceWorkers: 'block',
    // It would take an eighth of the processor's time: `--trace retain-on-failure` records a trace
    // on demand.
    trace: 'off',
  },
  projects: [
    {
      name: 'walletconnect',
      testMatch: 'walletconnect/*.spec.ts',
      workers: 1,
      use: { launchOptions: { executablePath, args } },
    },
    {
      name: 'accounts',
      testMatch: 'embedded/*.spec.ts',
      testIgnore: [...paid, ...social, ...withSolana, ...first],
      workers: 1,
      metadata: { stack: 'embedded' },
      use: { launchOptions: { executablePath, args: partitioned } },
    },
    // Its stack also has networks of the other namespaces.
    {
      name: 'solana',
      testMatch: ['solana', 'bitcoin', 'namespaces-sign-in'].map((name) => `specs/${name}.spec.ts`),
      workers: 1,
      use: { launchOptions: { executablePath, args } },
    },
    {
      name: 'embedded',
      testMatch: paid,
      workers: 1,
      use: { launchOptions: { executablePath, args: partitioned } },
    },
    // Mostly installs and builds.
    {
      name: 'examples',
      testMatch: 'examples.spec.ts',
      workers: 1,
      metadata: { stack: 'pages' },
      use: { launchOptions: { executablePath, args } },
    },
    {
      name: 'social',
      testMatch: social,
      workers: 1,
      metadata: { stack: 'embedded' },
      use: { launchOptions: { executablePath, args: partitioned } },
    },
    {
      name: 'money',
      testMatch: money,
      workers: 1,
      use: { launchOptions: { executablePath, args } },
    },
    {
      name: 'pages',
      testIgnore: [
        ...['embedded/*.spec.ts', 'walletconnect/*.spec.ts', ...money, ...visits],
        ...['examples.spec.ts', 'solana.spec.ts', 'bitcoin.spec.ts', 'namespaces-sign-in.spec.ts'],
      ],
      workers: 1,
      use: { launchOptions: { executablePath, args } },
    },
    {
      name: 'visits',
      testMatch: visits,
      workers: 1,
      metadata: { stack: 'pages' },
      use: { launchOptions: { executablePath, args } },
    },
    {
      name: 'first-wallet',
      testMatch: first,
      workers: 1,
      metadata: { stack: 'pages' },
      use: { launchOptions: { executablePath, args: partitioned } },
    },
    // Its stack has no smart accounts on the first network.
    {
      name: 'embedded-solana',
      testMatch: withSolana,
      workers: 1,
      metadata: { stack: 'solana' },
      use: { launchOptions: { executablePath, args: partitioned } },
    },
    // Smoke tests, which use the workers that are free before the long projects end. Each project
    // starts one browser.
    {
      name: 'firefox',
      testDir: './browsers',
      workers: 1,
      use: { runs: 'firefox' },
    },
    {
      name: 'webkit',
      testDir: './browsers',
      workers: 1,
      use: { runs: 'webkit' },
    },
  ],
})

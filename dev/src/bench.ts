import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { ensureChromium } from './gates/ensureChromium.ts'
import { ensureRedis } from './gates/ensureRedis.ts'

const benches = [
  'budgets',
  'openModal',
  'landing',
  'walletconnect',
  'relay',
  'bundler',
  'validation',
  'embedded',
  'activity',
  'balance',
  'history',
  'solana',
  'names',
  'swap',
  'signIn',
  'loginTiming',
  'upstream',
]

/** Additional suites of a bench. */
const others: Record<string, readonly string[]> = { embedded: ['bundler'] }
const asked = process.argv[2] ?? ''
const isAsked = (name: string) => name.includes(asked) || (others[asked] ?? []).includes(name)

const env = { ...process.env, CHROMIUM: await ensureChromium(), REDIS_SERVER: await ensureRedis() }
for (const name of benches.filter(isAsked)) {
  console.log(`\n── ${name}`)
  const script = resolve(import.meta.dirname, '../../bench/src', `${name}.ts`)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script], {
    stdio: 'inherit',
    env,
  })
  if (status !== 0) process.exitCode = 1
}

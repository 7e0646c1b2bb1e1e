import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { freePort } from '@latchkey/dev'
import { Redis } from 'ioredis'
import { makeTestDir } from './startTestServer.ts'

/**
 * A real Redis on a free port, without persistence. It is found on PATH or, for root, installed;
 * never left out.
 */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  ensureRedis()
  const port = await freePort()
  const dir = await makeTestDir()
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir]
  const child = spawn('redis-server', ['--port', String(port), ...settings], { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${port}`
  const probe = new Redis(url, { maxRetriesPerRequest: 100, retryStrategy: () => 25 })
  probe.on('error', () => {})
  await probe.ping()
  probe.disconnect()
  return {
    url,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function ensureRedis(): void {
  if (works()) return
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
      stdio: 'ignore',
      // A system service must not be used in a test.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
    if (works()) return
  }
  throw new Error(
    'These tests need redis-server. Install it (as root: apt-get install redis-server)',
  )
}

const works = () => spawnSync('redis-server', ['--version']).status === 0

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@latchkey/dev'
import type { VaultServer } from './startVault.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.resolve('@latchkey/server')))

/**
 * Spawns the server as a separate process on the data of a stopped server. It can be killed and
 * started again.
 */
export async function spawnVault({ dir, databaseUrl }: Pick<VaultServer, 'dir' | 'databaseUrl'>) {
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const data = { DATA_DIR: dir, DATABASE_URL: databaseUrl }
    const env = { ...process.env, PORT: '0', FRAME_PORT: String(port), ...data }
    const limits = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_SECOND: '1000000' }
    const started = spawn(process.execPath, [main], {
      env: { ...env, ...limits, LOG_LEVEL: 'info', DATABASE_TIMEOUT_SECONDS: '30' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let printed = ''
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        printed += chunk
        if (printed.includes('"msg":"listening"')) resolve()
      }
      started.stdout.on('data', read)
      started.stderr.on('data', read)
      started.once('exit', () => reject(new Error(printed)))
    })
    return () => printed
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

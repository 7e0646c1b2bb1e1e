import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

// Bundled by the run's global setup.
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** The command as it is installed, which runs the sources. */
export const latchkeyBin = fileURLToPath(new URL('../bin/latchkey.mjs', import.meta.url))

/** A server process as an operator runs it. */
export type ServerProcess = { readonly child: ChildProcess; readonly url: string }
type Env = Record<string, string>

/**
 * Starts the server's `main` on a free port; it ends with the test at the latest. `log` is the path
 * of its log file.
 */
export function spawnMain(env: Env, log?: number) {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', DATABASE_TIMEOUT_SECONDS: '30', ...env },
    stdio: ['ignore', log ?? 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended(child)
  })
  return child
}

/**
 * As {@link spawnMain}, but waits until the server listens. Rejects with its output if it ends
 * before that.
 */
export async function spawnServer(env: Env): Promise<ServerProcess> {
  const child = spawnMain(env)
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      const found = /"url":"([^"]+)","msg":"listening"/.exec(printed)?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', () => reject(new Error(printed)))
  })
  return { child, url }
}

/** Resolves to how the process ended: its exit code, or the signal that killed it. */
export const ended = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      resolve(child.exitCode ?? child.signalCode)
    else child.once('exit', (code, signal) => resolve(code ?? signal))
  })

/** Starts the `latchkey` command. */
export const spawnCli = (args: string[], env: Env, program = cli) =>
  spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/**
 * Runs the `latchkey` command to its end. `out` is its output, and `database` is the database that
 * it printed.
 */
export async function runCli(args: string[], env: Env) {
  const child = spawnCli(args, env)
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  const said = /^Database: (.*)\n/m
  return { code, out: printed.replace(said, ''), database: said.exec(printed)?.[1] }
}

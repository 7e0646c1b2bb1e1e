import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'

/**
 * A program of the benches in a process of its own, and what it said first: mostly the address
 * where it serves.
 */
export type Forked = { readonly child: ChildProcess; readonly url: string }

/**
 * Starts a file of `bench/src` with the options of `latchkey`, and waits until it speaks. Its log
 * is left out. Throws when it ends before.
 */
export async function forkProcess(
  file: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Forked> {
  const child = fork(resolve(import.meta.dirname, '..', file), {
    env: { ...process.env, ...env },
    execArgv: ['--import', 'tsx', '--max-semi-space-size=32'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((done, fail) => {
    child.once('message', (message) => done(String(message)))
    child.once('exit', (code) => fail(new Error(`${file} ended with ${code}`)))
  })
  return { child, url }
}

/** Ends a process that {@link forkProcess} has started, and waits for it. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  if (child.connected) child.disconnect()
  await ended
}

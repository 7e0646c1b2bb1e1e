import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'

/** A program of the benches in a separate process, with its first message, usually its URL. */
export type Forked = { readonly child: ChildProcess; readonly url: string }

/**
 * Starts a file of `bench/src` with the options of `latchkey`, and waits for its first message.
 * Drops its log. Throws if it exits before.
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

/** Ends a process of {@link forkProcess}, and waits until it has exited. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  if (child.connected) child.disconnect()
  await ended
}

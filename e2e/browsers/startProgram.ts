import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const startTimeoutMs = 120_000
const stopTimeoutMs = 5_000

/** A running program; `said` is the output that matched `until`. */
export type Program = { said: string; stop(): Promise<void> }

/**
 * Starts a program and waits for a line that matches `until`, if given, on any of its outputs
 * (including descriptor 3). `stop`, or the end of this process, ends the program and its child
 * processes. Throws with its last lines if that line does not appear.
 */
export async function startProgram(parameters: {
  command: string
  args: readonly string[]
  until?: RegExp
  cwd?: string
  env?: Record<string, string>
  onLine?: (line: string) => void
}): Promise<Program> {
  const { command, args, until, cwd, env = {}, onLine } = parameters
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const end = (signal: NodeJS.Signals) => signalGroup(child, signal)
  const kill = () => end('SIGKILL')
  process.once('exit', kill)
  const lines: string[] = []
  const said = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      kill()
      reject(new Error(`${command} ${why}:\n${lines.slice(-20).join('\n')}`))
    }
    const timer = setTimeout(() => fail('did not start'), startTimeoutMs)
    const done = (found: string) => {
      clearTimeout(timer)
      resolve(found)
    }
    if (!until) child.once('spawn', () => done(''))
    child.once('error', (error) => fail(error.message))
    child.once('exit', () => fail('ended'))
    for (const input of child.stdio.slice(1) as Readable[])
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        onLine?.(line)
        const found = until?.exec(line)?.[1]
        if (found !== undefined) done(found)
      })
  })
  return {
    said,
    async stop() {
      process.off('exit', kill)
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        end('SIGTERM')
        const timer = setTimeout(kill, stopTimeoutMs)
        await exited
        clearTimeout(timer)
      }
      // Its child processes may outlive it.
      kill()
    },
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // gone already
  }
}

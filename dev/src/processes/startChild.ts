import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { forgetProcess, rememberProcess } from './orphans.ts'

/** How a process ended: its exit code or signal, and the last lines it wrote. */
export type Exit = { name: string; code: number | null; signal: string | null; tail: string }

/** A process we started and own. */
export type Child = {
  readonly name: string
  readonly pid: number
  /** Resolves when the process has ended for any reason. */
  readonly exited: Promise<Exit>
  /** Sends SIGTERM, waits, and kills it after `graceMs`. Safe to call twice. */
  stop(): Promise<void>
  /** Ends it at once (SIGKILL), with its descendants. */
  kill(): void
}

const tailLines = 30
const defaultGraceMs = 15_000

/**
 * Starts a process in its own process group, so that a Ctrl-C in the terminal reaches only this
 * process, which chooses the order. Its output goes to `logFile` and to `onLine`. A note in
 * `runDir` lets the next start find it if we are killed.
 */
export function startChild(parameters: {
  name: string
  command: string
  args: string[]
  cwd: string
  runDir: string
  logFile: string
  env?: Record<string, string>
  graceMs?: number
  /** Ends the process when it aborts. */
  signal?: AbortSignal | undefined
  onLine?: (line: string) => void
}): Child {
  const { name, command, args, cwd, runDir, logFile, graceMs = defaultGraceMs } = parameters
  mkdirSync(dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  const tail: string[] = []
  const process_ = spawn(command, args, {
    cwd,
    env: { ...process.env, ...parameters.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pid = process_.pid ?? 0
  if (pid) rememberProcess(runDir, { name, pid, command: [command, ...args].join(' ') })

  const write = (text: string) => {
    log.write(text)
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    tail.push(...lines)
    tail.splice(0, Math.max(0, tail.length - tailLines))
    if (parameters.onLine) lines.map(parameters.onLine)
  }
  process_.stdout.setEncoding('utf8').on('data', write)
  process_.stderr.setEncoding('utf8').on('data', write)

  const kill = () => signalGroup(pid, 'SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<Exit>((resolve) => {
    const end = (code: number | null, signal: string | null) => {
      process.off('exit', kill)
      log.end()
      forgetProcess(runDir, name)
      resolve({ name, code, signal, tail: tail.join('\n') })
    }
    process_.once('error', (error) => {
      write(`${error.message}\n`)
      end(null, null)
    })
    process_.once('close', end)
  })

  const stop = async () => {
    if (process_.exitCode === null && process_.signalCode === null) process_.kill('SIGTERM')
    const timer = setTimeout(kill, graceMs)
    await exited
    clearTimeout(timer)
  }
  if (parameters.signal?.aborted) void stop()
  else parameters.signal?.addEventListener('abort', stop, { once: true })
  return { name, pid, exited, stop, kill }
}

const signalGroup = (pid: number, signal: NodeJS.Signals) => {
  if (!pid) return
  try {
    process.kill(-pid, signal)
  } catch {
    // gone already
  }
}

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Whether a process with this id runs, including processes of other users. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !isZombie(pid)
}

/**
 * An opaque string for the time when the process started. It distinguishes the process from a later
 * process with the same id.
 */
export function getStartTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim()
  // Field 22 of stat. The second field is the name and may contain spaces.
  const ticks = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')[19]
  return ticks && `${boot}:${ticks}`
}

/** The command line of a process, or undefined if the process does not exist. */
export function getCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'command=')
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ')
}

/** Resolves to whether the process ended within `timeoutMs`. */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs
  while (isAlive(pid)) {
    if (performance.now() > endsAt) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

/**
 * Whether any process has this working directory, as every process of a PostgreSQL has. Works only
 * on Linux.
 */
export function anyProcessIn(dir: string): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && getWorkingDirectory(pid) === dir)
}

function getWorkingDirectory(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

const isZombie = (pid: number) =>
  process.platform === 'linux' && /\) Z /.test(read(`/proc/${pid}/stat`) ?? '')

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

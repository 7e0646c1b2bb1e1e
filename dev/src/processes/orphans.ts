import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const noteSchema = z.object({
  name: z.string(),
  pid: z.number().int().positive(),
  command: z.string(),
  /** The launcher that started it. */
  parent: z.number().int().positive(),
})
type Note = z.infer<typeof noteSchema>

const noteFile = (runDir: string, name: string) => join(runDir, `${name}.json`)

/** Records a process that we started, for {@link endOrphans} of a later start. */
export function rememberProcess(runDir: string, note: Omit<Note, 'parent'>): void {
  mkdirSync(runDir, { recursive: true })
  writeFileSync(noteFile(runDir, note.name), JSON.stringify({ ...note, parent: process.pid }))
}

/** Deletes the record of {@link rememberProcess}. */
export function forgetProcess(runDir: string, name: string): void {
  rmSync(noteFile(runDir, name), { force: true })
}

/**
 * Ends the processes that a killed earlier launcher left behind, and returns their names.
 * Recognizes a process by id and full command line, because ids are reused. Throws if that launcher
 * is still running.
 */
export async function endOrphans(runDir: string): Promise<string[]> {
  const notes = readNotes(runDir)
  const alive = notes.filter((note) => readCommand(note.pid) === note.command)
  for (const note of alive) {
    if (note.parent !== process.pid && isAlive(note.parent) && isLauncher(note.parent)) {
      throw new Error(
        `Latchkey already runs on this data (process ${note.parent}, ${runDir}). Stop it, or set LATCHKEY_DATA to another folder.`,
      )
    }
  }
  await Promise.all(alive.map((note) => end(note.pid)))
  for (const note of notes) forgetProcess(runDir, note.name)
  return alive.map((note) => note.name)
}

function readNotes(runDir: string): Note[] {
  if (!existsSync(runDir)) return []
  return readdirSync(runDir)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      try {
        return [noteSchema.parse(JSON.parse(readFileSync(join(runDir, file), 'utf8')))]
      } catch {
        return []
      }
    })
}

async function end(pid: number) {
  const deadlineMs = Date.now() + 10_000
  signal(pid, 'SIGTERM')
  while (isAlive(pid)) {
    if (Date.now() > deadlineMs) signal(pid, 'SIGKILL')
    await sleep(20)
  }
}

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // gone already
  }
}

/** Whether a process of this id runs (a zombie does not). */
export function isAlive(pid: number): boolean {
  return readCommand(pid) !== ''
}

// A launcher is a Node process; another program that got its id is not.
const isLauncher = (pid: number) => /node/.test(readCommand(pid))

function readCommand(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').replaceAll('\0', ' ')
    }
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './orphans.ts'

const pauseMs = 50

/**
 * Waits until this caller has the lock that the file at `path` represents, across processes. The
 * returned function releases it. The lock of a dead process is free.
 */
export async function takeTurn(path: string): Promise<() => void> {
  const ownPath = `${path}.${randomUUID()}`
  writeFileSync(ownPath, String(process.pid))
  try {
    while (!link(ownPath, path)) {
      if (isDead(path)) rmSync(path, { force: true })
      else await sleep(pauseMs)
    }
  } finally {
    rmSync(ownPath)
  }
  return () => rmSync(path, { force: true })
}

// Creating a link is atomic, including its content.
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isDead(path: string): boolean {
  try {
    return !isAlive(Number(readFileSync(path, 'utf8')))
  } catch {
    return false
  }
}

import { spawnSync } from 'node:child_process'

/** Full path of the first of these programs that is on the PATH. */
export function findProgram(...names: string[]): string | undefined {
  for (const name of names) {
    const found = spawnSync('which', [name], { encoding: 'utf8' })
    if (found.status === 0) return found.stdout.trim()
  }
  return undefined
}

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A package of the npm registry, unpacked, with the day on which this version was published
 * (`2026-05-06`).
 */
export type NpmPackage = {
  readonly spec: string
  readonly folder: string
  readonly publishedAt: string
}

/**
 * Fetches one package with `npm pack`, without running its scripts, and unpacks it below `parent`.
 */
export function unpack(parent: string, spec: string): NpmPackage {
  const packed = npm(parent, ['pack', '--silent', '--ignore-scripts', spec])
  const archive = packed.trim().split('\n').at(-1) ?? ''
  const folder = join(parent, archive.replace(/\.tgz$/, ''))
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['xzf', join(parent, archive), '-C', folder, '--strip-components=1'])
  const at = spec.lastIndexOf('@')
  const times = JSON.parse(npm(parent, ['view', spec.slice(0, at), 'time', '--json']))
  const publishedAt: unknown = times[spec.slice(at + 1)]
  if (typeof publishedAt !== 'string') throw new Error(`${spec} has no date`)
  return { spec, folder, publishedAt: publishedAt.slice(0, 10) }
}

const npm = (cwd: string, parameters: readonly string[]) =>
  execFileSync('npm', parameters, { cwd, encoding: 'utf8' })

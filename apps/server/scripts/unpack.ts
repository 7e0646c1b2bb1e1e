import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Fetches one package as `npm pack` does, no script of it run, and returns the folder it was unpacked into. */
export function unpack(folder: string, packageSpec: string): string {
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', packageSpec], {
    cwd: folder,
    encoding: 'utf8',
  })
  const archive = packed.trim().split('\n').at(-1) ?? ''
  const target = join(folder, archive.replace(/\.tgz$/, ''))
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['xzf', join(folder, archive), '-C', target, '--strip-components=1'])
  return target
}

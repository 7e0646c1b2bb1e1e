import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

const bannedName = /(util|helper|manager|controller|service(?!s\.ts$|Worker)|common|misc)/i

// What only one place may touch: everything that crosses a process goes through it.
const onlyIn: readonly { what: string; pattern: RegExp; allowed: RegExp; within: RegExp }[] = [
  {
    what: 'postMessage',
    pattern: /\.postMessage\(/,
    allowed: /^packages\/wire\/src\/channel(\.\w+)?(\.test)?\.ts$/,
    within: /^(packages|apps)\/[^/]+\/src\//,
  },
  {
    what: 'browser storage',
    pattern: /\b(localStorage|sessionStorage)\b/,
    allowed: /^packages\/core\/src\/storage(\.test)?\.ts$/,
    within: /^packages\/[^/]+\/src\//,
  },
  {
    what: 'viem above chains/',
    pattern: /from ['"]viem/,
    allowed: /^packages\/core\/src\/chains\/|\.test\.tsx?$/,
    within: /^packages\/(core|react|wire)\/src\//,
  },
  {
    what: 'a namespace by name above chains/',
    pattern: /=== ['"](eip155|solana|bip122|polkadot)['"]/,
    allowed: /^packages\/core\/src\/(chains|connectors)\/|\.test\.tsx?$/,
    within: /^packages\/(core|react)\/src\//,
  },
]

/** What a source file does that the conventions forbid. */
export function findings(path: string, text: string): string[] {
  const found: string[] = []
  if (/\.(ts|tsx|css)$/.test(path) && bannedName.test(basename(path)))
    found.push(`${path}: a name that says nothing`)
  if (!/\.tsx?$/.test(path)) return found
  for (const rule of onlyIn) {
    if (!rule.within.test(path) || rule.allowed.test(path)) continue
    const line = text.split('\n').findIndex((content) => rule.pattern.test(content))
    if (line >= 0) found.push(`${path}:${line + 1}: ${rule.what} does not belong here`)
  }
  return found
}

if (process.argv[1] === import.meta.filename) {
  const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.split('\n')
  const sources = files.filter((path) =>
    /^(packages|apps|dev|bench|e2e)\/.*\.(ts|tsx|css)$/.test(path),
  )
  const found = sources.flatMap((path) => findings(path, readFileSync(join(root, path), 'utf8')))
  for (const line of found) console.error(line)
  if (found.length === 0) console.log(`${sources.length} files keep the conventions`)
  process.exitCode = found.length === 0 ? 0 : 1
}

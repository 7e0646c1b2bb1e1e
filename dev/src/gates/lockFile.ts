import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

type Entry = {
  version?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  license?: string
}

const root = resolve(import.meta.dirname, '../../..')

// The last WalletConnect release under an open license; newer releases tie their users to one
// vendor's network.
const lastOpen = [2, 21, 8]
const isNewer = (version: string) => {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, limit] of lastOpen.entries()) {
    const part = parts[index] ?? 0
    if (part !== limit) return part > limit
  }
  return false
}

// The versions of these packages follow WalletConnect's releases; its small packages have
// independent versions.
const versioned =
  /^@walletconnect\/(core|sign-client|universal-provider|ethereum-provider|types|utils)$/

/** The problem with one package of the lock file, if any. */
export function complaint(path: string, entry: Entry): string | undefined {
  const name = path.split('node_modules/').pop() ?? ''
  if (!path.includes('node_modules/') || entry.link) return undefined
  if (name.startsWith('@reown/')) return `${name}: not open source`
  if (name === '@wagmi/connectors') return `${name}: pulls in packages that are not open source`
  if (versioned.test(name) && isNewer(entry.version ?? '999'))
    return `${name}@${entry.version}: newer than 2.21.8, not open source`
  if (entry.resolved !== undefined && !entry.resolved.startsWith('https://registry.npmjs.org/'))
    return `${name}: comes from ${entry.resolved}`
  return undefined
}

/** All problems in a lock file and in the ranges of our manifests. */
export function complaints(lock: {
  packages: Record<
    string,
    Entry & { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >
}): string[] {
  const found = Object.entries(lock.packages).flatMap(
    ([path, entry]) => complaint(path, entry) ?? [],
  )
  const own = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules/'))
  const loose = own.flatMap(([path, { dependencies, devDependencies }]) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(
        ([name, range]) =>
          !name.startsWith('@latchkey/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
      )
      .map(
        ([name, range]) =>
          `${path === '' ? 'package.json' : path}: ${name}@${range} is not pinned exactly`,
      ),
  )
  return [...found, ...loose]
}

if (process.argv[1] === import.meta.filename) {
  const found = complaints(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  for (const line of found) console.error(line)
  if (found.length === 0) console.log('every package is pinned, open and from the registry')
  process.exitCode = found.length === 0 ? 0 : 1
}

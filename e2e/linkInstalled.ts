import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Places packages, and all that they depend on, from one `node_modules` in another, if they exist.
 * Uses links, because writing thousands of files takes the processor longer than any build. npm
 * then replaces packages that do not match, adds missing packages and removes unneeded packages.
 */
export function linkInstalled(
  names: readonly string[],
  { from, to }: { from: string; to: string },
) {
  const known = new Set<string>()
  const place = (name: string) => {
    const source = join(from, name)
    const manifest = join(source, 'package.json')
    if (known.has(name) || !existsSync(manifest)) return
    known.add(name)
    linkFolder(source, join(to, name))
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(manifest, 'utf8'),
    )
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      place(dependency)
  }
  for (const name of names) place(name)
}

function linkFolder(from: string, to: string) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isFile()) linkFile(source, target)
  }
}

function linkFile(from: string, to: string) {
  try {
    linkSync(from, to)
  } catch {
    // A link fails across disks or owners.
    copyFileSync(from, to)
  }
}

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Places packages, and all that they depend on, from one `node_modules` in another, as far as they
 * are there: linked, since writing thousands of files takes the processor longer than any build.
 * npm then replaces what does not match, adds what is missing and removes what nobody needs.
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
    // Another disk, or another owner.
    copyFileSync(from, to)
  }
}

/** A `package.json`, as far as the build reads or writes it. */
export type Manifest = {
  name: string
  version: string
  license: string
  type: 'module'
  description?: string
  sideEffects?: boolean | readonly string[]
  exports: Record<string, unknown>
  files?: readonly string[]
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional: boolean }>
}

/** Entries that only this repository uses. */
const internalEntries = new Set(['./testing', './testing/poolServer'])

/** Packages whose files are copied into ours, so that an app need not install them. */
const copiedDependencies = new Set(['@fontsource-variable/inter'])

/** The source file of each public entry, by its name in `exports`. */
export const publicEntries = ({ exports }: Manifest): [entry: string, source: string][] =>
  Object.entries(exports as Record<string, string>).filter(([entry]) => !internalEntries.has(entry))

/**
 * The manifest of a built package. Its entries lead to `dist`. It needs our other packages in
 * exactly its own version, and packages of others in any compatible version, so that an app and its
 * packages share one copy.
 */
export function builtManifest(manifest: Manifest, { version }: { version: string }): Manifest {
  const { exports, dependencies = {}, peerDependencies, peerDependenciesMeta, ...rest } = manifest
  const entries = publicEntries(manifest).map(([entry, source]) => [entry, builtEntry(source)])
  const ranges = Object.entries(dependencies)
    .filter(([name]) => !copiedDependencies.has(name))
    .map(([name, pinned]) => [name, name.startsWith('@latchkey/') ? version : `^${pinned}`])
  return {
    name: rest.name,
    version,
    ...(rest.description && { description: rest.description }),
    license: rest.license,
    type: 'module',
    ...(rest.sideEffects !== undefined && { sideEffects: rest.sideEffects }),
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    files: ['dist'],
    dependencies: Object.fromEntries(ranges),
    ...(peerDependencies && { peerDependencies }),
    ...(peerDependenciesMeta && { peerDependenciesMeta }),
  }
}

function builtEntry(source: string) {
  const path = source.replace('./src/', './dist/').replace(/\.tsx?$/, '')
  return path.endsWith('.css') ? path : { types: `${path}.d.ts`, default: `${path}.js` }
}

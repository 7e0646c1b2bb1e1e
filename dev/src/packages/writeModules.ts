import { join, relative } from 'node:path'
import { build } from 'vite'
import type { FileNames } from './groupModules.ts'
import { type Manifest, publicEntries } from './manifest.ts'

/** Where Vite puts the CSS Modules of a package. */
export const modulesCss = 'modules.css'

/** Entries that an app may import in server components: they hold plain data. */
const serverEntries = /^(networks|query|ssr|theme)\b/

/**
 * Translates the sources of a package to JavaScript with source maps. Modules that an app always
 * loads together are one file, see {@link groupModules}. Every other module has its own file, so
 * the app's bundler leaves out unused modules. Dynamic imports stay.
 */
export async function writeModules({
  source,
  dist,
  manifest,
  fileNames,
}: {
  source: string
  dist: string
  manifest: Manifest
  fileNames: FileNames
}): Promise<void> {
  const src = join(source, 'src')
  const entries = publicEntries(manifest).filter(([, path]) => !path.endsWith('.css'))
  const isEntry = (id: string) => entries.some(([, path]) => id === join(source, path))
  const getFileName = (id: string) =>
    fileNames.get(id) ??
    (id.startsWith(src) ? relative(src, id).replace(/(\.module)?\.(tsx?|css)$/, '') : null)
  const isReact = manifest.peerDependencies?.react !== undefined
  await build({
    configFile: false,
    root: source,
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2023',
      sourcemap: true,
      minify: false,
      cssMinify: false,
      lib: {
        entry: Object.fromEntries(
          entries.map(([, path]) => [
            relative('src', path).replace(/\.tsx?$/, ''),
            join(source, path),
          ]),
        ),
        formats: ['es'],
        cssFileName: modulesCss.replace('.css', ''),
      },
      rolldownOptions: {
        checks: { pluginTimings: false },
        // Entries only export; their modules go into files that others also import.
        preserveEntrySignatures: 'allow-extension',
        external: (id) => !/^[./\0]/.test(id),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          minifyInternalExports: false,
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: (id) => (isEntry(id) ? null : getFileName(id)) }],
          },
          banner: ({ isEntry, name }) =>
            isReact && isEntry && !serverEntries.test(name) ? "'use client';" : '',
        },
      },
    },
  })
}

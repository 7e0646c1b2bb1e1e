import { join, relative } from 'node:path'
import { build } from 'vite'
import { type Manifest, publicEntries } from './manifest.ts'

/** Where Vite puts the CSS Modules of a package. */
export const modulesCss = 'modules.css'

/** Entries that an app may import in server components: they hold plain data. */
const serverEntries = /^(networks|theme)\b/

/**
 * Translates the sources of a package to JavaScript with source maps, one module for each. Modules stay apart and dynamic
 * imports stay as they are, so the app's bundler makes the same lazy chunks as ours does from the sources, and leaves
 * out what the app does not use; merged files would put the lazy parts in the first one.
 */
export async function writeModules({
  source,
  dist,
  manifest,
}: {
  source: string
  dist: string
  manifest: Manifest
}): Promise<void> {
  const src = join(source, 'src')
  const entries = publicEntries(manifest).filter(([, path]) => !path.endsWith('.css'))
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
        external: (id) => !/^[./\0]/.test(id),
        output: {
          preserveModules: true,
          preserveModulesRoot: src,
          entryFileNames: '[name].js',
          banner: ({ isEntry, name }) =>
            isReact && isEntry && !serverEntries.test(name) ? "'use client';" : '',
        },
      },
    },
  })
}

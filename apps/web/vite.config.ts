import { readFile } from 'node:fs/promises'
import { chunkGroups } from '@latchkey/dev/chunks'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, transformWithOxc } from 'vite'

/**
 * Loads the font of the first text before it is rendered: the fallback font has other widths, and
 * the swap would move buttons under the pointer.
 */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /\/inter-ascii-[\w-]{8}\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${name}`,
            crossorigin: true,
          },
          injectTo: 'head' as const,
        })),
  },
}

const themeSource = new URL('./src/chosenTheme.js', import.meta.url)

/** Loads the script that applies the chosen theme, before anything is drawn. */
const chosenTheme: Plugin = {
  name: 'chosen-theme',
  async buildStart() {
    if (this.meta.watchMode) return
    const source = await readFile(themeSource, 'utf8')
    this.emitFile({ type: 'asset', name: 'chosenTheme.js', source })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const built = Object.keys(bundle).find((name) => /\/chosenTheme-[\w-]{8}\.js$/.test(name))
      const src = `/${built ?? 'src/chosenTheme.js'}`
      return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' as const }]
    },
  },
}

const workerSource = new URL('./src/offline/serviceWorker.ts', import.meta.url)

/** Writes the service worker, with the files of this build that it keeps. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
      const values = { builtFiles: files.map((name) => `/${name}`), entryFile: entry?.fileName }
      const source = await readFile(workerSource, 'utf8')
      const { code } = await transformWithOxc(source, 'serviceWorker.ts')
      // Not every browser takes a module as a service worker.
      const script = code.replace(/^export \{\s*\};?$/m, '')
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: `const { builtFiles, entryFile } = ${JSON.stringify(values)};\n${script}`,
      })
    },
  },
}

// The policy of the pages allows nothing inline: no data: fonts, no inline polyfill, no style
// element at run time.
export default defineConfig({
  plugins: [react(), preloadFont, chosenTheme, serviceWorker],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { host: '127.0.0.1' },
})

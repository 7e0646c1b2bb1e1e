import { chunkGroups } from '@latchkey/dev/chunks'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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
        .filter((name) => /\/inter-latin-[\w-]{8}\.woff2$/.test(name))
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

// The policy of the pages allows nothing inline: no data: fonts, no inline polyfill, no style
// element at run time.
export default defineConfig({
  plugins: [react(), preloadFont],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { host: '127.0.0.1' },
})

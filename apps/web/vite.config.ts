import { chunkGroups } from '@latchkey/dev/chunks'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The policy of the pages allows nothing inline: no data: fonts, no inline polyfill, no style element at run time.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { host: '127.0.0.1' },
})

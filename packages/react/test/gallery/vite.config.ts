import { defineConfig } from 'vite'

// The views by themselves, to look at: npx vite packages/react/test/gallery
export default defineConfig({ root: import.meta.dirname, server: { host: '127.0.0.1', port: 0 } })

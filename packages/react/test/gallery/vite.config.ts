import { defineConfig } from 'vite'

// Each view alone, with hot reload: npx vite packages/react/test/gallery
export default defineConfig({ root: import.meta.dirname, server: { host: '127.0.0.1', port: 0 } })

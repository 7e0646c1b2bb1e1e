import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The server adds the policy and the project's facts: both differ from project to project.
export default defineConfig({
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'device.html', 'export.html', 'undo.html', 'approve.html'],
    },
  },
})

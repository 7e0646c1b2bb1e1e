import { defineConfig } from 'vite'
import { insertHead } from './insertHead.ts'
import { buildRecoverPage } from './recover/buildRecoverPage.ts'

export default defineConfig({
  plugins: [insertHead(), buildRecoverPage()],
  // React's interface, a sixth of its weight: this page is loaded into other people's pages.
  resolve: {
    alias: {
      react: 'preact/compat',
      'react-dom/client': 'preact/compat/client',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es', rolldownOptions: { treeshake: true, output: { minify: true } } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // The helper that preloads weighs more than it saves here.
    modulePreload: false,
    rolldownOptions: {
      input: [
        'index.html',
        'device.html',
        'export.html',
        'undo.html',
        'approve.html',
        'social.html',
        'visit.html',
      ],
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Small parts of every approval, which the bundler would put into files of their own.
          groups: [
            {
              name: 'approvalParts',
              test: /[\\/](flows[\\/]fetchRisks|api[\\/]risks|requests[\\/](params|formatAsset)|wire[\\/]src[\\/]fees)\.ts$|viem[\\/]_esm[\\/]utils[\\/]unit[\\/]/,
            },
            // What uses one mostly uses the other.
            { name: 'gate', test: /[\\/]approval[\\/](createGate|useGate)\.ts$/ },
          ],
        },
      },
    },
  },
})

import { expect, test } from 'vitest'
import { builtManifest, type Manifest } from './manifest.ts'

const manifest: Manifest = {
  name: '@latchkey/thing',
  version: '0.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: ['*.css'],
  exports: { '.': './src/index.tsx', './testing': './src/testing.ts', './a.css': './src/a.css' },
  dependencies: { '@latchkey/wire': '*', '@fontsource-variable/inter': '5.3.0', viem: '2.57.1' },
  peerDependencies: { react: '>=18' },
}

test('default: entries lead to built files, and our own packages are pinned', () => {
  expect(builtManifest(manifest, { version: '1.2.3' })).toEqual({
    name: '@latchkey/thing',
    version: '1.2.3',
    license: 'MIT',
    type: 'module',
    sideEffects: ['*.css'],
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './a.css': './dist/a.css',
      './package.json': './package.json',
    },
    files: ['dist'],
    dependencies: { '@latchkey/wire': '1.2.3', viem: '^2.57.1' },
    peerDependencies: { react: '>=18' },
  })
})

import { expect, test } from 'vitest'
import { loadLiteSvm } from './loadLiteSvm.ts'

const load = () => {
  throw new Error('Cannot find native binding')
}

test('default: here it can be loaded', () => {
  expect(loadLiteSvm().LiteSVM).toBeTypeOf('function')
})

test.each([
  ['darwin', 'arm64', 'npm install --no-save litesvm-darwin-arm64@1.5.0'],
  ['linux', 'arm64', 'npm install --no-save litesvm-linux-arm64-gnu@1.5.0'],
  ['win32', 'x64', 'Run Latchkey in WSL'],
])('error: no build for %s %s says what to do', (platform, arch, hint) => {
  expect(() => loadLiteSvm({ platform, arch, load })).toThrow(hint)
})

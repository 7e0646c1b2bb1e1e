import { expect, test } from 'vitest'
import { all, touchedSpecs, touchedTests, touchesExamples } from './touched.ts'

test('default: an area of the server touches the specs that use it', () => {
  expect(touchedSpecs(['apps/server/src/auth/login/login.ts', 'apps/frame/src/main.ts'])).toEqual([
    'embedded/',
    'login-pause',
  ])
  expect(touchedSpecs(['apps/server/src/relay/relay.ts'])).toEqual(['walletconnect/'])
})

test('behavior: a spec touches itself', () => {
  expect(touchedSpecs(['e2e/specs/send.spec.ts'])).toEqual(['send'])
  expect(touchedSpecs(['e2e/specs/embedded/login.spec.ts'])).toEqual(['embedded/login'])
})

test('behavior: shared code touches every spec', () => {
  for (const path of [
    'packages/react/src/modal/Modal.tsx',
    'apps/server/src/server.ts',
    'e2e/fixtures.ts',
  ])
    expect(touchedSpecs([path, 'e2e/specs/send.spec.ts'])).toEqual(all)
})

test('behavior: the packages, the examples and their build scripts touch the examples', () => {
  for (const path of [
    'packages/wire/src/money.ts',
    'packages/react/package.json',
    'examples/next/proxy.ts',
    'dev/src/packages/manifest.ts',
    'e2e/specs/examples.spec.ts',
  ])
    expect(touchesExamples([path])).toBe(true)
  expect(touchedSpecs(['examples/next/proxy.ts'])).toEqual(['examples'])
  expect(touchesExamples(['apps/web/src/Root.tsx', 'packages/core/test/tab.ts'])).toBe(false)
})

test('behavior: documents and unit tests touch no specs', () => {
  expect(touchedSpecs(['README.md', 'apps/frame/src/handlers/createHandlers.test.ts'])).toEqual([])
  expect(touchedTests(['README.md', 'packages/core/src/state.ts'])).toEqual([])
})

test('behavior: code that tests build or start as a process touches these tests', () => {
  expect(touchedTests(['apps/frame/src/main.ts'])).toContain('apps/frame/test/')
  expect(touchedTests(['apps/server/src/process/run.ts'])).toContain('apps/server/src/main.test.ts')
})

import { expect, test } from 'vitest'
import { all, touchedSpecs, touchedTests } from './touched.ts'

test('default: an area of the server touches the specs that use it', () => {
  expect(touchedSpecs(['apps/server/src/auth/login/login.ts', 'apps/frame/src/main.ts'])).toEqual([
    'embedded-',
    'login-pause',
  ])
  expect(touchedSpecs(['apps/server/src/relay/relay.ts'])).toEqual(['walletconnect-'])
})

test('behavior: a spec touches itself', () => {
  expect(touchedSpecs(['e2e/specs/send.spec.ts'])).toEqual(['send'])
})

test('behavior: what everybody uses touches every spec', () => {
  for (const path of [
    'packages/react/src/modal/Modal.tsx',
    'apps/server/src/server.ts',
    'e2e/fixtures.ts',
  ])
    expect(touchedSpecs([path, 'e2e/specs/send.spec.ts'])).toEqual(all)
})

test('behavior: prose and unit tests touch none', () => {
  expect(touchedSpecs(['README.md', 'apps/frame/src/handlers/createHandlers.test.ts'])).toEqual([])
  expect(touchedTests(['README.md', 'packages/core/src/state.ts'])).toEqual([])
})

test('behavior: what is built or started as a process touches the tests that do so', () => {
  expect(touchedTests(['apps/frame/src/main.ts'])).toContain('apps/frame/test/')
  expect(touchedTests(['apps/server/src/run.ts'])).toContain('apps/server/src/main.test.ts')
})

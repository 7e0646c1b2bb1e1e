import { expect, test } from 'vitest'
import { complaints } from './lockFile.ts'

const lockOf = (name: string, entry: object) => ({ packages: { [`node_modules/${name}`]: entry } })

test('default: an open, pinned package passes', () => {
  expect(complaints(lockOf('viem', { version: '2.57.1' }))).toEqual([])
  expect(complaints(lockOf('@walletconnect/sign-client', { version: '2.21.8' }))).toEqual([])
})

test('error: a package that is not open source, also nested', () => {
  expect(complaints(lockOf('@reown/appkit', { version: '1.0.0' }))).toMatchInlineSnapshot(`
    [
      "@reown/appkit: not open source",
    ]
  `)
  expect(
    complaints(lockOf('wagmi/node_modules/@walletconnect/core', { version: '2.21.9' })),
  ).toMatchInlineSnapshot(`
    [
      "@walletconnect/core@2.21.9: newer than 2.21.8, not open source",
    ]
  `)
  expect(complaints(lockOf('@walletconnect/utils', { version: '3.0.0' }))).toHaveLength(1)
})

test('error: a package from elsewhere', () => {
  expect(
    complaints(lockOf('left', { version: '1.0.0', resolved: 'git+ssh://host/left.git' })),
  ).toMatchInlineSnapshot(`
    [
      "left: comes from git+ssh://host/left.git",
    ]
  `)
})

test('error: a range in our manifests that is not exact', () => {
  expect(
    complaints({ packages: { 'packages/core': { dependencies: { zod: '^4.0.0' } } } }),
  ).toMatchInlineSnapshot(`
    [
      "packages/core: zod@^4.0.0 is not pinned exactly",
    ]
  `)
})

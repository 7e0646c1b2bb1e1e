import { expect, test } from 'vitest'
import { findings } from './sources.ts'

test('default: a plain file passes', () => {
  expect(findings('packages/core/src/actions/send.ts', 'export const a = 1')).toEqual([])
})

test('error: each thing that has one place', () => {
  expect([
    ...findings('packages/core/src/walletUtils.ts', ''),
    ...findings('packages/core/src/a.ts', 'window.postMessage(1)'),
    ...findings('packages/react/src/a.tsx', 'localStorage.clear()'),
    ...findings('packages/core/src/actions/a.ts', "import { http } from 'viem'"),
    ...findings('packages/core/src/actions/b.ts', "if (namespace === 'solana') return"),
  ]).toMatchInlineSnapshot(`
    [
      "packages/core/src/walletUtils.ts: a name that says nothing",
      "packages/core/src/a.ts:1: postMessage does not belong here",
      "packages/react/src/a.tsx:1: browser storage does not belong here",
      "packages/core/src/actions/a.ts:1: viem above chains/ does not belong here",
      "packages/core/src/actions/b.ts:1: a namespace by name above chains/ does not belong here",
    ]
  `)
})

test('behavior: the one place may', () => {
  expect(findings('packages/wire/src/channel.ts', 'port.postMessage(1)')).toEqual([])
  expect(findings('packages/core/src/chains/eip155.ts', "import { http } from 'viem'")).toEqual([])
  expect(findings('apps/server/src/services.ts', '')).toEqual([])
})

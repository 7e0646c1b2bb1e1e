import { expect, test } from 'vitest'
import { namespaceFindings, staleExceptions } from './namespaceLiterals.ts'

const core = (code: string) => namespaceFindings('packages/core/src/send/send.ts', code)

test.each([
  ['a namespace', "if (namespace === 'eip155') return"],
  ['a namespace as a key', 'const { eip155 } = connections'],
  ['a namespace in a template', 'const id = `eip155:`'],
  ['another namespace', "chainId.startsWith('solana:')"],
  ['a method', "request({ method: 'eth_sendTransaction' })"],
  ['a method in a template', 'ask(`wallet_watchAsset`)'],
  ['a method as a key', 'const answers = { personal_sign: sign }'],
  ['an address', "const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'"],
  ['a pattern of an address', 'const isAddress = /^0x[0-9a-fA-F]{40}$/'],
  ['a pattern in brackets', 'const isHex = /^(0x[0-9a-f]+|\\d+)$/'],
  ['a pattern without 0x', 'const isHash = /^[\\da-f]{64}$/i'],
  ['a pattern as a text', "new RegExp('^0x0{40}$')"],
  ['a prefix', "text.startsWith('0x')"],
  ['a type of hex', 'type Hex = `0x`'],
  ['a chain id in hex', 'const hex = Number(id).toString(16)'],
  ['the injected provider', 'window.ethereum.request()'],
  ['a unit', "format(value, 'wei')"],
  ['a function of a unit', 'parseEther(amount)'],
  ['decimals', "const currency = { symbol: 'X', decimals: 18 }"],
])('error: %s', (_, code) => {
  expect(core(`const a = 1\n${code}`)[0]).toMatch(
    /^packages\/core\/src\/send\/send\.ts:2: .* belongs into packages\/core\/src\/namespaces$/,
  )
})

test('error: in react as in core', () => {
  expect(namespaceFindings('packages/react/src/views/a.tsx', '/^0x0{40}$/.test(a)')).toEqual([
    'packages/react/src/views/a.tsx:1: hex with 0x belongs into packages/core/src/namespaces',
  ])
})

test.each([
  ['a comment', '// as 0x12, eth_call on eip155\nconst a = 1 // eip155'],
  ['a docstring', '/**\n * EIP-1193 on eip155, as `eth_call`.\n */\nconst a = 1'],
  ['a number', 'let hash = 0x811c9dc5\nhash = Math.imul(hash ^ 0x01000193, -0xff)'],
  ['a function of the network list', 'import { solana } from "@latchkey/core"'],
  ['a wallet', "const walletId = wallet?.id ?? 'wallet'"],
])('behavior: %s is none', (_, code) => {
  expect(core(code)).toEqual([])
})

test('behavior: the rooms, tests and other workspaces may', () => {
  const code = "if (namespace === 'eip155') return '0x'"
  for (const path of [
    'packages/core/src/namespaces/eip155/metadata.ts',
    'packages/core/src/namespaces/namespaceMetadata.ts',
    'packages/core/src/send/send.test.ts',
    'apps/server/src/evm/address.ts',
  ])
    expect(namespaceFindings(path, code)).toEqual([])
})

test('error: an exception for a file that is gone', () => {
  expect(staleExceptions(['packages/core/src/networks.ts'])).toContain(
    'packages/core/src/index.ts: the exception for it is not needed',
  )
})

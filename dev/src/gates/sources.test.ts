import { expect, test } from 'vitest'
import { cycleFindings, findings, upward } from './sources.ts'

test('default: a plain file passes', () => {
  expect(findings('packages/core/src/send/send.ts', 'export const a = 1')).toEqual([])
})

test('error: each thing that has one place', () => {
  expect([
    ...findings('packages/core/src/walletUtils.ts', ''),
    ...findings('packages/core/src/a.ts', 'window.postMessage(1)'),
    ...findings('packages/react/src/a.tsx', 'localStorage.clear()'),
    ...findings('packages/core/src/send/a.ts', "import { http } from 'viem'"),
    ...findings('packages/react/src/b.tsx', "if (connector.kind === 'embedded') return"),
    ...findings('packages/core/src/c.ts', 'if (id === walletConnectId) return'),
    ...findings('packages/core/src/send/b.ts', "if (namespace === 'solana') return"),
    ...findings('packages/react/src/e.ts', "const queryKey = ['tokens', chainId]"),
    ...findings('packages/react/src/f.ts', "import { present } from '@latchkey/core/internal'"),
    ...findings('apps/web/src/f.ts', "import { present } from '@latchkey/core/internal'"),
    ...findings('apps/frame/src/d.ts', 'const both = AbortSignal.any([one, other])'),
    ...findings(
      'apps/frame/src/approval/a.tsx',
      "await import('../requests/assets/answerAssets.ts')",
    ),
    ...findings('apps/frame/src/requests/evm/a.ts', "import { readAssets } from '@latchkey/wire'"),
    ...findings('apps/frame/src/approval/b.ts', "from '../requests/createSafeRequestHandler.ts'"),
    ...findings('apps/server/src/a.ts', '/** Milliseconds a name is good for (spec §9). */'),
  ]).toMatchInlineSnapshot(`
    [
      "packages/core/src/walletUtils.ts: a name that says nothing",
      "packages/core/src/a.ts:1: postMessage does not belong here",
      "packages/react/src/a.tsx:1: browser storage does not belong here",
      "packages/core/src/send/a.ts:1: viem outside namespaces/ does not belong here",
      "packages/react/src/b.tsx:1: asking for a connector's kind or id instead of its traits does not belong here",
      "packages/core/src/c.ts:1: asking for a connector's kind or id instead of its traits does not belong here",
      "packages/core/src/send/b.ts:1: a namespace by name belongs into packages/core/src/namespaces",
      "packages/react/src/e.ts:1: a query key that does not begin with \`latchkey\` does not belong here",
      "apps/web/src/f.ts:1: what core keeps for \`@latchkey/react\` alone does not belong here",
      "apps/frame/src/d.ts:1: an API that Chrome 111, Firefox 115 or Safari 16.4 does not have does not belong here",
      "apps/frame/src/approval/a.tsx:1: the list of assets, which approvals may not use, does not belong here",
      "apps/frame/src/requests/evm/a.ts:1: the list of assets, which approvals may not use, does not belong here",
      "apps/frame/src/approval/b.ts:1: the handler of requests that need no approval does not belong here",
      "apps/server/src/a.ts:1: a reference to a document that is not in the repository does not belong here",
    ]
  `)
})

test('error: a style of :hover that stays on a touch screen', () => {
  const rule = '.a:hover { color: red }'
  expect(findings('apps/web/src/a.css', rule)).toEqual([
    'apps/web/src/a.css: :hover outside @media (hover: hover)',
  ])
  expect(findings('apps/web/src/a.css', `@media (hover: hover) { ${rule} }`)).toEqual([])
})

test('error: a test that waits for a receipt by the next block', () => {
  const text = 'await client.waitForTransactionReceipt' + '({ hash })'
  expect(findings('apps/server/src/a.test.ts', text)).toEqual([
    'apps/server/src/a.test.ts: a receipt by viem: use waitForReceipt',
  ])
  expect(findings('apps/wallet/src/a.ts', text)).toEqual([])
})

test('error: a line that is aligned by the direction of its words', () => {
  expect(findings('apps/web/src/a.css', '.a { text-align: start }')).toEqual([
    'apps/web/src/a.css: text-align by the words and not by the page: use var(--lk-start)',
  ])
  expect(findings('apps/web/src/a.css', '.a { text-align: var(--lk-start) }')).toEqual([])
})

test('error: type names that say nothing', () => {
  for (const name of ['Answer', 'Held', 'Wish', 'SendNeeds', 'Place', 'PagePlace', 'AskedSession'])
    for (const path of ['packages/core/src/a.ts', 'apps/frame/test/a.test.ts', 'dev/src/a.ts'])
      expect(findings(path, `export type ${name} = string`)).toEqual([
        expect.stringContaining(`${path}:1: a type whose name says nothing`),
      ])
  for (const name of ['Answers', 'HeldKey', 'PlaceholderText', 'Marketplaces', 'ForgivenDebt'])
    expect(findings('packages/core/src/a.ts', `interface ${name} {}`)).toEqual([])
})

test('behavior: the one place may', () => {
  expect(findings('packages/wire/src/channel/channelPort.ts', 'port.postMessage(1)')).toEqual([])
  expect(
    findings('packages/core/src/namespaces/eip155/actions.ts', "import { http } from 'viem'"),
  ).toEqual([])
  expect(findings('apps/server/src/services.ts', '')).toEqual([])
})

test('error: an import that leaves its workspace', () => {
  expect([
    ...findings(
      'packages/core/src/send/send.ts',
      "import { a } from '../../../wire/src/caip/caip.ts'",
    ),
    ...findings('packages/core/src/send/send.ts', "import { a } from '../state.ts'"),
    ...findings('dev/src/start.ts', "import { a } from '../../apps/server/src/main.ts'"),
  ]).toMatchInlineSnapshot(`
    [
      "packages/core/src/send/send.ts:1: a relative path into another workspace",
      "dev/src/start.ts:1: a relative path into another workspace",
    ]
  `)
})

test('error: a dependency upward', () => {
  expect(
    upward('packages/core', { dependencies: { '@latchkey/react': '*', '@latchkey/wire': '*' } }),
  ).toEqual(['packages/core/package.json: @latchkey/react is not below it'])
})

test('error: an area of the server that imports from inside another', () => {
  const nfts = "import { getImageUrl } from '../nfts/listNfts.ts'"
  expect([
    ...findings('apps/server/src/identity/routes.ts', nfts),
    ...findings('apps/server/src/server.ts', nfts),
    ...findings('apps/server/src/vault/vault.ts', "import type { Auth } from '../auth/auth.ts'"),
    ...findings('apps/server/src/activity/query/a.ts', "import { b } from '../nodes/b.ts'"),
  ]).toEqual([
    'apps/server/src/identity/routes.ts:1: an import from inside another area of the server',
  ])
})

test('error: import cycles, separately for each workspace', () => {
  const files = new Map([
    ['packages/core/src/a.ts', "import type { B } from './b.ts'"],
    ['packages/core/src/b.ts', "import type { A } from './a.ts'"],
    ['dev/src/a.ts', "import { b } from './b.ts'"],
    ['dev/src/b.ts', "import { a } from './a.ts'"],
  ])
  expect(cycleFindings(files)).toEqual([
    'import cycle: packages/core/src/a.ts packages/core/src/b.ts',
    'import cycle: dev/src/a.ts dev/src/b.ts',
  ])
})

test('error: an API that the supported browsers lack, in code that browsers run', () => {
  const lines = [
    'if (!URL.canParse(text)) return',
    'return control.checkVisibility()',
    '  using lock = open()',
    'dialog.showPopover()',
    '<div popover="auto" />',
    'new Intl.Segmenter(locale)',
    'const { promise } = Promise.withResolvers()',
  ]
  for (const path of ['packages/core/src/a.ts', 'apps/frame/src/a.tsx', 'apps/web/src/a.ts'])
    for (const line of lines) expect(findings(path, line)).toHaveLength(1)
  expect(findings('apps/server/src/a.ts', 'URL.canParse(text)')).toEqual([])
})

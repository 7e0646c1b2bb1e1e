import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createReadExports, isForApps, nameFindings } from './documentNames.ts'

const exported: Record<string, readonly string[]> = {
  '@latchkey/core': ['connect', 'prepareSend'],
  '@latchkey/core/internal': ['connect', 'getMaxAmount'],
  '@latchkey/react': ['useAccount'],
  '@latchkey/react/viem': ['usePublicClient'],
}

const find = (text: string) =>
  nameFindings('docs/wallets.md', text, (entry) =>
    exported[entry] ? new Set(exported[entry]) : undefined,
  )

test('default: names of public entries, in sentences and in imports', () => {
  const text = `\`connect\` and \`prepareSend(app, { namespace })\` of
\`@latchkey/core\`. \`@latchkey/react/viem\` exports \`usePublicClient\`. Call \`useAccount\`.
\`\`\`ts
import { connect, type Unknown } from '@latchkey/other'
import { useAccount } from '@latchkey/react'
\`\`\`
`
  expect(find(text)).toEqual([])
})

test.each([
  ['`connect`, `gone` and `prepareSend` of\n`@latchkey/core`', 'gone', '@latchkey/core'],
  ['`@latchkey/react` exports the hooks, `gone` and `useAccount`', 'gone', '@latchkey/react'],
  ["```\nimport { useAccount, gone } from '@latchkey/react'\n```", 'gone', '@latchkey/react'],
])('error: %s', (text, name, entry) => {
  expect(find(text)).toEqual([`docs/wallets.md: \`${entry}\` does not export \`${name}\``])
})

test.each(['useGone', 'getMaxAmount'])('error: no public entry exports %s', (name) => {
  expect(find(`Call \`${name}\`.`)).toEqual([
    `docs/wallets.md: no public entry exports \`${name}\``,
  ])
})

test('default: reads the entries of the packages', () => {
  const readExports = createReadExports(resolve(import.meta.dirname, '../../..'))
  expect(readExports('@latchkey/core')).toContain('prepareSend')
  expect(readExports('@latchkey/react')).toContain('isLatchkeyError')
  expect(readExports('@latchkey/react/networks')).toContain('mainnet')
  expect(readExports('@latchkey/react/networks')).toContain('defineConfig')
  expect(readExports('@latchkey/core')).not.toContain('canChooseAccount')
  expect(readExports('@latchkey/core/gone')).toBeUndefined()
})

test('default: documents for app developers', () => {
  expect(['README.md', 'docs/wallets.md'].every((path) => isForApps.test(path))).toBe(true)
  expect(['docs/security-model.md', 'docs/upgrading.md'].some((path) => isForApps.test(path))).toBe(
    false,
  )
})

import { expect, test } from 'vitest'
import { pathFindings, untestedRows } from './documentPaths.ts'

const files = [
  'packages/core/src/send/send.ts',
  'packages/react/src/views/send/Send.tsx',
  'packages/react/src/locales/en.ts',
  'packages/react/src/locales/enLogin.ts',
  'apps/server/src/auth/routes.ts',
  'apps/server/src/vault/routes.ts',
]

const find = (text: string) => pathFindings('ARCHITECTURE.md', text, files)

test('default: whole and short paths, folders and patterns', () => {
  const text =
    '`core/send/send` `auth/routes.ts` `react/views/` `react/locales/en*.ts` `server/<area>/routes.ts`'
  expect(find(text)).toEqual([])
})

test('behavior: text that is not a path is ignored', () => {
  expect(find('`send` `/v1/account` `GET /v1/gone`, and/or, gone/file')).toEqual([])
})

test('error: a path that does not exist', () => {
  expect(find('`core/send/gone` → `auth/routes`, again `core/send/gone`')).toEqual([
    'ARCHITECTURE.md: `core/send/gone` does not exist',
  ])
})

test('error: a path that several files have', () => {
  const more = [...files, 'apps/frame/src/auth/routes.ts']
  expect(pathFindings('ARCHITECTURE.md', '`auth/routes`', more)).toEqual([
    'ARCHITECTURE.md: `auth/routes` may be any of server/auth/routes frame/auth/routes',
  ])
})

test('behavior: the file in the workspace of the document is meant; builds are not checked', () => {
  const more = [...files, 'apps/frame/src/auth/routes.ts']
  expect(pathFindings('apps/frame/README.md', '`auth/routes` `apps/frame/dist`', more)).toEqual([])
})

test('default: rows with a test, or with the reason for no test', () => {
  const rows = [
    '| Asked for | Where | Test |',
    '| --- | --- | --- |',
    '| Sending | `core/send/send` | `core/send/send.test`, `e2e/specs/send.spec` |',
    '| Nothing | Not described there | None: nothing is asked for |',
  ]
  expect(untestedRows('a.md', rows.join('\n'))).toEqual([])
})

test.each([
  ['no cell for it', '| Sending | `core/send/send` |'],
  ['another path', '| Sending | `core/send/send` | `core/send/send` |'],
  ['no reason', '| Sending | `core/send/send` | None: |'],
])('error: a row with %s', (_, row) => {
  expect(untestedRows('a.md', row)).toEqual(['a.md:1: the row "Sending" names no test'])
})

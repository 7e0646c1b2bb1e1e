import { expect, test } from 'vitest'
import { smallFileFindings } from './smallFiles.ts'

const large = `${'// a line\n'.repeat(15)}`
const small = 'export const isSmall = true\n'

test('error: a small file that only one file uses', () => {
  const sources = new Map([
    ['apps/web/src/a.ts', `import { isSmall } from './small.ts'\n${large}`],
    ['apps/web/src/small.ts', small],
    ['apps/web/src/alone.tsx', small],
  ])
  expect(smallFileFindings(sources)).toEqual([
    'apps/web/src/small.ts: fewer than 15 lines, and only one file uses it: move it there',
    'apps/web/src/alone.tsx: fewer than 15 lines, and only one file uses it: move it there',
  ])
})

test('behavior: a test that imports it is not a second user', () => {
  const sources = new Map([
    ['apps/web/src/a.ts', `import { isSmall } from './small.ts'\n${large}`],
    ['apps/web/src/a.test.ts', "import { isSmall } from './small.ts'"],
    ['apps/web/src/small.ts', small],
  ])
  expect(smallFileFindings(sources)).toHaveLength(1)
})

test('default: two users, its own test, an export of the package, or a reason', () => {
  const sources = new Map([
    ['apps/web/src/a.ts', `import { isSmall } from './shared.ts'\n${large}`],
    ['apps/web/src/b.ts', `import type { isSmall } from './shared.ts'\n${large}`],
    ['apps/web/src/shared.ts', small],
    ['apps/web/src/verb.ts', small],
    ['apps/web/src/verb.test.ts', "import { isSmall } from './verb.ts'"],
    ['packages/core/src/index.ts', "export { isSmall } from './isSmall.ts'"],
    ['packages/core/src/isSmall.ts', small],
    ['apps/server/src/migrations/0006_name.ts', small],
    ['apps/server/src/migrations/first/0007_name.ts', small],
    ['dev/src/small.ts', small],
    ['apps/web/src/large.ts', large],
  ])
  expect(smallFileFindings(sources)).toEqual([])
})

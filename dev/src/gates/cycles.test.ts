import { expect, test } from 'vitest'
import { importCycles } from './cycles.ts'

test('default: files that import downward have no cycles', () => {
  const files = new Map([
    ['a/b.ts', "import { c } from './c.ts'\nimport { d } from '../d.ts'"],
    ['a/c.ts', "import type { D } from '../d.ts'"],
    ['d.ts', "import { text } from 'node:util'"],
  ])
  expect(importCycles(files)).toEqual([])
})

test('error: a cycle of types alone counts, and so do re-exports', () => {
  const files = new Map([
    ['a.ts', "import type { B } from './b.ts'"],
    ['b.ts', "export type { C } from './c.ts'"],
    ['c.ts', "import {\n  type A,\n} from './a.ts'"],
    ['d.ts', "import { a } from './a.ts'"],
    ['self.ts', "import { self } from './self.ts'"],
  ])
  expect(importCycles(files)).toEqual([['a.ts', 'b.ts', 'c.ts'], ['self.ts']])
})

test('error: a lazy import that leads back counts', () => {
  const files = new Map([
    ['a.ts', "const load = () => import('./b.ts')"],
    ['b.ts', "import type { A } from './a.ts'"],
  ])
  expect(importCycles(files)).toEqual([['a.ts', 'b.ts']])
})

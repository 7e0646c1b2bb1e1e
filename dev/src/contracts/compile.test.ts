import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { compile } from './compile.ts'

test('default: dev/generated matches the compiled dev/contracts', () => {
  for (const [name, text] of Object.entries(compile())) {
    expect(readFileSync(`${root}/dev/generated/${name}.json`, 'utf8')).toBe(text)
  }
})

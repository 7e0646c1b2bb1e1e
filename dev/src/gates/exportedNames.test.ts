import { expect, test } from 'vitest'
import { repeatedNameFindings } from './exportedNames.ts'

const many = Array.from({ length: 40 }, (_, at) => `export const name${at} = ${at}`).join('\n')

test('default: a few repeated names pass, and more are listed with their files', () => {
  const one = ['packages/core/src/a.ts', `${many}\nexport type Session = {}`] as const
  const two = ['apps/server/src/b.ts', 'export type Session = {}'] as const
  expect(repeatedNameFindings(new Map([one, two]))).toEqual([])
  const three = ['apps/server/src/c.ts', 'export function name1() {}'] as const
  const [first, ...more] = repeatedNameFindings(new Map([one, two, three]))
  expect(first).toContain('2 of 41 exported names come from several files')
  expect(more).toEqual([
    'name1: packages/core/src/a.ts, apps/server/src/c.ts',
    'Session: packages/core/src/a.ts, apps/server/src/b.ts',
  ])
})

test('behavior: tests and other folders do not count', () => {
  const texts = new Map([
    ['packages/core/src/a.ts', 'export const one = 1'],
    ['packages/core/src/a.test.ts', 'export const one = 1'],
    ['dev/src/a.ts', 'export const one = 1'],
  ])
  expect(repeatedNameFindings(texts)).toEqual([])
})

import { expect, test } from 'vitest'
import { holdSearches } from './holdSearches.ts'

test('default: searches wait until they are started, and all have begun then', async () => {
  const { whenWanted, start } = holdSearches()
  const begun: string[] = []
  const search = (name: string) => async () => {
    await Promise.resolve()
    begun.push(name)
  }
  whenWanted(search('one'))
  whenWanted(search('two'))
  expect(begun).toEqual([])
  // The second caller waits for the same search.
  await Promise.all([start(), start()])
  expect(begun).toEqual(['one', 'two'])
  whenWanted(search('late'))
  await Promise.resolve()
  await Promise.resolve()
  expect(begun).toEqual(['one', 'two', 'late'])
})

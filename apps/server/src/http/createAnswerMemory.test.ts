import { expect, test } from 'vitest'
import { createAnswerMemory } from './createAnswerMemory.ts'

const kilobyte = 1024
const open = () =>
  createAnswerMemory({
    clock: () => 0,
    limits: { total: 1024 * kilobyte, perClient: 256 * kilobyte },
  })

test('default: held memory counts for its client and in total until it is released', () => {
  const answers = open()
  const lease = answers.open('a')
  expect(answers.held('a')).toBe(64 * kilobyte)
  expect(lease?.add(10)).toBe(true)
  expect([answers.held('a'), answers.held()]).toEqual([64 * kilobyte + 10, 64 * kilobyte + 10])
  expect(lease?.hold(5)).toBe(true)
  expect(answers.held()).toBe(5)
  lease?.release()
  lease?.release()
  expect([answers.held('a'), answers.held()]).toEqual([0, 0])
  expect(lease?.add(1)).toBe(false)
  expect(answers.held()).toBe(0)
})

test('error: one client gets at most its share, all clients together at most the total', () => {
  const answers = open()
  const ofOne = Array.from({ length: 10 }, () => answers.open('a')).filter(Boolean)
  expect(ofOne).toHaveLength(4)
  expect(answers.held('a')).toBe(256 * kilobyte)
  expect(ofOne[0]?.add(1)).toBe(false)
  const ofMany = Array.from({ length: 20 }, (_, index) => answers.open(`b${index}`)).filter(Boolean)
  expect(ofMany).toHaveLength(12)
  expect(answers.held()).toBe(1024 * kilobyte)
  expect(answers.open(undefined, 0)).toBeUndefined()
  ofMany[0]?.release()
  expect(answers.open('c')).toBeDefined()
})

import { expect, test } from 'vitest'
import { readSimulatedChanges } from './readChanges.ts'

const [account, other, items] = ['a1', 'b2', 'c3'].map(
  (byte) => `0x${byte.repeat(20)}` as const,
) as [`0x${string}`, `0x${string}`, `0x${string}`]
const word = (value: number | bigint) => value.toString(16).padStart(64, '0')
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** The log of an ERC-1155 batch that takes one item of each id from the account. */
function batch(ids: readonly number[], claimed: number | bigint = ids.length) {
  const list = (values: readonly number[]) => [word(claimed), ...values.map(word)].join('')
  const topics = [other, account, other].map((one) => `0x${word(BigInt(one))}` as const)
  const data = `${word(64)}${word(64 + 32 * (ids.length + 1))}${list(ids)}${list(ids.map(() => 1))}`
  return {
    address: items,
    topics: [batchTopic, ...topics] as `0x${string}`[],
    data: `0x${data}` as const,
  }
}

const range = (length: number) => Array.from({ length }, (_, index) => index + 1)

test('behavior: a batch of very many ids that leaves the account is not hidden', () => {
  const { isComplete, changes } = readSimulatedChanges([batch(range(1_500))], account)
  expect(isComplete).toBe(false)
  expect(changes).toHaveLength(50)
  expect(changes[0]).toEqual({ token: items, id: '1', amount: '-1' })
})

test('error: a batch that claims more ids than it has moves nothing', () => {
  expect(readSimulatedChanges([batch([1, 2], 2n ** 200n)], account)).toMatchObject({
    isComplete: true,
    changes: [],
  })
})

import { expect, test } from 'vitest'
import { getSmallerBatch, refusesBatch } from './batchRefusal.ts'

test.each([
  'batch too large',
  'batch limit 100 exceeded (can increase by --rpc.batch.limit)',
  'Batch size limit exceeded',
  'Number of requests in batch exceeds limit',
  'Batch of more than 3 requests are not allowed on free tier plan, to use more please upgrade',
  'Your plan allows 3 calls per batch, upgrade your plan',
  'Batch requests are disabled',
  'batching is not supported',
  'too many calls: at most 3 in a batch',
])('default: "%s" refuses a batch', (text) => {
  expect(refusesBatch(text)).toBe(true)
})

test.each([
  'execution reverted: batch too large',
  'VM Exception: revert batch size',
  'L1 batch 12 was not found',
  'too many requests',
  'limit exceeded',
])('default: "%s" does not', (text) => {
  expect(refusesBatch(text)).toBe(false)
})

test('default: the size of the next batch: the limit that the error states, or half', () => {
  expect(getSmallerBatch('Batch of more than 3 requests are not allowed', 50)).toBe(3)
  expect(getSmallerBatch('batch size 10 exceeds maximum 5', 10)).toBe(5)
  expect(getSmallerBatch('batch too large', 7)).toBe(3)
  expect(getSmallerBatch('batch limit 100 exceeded', 50)).toBe(25)
  expect(getSmallerBatch('batch limit 0', 2)).toBe(1)
  expect(getSmallerBatch('error 3', 50)).toBe(25)
  // A number that a client chose does not make each step one call smaller.
  expect(getSmallerBatch('invalid type: "batch limit 97 98 99"', 100)).toBe(50)
})

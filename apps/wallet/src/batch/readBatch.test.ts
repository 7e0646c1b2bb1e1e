import { expect, test } from 'vitest'
import { getCallsStatus } from './readBatch.ts'

const [done, reverted] = ['0x1', '0x0']

test('default: done when all are', () => {
  expect(getCallsStatus({ sent: 2, step: 'sent', statuses: [done, done] })).toBe(200)
})

test('behavior: pending while it is sent or not in a block', () => {
  expect(getCallsStatus({ sent: 1, step: 'sending', statuses: [done] })).toBe(100)
  expect(getCallsStatus({ sent: 2, step: 'sent', statuses: [done] })).toBe(100)
})

test('behavior: a part, and nothing', () => {
  expect(getCallsStatus({ sent: 1, step: 'failed', statuses: [done] })).toBe(600)
  expect(getCallsStatus({ sent: 2, step: 'failed', statuses: [done, reverted] })).toBe(600)
  expect(getCallsStatus({ sent: 1, step: 'failed', statuses: [reverted] })).toBe(500)
})

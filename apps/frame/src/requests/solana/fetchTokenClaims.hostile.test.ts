import { afterEach, expect, test, vi } from 'vitest'
import { createSolanaRequest } from '../../../test/solanaRequest.ts'
import { fetchTokenClaims } from './fetchTokenClaims.ts'

afterEach(() => vi.useRealTimers())

test('error: a silent server delays an approval by two seconds at most, without token data', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const { chain } = createSolanaRequest('solana_signTransaction', {})
  const claims = fetchTokenClaims(chain, ['token'])
  let hasArrived = false
  void claims.then(() => {
    hasArrived = true
  })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(hasArrived).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await claims).toEqual({ names: new Map(), prices: new Map() })
})

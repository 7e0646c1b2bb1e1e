import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
})
afterAll(() => pool?.stop())

test('security: of many replacements only the last replaced operation is kept', async () => {
  const key = generatePrivateKey()
  const hashes: string[] = []
  for (let count = 0n; count < 5n; count++)
    hashes.push(await pool.add(await pool.makeOperation({ key, tip: (10n ** 9n) << count })))
  const rows = await pool.db
    .selectFrom('user_operations')
    .select(['hash', 'status'])
    .orderBy('created_at')
    .execute()
  expect(rows).toEqual([
    { hash: hashes[3], status: 'dropped' },
    { hash: hashes[4], status: 'pending' },
  ])
  await pool.send()
  expect(await pool.getStatus(hashes[4] as `0x${string}`)).toBe('included')
})

import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { blame } from '../bundles/offenders.ts'
import { formatOperation } from '../operations/userOperation.ts'

const chainId = 'eip155:31337'
const gwei = 10n ** 9n
const most = 5_000

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  await pool.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei })
  await pool.anvil.mine({ blocks: 1 })
})
afterAll(() => pool?.stop())

/**
 * Fills the mempool with operations of as many strangers, who all offer the same, after PostgreSQL
 * analyzed it as empty: the worst statistics for its plans. Returns the hash of the last one.
 */
async function fill({ tip, maxFee }: { tip: bigint; maxFee: bigint }): Promise<string> {
  await pool.db.deleteFrom('user_operations').execute()
  await sql`analyze user_operations`.execute(pool.db)
  const operation = JSON.stringify(formatOperation(await pool.makeOperation()))
  await sql`insert into user_operations
      (chain_id, hash, sender, nonce, operation, max_priority_fee, max_fee, status, code, prefund, created_at)
    select ${chainId}, '0x' || lpad(to_hex(n), 64, '0'), '0x' || lpad(to_hex(n), 40, '0'), '0',
      ${operation}::jsonb, ${String(tip)}, ${String(maxFee)}, 'pending', '{}'::jsonb, '0',
      now() - interval '1 hour' + make_interval(secs => n * 0.1)
    from generate_series(1, ${most}) as n`.execute(pool.db)
  return `0x${most.toString(16).padStart(64, '0')}`
}

const countPending = async () =>
  Number(
    (
      await sql<{ count: string }>`select count(*) from user_operations
        where status = 'pending'`.execute(pool.db)
    ).rows[0]?.count,
  )

test('security: in a mempool that an attacker filled, a better paying operation displaces the worst', async () => {
  const last = await fill({ tip: gwei, maxFee: 3n * gwei })
  expect(await pool.outcome(await pool.makeOperation({ tip: gwei }))).toBe('crowded')
  expect(await pool.outcome(await pool.makeOperation({ tip: 2n * gwei }))).toBe('added')
  expect(await countPending()).toBe(most)
  const { rows } = await sql<{ hash: string; reason: string }>`select hash, reason
    from user_operations where status = 'dropped'`.execute(pool.db)
  expect(rows).toEqual([{ hash: last, reason: expect.stringContaining('mempool is full') }])
})

test('security: an operation with a high tip that its fee limit does not cover is displaced', async () => {
  await fill({ tip: 1_000n * gwei, maxFee: gwei })
  expect(await pool.outcome(await pool.makeOperation({ tip: gwei }))).toBe('added')
})

test('security: an account with an operation in a block displaces new accounts, even if these pay more', async () => {
  await pool.db.deleteFrom('user_operations').execute()
  const key = generatePrivateKey()
  const first = await pool.add(await pool.makeOperation({ key }))
  await pool.send()
  await pool.anvil.mine({ blocks: 1 })
  await pool.send()
  expect(await pool.getStatus(first)).toBe('included')
  const kept = await sql<object>`select * from user_operations where hash = ${first}`.execute(
    pool.db,
  )
  expect(kept.rows).toHaveLength(1)
  await fill({ tip: 900n * gwei, maxFee: 1_000n * gwei })
  await sql`insert into user_operations select (jsonb_populate_record(null::user_operations, ${JSON.stringify(kept.rows[0])}::jsonb)).*`.execute(
    pool.db,
  )
  const next = await pool.makeOperation({ key, nonce: 1n, isDelegated: true })
  expect(await pool.outcome(next)).toBe('added')
  expect(await countPending()).toBe(most)
})

test('security: an account that pauses displaces no operation, and is displaced first', async () => {
  await fill({ tip: gwei, maxFee: 3n * gwei })
  const guilty = generatePrivateKey()
  const sender = privateKeyToAddress(guilty).toLowerCase() as `0x${string}`
  await blame({ db: pool.db, chainId }, sender)
  const rich = { tip: 500n * gwei }
  expect(await pool.outcome(await pool.makeOperation({ key: guilty, ...rich }))).toBe('crowded')
  const first = '0x0000000000000000000000000000000000000001'
  await blame({ db: pool.db, chainId }, first)
  expect(await pool.outcome(await pool.makeOperation({ tip: 2n * gwei }))).toBe('added')
  const { rows } = await sql<{ sender: string }>`select sender
    from user_operations where status = 'dropped'`.execute(pool.db)
  expect(rows).toEqual([{ sender: first }])
})

test('behavior: several operations that come at once find room, and the next one restores the limit', async () => {
  await fill({ tip: gwei, maxFee: 3n * gwei })
  const operations = await Promise.all(
    Array.from({ length: 4 }, () => pool.makeOperation({ tip: 2n * gwei })),
  )
  const outcomes = await Promise.all(operations.map((one) => pool.outcome(one)))
  expect(outcomes).toEqual(['added', 'added', 'added', 'added'])
  // Concurrent transactions may choose the same operation. The mempool then exceeds its limit until
  // the next operation is added.
  expect(await countPending()).toBeLessThanOrEqual(most + 3)
  expect(await pool.outcome(await pool.makeOperation({ tip: 2n * gwei }))).toBe('added')
  expect(await countPending()).toBe(most)
})

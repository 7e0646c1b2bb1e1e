import { type Address, parseEther, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { checkOperation } from '../operations/checkOperation.ts'
import { sendBundles } from './sendBundles.ts'

const gwei = 10n ** 9n
const account: Address = '0x00000000000000000000000000000000000e9001'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  const bytecode = '0x5f5f5f5f604435335af1505f5f5260205ff3'
  await pool.anvil.setCode({ address: account, bytecode })
  await pool.anvil.setBalance({ address: account, value: parseEther('1') })
})
afterAll(() => pool?.stop())

/** The chain as if its blocks had no base fee. */
const makeBundler = () =>
  pool.makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    return replies.map((reply, index) => {
      if (calls[index]?.method !== 'eth_getBlockByNumber') return reply
      const { baseFeePerGas: _, ...block } = reply.result as Record<string, unknown>
      return { result: block }
    })
  })

test('security: without a base fee a bundle names a gas price, which each of its operations pays', async () => {
  const bundler = makeBundler()
  const fees = { maxFeePerGas: 40n * gwei, maxPriorityFeePerGas: 3n * gwei }
  // Without a base fee, an operation pays the lower of its two limits.
  const low = pool.makePlain(account, { maxFeePerGas: 40n * gwei, maxPriorityFeePerGas: 1n })
  await expect(checkOperation(bundler, low)).rejects.toMatchObject({ code: -32602 })
  const before = await pool.readFunds()
  const hash = await pool.add(pool.makePlain(account, fees), bundler)
  await sendBundles(bundler, { holder: 'test', signal: AbortSignal.timeout(20_000) })
  const { bundleHash, status } = (await pool.find(hash)) ?? {}
  expect(status).toBe('included')
  const { raw } = await pool.db
    .selectFrom('user_operation_bundles')
    .select('raw')
    .where('hash', '=', bundleHash ?? '')
    .executeTakeFirstOrThrow()
  const { gasPrice, maxFeePerGas } = parseTransaction(raw as `0x${string}`)
  expect(maxFeePerGas).toBeUndefined()
  expect(gasPrice).toBeGreaterThan(0n)
  expect(gasPrice).toBeLessThanOrEqual(fees.maxPriorityFeePerGas)
  expect(await pool.readFunds()).toBeGreaterThan(before)
})

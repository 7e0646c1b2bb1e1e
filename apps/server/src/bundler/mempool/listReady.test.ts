import { type Address, keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { addOperations } from './addOperations.ts'
import { listReady } from './listReady.ts'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
})
afterAll(() => pool?.stop())

test('security: of large operations only a few are read at a time, and at least one', async () => {
  const code = { addresses: [], digest: keccak256('0x') }
  for (let count = 1; count <= 8; count++) {
    const sender = numberToHex(0xabc000 + count, { size: 20 }) as Address
    const operation = pool.makePlain(sender, { callData: `0x${'00'.repeat(48_000)}` })
    const hash = numberToHex(count, { size: 32 })
    await addOperations(pool.bundler, [{ hash, operation, code, deposit: undefined, baseFee: 0n }])
  }
  const count = async (riskedGas?: bigint) =>
    (await listReady(pool.bundler, { limit: 200, ...(riskedGas && { riskedGas }) })).length
  expect(await count()).toBe(8)
  expect(await count(8_000_000n)).toBe(4)
  expect(await count(1n)).toBe(1)
})

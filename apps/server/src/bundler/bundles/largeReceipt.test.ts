import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import type { AskChain } from '../askChain.ts'
import { answerReceipt } from './answerReceipt.ts'
import { listOpenBundles } from './bundleStore.ts'
import { requeueReorged } from './requeueReorged.ts'
import { sendBundles } from './sendBundles.ts'

const chainId = 'eip155:31337'
const never = new AbortController().signal
const logger: Address = '0x00000000000000000000000000000000000b0002'
/** Code that writes 100 times as many empty logs. */
const writeLogs = (hundreds: number): Hex =>
  `0x62${numberToHex(hundreds, { size: 3 }).slice(2)}5b${'5f5fa0'.repeat(100)}600190038060045700`

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  await pool.anvil.setCode({ address: logger, bytecode: writeLogs(305) })
})
afterAll(() => pool?.stop())

const receiptOf = async (hash: Hex) => {
  const stored = await pool.find(hash)
  return stored && (await answerReceipt(pool.bundler, stored))
}

test('security: an operation whose receipt is larger than any answer is settled, and holds up no other', async () => {
  const loud = await pool.add(
    await pool.makeOperation({ to: logger, value: 0n, callGasLimit: 12_000_000n }),
  )
  await pool.send()
  expect(await pool.getStatus(loud)).toBe('included')
  const { bundleHash } = (await pool.find(loud)) ?? {}
  await expect(
    pool.bundler.ask([{ method: 'eth_getTransactionReceipt', params: [bundleHash] }]),
  ).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  const honest = await pool.add(await pool.makeOperation())
  await pool.send()
  await requeueReorged(pool.bundler, 'test')
  expect(await pool.getStatus(loud)).toBe('included')
  expect(await pool.getStatus(honest)).toBe('included')
  expect(await listOpenBundles({ db: pool.db, chainId })).toEqual([])
  expect(await receiptOf(loud)).toMatchObject({
    userOpHash: loud,
    success: true,
    logs: [],
    receipt: { transactionHash: bundleHash, status: '0x1', logs: [] },
  })
  expect(await receiptOf(honest)).toMatchObject({ userOpHash: honest, success: true })
})

test('security: a receipt of some megabytes is returned without its logs', async () => {
  const hash = await pool.add(
    await pool.makeOperation({ to: logger, value: 0n, callGasLimit: 12_000_000n }),
  )
  const small: Address = '0x00000000000000000000000000000000000b0003'
  await pool.anvil.setCode({ address: logger, bytecode: writeLogs(50) })
  await pool.send()
  const answer = JSON.stringify(await receiptOf(hash))
  expect(answer.length).toBeLessThan(100_000)
  expect(JSON.parse(answer)).toMatchObject({ success: true, logs: [], receipt: { status: '0x1' } })
  const plain = await pool.add(await pool.makeOperation({ to: small }))
  await pool.send()
  expect(await receiptOf(plain)).toMatchObject({
    success: true,
    receipt: { gasUsed: expect.any(String) },
  })
})

test('security: a bundle that cannot be found out is set aside, others are mined, and it is settled later', async () => {
  const isAbout = (calls: Parameters<AskChain>[0], method: string) =>
    calls.some((call) => call.method === method)
  const failing = pool.makeBundler((ask) => async (calls) => {
    if (isAbout(calls, 'eth_getLogs')) throw new Error('answer too large')
    return ask(calls)
  })
  const stuck = await pool.add(await pool.makeOperation())
  await expect(sendBundles(failing, { holder: 'test', signal: never })).rejects.toThrow('too large')
  await sendBundles(failing, { holder: 'test', signal: never })
  expect(await pool.getStatus(stuck)).toBe('sent')
  const [open] = await listOpenBundles({ db: pool.db, chainId })
  expect(open).toMatchObject({ failures: 1, isDue: false })
  const setPause = (until: Date) =>
    pool.db.updateTable('user_operation_bundles').set({ look_after: until }).execute()
  // The pause could end during the test on a busy machine.
  await setPause(new Date(Date.now() + 3_600_000))
  const next = await pool.add(await pool.makeOperation())
  await pool.send()
  expect(await pool.getStatus(next)).toBe('included')
  expect(await pool.getStatus(stuck)).toBe('sent')
  await setPause(new Date(0))
  await pool.send()
  expect(await pool.getStatus(stuck)).toBe('included')
})

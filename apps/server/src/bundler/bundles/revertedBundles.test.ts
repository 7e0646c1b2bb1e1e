import { waitForReceipt } from '@latchkey/dev'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { entryPoint, packOperation } from '../operations/userOperation.ts'
import { answerReceipt } from './answerReceipt.ts'

const gwei = 10n ** 9n
const sink = '0x00000000000000000000000000000000000c0de1'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
})
afterAll(() => pool?.stop())
afterEach(async () => {
  await pool.anvil.setAutomine(true)
  await pool.db.deleteFrom('bundle_offenders').execute()
  await pool.db.updateTable('user_operation_bundles').set({ lost_gas: null }).execute()
  await pool.db
    .updateTable('user_operations')
    .set({ status: 'dropped' })
    .where('status', '=', 'pending')
    .execute()
})

/**
 * The account's own transaction, ahead of the bundle, that removes the funds that its operation
 * needs.
 */
async function drain(key: Hex) {
  const wallet = pool.wallet(key)
  const balance = await pool.node.getBalance({ address: wallet.account.address })
  const fees = { maxFeePerGas: 90n * gwei, maxPriorityFeePerGas: 80n * gwei }
  const value = balance - 21_000n * fees.maxFeePerGas - 1n
  return wallet.sendTransaction({ to: sink, value, gas: 21_000n, ...fees })
}

/**
 * An operation of an account that delegated before, so that the account can also send its own
 * transaction.
 */
async function addAttack({ nonce = 0n, key = generatePrivateKey() } = {}) {
  const { address } = privateKeyToAccount(key)
  if (!(await pool.node.getCode({ address })))
    await pool.delegateTo(key, pool.chains.addresses['eip155:31337'].smartAccount, 0)
  const operation = await pool.makeOperation({ key, isDelegated: true, nonce })
  return { key, hash: await pool.add(operation) }
}

async function mineAfter(key: Hex) {
  const first = await drain(key)
  await pool.anvil.mine({ blocks: 1 })
  await waitForReceipt(pool.node, first)
  await pool.anvil.setAutomine(true)
}

const readReverted = () =>
  pool.db
    .selectFrom('user_operation_bundles')
    .select(['hash', 'lost_gas'])
    .where('lost_gas', 'is not', null)
    .execute()

test('security: after a reverted bundle only the guilty operation is held back; the others are mined', async () => {
  const { key, hash } = await addAttack()
  const honest = await Promise.all([1, 2, 3].map(async () => pool.add(await pool.makeOperation())))
  await pool.sendUnmined()
  await mineAfter(key)
  await pool.send()
  expect(await readReverted()).toHaveLength(1)
  for (const one of honest)
    expect(await pool.find(one)).toMatchObject({ status: 'included', tries: 0 })
  await pool.db
    .updateTable('bundle_offenders')
    .set({ cooled_at: new Date(0) })
    .execute()
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({
    status: 'dropped',
    reason: expect.stringContaining('AA21'),
  })
})

test('security: innocent operations are mined during repeated attacks; one bundle per attacker reverts', async () => {
  const honest = await pool.add(await pool.makeOperation({ tip: gwei, maxFee: 40n * gwei }))
  for (let count = 0; count < 3; count++) {
    const { key } = await addAttack()
    await pool.sendUnmined()
    await mineAfter(key)
    await pool.send()
  }
  expect(await pool.find(honest)).toMatchObject({ status: 'included', tries: 0 })
  expect((await readReverted()).length).toBeLessThanOrEqual(3)
})

test('security: an account that made a bundle revert waits longer each time, and is not dropped', async () => {
  const { key, hash } = await addAttack()
  const { address } = privateKeyToAccount(key)
  await pool.sendUnmined()
  await mineAfter(key)
  await pool.anvil.setBalance({ address, value: parseEther('1') })
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({ status: 'pending', tries: 0, together: 1 })
  const readPause = async () => {
    const { strikes, cooled_at, blamed_at } = await pool.db
      .selectFrom('bundle_offenders')
      .selectAll()
      .where('entity', '=', address.toLowerCase())
      .executeTakeFirstOrThrow()
    return { strikes, seconds: (cooled_at.getTime() - blamed_at.getTime()) / 1_000 }
  }
  expect(await readPause()).toEqual({ strikes: 1, seconds: 30 })
  await pool.db
    .updateTable('bundle_offenders')
    .set({ cooled_at: new Date(0) })
    .execute()
  await pool.sendUnmined()
  await mineAfter(key)
  await pool.anvil.setBalance({ address, value: parseEther('1') })
  await pool.send()
  expect(await readPause()).toEqual({ strikes: 2, seconds: 120 })
  await pool.db
    .updateTable('bundle_offenders')
    .set({ cooled_at: new Date(0) })
    .execute()
  await pool.send()
  expect(await pool.getStatus(hash)).toBe('included')
})

test('security: after a reverted bundle new accounts go alone, and wait once that has cost 5 million gas', async () => {
  const key = generatePrivateKey()
  const proof = await pool.add(await pool.makeOperation({ key }))
  await pool.send()
  const { bundleHash = '' } = (await pool.find(proof)) ?? {}
  const setLost = (gas: string) =>
    pool.db
      .updateTable('user_operation_bundles')
      .set({ lost_gas: gas })
      .where('hash', '=', bundleHash)
      .execute()
  await setLost('60000')
  const fresh = await Promise.all([1, 2].map(async () => pool.add(await pool.makeOperation())))
  await pool.send()
  const [one, two] = await Promise.all(fresh.map((hash) => pool.find(hash)))
  expect([one?.status, two?.status]).toEqual(['included', 'included'])
  expect(one?.bundleHash).not.toBe(two?.bundleHash)
  await setLost('5000000')
  const stranger = await pool.add(await pool.makeOperation())
  const known = await pool.add(await pool.makeOperation({ key, isDelegated: true, nonce: 1n }))
  await pool.send()
  expect(await pool.getStatus(known)).toBe('included')
  expect(await pool.getStatus(stranger)).toBe('pending')
  await setLost('0')
  await pool.send()
  expect(await pool.getStatus(stranger)).toBe('included')
})

test('security: an operation that a transaction at the node will make fail is not sent', async () => {
  const { key, hash } = await addAttack()
  const honest = await pool.add(await pool.makeOperation())
  await pool.anvil.setAutomine(false)
  await drain(key)
  await pool.sendUnmined()
  await pool.anvil.mine({ blocks: 1 })
  await pool.anvil.setAutomine(true)
  await pool.send()
  expect(await readReverted()).toEqual([])
  expect(await pool.getStatus(honest)).toBe('included')
  expect(await pool.getStatus(hash)).toBe('pending')
})

test('security: an operation that another account copies and sends first is found, with its receipt', async () => {
  const operation = await pool.makeOperation()
  const key = generatePrivateKey()
  await pool.delegateTo(key, pool.chains.addresses['eip155:31337'].smartAccount, 0)
  const own = await pool.makeOperation({ key, isDelegated: true })
  const [hash, other] = [await pool.add(own), await pool.add(operation)]
  const stranger = pool.wallet(pool.chains.accounts[3]?.privateKey ?? '0x')
  const data = encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [[packOperation(own)], stranger.account.address],
  })
  const copied = await stranger.sendTransaction({ to: entryPoint, data, gas: 1_000_000n })
  await waitForReceipt(pool.node, copied)
  await pool.send()
  expect(await pool.getStatus(other)).toBe('included')
  const stored = await pool.find(hash)
  expect(stored).toMatchObject({ status: 'included', bundleHash: copied })
  if (stored)
    expect(await answerReceipt(pool.bundler, stored)).toMatchObject({
      userOpHash: hash,
      receipt: { transactionHash: copied },
    })
})

import { type Address, type Hex, keccak256, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import type { AskChain } from '../askChain.ts'
import { checkOperation } from '../operations/checkOperation.ts'
import { sendBundles } from './sendBundles.ts'

const never = new AbortController().signal
const cap = 16_777_216n
const burner: Address = '0x00000000000000000000000000000000000b0001'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  await pool.anvil.setCode({ address: burner, bytecode: '0x5b5f56' })
})
afterAll(() => pool?.stop())

/**
 * A proxy for a node that refuses transactions with more gas than `most`. Records the sent
 * transactions.
 */
function refuseAbove(most: bigint, message = 'exceeds block gas limit') {
  const sent: bigint[] = []
  const change =
    (ask: AskChain): AskChain =>
    async (calls) => {
      const [call] = calls
      if (call?.method !== 'eth_sendRawTransaction') return ask(calls)
      const gas = parseTransaction(call.params[0] as Hex).gas ?? 0n
      sent.push(gas)
      return gas > most ? [{ error: { code: -32000, message } }] : ask(calls)
    }
  return { sent, change }
}

test('behavior: a chain that is run for development refuses a transaction above the cap of EIP-7825', async () => {
  const { node } = pool
  const { account } = pool.bundler
  const raw = await account.signTransaction({
    chainId: 31_337,
    nonce: await node.getTransactionCount({ address: account.address }),
    to: account.address,
    gas: cap + 1n,
    maxFeePerGas: 10n ** 10n,
  })
  await expect(node.sendRawTransaction({ serializedTransaction: raw })).rejects.toThrow()
})

test('behavior: 60 operations of 400,000 gas are all mined, in transactions within the cap', async () => {
  const { sent, change } = refuseAbove(cap)
  const bundler = pool.makeBundler(change)
  const hashes: Hex[] = []
  for (let count = 0; count < 60; count++)
    hashes.push(await pool.add(await pool.makeOperation({ callGasLimit: 400_000n })))
  await sendBundles(bundler, { holder: 'first', signal: never })
  for (const hash of hashes)
    expect(await pool.find(hash)).toMatchObject({ status: 'included', tries: 0 })
  expect(sent.length).toBeLessThan(10)
  for (const gas of sent) expect(gas).toBeLessThanOrEqual(cap)
})

test('security: operations with the maximum gas do not delay small operations', async () => {
  const bundler = pool.makeBundler()
  const hashes: Hex[] = []
  for (let count = 0; count < 8; count++) {
    const large = { to: burner, callGasLimit: 11_500_000n }
    hashes.push(await pool.add(await pool.makeOperation(large)))
  }
  for (let count = 0; count < 2; count++) hashes.push(await pool.add(await pool.makeOperation()))
  const before = await pool.readFunds()
  await sendBundles(bundler, { holder: 'first', signal: never })
  for (const hash of hashes)
    expect(await pool.find(hash)).toMatchObject({ status: 'included', tries: 0 })
  expect(await pool.readFunds()).toBeGreaterThan(before)
})

test('behavior: a refused bundle is halved until a node accepts it, and no operation counts a try', async () => {
  const { sent, change } = refuseAbove(2_000_000n)
  const bundler = pool.makeBundler(change)
  const hashes: Hex[] = []
  for (let count = 0; count < 12; count++) hashes.push(await pool.add(await pool.makeOperation()))
  await sendBundles(bundler, { holder: 'first', signal: never })
  for (const hash of hashes)
    expect(await pool.find(hash)).toMatchObject({ status: 'included', tries: 0 })
  expect(sent.filter((gas) => gas <= 2_000_000n).length).toBeGreaterThan(1)
})

test('behavior: an operation that no node accepts even alone is dropped after three tries, with a reason', async () => {
  const { change } = refuseAbove(5_000_000n)
  const bundler = pool.makeBundler(change)
  const large = { to: burner, callGasLimit: 6_000_000n }
  const bad = await pool.add(await pool.makeOperation(large))
  const good = await pool.add(await pool.makeOperation())
  // The same transaction is built again, byte for byte.
  for (let round = 0; round < 4; round++) {
    await sendBundles(bundler, { holder: 'first', signal: never })
    await pool.db.updateTable('user_operations').set({ not_before: null }).execute()
  }
  expect(await pool.find(good)).toMatchObject({ status: 'included', tries: 0 })
  expect(await pool.find(bad)).toMatchObject({
    status: 'dropped',
    tries: 3,
    reason: 'no node accepts it',
  })
})

test('behavior: an empty account of the bundler or a risen base fee counts against no operation', async () => {
  for (const message of [
    'insufficient funds for gas * price + value',
    'max fee per gas less than block base fee',
  ]) {
    const { change } = refuseAbove(0n, message)
    const bundler = pool.makeBundler(change)
    const hash = await pool.add(await pool.makeOperation())
    for (let round = 0; round < 4; round++)
      await sendBundles(bundler, { holder: 'first', signal: never })
    expect(await pool.find(hash)).toMatchObject({ status: 'pending', tries: 0 })
    await pool.db.updateTable('user_operations').set({ not_before: null }).execute()
    await sendBundles(pool.makeBundler(), { holder: 'first', signal: never })
    expect(await pool.getStatus(hash)).toBe('included')
  }
})

test('error: an operation that does not fit into a transaction alone is refused', async () => {
  const bundler = pool.makeBundler()
  const gas = { callGasLimit: 12_000_000n, verificationGasLimit: 500_000n }
  await expect(
    checkOperation(bundler, await pool.makeOperation({ ...gas, preVerificationGas: 5_000_000n })),
  ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('together') })
  const data = `0x${keccak256('0x').slice(2).repeat(1_400)}` as const
  const operation = await pool.makeOperation({ data, preVerificationGas: 9_000_000n })
  const paymasterData = operation.callData
  const paymaster = burner
  await expect(
    checkOperation(bundler, { ...operation, paymaster, paymasterData, signature: paymasterData }),
  ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('120000 bytes') })
})

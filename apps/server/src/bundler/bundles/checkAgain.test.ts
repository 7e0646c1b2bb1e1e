import { waitForReceipt } from '@latchkey/dev'
import { type Address, type Hex, pad, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { getPrefund } from '../operations/traceValidation.ts'

const other: Address = '0x00000000000000000000000000000000000d0001'
const third: Address = '0x00000000000000000000000000000000000d0002'
/** Pays the missing deposit and accepts every operation. */
const pays = '5f5f5f5f604435335af1505f5f5260205ff3'
const timestamp = '4250'
const toOther = 'does not delegate to that address'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  await pool.anvil.setCode({ address: other, bytecode: `0x${timestamp}${pays}` })
  await pool.anvil.setCode({ address: third, bytecode: `0x${pays}` })
})
afterAll(() => pool?.stop())

const trusted = () => pool.chains.addresses['eip155:31337'].smartAccount
const getNonce = (key: Hex) =>
  pool.node.getTransactionCount({ address: privateKeyToAccount(key).address })

test("security: an operation is dropped if its authorization's nonce was used to delegate elsewhere", async () => {
  const key = generatePrivateKey()
  const hash = await pool.add(await pool.makeOperation({ key }))
  await pool.delegateTo(key, other, 0)
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({
    status: 'dropped',
    reason: expect.stringContaining(toOther),
  })
})

test('security: the same if the hash does not name the delegate', async () => {
  const key = generatePrivateKey()
  const operation = await pool.makeOperation({ key, delegate: third, isMarked: false })
  const hash = await pool.add(operation)
  await pool.delegateTo(key, other, 0)
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({
    status: 'dropped',
    reason: expect.stringContaining(toOther),
  })
})

test('behavior: an authorization that was already used is left out, and the operation is found by its hash', async () => {
  const key = generatePrivateKey()
  const hash = await pool.add(await pool.makeOperation({ key }))
  await pool.delegateTo(key, trusted(), 0)
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({ status: 'included' })
})

test('behavior: the account’s delegate at the time of building the bundle counts', async () => {
  const there = generatePrivateKey()
  const back = await pool.add(await pool.makeOperation({ key: there }))
  await pool.delegateTo(there, other, 0)
  await pool.delegateTo(there, trusted(), 1)
  const ended = generatePrivateKey()
  const removed = await pool.add(await pool.makeOperation({ key: ended }))
  await pool.delegateTo(ended, trusted(), 0)
  await pool.delegateTo(ended, zeroAddress, 1)
  const plain = generatePrivateKey()
  const spent = await pool.add(await pool.makeOperation({ key: plain }))
  const sent = await pool.wallet(plain).sendTransaction({ to: other, value: 0n, gas: 60_000n })
  await waitForReceipt(pool.node, sent)
  expect(await Promise.all([there, ended, plain].map(getNonce))).toEqual([2, 2, 1])
  await pool.send()
  expect(await pool.find(back)).toMatchObject({ status: 'included' })
  for (const hash of [removed, spent])
    expect(await pool.find(hash)).toMatchObject({
      status: 'dropped',
      reason: expect.stringContaining(toOther),
    })
})

test('security: an operation is dropped if its account, without authorization, delegates elsewhere', async () => {
  const key = generatePrivateKey()
  const first = await pool.add(await pool.makeOperation({ key, delegate: third }))
  await pool.send()
  expect(await pool.find(first)).toMatchObject({ status: 'included' })
  const { eip7702Auth: _, ...next } = await pool.makeOperation({
    key,
    delegate: third,
    nonce: 1n,
    isMarked: false,
  })
  const hash = await pool.add(next)
  await pool.delegateTo(key, other, 1)
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({
    status: 'dropped',
    reason: expect.stringContaining('has changed'),
  })
})

test('security: code that a validation uses and that changes before the bundle is noticed (COD-010)', async () => {
  const library: Address = '0x00000000000000000000000000000000000d0003'
  const account: Address = '0x00000000000000000000000000000000000d0004'
  const wei = 10n ** 18n
  await pool.anvil.setBalance({ address: account, value: wei })
  await pool.anvil.setCode({ address: library, bytecode: '0x00' })
  const asks = `5f5f5f5f73${library.slice(2)}5af450`
  await pool.anvil.setCode({ address: account, bytecode: `0x${asks}${pays}` })
  const kept = await pool.add(pool.makePlain(account))
  await pool.send()
  expect(await pool.find(kept)).toMatchObject({ status: 'included' })
  const changed = await pool.add(pool.makePlain(account, { nonce: 1n }))
  await pool.anvil.setCode({ address: library, bytecode: `0x${timestamp}00` })
  await pool.send()
  expect(await pool.find(changed)).toMatchObject({
    status: 'dropped',
    reason: expect.stringContaining('has changed'),
  })
})

test('security: an operation whose validation may run other code is traced again before it is sent', async () => {
  const account: Address = '0x00000000000000000000000000000000000d0020'
  await pool.anvil.setBalance({ address: account, value: 10n ** 18n })
  const patient = { timeout: 20_000 }
  const point = (to: Address) =>
    pool.anvil.setStorageAt({ address: account, index: 0, value: pad(to) })
  // Runs the code at the address in its first slot, as upgradeable accounts do.
  await pool.anvil.setCode({ address: account, bytecode: `0x5f5f5f5f5f545af450${pays}` })
  const [clean, again, banned] = ['d0021', 'd0022', 'd0023'].map(
    (end): Address => `0x${end.padStart(40, '0')}`,
  )
  if (!clean || !again || !banned) throw new Error('There are three')
  for (const address of [clean, again]) await pool.anvil.setCode({ address, bytecode: '0x00' })
  await pool.anvil.setCode({ address: banned, bytecode: `0x${timestamp}00` })
  await point(clean)
  const tip = { maxFeePerGas: 4n * 10n ** 9n, maxPriorityFeePerGas: 2n * 10n ** 9n }
  const first = await pool.add(pool.makePlain(account, tip))
  await point(again)
  // The others do not wait for it, even if it pays more.
  const other = await pool.add(await pool.makeOperation())
  await pool.send()
  expect([await pool.getStatus(first), await pool.getStatus(other)]).toEqual([
    'pending',
    'included',
  ])
  const untilSent = async (hash: Hex) => {
    await pool.send()
    return pool.find(hash)
  }
  await expect.poll(() => untilSent(first), patient).toMatchObject({ status: 'included' })
  const second = await pool.add(pool.makePlain(account, { nonce: 1n }))
  await point(banned)
  await expect
    .poll(() => untilSent(second), patient)
    .toMatchObject({ status: 'dropped', reason: expect.stringContaining('TIMESTAMP') })
})

test('behavior: an operation that fails only together with another one waits for the next bundle', async () => {
  const spoiler: Address = '0x00000000000000000000000000000000000d0005'
  const spoiled: Address = '0x00000000000000000000000000000000000d0006'
  // Notes in transient storage that the spoiler has called it, and is valid only if it has not.
  const notes = '335f5260405f206001905d00'
  const asks = `73${spoiler.slice(2)}5f5260405f205c5f5260205ff3`
  const pay = '5f5f5f5f604435335af150'
  const bytecode: Hex = `0x5f3560e01c6319822f7c14601a57${notes}5b${pay}${asks}`
  await pool.anvil.setCode({ address: spoiled, bytecode })
  const calls = `5f5f5f5f5f73${spoiled.slice(2)}5af150`
  await pool.anvil.setCode({ address: spoiler, bytecode: `0x${calls}${pays}` })
  for (const address of [spoiler, spoiled])
    await pool.anvil.setBalance({ address, value: 10n ** 18n })
  const second = await pool.add(pool.makePlain(spoiled))
  const tip = { maxFeePerGas: 4n * 10n ** 9n, maxPriorityFeePerGas: 2n * 10n ** 9n }
  const first = await pool.add(pool.makePlain(spoiler, tip))
  await pool.send()
  const [one, two] = [await pool.find(first), await pool.find(second)]
  expect([one?.status, two?.status]).toEqual(['included', 'included'])
  expect(one?.bundleHash).not.toBe(two?.bundleHash)
})

test('error: a paymaster is no sender, and its deposit covers all waiting operations (STO-040, EREP-010)', async () => {
  const paymaster: Address = '0x00000000000000000000000000000000000d0007'
  // Accepts everything as an account, and as a paymaster, with no context.
  const asPaymaster = '60405f525f6020525f60405260605ff3'
  const bytecode: Hex = `0x5f3560e01c6352b7512c14602057${pays}5b${asPaymaster}`
  await pool.anvil.setCode({ address: paymaster, bytecode })
  await pool.anvil.setBalance({ address: paymaster, value: 10n ** 18n })
  const gas = { paymasterVerificationGasLimit: 100_000n, paymasterPostOpGasLimit: 40_000n }
  const paid = (sender: Address) =>
    pool.makePlain(sender, { paymaster, paymasterData: '0x', ...gas })
  const accounts = [1, 2, 3].map((index): Address => `0x${`d01${index}`.padStart(40, '0')}`)
  for (const address of accounts) await pool.anvil.setCode({ address, bytecode: `0x${pays}` })
  const [first, second, third] = accounts.map(paid)
  if (!first || !second || !third) throw new Error('no operations')
  await pool.deposit(paymaster, getPrefund(first) * 2n + 1n)
  await pool.add(first)
  await pool.add(second)
  expect(await pool.outcome(third)).toBe('poor')
  expect(await pool.outcome(pool.makePlain(paymaster))).toBe('entity')
  await pool.send()
  await pool.add(pool.makePlain(paymaster))
  expect(await pool.outcome(third)).toBe('entity')
})

test('error: two operations of an account do not bring authorizations for different addresses', async () => {
  const key = generatePrivateKey()
  await pool.add(await pool.makeOperation({ key, delegate: third }))
  const next = await pool.makeOperation({ key, delegate: trusted(), nonce: 1n << 64n })
  expect(await pool.outcome(next)).toBe('delegate')
})

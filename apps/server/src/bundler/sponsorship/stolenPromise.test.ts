import { waitForReceipt } from '@latchkey/dev'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BundlerWorld,
  type Draft,
  execute,
  gwei,
  sink,
  startBundler,
  toHex,
} from '../../../test/startBundler.ts'
import { entryPoint } from '../operations/userOperation.ts'

let world: BundlerWorld
beforeAll(async () => {
  world = await startBundler()
})
afterAll(() => world?.stop())

const gasOf = (operation: Draft, name: string) => BigInt(operation[name] as Hex)

const ask = (method: string, operation: Draft) =>
  world.ask(method, [operation, entryPoint, ...(/Paymaster/.test(method) ? ['0x7a69'] : [])])

const refusal = (name: string) => ({
  error: {
    code: -32501,
    message: expect.stringMatching(new RegExp(`^Not sponsored: ${name} must be at most \\d+$`)),
  },
})

/** The thief: an independent account with 1 ETH, which sends its own transactions. */
async function openThief() {
  const thief = await world.openAccount({ wei: 10n ** 18n })
  const read = () => world.node.getBalance({ address: thief.address })
  /** Sends these operations to the EntryPoint from the thief's account. */
  const take = async (operations: readonly Draft[], fee = 2n * gwei) => {
    const hash = await thief.wallet.sendTransaction({
      to: entryPoint,
      data: world.toHandleOps(operations, thief.address),
      gas: 2_000_000n,
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
    })
    return () => waitForReceipt(world.node, hash)
  }
  return { ...thief, read, take }
}

test('security: a promise is worth nothing in a transaction of any account except our bundler', async () => {
  const thief = await openThief()
  const account = await world.openAccount()
  const promised = await account.sign(
    await world.prepare(world.draft(account, execute(sink)), { isSponsored: true }),
  )
  // The account delegates already, so that only the promise is missing.
  const { eip7702Auth: _, ...operation } = promised
  await world.anvil.setCode({
    address: account.address,
    bytecode: `0xef0100${world.chains.addresses['eip155:31337'].smartAccount.slice(2)}`,
  })
  const before = { thief: await thief.read(), deposit: await world.readDeposit() }
  const receipt = await (await thief.take([operation]))()
  expect(receipt.status).toBe('reverted')
  const anyBundler = `${String(operation.paymasterData).slice(0, 26)}${'0'.repeat(40)}${String(operation.paymasterData).slice(66)}`
  const itself = `${String(operation.paymasterData).slice(0, 26)}${thief.address.slice(2)}${String(operation.paymasterData).slice(66)}`
  for (const paymasterData of [anyBundler, itself]) {
    const forged = await account.sign({ ...operation, paymasterData })
    expect((await (await thief.take([forged]))()).status).toBe('reverted')
    expect(await ask('eth_sendUserOperation', forged)).toMatchObject({
      error: { code: -32507, message: expect.stringContaining('AA34') },
    })
  }
  expect(await thief.read()).toBeLessThan(before.thief)
  expect(await world.readDeposit()).toBe(before.deposit)
  // Our bundler can still send it.
  const hash = await world.send(operation)
  await expect
    .poll(() => world.ask('eth_getUserOperationReceipt', [hash]), { timeout: 20_000 })
    .toMatchObject({ result: { success: true } })
})

test('security: copying an operation out of our bundle and mining it first pays the copier nothing', async () => {
  const thief = await openThief()
  const account = await world.openAccount()
  const operation = await account.sign(await world.prepare(world.draft(account, execute(sink))))
  const before = { thief: await thief.read(), deposit: await world.readDeposit() }
  await world.anvil.setAutomine(false)
  const hash = await world.send(operation)
  await expect
    .poll(async () => (await world.anvil.getTxpoolStatus()).pending, { timeout: 20_000 })
    .toBe(1)
  const outcome = await thief.take([operation], 20n * gwei)
  await world.anvil.mine({ blocks: 1 })
  await world.anvil.setAutomine(true)
  expect((await outcome()).status).toBe('reverted')
  await expect
    .poll(() => world.ask('eth_getUserOperationReceipt', [hash]), { timeout: 20_000 })
    .toMatchObject({ result: { success: true } })
  expect(await thief.read()).toBeLessThan(before.thief)
  expect(before.deposit - (await world.readDeposit())).toBeLessThan(10n ** 15n)
})

test('security: what our bundler carries cannot redeem another promise in the same transaction', async () => {
  const [thief, account] = [await openThief(), await world.openAccount({ wei: 10n ** 18n })]
  await world.anvil.setCode({
    address: thief.address,
    bytecode: `0xef0100${world.chains.addresses['eip155:31337'].smartAccount.slice(2)}`,
  })
  const { eip7702Auth: _, ...inner } = await thief.sign(
    await world.prepare(world.draft(thief, execute(sink), { eip7702Auth: undefined })),
  )
  const outer = await account.sign(
    world.draft(account, execute(entryPoint, world.toHandleOps([inner], thief.address)), {
      callGasLimit: toHex(1_500_000n),
      verificationGasLimit: toHex(200_000n),
      preVerificationGas: toHex(200_000n),
    }),
  )
  const before = { thief: await thief.read(), deposit: await world.readDeposit() }
  const hash = await world.send(outer)
  await expect
    .poll(() => world.ask('eth_getUserOperationReceipt', [hash]), { timeout: 20_000 })
    .toMatchObject({ result: { success: false } })
  expect(await thief.read()).toBe(before.thief)
  expect(await world.readDeposit()).toBe(before.deposit)
})

test.each([
  ['The gas of the whole operation', { preVerificationGas: toHex(499_220_000n) }],
  ['The gas of the whole operation', { callGasLimit: toHex(5_000_001n) }],
  ['preVerificationGas', { preVerificationGas: toHex(200_000n) }],
  ['verificationGasLimit', { verificationGasLimit: toHex(500_000n) }],
  ['callGasLimit', { callGasLimit: toHex(1_000_000n) }],
  ['maxFeePerGas', { maxFeePerGas: toHex(10_000n * gwei) }],
  [
    'maxPriorityFeePerGas',
    { maxFeePerGas: toHex(3n * gwei), maxPriorityFeePerGas: toHex(1_000n * gwei) },
  ],
])('security: %s is bounded before anything is signed: %o', async (name, change) => {
  const account = await world.openAccount()
  const good = await world.prepare(world.draft(account, execute(sink)))
  const { paymaster: _, paymasterData: __, ...bare } = good
  expect(await ask('pm_getPaymasterData', bare)).toHaveProperty('result')
  expect(await ask('pm_getPaymasterData', { ...bare, ...change })).toMatchObject(refusal(name))
  if (/whole|Fee/.test(name))
    expect(await ask('pm_getPaymasterStubData', { ...bare, ...change })).toMatchObject(
      refusal(name),
    )
  if (/Fee/.test(name))
    expect(await ask('pm_sponsorUserOperation', { ...bare, ...change })).toMatchObject(
      refusal(name),
    )
})

test('security: a long signature, which may be a short one later, raises no limit', async () => {
  const account = await world.openAccount()
  const signature = `0x${'ff'.repeat(40_000)}`
  const good = await world.prepare(world.draft(account, execute(sink)))
  expect(await ask('pm_getPaymasterData', { ...good, signature })).toMatchObject({
    error: { message: 'Not sponsored: the signature must have at most 1024 bytes' },
  })
  expect(gasOf(good, 'preVerificationGas')).toBeLessThan(150_000n)
})

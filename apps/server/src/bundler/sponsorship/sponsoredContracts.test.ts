import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdWallet } from '../../../test/auth/holdWallet.ts'
import {
  type BundlerWorld,
  type Draft,
  execute,
  sink,
  startBundler,
} from '../../../test/startBundler.ts'
import { entryPoint } from '../operations/userOperation.ts'

/** Accepts every call, and so interprets `execute` differently. */
const yes: Address = '0x00000000000000000000000000000000000ac0de'
const always: Hex = '0x60205ff3'

let world: BundlerWorld
beforeAll(async () => {
  world = await startBundler({
    sponsorship: { contracts: [sink] },
    smartAccounts: { accounts: 'any' },
  })
  await world.anvil.setCode({ address: yes, bytecode: always })
})
afterAll(() => world?.stop())

const toOther = 'Not sponsored: the account delegates to another contract'
const delegateTo = (account: { address: Address }, delegate: Address) =>
  world.anvil.setCode({ address: account.address, bytecode: `0xef0100${delegate.slice(2)}` })

test('security: the operator pays only for accounts that delegate to our contracts', async () => {
  const account = await world.openAccount({ delegate: yes })
  await expect(world.prepare(world.draft(account, execute(sink)))).rejects.toThrow(toOther)
  await delegateTo(account, yes)
  const delegated = world.draft(account, execute(sink), { eip7702Auth: undefined })
  await expect(world.prepare(delegated)).rejects.toThrow(toOther)
  const bare = await world.openAccount()
  const { eip7702Auth: _, ...draft } = world.draft(bare, execute(sink))
  expect(await world.ask('pm_getPaymasterStubData', [draft, entryPoint, '0x7a69'])).toHaveProperty(
    'result',
  )
  const gas = {
    callGasLimit: '0x186a0',
    verificationGasLimit: '0x186a0',
    preVerificationGas: '0x186a0',
  }
  const { error } = await world.ask('pm_getPaymasterData', [
    { ...draft, ...gas },
    entryPoint,
    '0x7a69',
  ])
  expect(error?.message).toContain('the account does not delegate yet')
})

test("security: a promise holds only for the account's delegate at the time when it was made", async () => {
  const account = await world.openAccount()
  const other = await world.openAccount()
  const sign = async (one: typeof account) =>
    one.sign(await world.prepare(world.draft(one, execute(sink))))
  const [early, late] = [await sign(account), await sign(other)]
  // Delegated to another contract before it is sent: our authorization is left out, because its
  // nonce would be used.
  await delegateTo(account, yes)
  const sent = await world.ask('eth_sendUserOperation', [
    { ...early, eip7702Auth: undefined },
    entryPoint,
  ])
  expect(sent).toMatchObject({ error: { message: expect.stringMatching(/AA34/) } })

  // And after it was sent: while a bundle is in no block, other operations wait.
  await delegateTo(other, world.chains.addresses['eip155:31337'].smartAccount)
  const busy = await sign(await world.openAccount())
  await world.anvil.setAutomine(false)
  await world.send(busy)
  const hash = await world.send({ ...late, eip7702Auth: undefined })
  await delegateTo(other, yes)
  const deposit = await world.readDeposit()
  await world.anvil.setAutomine(true)
  await world.anvil.mine({ blocks: 1 })
  const readStatus = () =>
    world.server.services.db
      .selectFrom('user_operations')
      .select('status')
      .where('hash', '=', hash)
      .executeTakeFirst()
  await expect.poll(readStatus, { timeout: 20_000 }).toMatchObject({ status: 'dropped' })
  expect(deposit - (await world.readDeposit())).toBeLessThan(10n ** 15n)
})

test('security: a promise for one delegate cannot be used with the terms of another', async () => {
  const account = await world.openAccount()
  const good = await world.prepare(world.draft(account, execute(sink)))
  const data = String(good.paymasterData)
  expect(data.length).toBe(2 + 2 * 117)
  // validUntil, validAfter and bundler come before the delegate.
  const change = (delegate: string): Draft => ({
    ...good,
    paymasterData: `${data.slice(0, 66)}${delegate}${data.slice(106)}`,
  })
  for (const delegate of ['0'.repeat(40), yes.slice(2)])
    await expect(world.send(await account.sign(change(delegate)))).rejects.toThrow('AA34')
})

test('account farming: the operator does not pay for an account that has only a passkey', async () => {
  const account = await world.openAccount()
  const { server, time } = world
  const { db } = server.services
  const draft = world.draft(account, execute(sink))
  const id = randomUUID()
  const created_at = new Date()
  await db
    .insertInto('users')
    .values({ id, email_index: null, email_sealed: null, created_at, undo_until: null })
    .execute()
  const tokens = { userId: id, deviceId: randomUUID() }
  const walletId = await holdWallet({ server, time }, { state: { tokens } } as never)
  const wallet = db.updateTable('wallets').where('id', '=', walletId)
  await wallet.set({ eip155: account.address }).execute()
  await expect(world.prepare(draft)).rejects.toThrow('no email address and no sign-in')
  const mailbox = { email_index: Buffer.from(id), email_sealed: Buffer.from(id) }
  await db.updateTable('users').set(mailbox).where('id', '=', id).execute()
  await expect(world.prepare(draft)).resolves.toHaveProperty('paymasterData')
})

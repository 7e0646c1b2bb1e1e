import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundlerWorld, execute, sink, startBundler } from '../../test/startBundler.ts'

/** An unknown delegate whose accounts accept every validation. */
const stranger: Address = '0x00000000000000000000000000000000000ac0de'
const always: Hex = '0x60205ff3'

let closed: BundlerWorld
let open: BundlerWorld
beforeAll(async () => {
  ;[closed, open] = await Promise.all([
    startBundler(),
    startBundler({ smartAccounts: { accounts: 'any' } }),
  ])
  for (const { anvil } of [closed, open])
    await anvil.setCode({ address: stranger, bytecode: always })
})
afterAll(async () => {
  await closed?.stop()
  await open?.stop()
})

const prepare = async (world: BundlerWorld, delegate: Address) => {
  const account = await world.openAccount({ delegate })
  return account.sign(await world.prepare(world.draft(account, execute(sink))))
}

const untilIncluded = async (world: BundlerWorld, hash: Hex) =>
  expect
    .poll(() => world.ask('eth_getUserOperationReceipt', [hash]), { timeout: 20_000 })
    .toMatchObject({ result: { success: true } })

test('default: only accounts that delegate to our contracts are served', async () => {
  const { smartAccount, permissions } = closed.chains.addresses['eip155:31337']
  await expect(closed.send(await prepare(closed, stranger))).rejects.toThrow(
    /^Only accounts that delegate to 0x[0-9a-f]{40} or 0x[0-9a-f]{40} are served$/,
  )
  for (const delegate of [smartAccount, permissions.account])
    await untilIncluded(closed, await closed.send(await prepare(closed, delegate)))
})

test('param: with accounts any, other accounts are served too, and the operator can pay for them', async () => {
  await untilIncluded(open, await open.send(await prepare(open, stranger)))
})

test('behavior: an operation that was dropped and is sent again has its new authorization', async () => {
  const account = await closed.openAccount({ wei: 10n ** 18n })
  const operation = await account.sign(await closed.prepare(closed.draft(account, execute(sink))))
  const busy = await prepare(closed, closed.chains.addresses['eip155:31337'].smartAccount)
  await closed.anvil.setAutomine(false)
  // As long as its bundle is in no block, the other operation waits.
  await closed.send(busy)
  const hash = await closed.send(operation)
  // Uses the nonce of the authorization.
  await account.wallet.sendTransaction({ to: sink, gas: 30_000n })
  await closed.anvil.setAutomine(true)
  await closed.anvil.mine({ blocks: 1 })
  const readStatus = () =>
    closed.server.services.db
      .selectFrom('user_operations')
      .select('status')
      .where('hash', '=', hash)
      .executeTakeFirst()
  await expect.poll(readStatus, { timeout: 20_000 }).toEqual({ status: 'dropped' })
  const again = { ...operation, eip7702Auth: await account.authorize(1) }
  expect(await closed.send(again)).toBe(hash)
  await untilIncluded(closed, hash)
})

import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundlerWorld, execute, sink, startBundler } from '../../../test/startBundler.ts'
import { entryPoint } from '../operations/userOperation.ts'

let world: BundlerWorld
beforeAll(async () => {
  const wei = String(parseEther('1'))
  world = await startBundler({
    sponsorship: { weiPerAccountAndDay: wei, weiPerClientAndDay: wei, weiPerDay: wei },
  })
})
afterAll(() => world?.stop())

test('security: an operation whose promise ends before a block may have it is refused, and counts nothing', async () => {
  const account = await world.openAccount()
  const signed = await account.sign(await world.prepare(world.draft(account, execute(sink))))
  const until = Number(String(signed.paymasterData).slice(0, 14))
  await world.anvil.setNextBlockTimestamp({ timestamp: BigInt(until - 10) })
  await world.anvil.mine({ blocks: 1 })
  expect((await world.ask('eth_sendUserOperation', [signed, entryPoint])).error).toMatchObject({
    code: -32503,
    message: expect.stringContaining('expires'),
  })
  const { db } = world.server.services
  expect(await db.selectFrom('sponsored_days').selectAll().execute()).toEqual([])
})

import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import {
  type BundlerWorld,
  type Draft,
  execute,
  gwei,
  sink,
  startBundler,
  toHex,
} from '../../../test/startBundler.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { createAskChain } from '../askChain.ts'
import { entryPoint } from '../operations/userOperation.ts'
import { settleSponsorships } from './settleSponsorships.ts'
import { everybody, toDay } from './sponsoredDays.ts'

const chainId = 'eip155:31337'

let world: BundlerWorld
beforeAll(async () => {
  world = await startBundler({
    sponsorship: {
      weiPerAccountAndDay: String(parseEther('0.0012')),
      weiPerClientAndDay: String(parseEther('0.003')),
      weiPerDay: String(parseEther('0.004')),
    },
  })
})
afterAll(() => world?.stop())
beforeEach(async () => {
  await world.anvil.setAutomine(true)
  for (const table of ['sponsored_days', 'sponsorships'] as const)
    await world.server.services.db.deleteFrom(table).execute()
})

const readSpent = async (who: string) => {
  const row = await world.server.services.db
    .selectFrom('sponsored_days')
    .select('wei')
    .where('account', '=', who.toLowerCase())
    .executeTakeFirst()
  return BigInt(row?.wei ?? 0)
}

const readReceipt = async (hash: Hex) =>
  (await world.ask('eth_getUserOperationReceipt', [hash])).result as {
    success: boolean
    actualGasCost: Hex
  } | null

const untilIncluded = (hash: Hex) =>
  expect.poll(() => readReceipt(hash), { timeout: 20_000 }).toMatchObject({ success: true })

const refuse = (limit: string) => `Not sponsored: the limit of this ${limit} is reached for today`

/** At most 0.0006 ETH with the default gas. */
const prepare = (account: Parameters<BundlerWorld['draft']>[0], more: Draft = {}) =>
  world.prepare(world.draft(account, execute(sink), { maxFeePerGas: toHex(2n * gwei), ...more }))

test('security: requests that no account has signed use up no limit of accounts or of the network', async () => {
  const victim = await world.openAccount()
  const params = (operation: Draft) => [operation, entryPoint, '0x7a69']
  const full = await prepare(victim)
  for (let count = 0; count < 8; count++) {
    const nonce = toHex(BigInt(1_000 + count) << 64n)
    const asked = [
      { ...full, nonce },
      { ...full, nonce, sender: (await world.openAccount()).address },
    ]
    for (const one of asked)
      expect(await world.ask('pm_getPaymasterData', params(one))).toHaveProperty('result')
  }
  // Nor requests that a stranger sends in the name of the victim.
  const forged = await (await world.openAccount()).sign(full)
  await expect(world.send({ ...forged, eip7702Auth: victim.eip7702Auth })).rejects.toThrow('AA24')
  expect([await readSpent(victim.address), await readSpent(everybody)]).toEqual([0n, 0n])
  await untilIncluded(await world.send(await victim.sign(full)))
})

test('default: an operation counts when it is sent, once, and what it really cost in the end', async () => {
  const account = await world.openAccount()
  const [first, second, third] = [
    await account.sign(await prepare(account)),
    await account.sign(await prepare(account)),
    await account.sign(await prepare(account)),
  ]
  await world.anvil.setAutomine(false)
  const hashes = [await world.send(first)]
  const most = await readSpent(account.address)
  expect(most).toBeGreaterThan(parseEther('0.0003'))
  // Known already: it counts once.
  await expect(world.send(first)).resolves.toBe(hashes[0])
  expect(await readSpent(account.address)).toBe(most)
  hashes.push(await world.send(second))
  const both = await readSpent(account.address)
  expect(both).toBeGreaterThan((most * 19n) / 10n)
  await expect(world.send(third)).rejects.toThrow(refuse('account'))
  expect(await readSpent(account.address)).toBe(both)
  const promised = world.draft(account, execute(sink))
  await expect(world.prepare(promised)).rejects.toThrow(refuse('account'))

  await world.anvil.setAutomine(true)
  await world.anvil.mine({ blocks: 1 })
  for (const hash of hashes) await untilIncluded(hash)
  // The account delegates by now.
  hashes.push(await world.send({ ...third, eip7702Auth: undefined }))
  const costs = await Promise.all(hashes.slice(0, 2).map(readReceipt))
  const cost = costs.reduce((sum, one) => sum + BigInt(one?.actualGasCost ?? 0), 0n)
  expect(cost).toBeLessThan(most)
  for (const who of [account.address, everybody]) {
    const left = (await readSpent(who)) - cost
    expect(left).toBeGreaterThan(0n)
    expect(left).toBeLessThan((most * 11n) / 10n)
  }
})

test('default: operations with one nonce count as much as the most expensive of them', async () => {
  const [busy, account] = [await world.openAccount(), await world.openAccount()]
  const blocking = await busy.sign(await prepare(busy))
  const nonce = toHex(77n << 64n)
  const cheap = await account.sign(
    await prepare(account, { nonce, maxFeePerGas: toHex((3n * gwei) / 2n) }),
  )
  const dear = await account.sign(
    await prepare(account, {
      nonce,
      maxFeePerGas: toHex((17n * gwei) / 10n),
      maxPriorityFeePerGas: toHex((11n * gwei) / 10n),
    }),
  )
  await world.anvil.setAutomine(false)
  // As long as its bundle is in no block, the others wait.
  await world.send(blocking)
  await world.send(cheap)
  const before = await readSpent(account.address)
  await world.send(dear)
  const after = await readSpent(account.address)
  expect(after).toBeGreaterThan(before)
  expect(after).toBeLessThan((before * 12n) / 10n)
})

test('error: the limit of a client holds for all of its accounts', async () => {
  const sent = async () => {
    const account = await world.openAccount()
    return world.send(await account.sign(await prepare(account)))
  }
  await world.anvil.setAutomine(false)
  const outcomes: string[] = []
  for (let count = 0; count < 8; count++)
    outcomes.push(
      await sent().then(
        () => 'sent',
        (error: Error) => error.message,
      ),
    )
  expect(new Set(outcomes)).toEqual(new Set(['sent', refuse('client')]))
})

test('security: an operation that waits longer than its promise holds does not keep what it counted', async () => {
  const account = await world.openAccount()
  const operation = await account.sign(await prepare(account))
  await world.anvil.setAutomine(false)
  await world.send(operation)
  const most = await readSpent(account.address)
  expect(most).toBeGreaterThan(0n)
  const services = makeServices({ [chainId]: chainWith([world.chains.urls[chainId]]) })
  const ask = createAskChain(createUpstreams(services), chainId)
  const { db } = world.server.services
  const clock = () => Date.now() + 900_000
  const settle = () => settleSponsorships({ db, chainId, ask, clock })
  // Limits are counted by day, and shortly before midnight this clock is in the next day.
  for (const table of ['sponsorships', 'sponsored_days'] as const)
    await db
      .updateTable(table)
      .set({ day: toDay(clock()) })
      .execute()
  // The chain has not passed the end of the promise.
  expect(await settle()).toBe(false)
  expect(await readSpent(account.address)).toBe(most)
  // No block takes the operation at its price.
  await world.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: 100n * gwei })
  await world.anvil.increaseTime({ seconds: 900 })
  await world.anvil.mine({ blocks: 1 })
  expect(await settle()).toBe(true)
  expect([await readSpent(account.address), await readSpent(everybody)]).toEqual([0n, 0n])
})

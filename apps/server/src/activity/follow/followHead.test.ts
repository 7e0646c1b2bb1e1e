import { encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ActivityWorld,
  accountOf,
  readAll,
  rpc,
  startActivityWorld,
  testChainId,
} from '../../../test/startActivity.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function mint(address to)',
])

let world: ActivityWorld

beforeAll(async () => {
  world = await startActivityWorld()
})
afterAll(() => world?.stop())

const snapshot = () => rpc<string>(world.url, 'evm_snapshot', [])
const revert = (id: string) => rpc(world.url, 'evm_revert', [id])

test('behavior: a reorganization removes rows, NFTs and tokens; other blocks follow at the same height', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const [alice, bob] = [addressAt(0), addressAt(1)]
  const indexer = await world.open()
  const { activity } = indexer
  for (const one of [alice, bob]) await activity.follow(accountOf(one))
  await untilComplete(indexer, alice, bob)
  const { keys } = world.chains.addresses[testChainId]
  const held = await activity.readNfts(accountOf(alice), { offset: 0, limit: 100 })
  const id = await snapshot()
  await send({
    from: alice,
    to: keys,
    data: encodeFunctionData({ abi, functionName: 'mint', args: [alice] }),
  })
  await send({ from: alice, to: bob, value: '0x1' })
  await untilTrue(indexer, alice)
  expect(await activity.readNfts(accountOf(alice), { offset: 0, limit: 100 })).toHaveLength(
    held.length + 1,
  )
  await revert(id)
  await send({ from: alice, to: bob, value: '0x2' })
  await send({ from: bob, to: alice, value: '0x3' })
  await send({ from: bob, to: alice, value: '0x4' })
  for (const one of [alice, bob]) await untilTrue(indexer, one)
  expect(await activity.readNfts(accountOf(alice), { offset: 0, limit: 100 })).toEqual(held)
})

test('behavior: the chain is shorter than it was, and stays so', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const alice = addressAt(0)
  const indexer = await world.open()
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice)
  const before = await readAll(indexer.activity, alice)
  const id = await snapshot()
  await send({ from: alice, to: alice, value: '0x1' })
  await send({ from: alice, to: alice, value: '0x2' })
  await untilTrue(indexer, alice)
  await revert(id)
  await untilTrue(indexer, alice)
  expect(await readAll(indexer.activity, alice)).toEqual(before)
})

test('behavior: a re-org while the chain was not read, and while other accounts were still being indexed', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const [alice, bob] = [addressAt(0), addressAt(1)]
  const databaseUrl = await world.database()
  const first = await world.open({ databaseUrl })
  await first.activity.follow(accountOf(alice))
  await untilComplete(first, alice)
  const id = await snapshot()
  for (const value of ['0x1', '0x2', '0x3'] as const) await send({ from: alice, to: bob, value })
  await untilTrue(first, alice)
  await first.stop()
  await revert(id)
  for (const value of ['0x9', '0x8', '0x7', '0x6'] as const)
    await send({ from: bob, to: alice, value })
  const second = await world.open({ databaseUrl })
  for (const one of [bob, alice]) await second.activity.follow(accountOf(one))
  await untilComplete(second, alice, bob)
  for (const one of [alice, bob]) await untilTrue(second, one)
})

test('behavior: another chain of the same id: nothing of the old one stays', async () => {
  const { addressAt, untilComplete, untilTrue } = world
  const alice = addressAt(0)
  const databaseUrl = await world.database()
  const first = await world.open({ databaseUrl })
  await first.activity.follow(accountOf(alice))
  await untilComplete(first, alice)
  // Like a chain that was created again before the next poll: no block is the same.
  await first.activity.stop()
  await first.db
    .updateTable('activity_blocks')
    .set({ hash: Buffer.alloc(32, 7) })
    .execute()
  await first.db
    .updateTable('activity_chains')
    .set({ genesis: Buffer.alloc(32, 7) })
    .execute()
  await first.db
    .updateTable('activity_rows')
    .set({ hash: Buffer.alloc(32, 7) })
    .execute()
  await first.stop()
  const other = await world.open({ databaseUrl })
  await other.activity.follow(accountOf(alice))
  await untilTrue(other, alice)
  await untilComplete(other, alice)
})

test('behavior: hundreds of blocks at once', async () => {
  const { addressAt, send, untilComplete, untilTrue, url } = world
  const alice = addressAt(0)
  const indexer = await world.open()
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice)
  await send({ from: alice, to: alice, value: '0x1' })
  await rpc(url, 'anvil_mine', ['0xc8'])
  await send({ from: alice, to: alice, value: '0x2' })
  await untilTrue(indexer, alice)
  await untilComplete(indexer, alice)
})

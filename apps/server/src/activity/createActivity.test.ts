import { encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type ActivityWorld,
  accountOf,
  readAll,
  startActivityWorld,
  testChainId,
} from '../../test/startActivity.ts'
import { noteRequests } from './follow/noteRequests.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function mint(address to)',
  'function mint(address to, uint256[] ids, uint256[] amounts)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])

let world: ActivityWorld

beforeAll(async () => {
  world = await startActivityWorld()
})
afterAll(() => world?.stop())

test('default: all that an account ever did, and what it does next soon after the block', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const indexer = await world.open()
  const { activity } = indexer
  const [alice, bob, deployer] = [addressAt(0), addressAt(1), addressAt(9)]
  for (const one of [alice, bob, deployer]) await activity.follow(accountOf(one))
  await untilComplete(indexer, alice, bob, deployer)
  for (const one of [alice, bob, deployer]) await untilTrue(indexer, one)
  expect(await activity.sync(accountOf(alice))).toEqual({
    complete: true,
    progress: 1,
    since: null,
  })

  let heard: (() => void) | undefined
  onTestFinished(activity.listen(accountOf(alice), ({ type }) => type === 'changed' && heard?.()))
  const nextChange = () =>
    new Promise<void>((resolve) => {
      heard = resolve
    })
  // The lease holder polls every two seconds until it is notified of a listener.
  const first = nextChange()
  await send({ from: alice, to: bob, value: '0x1' })
  await first
  await untilTrue(indexer, alice)
  const { usd, keys, items } = world.chains.addresses[testChainId]
  const sends: Parameters<typeof send>[0][] = [
    { from: alice, to: bob, value: '0xde0b6b3a7640000' },
    { from: alice, to: alice, value: '0x5' },
    { from: bob, to: alice, value: '0x7' },
    {
      from: alice,
      to: usd,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 5n] }),
    },
    { from: bob, to: keys, data: encodeFunctionData({ abi, functionName: 'mint', args: [alice] }) },
    {
      from: bob,
      to: items,
      data: encodeFunctionData({ abi, functionName: 'mint', args: [alice, [7n, 9n], [70n, 90n]] }),
    },
    {
      from: alice,
      to: items,
      data: encodeFunctionData({
        abi,
        functionName: 'safeTransferFrom',
        args: [alice, bob, 9n, 4n, '0x'],
      }),
    },
    // Fails because it exceeds the balance.
    {
      from: alice,
      to: usd,
      gas: '0x186a0',
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 1n << 200n] }),
    },
    { from: alice, data: '0x6001600055600a6000f3', value: '0x0' },
  ]
  const tookMs: number[] = []
  for (const transaction of sends) {
    const changed = nextChange()
    const hash = await send(transaction)
    const minedAt = performance.now()
    await changed
    tookMs.push(performance.now() - minedAt)
    expect((await readAll(activity, alice, 1))[0]?.hash).toBe(hash)
  }
  for (const one of [alice, bob]) await untilTrue(indexer, one)
  const [created, failed] = await readAll(activity, alice)
  expect(created).toMatchObject({ to: undefined, created: expect.stringMatching(/^0x/) })
  expect(failed).toMatchObject({ status: 'failed', transfers: [] })
  // Stalls of a busy machine affect one or two of them.
  expect(tookMs.sort((a, b) => a - b)[4]).toBeLessThan(1_500)
})

test('behavior: tokens ever received and NFTs held, latest first; other accounts have no assets', async () => {
  const { addressAt, untilComplete } = world
  const [alice, stranger] = [addressAt(0), `0x${'5'.repeat(40)}` as const]
  const indexer = await world.open()
  const { activity } = indexer
  for (const one of [alice, stranger]) await activity.follow(accountOf(one))
  await untilComplete(indexer, alice, stranger)
  const truth = await readAll(activity, alice)
  const transfers = truth.flatMap((row) => row.transfers)
  const got = transfers.filter(({ standard, to }) => standard === 'erc20' && to === alice)
  const tokens = await activity.readTokens(accountOf(alice), 100)
  expect(tokens).toHaveLength(new Set(got.map(({ contract }) => contract)).size)
  expect(new Set(tokens)).toEqual(new Set(got.map(({ contract }) => contract)))
  expect(await activity.readTokens(accountOf(alice), 1)).toEqual(tokens.slice(0, 1))

  const held = new Map<string, bigint>()
  for (const { standard, contract, tokenId, from, to, amount } of transfers) {
    if (standard !== 'erc721' && standard !== 'erc1155') continue
    const key = `${contract} ${tokenId}`
    const moved = (to === alice ? amount : 0n) - (from === alice ? amount : 0n)
    held.set(key, (held.get(key) ?? 0n) + moved)
  }
  const nfts = await activity.readNfts(accountOf(alice), { offset: 0, limit: 100 })
  const amounts = nfts.map(({ contract, tokenId, amount }) => [`${contract} ${tokenId}`, amount])
  const expected = [...held].filter(([, amount]) => amount > 0n)
  expect(new Map(amounts as [string, bigint][])).toEqual(new Map(expected))
  const times = nfts.map(({ movedAtMs }) => movedAtMs)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(await activity.readNfts(accountOf(alice), { offset: 1, limit: 2 })).toEqual(
    nfts.slice(1, 3),
  )
  // One step contains everything.
  const range = { sinceMs: 0, stepMs: 10 ** 15 }
  const changes = new Map<string | undefined, bigint>()
  const add = (contract: string | undefined, change: bigint) =>
    changes.set(contract, (changes.get(contract) ?? 0n) + change)
  for (const { from, to, created, valueWei, feeWei, status, transfers: moved } of truth) {
    if (from === alice) add(undefined, -(feeWei ?? 0n))
    if (status !== 'failed' && from === alice) add(undefined, -valueWei)
    if (status !== 'failed' && (to ?? created) === alice) add(undefined, valueWei)
    for (const { standard, contract, from: sender, to: receiver, amount } of moved) {
      if (standard !== 'erc20') continue
      add(contract, (receiver === alice ? amount : 0n) - (sender === alice ? amount : 0n))
    }
  }
  const read = await activity.readChanges(accountOf(alice), range)
  expect(new Map(read.map(({ contract, change }) => [contract, change]))).toEqual(
    new Map([...changes].filter(([, change]) => change !== 0n)),
  )
  expect(await activity.readChanges(accountOf(stranger), range)).toEqual([])
  expect(await readAll(activity, stranger)).toEqual([])
  expect(await activity.readTokens(accountOf(stranger), 9)).toEqual([])
  expect(await activity.readNfts(accountOf(stranger), { offset: 0, limit: 9 })).toEqual([])
})

test('param: activity.fromBlock and depth bound the past; source off follows no account', async () => {
  const { addressAt, send, untilComplete } = world
  const alice = addressAt(2)
  await send({ from: alice, to: alice, value: '0x1' })
  const last = await send({ from: alice, to: alice, value: '0x2' })
  const shallow = await world.open({ chain: { depth: 0 } })
  await shallow.activity.follow(accountOf(alice))
  await untilComplete(shallow, alice)
  const rows = await readAll(shallow.activity, alice)
  expect(rows.map(({ hash }) => hash)).toEqual([last])
  const since = new Date(rows[0]?.minedAtMs ?? 0).toISOString()
  expect(await shallow.activity.sync(accountOf(alice))).toMatchObject({ complete: true, since })

  const off = await world.open({ chain: { source: 'off' } })
  await off.activity.follow(accountOf(alice))
  expect(await off.db.selectFrom('activity_accounts').selectAll().execute()).toEqual([])
  expect(await readAll(off.activity, alice)).toEqual([])
})

test('param: maxAccounts: the accounts requested last are followed', async () => {
  const { addressAt, untilComplete } = world
  const [alice, bob, carol] = [addressAt(0), addressAt(1), addressAt(3)]
  const indexer = await world.open({ options: { maxAccounts: 2 } })
  const { activity, db } = indexer
  for (const one of [alice, bob]) await activity.follow(accountOf(one))
  await untilComplete(indexer, alice, bob)
  const rows = await readAll(activity, alice)
  await activity.follow(accountOf(carol))
  await untilComplete(indexer, bob, carol)
  const live = db.selectFrom('activity_accounts').select('address').where('live', '=', true)
  const addresses = async () =>
    (await live.execute()).map(({ address }) => `0x${address.toString('hex')}`)
  expect(new Set(await addresses())).toEqual(new Set([bob, carol]))
  expect(await activity.sync(accountOf(alice))).toMatchObject({ complete: false })
  expect(await readAll(activity, alice)).toEqual(rows)
})

test('behavior: more accounts than a node takes in one list', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const alice = addressAt(0)
  const strangers = Array.from(
    { length: 250 },
    (_, index) => `0x${(0xc000 + index).toString(16).padStart(40, '0')}` as const,
  )
  const [first = alice] = strangers
  const { usd } = world.chains.addresses[testChainId]
  const pay = () =>
    send({
      from: alice,
      to: usd,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [first, 3n] }),
    })
  await pay()
  const indexer = await world.open()
  await noteRequests(indexer.db, [...strangers, alice].map(accountOf), { watched: 'watched' })
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice, ...strangers)
  await pay()
  for (const one of [first, alice]) await untilTrue(indexer, one)
})

test('behavior: an account is deleted after a month without a request, and indexed again on the next one', async () => {
  const { addressAt, untilComplete, untilTrue } = world
  const [alice, bob] = [addressAt(0), addressAt(1)]
  const databaseUrl = await world.database()
  const first = await world.open({ databaseUrl })
  for (const one of [alice, bob]) await first.activity.follow(accountOf(one))
  await untilComplete(first, alice, bob)
  const rows = await readAll(first.activity, bob)
  await first.db
    .updateTable('activity_accounts')
    .set({ asked_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('address', '=', Buffer.from(alice.slice(2), 'hex'))
    .execute()
  const left = () => first.db.selectFrom('activity_accounts').select('address').execute()
  await expect.poll(left).toHaveLength(1)
  const ids = await first.db.selectFrom('activity_rows').select('account_id').distinct().execute()
  expect(ids).toHaveLength(1)
  expect(await readAll(first.activity, alice)).toEqual([])
  expect(await readAll(first.activity, bob)).toEqual(rows)
  const second = await world.open({ databaseUrl })
  await second.activity.follow(accountOf(alice))
  await untilTrue(second, alice)
})

import { encodeFunctionData, parseAbi, toHex } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ActivityWorld,
  accountOf,
  readAll,
  startActivityWorld,
  testChainId,
} from '../../../test/startActivity.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityTransfer } from '../activity.ts'
import { decodeWrapping } from './decodeWrapping.ts'

const ether = 10n ** 18n
const abi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])
const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
const withdraw = (amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'withdraw', args: [amount] })

let world: ActivityWorld
beforeAll(async () => {
  world = await startActivityWorld()
})
afterAll(() => world?.stop())

const native = (from: Hex, to: Hex, amount: bigint): ActivityTransfer => ({
  ...{ standard: 'native', contract: undefined, tokenId: undefined },
  ...{ from, to, amount },
})
const token = (contract: Hex, [from, to, amount]: [Hex, Hex, bigint]): ActivityTransfer => ({
  ...{ standard: 'erc20', contract, tokenId: undefined },
  ...{ from, to, amount },
})

test('default: wrapping and unwrapping have both sides, in the transactions and in what changed', async () => {
  const alice = world.addressAt(7)
  const weth = world.chains.addresses[testChainId].wrappedEther.toLowerCase() as Hex
  const indexer = await world.open({ wrappedNative: weth })
  const to = { from: alice, to: weth, gas: '0x30d40' } as const
  const hashes = [
    await world.send({ ...to, data: deposit, value: toHex(ether) }),
    await world.send({ ...to, data: withdraw(ether / 2n) }),
  ]
  await indexer.activity.follow(accountOf(alice))
  await world.untilComplete(indexer, alice)
  const rows = await readAll(indexer.activity, alice)
  const found = hashes.map((hash) => rows.find((row) => row.hash === hash)?.transfers)
  expect(found).toEqual([
    [native(alice, weth, ether), token(weth, [weth, alice, ether])],
    [token(weth, [alice, weth, ether / 2n]), native(weth, alice, ether / 2n)],
  ])
  const changes = await indexer.activity.readChanges(accountOf(alice), {
    sinceMs: 0,
    stepMs: Number.MAX_SAFE_INTEGER,
  })
  expect(changes.find(({ contract }) => contract === weth)?.change).toBe(ether / 2n)
})

const weth = `0x${'ee'.repeat(20)}` as const
const me = `0x${'a1'.repeat(20)}` as const
const zero = `0x${'0'.repeat(40)}` as const
const topics = {
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
} as const
const log = (name: keyof typeof topics, amount: bigint, address: Hex = weth) => ({
  address,
  topics: [topics[name], `0x${me.slice(2).padStart(64, '0')}`] as Hex[],
  data: toHex(amount, { size: 32 }),
  blockHash: zero,
  ...{ blockNumber: 1, transactionIndex: 0, logIndex: 0 },
})
const decode = (logs: ReturnType<typeof log>[], known: ActivityTransfer[] = []) =>
  decodeWrapping(logs, { wrappedNative: weth, known })

test('behavior: inside a batch of the account the native side comes from the event too, once for each', () => {
  const paid = native(me, weth, 5n)
  const got = token(weth, [weth, me, 5n])
  expect(decode([log('deposit', 5n)])).toEqual([paid, got])
  expect(decode([log('deposit', 5n), log('deposit', 5n)], [paid])).toEqual([got, paid, got])
})

test('behavior: a contract that writes Transfer as well counts once', () => {
  const minted = token(weth, [zero, me, 5n])
  const burnt = token(weth, [me, zero, 5n])
  expect(decode([log('deposit', 5n)], [minted])).toEqual([native(me, weth, 5n)])
  expect(decode([log('withdrawal', 5n)], [burnt])).toEqual([native(weth, me, 5n)])
  expect(decode([log('deposit', 5n)], [burnt])).toHaveLength(2)
})

test('error: events of other contracts, of nothing, or of another form are left out', () => {
  const long = { ...log('deposit', 5n), topics: [...log('deposit', 5n).topics, topics.deposit] }
  const wide: Hex = `0x1${me.slice(2).padStart(63, '0')}`
  const odd = { ...log('deposit', 5n), topics: [topics.deposit, wide] }
  expect(decode([log('deposit', 5n, me), log('withdrawal', 0n), long, odd])).toEqual([])
  expect(decodeWrapping([log('deposit', 5n)], { wrappedNative: undefined, known: [] })).toEqual([])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountBalanceRoute, accountValueRoute, type PricePeriod } from '@latchkey/wire'
import {
  type Address,
  createPublicClient,
  erc20Abi,
  type Hex,
  http,
  parseAbiItem,
  parseEther,
} from 'viem'
import { afterEach, expect, test } from 'vitest'
import { startBitcoin } from '../chains/bitcoin/startBitcoin.ts'
import { type DevChainId, devChainIds } from '../chains/definitions.ts'
import { callRpc } from '../chains/rpc.ts'
import { type Chains, startChains } from '../chains/startChains.ts'
import { waitForReceipt } from '../chains/waitForReceipt.ts'
import { startStack } from '../stack.ts'
import type { Part } from '../startPart.ts'
import { listPastTransactions } from './listPastTransactions.ts'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  cleanups.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

type Five = [Address, Address, Address, Address, Address]

const daySeconds = 86_400
const one = 'eip155:31337'
const getAge = (seconds: number) => Date.now() / 1000 - seconds
const open = ({ urls }: Chains, id: DevChainId) => createPublicClient({ transport: http(urls[id]) })

async function start(dataDir: string) {
  const chains = await startChains({ dataDir, past: true })
  cleanups.push(chains.stop)
  return chains
}

async function readTimes(chains: Chains, id: DevChainId) {
  const client = open(chains, id)
  const times: number[] = []
  const height = await client.getBlockNumber()
  for (let blockNumber = 0n; blockNumber <= height; blockNumber++)
    times.push(Number((await client.getBlock({ blockNumber })).timestamp))
  return times
}

/** The numbers of the blocks and of the transactions that the first account sent. */
async function count(chains: Chains, id: DevChainId) {
  const client = open(chains, id)
  const address = chains.accounts[0]?.address ?? '0x'
  return [await client.getBlockNumber(), await client.getTransactionCount({ address })]
}

/** Pays 1 ether and returns the age of its block in seconds. */
async function payNow(chains: Chains, id: DevChainId) {
  const [, , , from, to] = chains.accounts.map(({ address }) => address)
  const payment = [{ from, to, value: '0xde0b6b3a7640000' }]
  const hash = (await callRpc(chains.urls[id], 'eth_sendTransaction', payment)) as Hex
  const client = open(chains, id)
  const { blockHash } = await waitForReceipt(client, hash)
  return getAge(Number((await client.getBlock({ blockHash })).timestamp))
}

test('default: new chains have a month of blocks and a right clock; another start adds nothing', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  for (const id of devChainIds) {
    const times = await readTimes(first, id)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(getAge(times[0] ?? 0) / daySeconds).toBeCloseTo(31, 1)
    expect(getAge(times.at(-1) ?? 0)).toBeLessThan(60)
    expect(Math.abs(await payNow(first, id))).toBeLessThan(60)
  }
  const before = await Promise.all(devChainIds.map((id) => count(first, id)))
  await first.stop()
  const second = await start(dataDir)
  expect(await Promise.all(devChainIds.map((id) => count(second, id)))).toEqual(before)
  for (const id of devChainIds) expect(Math.abs(await payNow(second, id))).toBeLessThan(60)
})

test('default: the first account has sent, received and traded; the others only with it', async () => {
  const chains = await start(folder())
  const { addresses, accounts } = chains
  const [alice, bob, carol, dave, erin] = accounts.map(({ address }) => address) as Five
  const client = open(chains, one)
  const place = addresses[one]
  const sent = listPastTransactions(one, { addresses: place, accounts }).filter(
    ({ from }) => from === alice,
  )
  expect((await count(chains, one))[1]).toBe(sent.length)
  const logs = await client.getLogs({
    address: place.usd,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    args: { from: alice, to: bob },
    fromBlock: 0n,
  })
  expect(logs.map(({ args }) => args.value)).toEqual([120_000_000n, 32_250_000n, 25_000_000n])
  const holding = (owner: Address, token: Address) =>
    client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  expect(await holding(alice, place.wrappedEther)).toBe(parseEther('5.5'))
  expect(await holding(alice, place.btc)).toBeGreaterThan(75_000_000n)
  for (const other of [carol, dave, erin]) {
    expect(await holding(other, place.usd)).toBe(12_500_000_000n)
    expect(await client.getBalance({ address: other })).toBe(parseEther('10000'))
  }
})

test('default: the account has a value over time at once, which ends at its total', async () => {
  const parts: Part[] = ['chains', 'server']
  const parameters = { mode: 'production', ports: 'free', dataDir: folder(), parts } as const
  const stack = await startStack({ ...parameters, past: true, log: () => {} })
  cleanups.push(stack.stop)
  const account = `${stack.urls.web}/v1/account/${stack.accounts[0]?.address}`
  const read = async (path: string) => (await fetch(`${account}${path}`)).json()
  const readValues = async (chainId: DevChainId, period: PricePeriod) => {
    const search = `projectId=local&chainId=${chainId}&period=${period}`
    return accountValueRoute.result.parse(await read(`/value?${search}`)).points ?? []
  }
  for (const id of devChainIds) {
    for (const [period, points] of [
      ['day', 49],
      ['month', 91],
    ] as const)
      await expect.poll(async () => (await readValues(id, period)).length).toBe(points)
    const { balances } = accountBalanceRoute.result.parse(
      await read(`/balance?projectId=local&chainId=${id}`),
    )
    const total = balances.reduce((sum, { value }) => sum + (value ?? 0), 0)
    expect((await readValues(id, 'day')).at(-1)?.price).toBeCloseTo(total, 2)
  }
})

test('default: a new Bitcoin chain has payments of earlier days', async () => {
  const bitcoin = await startBitcoin({ past: true })
  cleanups.push(bitcoin.stop)
  const address = bitcoin.accounts[0]?.payment.address
  const history = await (await fetch(`${bitcoin.url}/address/${address}/txs`)).json()
  const days = history.map(({ status }: { status: { block_time: number } }) =>
    Math.round(getAge(status.block_time) / daySeconds),
  )
  expect(days).toEqual([1, 6, 18, 30])
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, startChains } from '@latchkey/dev'
import { permissionContracts } from '@latchkey/wire/permissions'
import {
  type Address,
  createPublicClient,
  createTestClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import {
  createBundlerClient,
  entryPoint08Abi,
  entryPoint08Address,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDir, startTestServer, type TestServer } from '../../../test/startTestServer.ts'
import { decodeOperations, findSponsored, readSucceeded } from './decodeOperations.ts'

const chainId = 31_337
const caipId = 'eip155:31337'
const friend: Address = '0x00000000000000000000000000000000000f12e4'

let chains: Chains
let server: TestServer
beforeAll(async () => {
  chains = await startChains()
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[caipId]],
    smartAccounts: { bundler: 'own' },
    activity: { source: 'rpc' },
  }
  const file = join(await makeTestDir(), 'chains.json')
  writeFileSync(file, JSON.stringify({ chains: { [caipId]: chain } }))
  server = await startTestServer({
    CHAINS_FILE: file,
    BUNDLER_KEY: chains.accounts[8]?.privateKey ?? '',
    RATE_LIMIT_BURST: '100000',
  })
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
})

type Call = { to: Address; value: bigint; data?: Hex }

/** A new account with money, which sends operations through the server's bundler. */
async function openAccount(delegate: Hex = chains.addresses[caipId].smartAccount) {
  const chain = defineChain({
    id: chainId,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chains.urls[caipId]] } },
  })
  const client = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const owner = privateKeyToAccount(generatePrivateKey())
  const testClient = createTestClient({ chain, mode: 'anvil', transport: http() })
  await testClient.setBalance({ address: owner.address, value: parseEther('1') })
  const account = await toSimple7702SmartAccount({ client, owner })
  const transport = http(`${server.url}/v1/bundler?projectId=local&chainId=${caipId}`)
  const bundler = createBundlerClient({ client, account, transport, pollingInterval: 20 })
  const fees = { maxFeePerGas: 3n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }
  let nonce = 0
  return {
    address: owner.address.toLowerCase() as Address,
    client,
    async send(calls: readonly Call[], more: object = {}) {
      const contractAddress = delegate
      const authorization = await owner.signAuthorization({ contractAddress, chainId, nonce })
      nonce += 1
      const hash = await bundler.sendUserOperation({ calls, authorization, ...fees, ...more })
      return bundler.waitForUserOperationReceipt({ hash })
    },
  }
}

type Entry = {
  hash: string
  transfers: { direction: string; quantity: { numeric: string } }[]
}

async function readHistory(address: Address): Promise<Entry[]> {
  const url = `${server.url}/v1/account/${address}/history?projectId=local&chainId=${caipId}`
  const { data } = (await (await fetch(url)).json()) as {
    data: (Omit<Entry, 'hash'> & { metadata: { hash: string } })[]
  }
  return data.map(({ metadata, transfers }) => ({ hash: metadata.hash, transfers }))
}

const amounts = (entries: Entry[], hash: string) =>
  entries
    .find((entry) => entry.hash === hash)
    ?.transfers.map(({ direction, quantity }) => [direction, quantity.numeric])

test('default: a transfer in a smart account’s batch is in the histories of the sender and the receiver', async () => {
  const { address, send } = await openAccount()
  const { receipt } = await send([
    { to: friend, value: parseEther('0.25') },
    { to: friend, value: parseEther('0.125') },
  ])
  const { transactionHash } = receipt
  const sent = async () => amounts(await readHistory(address), transactionHash)
  await expect.poll(sent, { timeout: 30_000 }).toEqual([
    ['out', '0.25'],
    ['out', '0.125'],
  ])
  const got = async () => amounts(await readHistory(friend), transactionHash)
  await expect.poll(got, { timeout: 30_000 }).toEqual([
    ['in', '0.25'],
    ['in', '0.125'],
  ])
})

test('param: of an account that also executes for permissions', async () => {
  const { address, send } = await openAccount(permissionContracts.account)
  const { receipt } = await send([{ to: friend, value: parseEther('0.5') }])
  const { transactionHash } = receipt
  const sent = async () => amounts(await readHistory(address), transactionHash)
  await expect.poll(sent, { timeout: 30_000 }).toEqual([['out', '0.5']])
  const got = async () => amounts(await readHistory(friend), transactionHash)
  await expect.poll(got, { timeout: 30_000 }).toEqual([['in', '0.5']])
})

test("behavior: the cost of an account's own operation is not a balance change without a transaction", async () => {
  const { address, client, send } = await openAccount()
  await readHistory(address)
  const { db } = server.services
  const untilWeighed = async () => {
    const head = await client.getBlockNumber({ cacheTime: 0 })
    await expect
      .poll(async () => {
        const row = await db
          .selectFrom('activity_accounts')
          .select('balance_block')
          .where('address', '=', Buffer.from(address.slice(2), 'hex'))
          .executeTakeFirst()
        return Number(row?.balance_block ?? -1) >= head
      })
      .toBe(true)
  }
  await untilWeighed()
  const before = await client.getBalance({ address })
  const { receipt } = await send([{ to: friend, value: parseEther('0.25') }])
  await untilWeighed()
  // More than the account sent, and more than dust.
  expect(before - (await client.getBalance({ address }))).toBeGreaterThan(parseEther('0.2501'))
  const entries = await readHistory(address)
  expect(amounts(entries, receipt.transactionHash)).toEqual([['out', '0.25']])
  const lost = entries.filter(
    ({ hash, transfers }) => hash === '' && transfers[0]?.direction === 'out',
  )
  expect(lost).toEqual([])
})

test('error: an operation that failed in its block has moved nothing', async () => {
  const { address, client, send } = await openAccount()
  const { usd } = chains.addresses[caipId]
  // The token accepts no payment, so the whole batch reverts.
  const calls = [
    { to: friend, value: 7n },
    { to: usd, value: 1n },
  ]
  const gas = {
    callGasLimit: 200_000n,
    verificationGasLimit: 200_000n,
    preVerificationGas: 90_000n,
  }
  const { success, receipt } = await send(calls, gas)
  expect(success).toBe(false)
  const json = await client.request({
    method: 'eth_getTransactionByHash',
    params: [receipt.transactionHash],
  })
  const [operation] = decodeOperations(json, chainId)
  expect(operation?.transfers.map(({ from, amount }) => [from, amount])).toEqual([
    [address, 7n],
    [address, 1n],
  ])
  expect(readSucceeded(await readLogs(client, receipt.transactionHash))).toEqual(new Set())
})

const readLogs = async (
  client: Awaited<ReturnType<typeof openAccount>>['client'],
  hash: Hex,
): Promise<unknown[]> => {
  const found = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return (found as unknown as { logs: unknown[] }).logs
}

test('error: calldata without a matching event, other contracts and other accounts do not count', async () => {
  const { client, send } = await openAccount()
  const { receipt } = await send([{ to: friend, value: 0xabcdefn }])
  const hash = receipt.transactionHash
  const json = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
  const logs = await readLogs(client, hash)
  const counts = (transaction: unknown, events: unknown[] = logs, id = chainId) =>
    decodeOperations(transaction, id).filter(({ hashes }) =>
      hashes.some((one) => readSucceeded(events).has(one)),
    ).length
  expect(counts(json)).toBe(1)
  const { input } = json as unknown as { input: string }
  const change = (from: string, to: string) => {
    expect(input).toContain(from)
    return { ...json, input: input.replace(from, to) }
  }
  const lies: [string, unknown][] = [
    ['another amount', change('abcdef'.padStart(64, '0'), 'abcdee'.padStart(64, '0'))],
    ['another receiver', change(friend.slice(2), `${friend.slice(2, -1)}5`)],
    ['an account of other code', change(`7702${'0'.repeat(36)}`, `7703${'0'.repeat(36)}`)],
    ['another contract', { ...json, to: friend }],
    ['cut off', { ...json, input: input.slice(0, -64) }],
    ['no calldata', { ...json, input: '0x765e827f' }],
    ['nothing', {}],
  ]
  for (const [name, lie] of lies) expect(counts(lie), name).toBe(0)
  expect(counts(json, logs, 1)).toBe(0)
  const elsewhere = (logs as { address: string }[]).map((log) => ({ ...log, address: friend }))
  expect(counts(json, elsewhere)).toBe(0)
})

test('error: calldata in which many operations, or calls, share the same bytes is not read', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const target = friend
  const execute = encodeFunctionData({
    abi: parseAbi(['function execute(address target, uint256 value, bytes data)']),
    args: [target, 7n, '0x'],
  })
  const batch = encodeFunctionData({
    abi: parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)']),
    args: [[{ target, value: 7n, data: '0x' }]],
  })
  /**
   * The same calldata with the only item of its array `count` times; `head` is the position of the
   * length.
   */
  const repeat = (data: Hex, head: number, count: number): Hex =>
    `${data.slice(0, head)}${word(count)}${word(count * 32).repeat(count)}${data.slice(head + 128)}` as Hex
  const bundle = (callData: Hex) =>
    encodeFunctionData({
      abi: entryPoint08Abi,
      functionName: 'handleOps',
      args: [[{ ...empty, sender: friend, initCode: '0x7702', callData }], friend],
    })
  const find = (input: Hex) =>
    decodeOperations({ to: entryPoint08Address, input }, chainId).flatMap((one) => one.transfers)
  expect(find(bundle(execute))).toHaveLength(1)
  expect(find(bundle(batch))).toHaveLength(1)
  expect(find(bundle(repeat(batch, 74, 64)))).toHaveLength(64)
  for (const count of [2, 64, 2_000])
    expect(find(repeat(bundle(`${execute}${'00'.repeat(1_000)}`), 138, count))).toEqual([])
  expect(find(bundle(repeat(batch, 74, 65)))).toEqual([])
})

test('behavior: an operation is sponsored if a paymaster paid that got nothing from the account', () => {
  const paymaster = `0x${'b4'.repeat(20)}` as const
  const bundle = (paymasterAndData: Hex) => ({
    to: entryPoint08Address,
    input: encodeFunctionData({
      abi: entryPoint08Abi,
      functionName: 'handleOps',
      args: [
        [{ ...empty, sender: friend, initCode: '0x', callData: '0x', paymasterAndData }],
        friend,
      ],
    }),
  })
  expect(findSponsored(bundle(`${paymaster}${'00'.repeat(32)}`), [])).toEqual([friend])
  expect(findSponsored(bundle('0x'), [])).toEqual([])
  expect(findSponsored({}, [])).toEqual([])
  const paid = { standard: 'erc20', contract: friend, tokenId: undefined, amount: 1n } as const
  const transfers = [{ ...paid, from: friend, to: paymaster }]
  expect(findSponsored(bundle(paymaster), transfers)).toEqual([])
})

const empty = {
  nonce: 0n,
  accountGasLimits: `0x${'00'.repeat(32)}`,
  preVerificationGas: 0n,
  gasFees: `0x${'00'.repeat(32)}`,
  paymasterAndData: '0x',
  signature: '0x',
} as const

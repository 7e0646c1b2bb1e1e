import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, makeDatabase, startChains } from '@latchkey/dev'
import {
  type Address,
  createPublicClient,
  createTestClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  parseEther,
  type SignedAuthorization,
  toHex,
} from 'viem'
import {
  createBundlerClient,
  createPaymasterClient,
  formatUserOperationRequest,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { ended, spawnServer } from '../../test/spawnServer.ts'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createAskChain } from './askChain.ts'
import { takeBudget } from './sponsorship/sponsorshipBudget.ts'

const chainId = 31_337
const caipId = 'eip155:31337'
const sink: Address = '0x00000000000000000000000000000000000c0de0'
const killedSink: Address = '0x00000000000000000000000000000000000c0de2'

let chains: Chains
let server: TestServer
let chainsFile: string
let env: Record<string, string>
beforeAll(async () => {
  chains = await startChains()
  const { paymaster, usd } = chains.addresses[caipId]
  chainsFile = join(await makeTestDir(), 'chains.json')
  const sponsorship = {
    paymaster,
    name: 'Test',
    contracts: [usd],
    weiPerAccountAndDay: String(parseEther('0.05')),
    weiPerDay: String(parseEther('0.5')),
  }
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[caipId]],
    smartAccounts: { bundler: 'own', accounts: 'any', sponsorship },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [caipId]: chain } }))
  env = {
    CHAINS_FILE: chainsFile,
    BUNDLER_KEY: chains.accounts[8]?.privateKey ?? '',
    SPONSOR_KEY: chains.accounts[7]?.privateKey ?? '',
    RATE_LIMIT_BURST: '100000',
  }
  server = await startTestServer(env)
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
})

const viemChain = () =>
  defineChain({
    id: chainId,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chains.urls[caipId]] } },
  })
const bundlerUrl = () => `${server.url}/v1/bundler?projectId=local&chainId=${caipId}`
const node = () =>
  createPublicClient({ chain: viemChain(), transport: http(), pollingInterval: 20 })

/** A new account with money, and viem's clients for it. */
async function openAccount({ wei = parseEther('1'), key = generatePrivateKey() } = {}) {
  const owner = privateKeyToAccount(key)
  const client = node()
  const testClient = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  await testClient.setBalance({ address: owner.address, value: wei })
  const account = await toSimple7702SmartAccount({ client, owner })
  const options = { client, account, transport: http(bundlerUrl()), pollingInterval: 20 }
  const bundler = createBundlerClient({
    ...options,
    userOperation: {
      estimateFeesPerGas: async () => ({
        maxFeePerGas: 3n * 10n ** 9n,
        maxPriorityFeePerGas: 10n ** 9n,
      }),
    },
  })
  const authorize = () =>
    owner.signAuthorization({
      contractAddress: chains.addresses[caipId].smartAccount,
      chainId,
      nonce: 0,
    })
  return { owner, account, bundler, client, authorize }
}

type Reply = {
  result?: unknown
  error?: { code: number; message: string }
  reasons?: unknown
}

async function ask(method: string, params: unknown[], query = '') {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${bundlerUrl()}${query}`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as Reply }
}

test('default: viem delegates, batches and waits for the receipt; then sends without an authorization', async () => {
  const { account, bundler, client, authorize, owner } = await openAccount()
  expect(await bundler.getSupportedEntryPoints()).toEqual([account.entryPoint.address])
  expect(await bundler.getChainId()).toBe(chainId)
  const before = await client.getBalance({ address: sink })
  const calls = [
    { to: sink, value: 3n },
    { to: sink, value: 4n },
  ]
  const first = await bundler.sendUserOperation({ calls, authorization: await authorize() })
  const receipt = await bundler.waitForUserOperationReceipt({ hash: first })
  expect(receipt).toMatchObject({ success: true, userOpHash: first })
  expect(await client.getCode({ address: owner.address })).toContain('0xef0100')
  const second = await bundler.sendUserOperation({ calls: [{ to: sink, value: 5n }] })
  expect((await bundler.waitForUserOperationReceipt({ hash: second })).success).toBe(true)
  expect(await client.getBalance({ address: sink })).toBe(before + 12n)
  const found = await bundler.getUserOperation({ hash: second })
  expect(found.userOperation.sender.toLowerCase()).toBe(owner.address.toLowerCase())
  // The account pays back the operator's gas.
  const { gasUsed } = receipt.receipt
  expect(receipt.actualGasUsed).toBeGreaterThanOrEqual(gasUsed)
  expect(receipt.actualGasUsed).toBeLessThan((gasUsed * 13n) / 10n)
})

test('default: an account without money is sponsored within the policy, and refused beyond it', async () => {
  const { bundler, authorize, account, client } = await openAccount({ wei: 0n })
  const paymaster = createPaymasterClient({ transport: http(bundlerUrl()) })
  const { usd } = chains.addresses[caipId]
  const approve = {
    to: usd,
    data: `0x095ea7b3${sink.slice(2).padStart(64, '0')}${'0'.repeat(63)}1` as Hex,
  }
  const authorization = await authorize()
  const send = (to: Address, more = {}) =>
    bundler.sendUserOperation({ calls: [{ ...approve, to }], paymaster, authorization, ...more })
  const receipt = await bundler.waitForUserOperationReceipt({ hash: await send(usd) })
  expect(receipt).toMatchObject({ success: true, paymaster: expect.stringMatching(/^0x/) })
  expect(await client.getBalance({ address: account.address })).toBe(0n)
  await expect(send(sink)).rejects.toThrow('Not sponsored: calls to')
  const dear = { maxFeePerGas: 10n ** 13n, maxPriorityFeePerGas: 1n, authorization: undefined }
  await expect(send(usd, dear)).rejects.toThrow('maxFeePerGas must be at most')
})

test('security: the EntryPoint says which promises of the operator were used; the others come back', async () => {
  const { account, bundler, authorize } = await openAccount()
  const opened = await openTestDatabase()
  const services = makeServices({ [caipId]: chainWith([chains.urls[caipId]]) })
  const limits = { weiPerAccountAndDay: 10n, weiPerClientAndDay: 100n, weiPerDay: 100n }
  const budget = {
    db: opened.db,
    ask: createAskChain(createUpstreams(services), caipId),
    chainId: caipId,
    policy: { paymaster: sink, name: 'Test', ...limits },
    clock: Date.now,
    onRefused: () => {},
  } as const
  const until = Math.floor(Date.now() / 1_000) - 1_000
  const take = (nonce: bigint, cost: bigint) =>
    takeBudget(budget, { account: account.address, nonce, cost, until })
  const used = 6n << 64n
  await take(used, 6n)
  await take(7n << 64n, 4n)
  const calls = [{ to: sink, value: 1n }]
  const authorization = await authorize()
  const hash = await bundler.sendUserOperation({ calls, authorization, nonce: used })
  await bundler.waitForUserOperationReceipt({ hash })
  await expect(take(used, 1n)).rejects.toThrow('the nonce was used already')
  await take(8n << 64n, 4n)
  await take(9n << 64n, 4n)
  await expect(take(10n << 64n, 5n)).rejects.toThrow('the limit of this account')
  await opened.close()
})

test('behavior: operations of many senders share a bundle; operations of one sender follow each other', async () => {
  const world = await Promise.all(Array.from({ length: 8 }, () => openAccount()))
  const hashes = await Promise.all(
    world.map(async ({ bundler, authorize }) =>
      bundler.sendUserOperation({
        calls: [{ to: sink, value: 1n }],
        authorization: await authorize(),
      }),
    ),
  )
  const receipts = await Promise.all(
    hashes.map((hash, index) => world[index]?.bundler.waitForUserOperationReceipt({ hash })),
  )
  expect(receipts.every((receipt) => receipt?.success)).toBe(true)
  expect(new Set(receipts.map((receipt) => receipt?.receipt.transactionHash)).size).toBeLessThan(8)
})

test('behavior: a call that reverts is a receipt without success, and the batch leaves nothing behind', async () => {
  const { bundler, authorize, client } = await openAccount()
  const before = await client.getBalance({ address: sink })
  const { usd } = chains.addresses[caipId]
  const hash = await bundler.sendUserOperation({
    authorization: await authorize(),
    calls: [
      { to: sink, value: 9n },
      { to: usd, data: '0xa9059cbb' },
    ],
    callGasLimit: 100_000n,
    verificationGasLimit: 100_000n,
    preVerificationGas: 100_000n,
  })
  const receipt = await bundler.waitForUserOperationReceipt({ hash })
  expect(receipt).toMatchObject({ success: false, reason: expect.stringMatching(/^0x/) })
  expect(await client.getBalance({ address: sink })).toBe(before)
})

test('param: an estimate assumes enough funds, unless a third parameter gives the state', async () => {
  const { bundler, account, authorize } = await openAccount({ wei: 0n })
  const gas = { callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n }
  const prepared = await bundler.prepareUserOperation({
    calls: [{ to: sink, value: parseEther('99') }],
    authorization: await authorize(),
    ...gas,
  })
  const draft = formatUserOperationRequest(prepared)
  const estimate = (...more: unknown[]) =>
    ask('eth_estimateUserOperationGas', [draft, account.entryPoint.address, ...more])
  expect((await estimate()).body.result).toMatchObject({ callGasLimit: expect.any(String) })
  expect((await estimate({})).body.error).toMatchObject({ code: -32521 })
  const calls = [{ to: sink, value: parseEther('101') }]
  const { callData } = await bundler.prepareUserOperation({
    calls,
    authorization: await authorize(),
    ...gas,
  })
  const tooMuch = { ...draft, callData }
  const { body } = await ask('eth_estimateUserOperationGas', [tooMuch, account.entryPoint.address])
  expect(body.error).toMatchObject({ code: -32521 })
  const rich = await openAccount({ wei: parseEther('150') })
  const held = formatUserOperationRequest(
    await rich.bundler.prepareUserOperation({
      calls,
      authorization: await rich.authorize(),
      ...gas,
    }),
  )
  const answer = await ask('eth_estimateUserOperationGas', [held, account.entryPoint.address])
  expect(answer.body.result).toMatchObject({ callGasLimit: expect.any(String) })
})

test('error: an estimate says which call of a batch would fail, and why', async () => {
  const { bundler, account, authorize } = await openAccount()
  const { usd } = chains.addresses[caipId]
  const pay = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sink, 1n] })
  const transfer = { to: usd, data: pay } as const
  const nothing = { to: usd, data: '0xdeadbeef' } as const
  const refuse = async (...calls: { to: Hex; data?: Hex; value?: bigint }[]) => {
    const gas = { callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n }
    const authorization = await authorize()
    const prepared = await bundler.prepareUserOperation({ calls, authorization, ...gas })
    const draft = formatUserOperationRequest(prepared)
    const asked = [draft, account.entryPoint.address]
    return (await ask('eth_estimateUserOperationGas', asked)).body.error
  }
  const tooLittle = 'the account has too little of the token'
  expect(await refuse({ to: sink, value: 1n }, transfer)).toEqual({
    code: -32521,
    message: `Call 2 would fail: ${tooLittle}`,
  })
  expect(await refuse(transfer)).toMatchObject({ message: `It would fail: ${tooLittle}` })
  expect(await refuse(nothing, transfer)).toMatchObject({
    message: 'Call 1 would fail: it gives no reason',
  })
})

test('error: what the EntryPoint refuses is refused before it is stored', async () => {
  const { bundler, account, authorize, owner } = await openAccount()
  const authorization = await authorize()
  const prepared = await bundler.prepareUserOperation({
    calls: [{ to: sink, value: 1n }],
    authorization,
  })
  const signature = await account.signUserOperation(prepared)
  const good = formatUserOperationRequest({ ...prepared, signature })
  const entry = account.entryPoint.address
  const refused = async (change: object, at: string = entry) =>
    (await ask('eth_sendUserOperation', [{ ...good, ...change }, at])).body.error
  expect(await refused({ signature: `0x${'11'.repeat(64)}1c` })).toMatchObject({ code: -32500 })
  expect(await refused({ callData: '0x' })).toMatchObject({ code: -32507 })
  expect(await refused({ nonce: '0x5' })).toMatchObject({
    code: -32500,
    message: expect.stringContaining('AA25'),
  })
  expect(await refused({ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' })).toMatchObject({
    code: -32602,
  })
  expect(await refused({ preVerificationGas: '0x1' })).toMatchObject({ code: -32602 })
  expect(await refused({ verificationGasLimit: '0xffffffff' })).toMatchObject({ code: -32602 })
  expect(await refused({}, sink)).toMatchObject({ code: -32602 })
  expect(await refused({ sender: '0x12' })).toMatchObject({ code: -32602 })
  expect(await refused({ factory: sink, factoryData: '0x' })).toMatchObject({
    code: -32502,
    message: expect.stringContaining('factory uses banned opcode: CREATE2'),
  })
  const anyNetwork = await owner.signAuthorization({
    contractAddress: authorization.address,
    chainId: 0,
    nonce: 0,
  })
  expect(await refused({ eip7702Auth: formatAuthorization(anyNetwork) })).toMatchObject({
    message: 'eip7702Auth: chainId is for another network',
  })
  const other = await privateKeyToAccount(generatePrivateKey()).signAuthorization({
    contractAddress: authorization.address,
    chainId,
    nonce: 0,
  })
  expect(await refused({ eip7702Auth: formatAuthorization(other) })).toMatchObject({
    message: 'eip7702Auth: is not signed by the sender',
  })
  // The same signature with the other valid `s`: it recovers the sender, and every network ignores
  // it.
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const turned = {
    ...authorization,
    s: toHex(order - BigInt(authorization.s), { size: 32 }),
    yParity: 1 - (authorization.yParity ?? 0),
  } as SignedAuthorization
  expect(await refused({ eip7702Auth: formatAuthorization(turned) })).toMatchObject({
    message: 'eip7702Auth: s is too large',
  })
  const otherParity = { ...authorization, yParity: 27 + (authorization.yParity ?? 0) }
  expect(
    await refused({ eip7702Auth: formatAuthorization(otherParity as SignedAuthorization) }),
  ).toMatchObject({ code: -32602 })
  const rows = await server.services.db
    .selectFrom('user_operations')
    .select('hash')
    .where('sender', '=', owner.address.toLowerCase())
    .execute()
  expect(rows).toEqual([])
  expect((await ask('eth_sendUserOperation', [good, entry])).body.result).toMatch(
    /^0x[0-9a-f]{64}$/,
  )
})

test('error: methods of a node, other bundlers and bad bodies are refused', async () => {
  for (const method of ['eth_sendRawTransaction', 'debug_traceCall', 'debug_bundler_clearState'])
    expect(await ask(method, [])).toMatchObject({
      status: 200,
      body: { jsonrpc: '2.0', id: 7, error: { code: -32601 } },
    })
  expect(await ask('eth_chainId', [], '&bundler=https://127.0.0.1')).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'bundler_name' }] },
  })
  const response = await fetch(bundlerUrl(), { method: 'POST', body: '[]' })
  expect(response.status).toBe(400)
  expect((await ask('eth_getUserOperationReceipt', ['0x12'])).body.error?.code).toBe(-32602)
  expect((await ask('eth_getUserOperationReceipt', [keccak256(toHex('none'))])).body.result).toBe(
    null,
  )
})

const formatAuthorization = (authorization: SignedAuthorization) =>
  formatUserOperationRequest({ authorization }).eip7702Auth

test('behavior: if a bundler is killed halfway, the next one loses no operation and sends none twice', async () => {
  const dir = await makeTestDir()
  const paths = { DATA_DIR: dir, WEB_DIST: join(dir, 'web') }
  const own = { ...env, ...paths, DATABASE_URL: await makeDatabase() }
  const world = await Promise.all(Array.from({ length: 6 }, () => openAccount()))
  const signed = await Promise.all(
    world.map(async ({ bundler, account, authorize }) => {
      const prepared = await bundler.prepareUserOperation({
        calls: [{ to: killedSink, value: 1n }],
        authorization: await authorize(),
      })
      const signature = await account.signUserOperation(prepared)
      return formatUserOperationRequest({ ...prepared, signature })
    }),
  )
  const first = await spawnServer(own)
  const post = async (base: string, method: string, params: unknown[]) => {
    const address = `${base}/v1/bundler?projectId=local&chainId=${caipId}`
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(address, { method: 'POST', headers, body })
    return ((await response.json()) as Reply).result
  }
  const entry = world[0]?.account.entryPoint.address
  const hashes = await Promise.all(
    signed.map((one) => post(first.url, 'eth_sendUserOperation', [one, entry])),
  )
  first.child.kill('SIGKILL')
  await ended(first.child)
  const second = await spawnServer(own)
  for (const hash of hashes)
    await expect
      .poll(() => post(second.url, 'eth_getUserOperationReceipt', [hash]), { timeout: 20_000 })
      .toMatchObject({ success: true })
  expect(await node().getBalance({ address: killedSink })).toBe(BigInt(signed.length))
})

import { type Chains, startChains } from '@latchkey/dev'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseEther,
  parseTransaction,
} from 'viem'
import { formatUserOperationRequest, toSimple7702SmartAccount } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { makeServices } from '../../../test/makeServices.ts'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import type { Database } from '../../db/database.ts'
import { createL1Fee } from '../../evm/l1Fee.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { type AskChain, createAskChain } from '../askChain.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { addOperations } from '../mempool/addOperations.ts'
import { listReady } from '../mempool/listReady.ts'
import { findOperations } from '../mempool/operationStore.ts'
import { checkOperation } from '../operations/checkOperation.ts'
import { type UserOperation, userOperation } from '../operations/userOperation.ts'
import { createValidationWork } from '../operations/validationWork.ts'
import { askOutside } from '../outsideBundler.ts'
import { listOpenBundles, takeBundlerLease } from './bundleStore.ts'
import { requeueReorged } from './requeueReorged.ts'
import { sendBundles } from './sendBundles.ts'

const chainId = 'eip155:31337'
const sink = '0x00000000000000000000000000000000000c0de1'

let chains: Chains
let database: Awaited<ReturnType<typeof openTestDatabase>>
let db: Kysely<Database>
beforeAll(async () => {
  ;[chains, database] = await Promise.all([startChains(), openTestDatabase()])
  db = database.db
})
afterAll(async () => {
  await database?.close()
  await chains?.stop()
})

const log = pino({ level: 'silent' })
const never = new AbortController().signal
const viemChain = () =>
  defineChain({
    id: 31_337,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chains.urls[chainId]] } },
  })

function makeBundler(change: (ask: AskChain) => AskChain = (ask) => ask): ChainBundler {
  const node = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[chainId]],
  }
  const ask = createAskChain(createUpstreams(makeServices({ [chainId]: node })), chainId)
  const account = privateKeyToAccount(chains.accounts[8]?.privateKey ?? '0x')
  const trustedDelegate = chains.addresses[chainId].smartAccount
  const l1Fee = createL1Fee({ ask, chainId, clock: Date.now })
  // As for a node that only traces: no pause after a trace.
  const work = createValidationWork({ traceUrls: [chains.urls[chainId]] })
  return { chainId, db, log, account, trustedDelegate, l1Fee, work, ask: change(ask) }
}

/** An operation of a new account that pays one wei to {@link sink}. */
async function makeOperation({
  tip = 10n ** 9n,
  key = generatePrivateKey(),
  callGas = 100_000n,
  delegate = chains.addresses[chainId].smartAccount,
} = {}) {
  const owner = privateKeyToAccount(key)
  const client = createPublicClient({ chain: viemChain(), transport: http() })
  const money = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  await money.setBalance({ address: owner.address, value: parseEther('1') })
  const account = await toSimple7702SmartAccount({ client, owner })
  const authorization = await owner.signAuthorization({
    contractAddress: delegate,
    chainId: 31_337,
    nonce: 0,
  })
  const operation = {
    authorization,
    sender: owner.address,
    nonce: 0n,
    factory: '0x7702' as const,
    factoryData: '0x' as const,
    callData: await account.encodeCalls([{ to: sink, value: 1n }]),
    callGasLimit: callGas,
    verificationGasLimit: 150_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 3n * 10n ** 9n + tip,
    maxPriorityFeePerGas: tip,
  }
  const signature = await account.signUserOperation({ ...operation, signature: '0x' })
  return userOperation.parse(formatUserOperationRequest({ ...operation, signature }))
}

async function add(bundler: ChainBundler, operation: UserOperation) {
  const checked = await checkOperation(bundler, operation)
  expect(await addOperations(bundler, [checked])).toEqual(['added'])
  return checked.hash
}

const find = async (hash: Hex) => (await findOperations({ db, chainId }, [hash]))[0]

const balance = () =>
  createPublicClient({ chain: viemChain(), transport: http() }).getBalance({ address: sink })

test('behavior: an operation whose authorization was used in the meantime is dropped, and no other', async () => {
  const bundler = makeBundler()
  const key = generatePrivateKey()
  const stale = await add(bundler, await makeOperation({ key }))
  const other = await add(bundler, await makeOperation())
  // Its account sends something else with that nonce.
  const owner = createWalletClient({
    account: privateKeyToAccount(key),
    chain: viemChain(),
    transport: http(),
  })
  const spent = await owner.sendTransaction({ to: sink, value: 1n })
  await expect
    .poll(() => bundler.ask([{ method: 'eth_getTransactionReceipt', params: [spent] }]))
    .toMatchObject([{ result: { status: '0x1' } }])
  await sendBundles(bundler, { holder: 'first', signal: never })
  expect(await find(stale)).toMatchObject({ status: 'dropped', tries: 0 })
  expect(await find(other)).toMatchObject({ status: 'included', tries: 0 })
})

test('behavior: a process killed between signing and sending loses nothing and sends nothing twice', async () => {
  const killed = makeBundler((ask) => (calls) => {
    if (calls[0]?.method === 'eth_sendRawTransaction') throw new Error('killed')
    return ask(calls)
  })
  const before = await balance()
  const hash = await add(killed, await makeOperation())
  await expect(sendBundles(killed, { holder: 'first', signal: never })).rejects.toThrow('killed')
  const [kept] = await listOpenBundles({ db, chainId })
  expect(kept?.operations).toMatchObject([{ hash }])
  expect(await sendBundles(makeBundler(), { holder: 'second', signal: never })).toBe(false)
  expect(await sendBundles(makeBundler(), { holder: 'first', signal: never })).toBe(true)
  expect(await find(hash)).toMatchObject({
    status: 'included',
    bundleHash: kept?.versions[0]?.hash,
  })
  expect(await listOpenBundles({ db, chainId })).toEqual([])
  expect(await balance()).toBe(before + 1n)
})

test('behavior: killed after sending, the bundle is found mined', async () => {
  const killed = makeBundler((ask) => (calls) => {
    if (calls[0]?.method === 'eth_getTransactionByHash') throw new Error('killed')
    return ask(calls)
  })
  const before = await balance()
  const hash = await add(killed, await makeOperation())
  await expect(sendBundles(killed, { holder: 'first', signal: never })).rejects.toThrow('killed')
  await sendBundles(makeBundler(), { holder: 'first', signal: never })
  expect((await find(hash))?.status).toBe('included')
  expect(await balance()).toBe(before + 1n)
})

test('behavior: a replacement pays 10% more; only the invalid operation of a bundle is dropped', async () => {
  const bundler = makeBundler()
  const key = generatePrivateKey()
  const first = await add(bundler, await makeOperation({ key, tip: 10n ** 9n }))
  const cheap = await makeOperation({ key, tip: 10n ** 9n + 5n })
  expect(await addOperations(bundler, [await checkOperation(bundler, cheap)])).toEqual(['cheap'])
  const second = await add(bundler, await makeOperation({ key, tip: 2n * 10n ** 9n }))
  const good = await add(bundler, await makeOperation())
  expect(await find(first)).toMatchObject({
    status: 'dropped',
    reason: 'replaced',
  })
  const [best] = await listReady({ db, chainId }, { limit: 1 })
  expect(best?.hash).toBe(second)
  // Its money is gone before the bundle is built.
  const money = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  await money.setBalance({ address: best?.operation.sender ?? '0x', value: 0n })
  await sendBundles(bundler, { holder: 'first', signal: never })
  expect(await find(second)).toMatchObject({
    status: 'dropped',
    reason: expect.stringContaining('AA21'),
  })
  expect((await find(good))?.status).toBe('included')
})

test('behavior: one process at a time has the lease', async () => {
  const lease = { db, chainId: 'eip155:5' as const }
  expect(await takeBundlerLease({ ...lease, holder: 'a' })).toBe(true)
  expect(await takeBundlerLease({ ...lease, holder: 'b' })).toBe(false)
  expect(await takeBundlerLease({ ...lease, holder: 'a' })).toBe(true)
})

test('error: an account of unknown code is accepted only if a trace shows that it breaks no rule', async () => {
  const delegate = privateKeyToAccount(generatePrivateKey()).address
  const { usd } = chains.addresses[chainId]
  const test = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  // Deposits 0.1 ether for the account in the EntryPoint, and returns 0: valid.
  const pays = '5f5f5f5f67016345785d8a0000335af150' + '5f5f5260205ff3'
  /** The verdict on an account that does `first`, in bytecode, and then that. */
  const judge = async (first: string, bundler = makeBundler()) => {
    await test.setCode({ address: delegate, bytecode: `0x${first}${pays}` })
    return checkOperation(bundler, await makeOperation({ delegate }))
  }
  expect(await judge('')).toMatchObject({ hash: expect.stringMatching(/^0x/) })
  const refusal = (text: string) => ({ code: -32502, message: expect.stringContaining(text) })
  const timestamp = '4250'
  await expect(judge(timestamp)).rejects.toMatchObject(
    refusal('account uses banned opcode: TIMESTAMP'),
  )
  const gas = '5a50'
  await expect(judge(gas)).rejects.toMatchObject(refusal('account uses banned opcode: GAS'))
  const totalSupply = `6318160ddd60e01b5f525f5f60045f73${usd.slice(2)}5afa50`
  await expect(judge(totalSupply)).rejects.toMatchObject(
    refusal(`uses storage of ${usd.toLowerCase()}`),
  )
  const traceless = makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    const error = { code: -32601, message: 'the method does not exist' }
    return replies.map((reply, at) => (calls[at]?.method === 'debug_traceCall' ? { error } : reply))
  })
  await expect(judge('', traceless)).rejects.toMatchObject(refusal('cannot trace'))
})

test('behavior: if a bundler is down or invalid, the next gets the request; its errors are passed on', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const say = async (result: unknown) => {
    const node = await startUpstream(async (response, calls) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: calls[0]?.id, ...(result as object) }))
    })
    onTestFinished(node.stop)
    return node.url
  }
  const services = makeServices({})
  const send = (urls: string[]) =>
    askOutside(services, { chainId, urls, method: 'eth_sendUserOperation', params: [{}, sink] })
  const good = await say({ result: hash })
  const nonsense = await say({ result: 'thank you' })
  const refusing = await say({ error: { code: -32500, message: 'AA24 signature error' } })
  expect(await send(['http://127.0.0.1:1', nonsense, good])).toEqual({ result: hash })
  expect(await send([refusing, good])).toEqual({
    error: { code: -32500, message: 'AA24 signature error' },
  })
  await expect(send([nonsense])).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
})

test('behavior: a bundle that no block takes is sent again with a higher fee, and counts once', async () => {
  const money = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  const client = createPublicClient({ chain: viemChain(), transport: http() })
  await money.setAutomine(false)
  onTestFinished(() => money.setAutomine(true))
  const stopped = new AbortController()
  // Stops as soon as the attempt has failed.
  const patient = makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    if (calls[0]?.method === 'eth_getTransactionByHash') stopped.abort()
    return replies
  })
  const before = await balance()
  const hash = await add(patient, await makeOperation({ tip: 2n * 10n ** 9n }))
  await sendBundles(patient, { holder: 'first', signal: stopped.signal })
  const [waiting] = await listOpenBundles({ db, chainId })
  const hasty: ChainBundler = {
    ...makeBundler((ask) => async (calls) => {
      const replies = await ask(calls)
      if (calls[0]?.method === 'eth_sendRawTransaction') await money.mine({ blocks: 1 })
      return replies
    }),
    raiseAfterMs: 0,
  }
  await sendBundles(hasty, { holder: 'first', signal: never })
  const found = await find(hash)
  expect(found?.status).toBe('included')
  expect(found?.bundleHash).not.toBe(waiting?.versions[0]?.hash)
  expect(await balance()).toBe(before + 1n)
  expect(await listOpenBundles({ db, chainId })).toEqual([])
  const first = parseTransaction(waiting?.versions[0]?.raw ?? '0x')
  const second = await client.getTransaction({ hash: found?.bundleHash ?? '0x' })
  expect(second.nonce).toBe(first.nonce)
  expect(second.maxFeePerGas).toBeGreaterThan(((first.maxFeePerGas ?? 0n) * 110n) / 100n)
})

test('behavior: an operation in a pending bundle is replaced for 15% more, and pays only once', async () => {
  const money = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  await money.setAutomine(false)
  onTestFinished(() => money.setAutomine(true))
  const stopped = new AbortController()
  const patient = makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    if (calls[0]?.method === 'eth_getTransactionByHash') stopped.abort()
    return replies
  })
  const before = await balance()
  const key = generatePrivateKey()
  const first = await add(patient, await makeOperation({ key, tip: 2n * 10n ** 9n }))
  await sendBundles(patient, { holder: 'first', signal: stopped.signal })
  expect((await find(first))?.status).toBe('sent')

  const cheap = await makeOperation({ key, tip: 2n * 10n ** 9n + 500_000_000n })
  expect(await addOperations(patient, [await checkOperation(patient, cheap)])).toEqual(['sent'])
  const second = await makeOperation({ key, tip: 4n * 10n ** 9n })
  const faster = await add(patient, second)
  expect([(await find(first))?.status, (await find(faster))?.status]).toEqual(['sent', 'pending'])
  const hasty: ChainBundler = {
    ...makeBundler((ask) => async (calls) => {
      const replies = await ask(calls)
      const [raw] =
        calls[0]?.method === 'eth_sendRawTransaction' ? (calls[0].params as string[]) : []
      if (raw?.includes(second.signature.slice(2))) await money.mine({ blocks: 1 })
      return replies
    }),
    raiseAfterMs: 0,
  }
  await sendBundles(hasty, { holder: 'first', signal: never })
  expect((await find(faster))?.status).toBe('included')
  expect(await find(first)).toMatchObject({ status: 'dropped', reason: 'replaced' })
  expect(await balance()).toBe(before + 1n)
  expect(await listOpenBundles({ db, chainId })).toEqual([])
})

test('behavior: if the bundle of a replaced operation gets into a block first, the replacement is dropped', async () => {
  const money = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  await money.setAutomine(false)
  onTestFinished(() => money.setAutomine(true))
  const stopped = new AbortController()
  const patient = makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    if (calls[0]?.method === 'eth_getTransactionByHash') stopped.abort()
    return replies
  })
  const before = await balance()
  const key = generatePrivateKey()
  const first = await add(patient, await makeOperation({ key, tip: 2n * 10n ** 9n }))
  await sendBundles(patient, { holder: 'first', signal: stopped.signal })
  const late = await add(patient, await makeOperation({ key, tip: 4n * 10n ** 9n }))
  await money.mine({ blocks: 1 })
  await sendBundles(makeBundler(), { holder: 'first', signal: never })
  expect((await find(first))?.status).toBe('included')
  expect((await find(late))?.status).toBe('dropped')
  expect(await balance()).toBe(before + 1n)
})

test('behavior: an operation whose block leaves the chain waits again, and is mined again', async () => {
  const money = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  const bundler = makeBundler()
  const before = await balance()
  const operation = await makeOperation()
  const snapshot = await money.snapshot()
  const hash = await add(bundler, operation)
  await sendBundles(bundler, { holder: 'first', signal: never })
  expect((await find(hash))?.status).toBe('included')
  await requeueReorged(bundler, 'first')
  expect((await find(hash))?.status).toBe('included')
  await money.revert({ id: snapshot })
  // The remaining branch grows past the block.
  await money.mine({ blocks: 2 })
  expect(await balance()).toBe(before)
  await requeueReorged(bundler, 'first')
  expect((await find(hash))?.status).toBe('sent')
  await sendBundles(bundler, { holder: 'first', signal: never })
  expect((await find(hash))?.status).toBe('included')
  expect(await balance()).toBe(before + 1n)
})

import { entryPoint08Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundlerWorld, execute, sink, startBundler } from '../../test/startBundler.ts'
import { bundlerProblems } from './bundlerConfig.ts'
import { hashOperation, userOperation } from './operations/userOperation.ts'

let world: BundlerWorld
beforeAll(async () => {
  world = await startBundler({ env: { BUNDLER_DEBUG: 'on', TRUST_PROXY: '1' } })
})
afterAll(() => world?.stop())

const ask = async (method: string, params: unknown[] = []) =>
  (await world.ask(`debug_bundler_${method}`, params)).result
const dump = () => ask('dumpMempool', [entryPoint08Address])

test('default: in manual mode each request sends a single bundle', async () => {
  expect(await ask('setBundlingMode', ['manual'])).toBe('ok')
  const account = await world.openAccount({ wei: 10n ** 18n })
  const hashes: unknown[] = []
  for (const _ of [1, 2]) {
    const drafted = await world.prepare(world.draft(account, execute(sink)), { isSponsored: false })
    hashes.push(await world.send(await account.sign(drafted)))
  }
  const sender = account.address.toLowerCase()
  expect(await dump()).toMatchObject([{ sender }, { sender }])
  expect(await ask('sendBundleNow')).toBe('ok')
  expect(await dump()).toHaveLength(1)
  const receipts = await Promise.all(
    hashes.map((hash) => world.ask('eth_getUserOperationReceipt', [hash])),
  )
  expect(receipts.filter(({ result }) => result !== null)).toHaveLength(1)
  expect(await ask('clearState')).toBe('ok')
  expect(await dump()).toEqual([])
  expect(await ask('dumpReputation', [entryPoint08Address])).toEqual([])
  expect((await world.ask('debug_bundler_setBundlingMode', ['never'])).error).toMatchObject({
    code: -32602,
  })
  expect(await ask('setBundlingMode', ['auto'])).toBe('ok')
})

test('behavior: an operation that has a receipt is included, also before the bundler has noticed its block', async () => {
  expect(await ask('setBundlingMode', ['manual'])).toBe('ok')
  const account = await world.openAccount({ wei: 10n ** 18n })
  const drafted = await world.prepare(world.draft(account, execute(sink)), { isSponsored: false })
  const hash = await world.send(await account.sign(drafted))
  expect(await ask('sendBundleNow')).toBe('ok')
  await world.server.services.db
    .updateTable('user_operations')
    .set({ status: 'sent' })
    .where('hash', '=', String(hash))
    .execute()
  const { result } = await world.ask('eth_getUserOperationReceipt', [hash])
  const { receipt } = result as { receipt: { transactionHash: string } }
  expect((await world.ask('pimlico_getUserOperationStatus', [hash])).result).toEqual({
    status: 'included',
    transactionHash: receipt.transactionHash,
  })
  expect(await ask('clearState')).toBe('ok')
  expect(await ask('setBundlingMode', ['auto'])).toBe('ok')
})

test('default: operations are added to the mempool as they are, without a validation', async () => {
  expect(await ask('setBundlingMode', ['manual'])).toBe('ok')
  const account = await world.openAccount({ wei: 10n ** 18n })
  const drafted = await world.prepare(world.draft(account, execute(sink)), { isSponsored: false })
  const wrong = { ...drafted, signature: `0x${'11'.repeat(65)}` }
  expect(
    (await world.ask('eth_sendUserOperation', [wrong, entryPoint08Address])).error,
  ).toBeTruthy()
  expect(await ask('addUserOps', [[wrong], entryPoint08Address])).toBe('ok')
  expect(await dump()).toMatchObject([{ sender: account.address.toLowerCase() }])
  const hash = hashOperation(userOperation.parse(wrong), {
    chainId: 31_337,
    delegate: userOperation.parse(wrong).eip7702Auth?.address,
  })
  expect((await world.ask('pimlico_getUserOperationStatus', [hash])).result).toEqual({
    status: 'not_submitted',
    transactionHash: null,
  })
  expect((await world.ask('debug_bundler_addUserOps', ['0x'])).error).toMatchObject({
    code: -32602,
  })
  expect(await ask('sendBundleNow')).toBe('ok')
  // The bundle would revert, so nothing is sent, and the client can learn why.
  expect(await dump()).toEqual([])
  expect((await world.ask('pimlico_getUserOperationStatus', [hash])).result).toEqual({
    status: 'rejected',
    transactionHash: null,
    reason: expect.stringContaining('AA23'),
  })
  expect(await ask('setBundlingMode', ['auto'])).toBe('ok')
})

test('security: pages, proxies and clients of a server without the flag cannot reach the debug methods', async () => {
  const post = async (headers: Record<string, string>) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'debug_bundler_clearState',
      params: [],
    })
    const response = await fetch(
      `${world.server.url}/v1/bundler?projectId=local&chainId=eip155:31337`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      },
    )
    return response.json()
  }
  for (const headers of [{ origin: world.server.url }, { 'x-forwarded-for': '127.0.0.1' }])
    expect(await post(headers)).toMatchObject({ error: { code: -32601 } })
  expect(bundlerProblems({}, { BUNDLER_DEBUG: 'on', HOST: '0.0.0.0' })).toEqual([
    'BUNDLER_DEBUG: is for development: HOST must be 127.0.0.1 or ::1',
  ])
  expect(bundlerProblems({}, { BUNDLER_DEBUG: 'on', HOST: '127.0.0.1' })).toEqual([])
})

import { encodeFunctionData, type Hex, numberToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startUpstream } from '../../test/fakeUpstream.ts'
import {
  accountAbi,
  type GrantedSession,
  sink,
  startSessions,
  type TestSessions,
} from '../../test/startSessions.ts'

/**
 * A node's answers in place of the chain's: its last block, the code of accounts, and whether they
 * permit something.
 */
type Odd = { block?: bigint; code?: Hex; isGranted?: boolean }

const isGrantedSelector = toFunctionSelector('isGranted(bytes32)')

/** A node that returns the chain's answers, or the test's. */
async function startOdd(url: string) {
  const state: { odd: Odd } = { odd: {} }
  const node = await startUpstream(async (response, calls) => {
    const answers = calls.map(async ({ id, method, params }) => {
      const result = say(state.odd, method, params)
      if (result !== undefined) return { jsonrpc: '2.0', id, result }
      // The chain keeps no state of earlier blocks.
      const now = (params as unknown[]).map((one, at) => (at === 1 ? 'latest' : one))
      const isRead = method === 'eth_call' || method === 'eth_getCode'
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: isRead ? now : params })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { method: 'POST', headers, body })).json()
    })
    const all = await Promise.all(answers)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(all.length === 1 ? all[0] : all))
  })
  return { ...node, state }
}

function say({ block, code, isGranted }: Odd, method: string, params: unknown): Hex | undefined {
  if (method === 'eth_blockNumber') return block === undefined ? undefined : numberToHex(block)
  if (method === 'eth_getCode') return code
  if (method !== 'eth_call' || isGranted === undefined) return undefined
  const [{ data }] = params as [{ data: Hex }]
  return data.startsWith(isGrantedSelector)
    ? numberToHex(isGranted ? 1n : 0n, { size: 32 })
    : undefined
}

let running: TestSessions
let odd: Awaited<ReturnType<typeof startOdd>>
let good: Awaited<ReturnType<typeof startOdd>>
let third: Awaited<ReturnType<typeof startOdd>>
beforeAll(async () => {
  running = await startSessions({
    async toUpstreams(url) {
      ;[odd, good, third] = await Promise.all([startOdd(url), startOdd(url), startOdd(url)])
      return [odd.url, good.url, third.url]
    },
  })
})
afterAll(async () => {
  await running?.stop()
  await Promise.all([odd?.stop(), good?.stop(), third?.stop()])
})
beforeEach(() => {
  for (const { state } of [odd, good, third]) state.odd = {}
})

const isRevoked = async ({ pci }: GrantedSession) =>
  (
    await running.server.services.db
      .selectFrom('permission_sessions')
      .select('revoked_at')
      .where('pci', '=', pci)
      .executeTakeFirstOrThrow()
  ).revoked_at !== null

const end = async ({ path, pci }: GrantedSession) =>
  (await running.post(`${path}/revoke`, { pci })).status

const calls = [{ to: sink, value: '0x1' }] as const

test.each<[string, (before: bigint) => Odd]>([
  ['has not got to the grant', (block) => ({ block, code: '0x' })],
  ['says that the account permits nothing', () => ({ isGranted: false })],
  ['names a block that is far ahead', () => ({ isGranted: false, block: 10n ** 12n })],
])('error: a node that %s ends no session', async (_, toOdd) => {
  const { openOwner, grant, native, prepare, use, node } = running
  const owner = await openOwner()
  const before = await node().getBlockNumber()
  const granted = await grant(owner, [native(1_000n)])
  odd.state.odd = toOdd(before)
  await expect(prepare(granted, [...calls])).rejects.toThrow(/a node of the network/)
  expect(await end(granted)).toBe(400)
  expect(await isRevoked(granted)).toBe(false)
  odd.state.odd = {}
  expect(await use(granted, [...calls])).toBe('0x1')
})

test('default: what the chain has revoked ends, also while one node does not know the session yet', async () => {
  const { openOwner, grant, native, node } = running
  const owner = await openOwner()
  const before = await node().getBlockNumber()
  const granted = await grant(owner, [native(1_000n)])
  odd.state.odd = { block: before, code: '0x' }
  const functionName = 'revokePermissions'
  await owner.send(encodeFunctionData({ abi: accountAbi, functionName, args: [granted.hashes] }))
  expect(await end(granted)).toBe(200)
  expect(await isRevoked(granted)).toBe(true)
})

test('error: of three nodes, two that have not seen the revocation keep the session from ending', async () => {
  const { openOwner, grant, native, node } = running
  const owner = await openOwner()
  const granted = await grant(owner, [native(1_000n)])
  odd.state.odd = { block: await node().getBlockNumber(), isGranted: true }
  good.state.odd = odd.state.odd
  const functionName = 'revokePermissions'
  await owner.send(encodeFunctionData({ abi: accountAbi, functionName, args: [granted.hashes] }))
  expect(await end(granted)).toBe(400)
  odd.state.odd = {}
  expect(await end(granted)).toBe(200)
})

test('error: a node that reports a revocation ends no session while the other nodes do not', async () => {
  const { openOwner, grant, native, use, node } = running
  const owner = await openOwner()
  const before = await node().getBlockNumber()
  const granted = await grant(owner, [native(1_000n)])
  odd.state.odd = { isGranted: false }
  good.state.odd = { block: before, code: '0x' }
  third.state.odd = good.state.odd
  expect(await end(granted)).toBe(400)
  expect(await isRevoked(granted)).toBe(false)
  for (const { state } of [odd, good, third]) state.odd = {}
  expect(await use(granted, [...calls])).toBe('0x1')
})

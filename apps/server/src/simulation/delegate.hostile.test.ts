import { type Chains, startChains } from '@latchkey/dev'
import { type ChainId, simulateCallsRoute } from '@latchkey/wire'
import { encodeFunctionData, type Hex, parseAbi, parseEther, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Handler, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { simple7702Account } from '../evm/smartAccount.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import type { Simulated } from './delegate.ts'
import { simulate } from './simulate.ts'

const ids = ['eip155:31337', 'eip155:31338'] as const
type Id = (typeof ids)[number]
const trap = '0x9999999999999999999999999999999999999999'
const fees = { gas: '0x989680', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }

let chains: Chains
beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
})
afterAll(() => chains?.stop())

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
})

/** An account without code. */
let from: Hex
beforeEach(async () => {
  from = privateKeyToAddress(generatePrivateKey())
  for (const id of ids) {
    await rpc(id, 'anvil_setBalance', [from, `0x${parseEther('1').toString(16)}`])
    await rpc(id, 'anvil_setCode', [trap, giveBackToPlain])
  }
})

const rpc = async (id: Id, method: string, params: unknown[]) => {
  const response = await fetch(chains.urls[id], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}

// Keeps payments from an account with code, and returns those from an account without: STOP if
// EXTCODESIZE(CALLER) is not 0.
const giveBackToPlain = '0x333b601257600060006000600034335af1005b00'
const pay = { to: trap, value: '0x5', data: '0x' }
const grant = (name: 'grantPermissions' | 'revokePermissions') => ({
  to: from,
  value: '0x0',
  data: encodeFunctionData({
    abi: parseAbi([
      'function grantPermissions(bytes32[] hashes)',
      'function revokePermissions(bytes32[] hashes)',
    ]),
    functionName: name,
    args: [[zeroHash]],
  }),
})

async function tryOut(
  id: Id,
  { calls, urls, ...more }: Partial<Simulated> & Pick<Simulated, 'calls'> & { urls?: string[] },
) {
  const chain = chainWith(urls ?? [chains.urls[id]])
  const upstreams = createUpstreams(makeServices({ [id]: chain }), { maxBytes: 1_000_000 })
  const { outcomes } = await simulate(upstreams, {
    chainId: id as ChainId,
    given: { from, calls, ...more },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  })
  return outcomes
}

/**
 * The local chain with these methods replaced. Their handlers get the parameters and the chain's
 * own answer.
 */
async function behave(
  id: Id,
  changed: Record<string, (params: unknown[], ask: (params: unknown[]) => unknown) => unknown>,
): Promise<string> {
  const handle: Handler = async (response, calls) => {
    const [call] = calls
    if (!call) return void response.end()
    const { method } = call
    const params = (call.params ?? []) as unknown[]
    const ask = (given: unknown[]) => rpc(id, method, given)
    const change = changed[method]
    const result = await (change ? change(params, ask) : ask(params))
    const error = { code: -32601, message: 'the method does not exist' }
    response.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: call.id,
        ...(result === gone ? { error } : { result }),
      }),
    )
  }
  const node = await startUpstream(handle)
  running.push(node)
  return node.url
}
const gone = Symbol('no such method')
const noMethod = () => gone

const leaves = [{ token: null, id: null, amount: '-5' }]
const done = { status: 'done', isComplete: true, changes: leaves }

test.each(ids)(
  'simulation: %s: what looks for code of the account finds that which it will have',
  async (id) => {
    expect(await tryOut(id, { calls: [pay] })).toMatchObject([{ ...done, changes: [] }])
    for (const delegation of ['ours', 'permissions'] as const)
      for (const given of [{ fees }, {}])
        expect(await tryOut(id, { ...given, calls: [pay], delegation })).toMatchObject([done])
    // Nothing of it persists.
    expect(await rpc(id, 'eth_getCode', [from, 'latest'])).toBe('0x')
  },
)

test.each(ids)('default: %s: a grant runs as if the account already delegated', async (id) => {
  const calls = [grant('grantPermissions')]
  for (const given of [{ calls, fees }, { calls }]) {
    const [outcome] = await tryOut(id, { ...given, delegation: 'permissions' })
    expect(outcome).toMatchObject({ ...done, changes: [] })
    // It writes to the chain, unlike an account without code.
    const used = outcome?.status === 'done' ? outcome.gasUsed?.[0] : undefined
    expect(Number(used)).toBeGreaterThan(40_000)
  }
})

test.each(ids)(
  'param: %s: a node without eth_simulateV1 traces it with the same code',
  async (id) => {
    const urls = [await behave(id, { eth_simulateV1: noMethod })]
    expect(await tryOut(id, { urls, calls: [pay], delegation: 'ours' })).toMatchObject([done])
    const calls = [grant('grantPermissions')]
    const [outcome] = await tryOut(id, { urls, calls, delegation: 'permissions' })
    expect(outcome).toMatchObject({ ...done, changes: [] })
  },
)

test.each(ids)('param: %s: with eth_call alone, it is tried out in part', async (id) => {
  const urls = [await behave(id, { eth_simulateV1: noMethod, debug_traceCall: noMethod })]
  const calls = [grant('revokePermissions')]
  expect(await tryOut(id, { urls, calls, delegation: 'permissions' })).toMatchObject([
    { status: 'done', isComplete: false, changes: [] },
  ])
})

type Body = { blockStateCalls: { stateOverrides?: object }[] }
/** A node that ignores code overrides for an account in every method, without an error. */
const deaf = (id: Id) =>
  behave(id, {
    eth_simulateV1: ([body, ...rest], ask) =>
      ask([
        {
          ...(body as Body),
          blockStateCalls: (body as Body).blockStateCalls.map(
            ({ stateOverrides: _, ...block }) => block,
          ),
        },
        ...rest,
      ]),
    debug_traceCall: ([call, at, options], ask) =>
      ask([call, at, { ...(options as object), stateOverrides: {} }]),
    eth_call: ([call, at], ask) => ask([call, at]),
  })

test.each(ids)(
  'error: %s: a node that ignores the code has not tried the account’s own call out',
  async (id) => {
    const urls = [await deaf(id)]
    const calls = [grant('grantPermissions')]
    expect(await tryOut(id, { urls, calls, delegation: 'permissions' })).toEqual([])
    expect(await tryOut(id, { urls, calls: [pay, ...calls], delegation: 'permissions' })).toEqual(
      [],
    )
  },
)

test.each(ids)(
  'error: %s: nor one that keeps the code that the account has already',
  async (id) => {
    await rpc(id, 'anvil_setCode', [from, `0xef0100${simple7702Account.slice(2)}`])
    const calls = [grant('grantPermissions')]
    expect(await tryOut(id, { urls: [await deaf(id)], calls, delegation: 'permissions' })).toEqual(
      [],
    )
    const [outcome] = await tryOut(id, { calls, delegation: 'permissions' })
    expect(outcome).toMatchObject({ ...done, changes: [] })
  },
)

test.each(ids)('error: %s: of calls to others it says in part what they do', async (id) => {
  const urls = [await deaf(id)]
  expect(await tryOut(id, { urls, calls: [pay], delegation: 'ours' })).toMatchObject([
    { status: 'done', isComplete: false, changes: [] },
  ])
  // A call that fails without the code may succeed with it.
  const fails = { to: trap, value: '0x1158e460913d00000', data: '0x' }
  expect(await tryOut(id, { urls, calls: [fails], delegation: 'ours' })).toEqual([])
})

const entryPoint = `0x${'0'.repeat(24)}4337084d9e255ff0702461cf8895ce9e3b5ff108`
const answers: readonly [string, unknown][] = [
  ['nothing', null],
  ['another entry point', `0x${'0'.repeat(24)}${'66'.repeat(20)}`],
  ['no account’s code', '0x'],
  ['more than an answer', `${entryPoint}${'0'.repeat(64)}`],
]
/**
 * The result of a node that returns `answer` for `entryPoint()`, for a call of the account to
 * itself.
 */
async function askAnswering(answer: unknown) {
  const [id] = ids
  const all = { eth_simulateV1: noMethod, debug_traceCall: noMethod, eth_call: () => answer }
  const calls = [{ ...pay, to: from }]
  return tryOut(id, { urls: [await behave(id, all)], calls, delegation: 'ours' })
}

test.each(answers)(
  'error: a node on which the account answers %s has not run its code',
  async (_, answer) => {
    expect(await askAnswering(answer)).toEqual([])
    expect(await askAnswering(entryPoint)).toMatchObject([{ status: 'done' }])
  },
)

test('error: no client can name other code', () => {
  const body = { chainId: ids[0], from, calls: [pay] }
  expect(simulateCallsRoute.body.safeParse({ ...body, delegation: 'ours' }).success).toBe(true)
  const others = ['none', trap, `0xef0100${trap.slice(2)}`, '', null, { address: trap }, 'toString']
  for (const delegation of others)
    expect(simulateCallsRoute.body.safeParse({ ...body, delegation }).success).toBe(false)
  for (const more of [{ stateOverrides: {} }, { overrides: {} }, { delegate: trap }])
    expect(simulateCallsRoute.body.safeParse({ ...body, ...more }).success).toBe(false)
})

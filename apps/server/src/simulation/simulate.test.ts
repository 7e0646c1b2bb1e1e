import { type Chains, startChains } from '@latchkey/dev'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, parseAbi, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Handler, honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import type { Simulated } from './delegate.ts'
import { simulate } from './simulate.ts'

const evm = 'eip155:31337'
const account = mnemonicToAccount('test test test test test test test test test test test junk')
const from = account.address
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
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

type Call = { to?: Hex | undefined; value?: bigint; data?: Hex }
const toGiven = (calls: readonly Call[]): Simulated => ({
  from,
  calls: calls.map(({ to, value = 0n, data = '0x' }) => ({
    ...(to && { to }),
    value: `0x${value.toString(16)}`,
    data,
  })),
  fees,
})

const askNodes = (urls: string[], given: Simulated, timeoutMs = 60_000) => {
  const upstreams = createUpstreams(makeServices({ [evm]: chainWith(urls) }), { maxBytes: 100_000 })
  const { signal } = new AbortController()
  return simulate(upstreams, { chainId: evm, given, signal, timeoutMs })
}
/** The result of the local chain for consecutive calls. */
const tryOut = async (...calls: Call[]) => {
  const { outcomes } = await askNodes([chains.urls[evm]], toGiven(calls))
  return outcomes[0]
}
const rpc = (method: string, params: unknown[]) =>
  fetch(chains.urls[evm], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const addresses = () => chains.addresses[evm]
const changed = (amount: bigint, token: Hex | null = null, id: string | null = null) => ({
  token: token?.toLowerCase() ?? null,
  id,
  amount: String(amount),
})
const units = (functionName: 'transfer' | 'approve', amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName, args: [other, amount] })

test('default: a payment, tokens, an item and an allowance on the local chain', async () => {
  const { usd, keys } = addresses()
  expect(await tryOut({ to: other, value: 5n })).toMatchObject({ changes: [changed(-5n)] })
  expect(await tryOut({ to: usd, data: units('transfer', 7n) })).toEqual({
    status: 'done',
    isComplete: true,
    changes: [changed(-7n, usd)],
    allowances: [],
    gasUsed: [expect.stringMatching(/^0x[0-9a-f]{4,5}$/)],
  })
  expect(await tryOut({ to: usd, data: units('approve', 9n) })).toMatchObject({
    changes: [],
    allowances: [{ token: usd.toLowerCase(), spender: other, amount: '9', id: null, via: null }],
  })
  expect(await tryOut({ to: usd, data: units('approve', 0n) })).toMatchObject({ allowances: [] })
  const all = encodeFunctionData({
    abi: erc721Abi,
    functionName: 'setApprovalForAll',
    args: [other, true],
  })
  expect(await tryOut({ to: keys, data: all })).toMatchObject({
    allowances: [{ token: keys.toLowerCase(), spender: other, amount: null, id: null }],
  })
})

test('default: what wraps and unwraps native currency moves both', async () => {
  const { wrappedEther } = addresses()
  const abi = parseAbi(['function deposit() payable', 'function withdraw(uint256)'])
  const wrap = encodeFunctionData({ abi, functionName: 'deposit' })
  expect(await tryOut({ to: wrappedEther, value: 5n, data: wrap })).toMatchObject({
    changes: [changed(-5n), changed(5n, wrappedEther)],
  })
  const unwrap = encodeFunctionData({ abi, functionName: 'withdraw', args: [3n] })
  expect(await tryOut({ to: wrappedEther, data: unwrap })).toMatchObject({
    changes: [changed(-3n, wrappedEther), changed(3n)],
  })
})

test('param: several calls run one after another, and are undone together', async () => {
  const { usd } = addresses()
  const batch = await tryOut(
    { to: usd, data: units('approve', 9n) },
    { to: usd, data: units('transfer', 7n) },
    { to: other, value: 5n },
  )
  expect(batch).toMatchObject({
    changes: [changed(-7n, usd), changed(-5n)],
    allowances: [{ amount: '9' }],
  })
  const broken = await tryOut(
    { to: other, value: 5n },
    { to: usd, data: units('transfer', 10n ** 40n) },
  )
  expect(broken).toMatchObject({ status: 'failed', ran: { changes: [changed(-5n)] } })
})

test('param: a call may depend on the previous one, and has its own gas limit', async () => {
  const { usd } = addresses()
  const spend = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [from, other, 7n],
  })
  const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [from, 7n] })
  const given = toGiven([
    { to: usd, data: allow },
    { to: usd, data: spend },
  ])
  const ask = async (asked: Simulated) => (await askNodes([chains.urls[evm]], asked)).outcomes[0]
  const done = await ask(given)
  expect(done).toMatchObject({ status: 'done', changes: [changed(-7n, usd)] })
  expect(done?.status === 'done' && done.gasUsed).toHaveLength(2)
  const [first, second] = given.calls
  if (!first || !second) throw new Error('There are two calls')
  expect(await ask({ ...given, calls: [first, { ...second, gas: '0x6000' }] })).toMatchObject({
    status: 'failed',
    ran: { gasUsed: [expect.any(String)] },
  })
})

test('behavior: an allowance that the same calls use up is left out; a partly used allowance is reduced', async () => {
  const { usd } = addresses()
  const allow = (amount: bigint) => ({
    to: usd,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [from, amount] }),
  })
  const take = {
    to: usd,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [from, other, 7n],
    }),
  }
  const left = (amount: string) => ({ spender: from.toLowerCase(), amount })
  const taken = [changed(-7n, usd)]
  expect(await tryOut(allow(7n), take)).toMatchObject({ changes: taken, allowances: [] })
  expect(await tryOut(allow(9n), take)).toMatchObject({ changes: taken, allowances: [left('2')] })
  const unlimited = 2n ** 256n - 1n
  expect(await tryOut(allow(unlimited), take)).toMatchObject({
    changes: taken,
    allowances: [left(String(unlimited))],
  })
  expect(await tryOut(allow(7n), take, allow(5n))).toMatchObject({ allowances: [left('5')] })
})

test('error: reports why a call reverts or cannot be paid', async () => {
  const text = '4e6f7420746f646179'.padEnd(64, '0')
  // Reverts with Error("Not today").
  const words = `08c379a0${'20'.padStart(64, '0')}${'9'.padStart(64, '0')}${text}`
  const code = `0x${(words.match(/.{1,64}/g) ?? []).map((word, at) => `7f${word.padEnd(64, '0')}60${(at * 32).toString(16).padStart(2, '0')}52`).join('')}60646000fd`
  await rpc('anvil_setCode', [trap, code])
  expect(await tryOut({ to: trap })).toEqual({ status: 'failed', reason: 'Not today' })
  expect(await tryOut({ to: other, value: parseEther('1000000') })).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/insufficient|funds/i),
  })
})

const trap = '0x9999999999999999999999999999999999999999'
const giveBack = '600060006000600034335af1005b00'
// Returns payments until slot 0 is set.
const flipping = `0x600054601357${giveBack}`
// Returns payments if the gas price or the base fee is 0, which is common in simulations.
const redPill = `0x3a15481517156016 57${giveBack}`.replace(' ', '')

test('simulation: a contract that behaves well without a gas price or base fee is simulated with both', async () => {
  await rpc('anvil_setCode', [trap, redPill])
  expect(await tryOut({ to: trap, value: 5n })).toMatchObject({ changes: [changed(-5n)] })
})

test('simulation: a contract that changes its mind is seen the second time', async () => {
  await rpc('anvil_setCode', [trap, flipping])
  await rpc('anvil_setStorageAt', [trap, '0x0', `0x${'0'.repeat(64)}`])
  expect(await tryOut({ to: trap, value: 5n })).toMatchObject({ changes: [] })
  await rpc('anvil_setStorageAt', [trap, '0x0', `0x${'1'.padStart(64, '0')}`])
  expect(await tryOut({ to: trap, value: 5n })).toMatchObject({ changes: [changed(-5n)] })
})

const block = {
  number: '0x10',
  timestamp: '0x10',
  gasLimit: '0x1c9c380',
  miner: other,
  mixHash: `0x${'0'.repeat(64)}`,
  baseFeePerGas: '0x7',
}
const word = (text: string) => `0x${text.replace('0x', '').padStart(64, '0')}`
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const unknown = Object.assign(new Error('the method does not exist'), { code: -32601 })
const takes = (amount: string) => [
  {
    calls: [
      {
        status: '0x1',
        logs: [
          {
            address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
            topics: [transfer, word(from), word(other)],
            data: word(amount),
          },
        ],
      },
    ],
  },
]
const node = (results: object) => honest(31337, { eth_getBlockByNumber: block, ...results })

/** The results of nodes with these handlers for a payment. */
async function askFakes(
  handlers: readonly Handler[],
  timeoutMs?: number,
  calls: readonly Call[] = [{ to: other, value: 5n }],
) {
  const nodes = await Promise.all(handlers.map((handler) => startUpstream(handler)))
  running.push(...nodes)
  const urls = nodes.map(({ url }) => url)
  const { asked, outcomes } = await askNodes(urls, toGiven(calls), timeoutMs)
  return { asked, outcomes, nodes }
}

test('hostile RPC: two nodes get the request at once, and both answers count', async () => {
  const { asked, outcomes, nodes } = await askFakes([
    node({ eth_simulateV1: takes('5') }),
    node({ eth_simulateV1: takes('6') }),
    node({ eth_simulateV1: takes('7') }),
  ])
  expect(asked).toBe(2)
  expect(outcomes.map((one) => one.status === 'done' && one.changes)).toEqual([
    [changed(-5n)],
    [changed(-6n)],
  ])
  expect(nodes[2]?.bodies).toEqual([])
})

const liars: Record<string, Handler> = {
  'with a web page': (response) => response.end('<html>'),
  'with more than is read': (response, calls) =>
    calls[0]?.method === 'eth_simulateV1'
      ? response.end('['.repeat(200_000))
      : node({})(response, calls, {} as never),
  'as another chain': honest(1, { eth_getBlockByNumber: block, eth_simulateV1: takes('9') }),
  'with what is no simulation': node({ eth_simulateV1: [{ calls: [{ status: 1 }] }] }),
  'with an invalid block': node({ eth_getBlockByNumber: '0x', eth_simulateV1: takes('9') }),
  'with errors of its own': node({ eth_getBlockByNumber: new Error('try again later') }),
}
test.each(Object.entries(liars))(
  'hostile RPC: a node that answers %s is not heard',
  async (_, liar) => {
    const { asked, outcomes } = await askFakes([liar, node({ eth_simulateV1: takes('5') })])
    expect(asked).toBe(2)
    expect(outcomes).toMatchObject([{ changes: [changed(-5n)] }])
  },
)

test('hostile RPC: nodes that never finish are not waited for', async () => {
  const drips: Handler = (response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  const { asked, outcomes } = await askFakes([drips, () => {}], 200)
  expect({ asked, outcomes }).toEqual({ asked: 2, outcomes: [] })
})

test('behavior: a node without eth_simulateV1 gets a trace request; reverted parts do not count', async () => {
  const trace = {
    type: 'CALL',
    from,
    to: other,
    value: '0x5',
    logs: [
      {
        address: trap,
        topics: [transfer, word(other), word(from)],
        data: word('2'),
        position: '0x1',
      },
    ],
    calls: [
      { type: 'CALL', from: other, to: from, value: '0x3' },
      { type: 'CALL', from: other, to: from, value: '0x4', error: 'execution reverted' },
      { type: 'DELEGATECALL', from: other, to: from, value: '0x5' },
    ],
  }
  const { outcomes } = await askFakes([
    node({ eth_simulateV1: unknown, debug_traceCall: trace }),
    node({
      eth_simulateV1: unknown,
      debug_traceCall: { ...trace, error: 'execution reverted', revertReason: 'Closed' },
    }),
  ])
  expect(outcomes).toEqual([
    {
      status: 'done',
      isComplete: true,
      changes: [changed(-2n), changed(2n, trap)],
      allowances: [],
    },
    { status: 'failed', reason: 'Closed' },
  ])
})

test('behavior: without eth_simulateV1 calls are simulated alone, and a dependent call is not a failure', async () => {
  const trace = (value: string, more = {}) => ({ type: 'CALL', from, to: other, value, ...more })
  const failed = trace('0x5', { error: 'execution reverted' })
  const answer = (traces: object[]) =>
    node({
      eth_simulateV1: unknown,
      debug_traceCall: ([{ value }]: [{ value: string }]) => traces[Number(value) - 1],
    })
  const { outcomes } = await askFakes(
    [answer([trace('0x1', { gasUsed: '0x5208' }), failed]), answer([failed, trace('0x2')])],
    undefined,
    [
      { to: other, value: 1n },
      { to: other, value: 2n },
    ],
  )
  expect(outcomes).toEqual([
    {
      status: 'done',
      isComplete: false,
      changes: [changed(-1n)],
      allowances: [],
      gasUsed: ['0x5208'],
    },
    { status: 'failed', reason: 'execution reverted' },
  ])
})

test('behavior: a node with neither tells only whether the call fails', async () => {
  const neither = { eth_simulateV1: unknown, debug_traceCall: unknown }
  const reverted = Object.assign(new Error('execution reverted'), { code: 3 })
  const { outcomes } = await askFakes([
    node({ ...neither, eth_call: '0x' }),
    node({ ...neither, eth_call: reverted }),
  ])
  expect(outcomes).toEqual([
    { status: 'done', isComplete: false, changes: [], allowances: [] },
    { status: 'failed', reason: 'execution reverted' },
  ])
})

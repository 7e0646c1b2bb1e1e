import { nodesDisagreeCode } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import { expect, onTestFinished, test } from 'vitest'
import { type Handler, honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { simple7702Account } from '../evm/smartAccount.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { compareNodes } from './compareNodes.ts'

const chainId = 'eip155:1'
const token = `0x${'77'.repeat(20)}`
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

const ask = (data: string) => ({
  method: 'eth_call',
  params: JSON.stringify([{ to: token, data }, 'latest']),
})
const decimals = ask('0x313ce567')
const supply = ask('0x18160ddd')
const code = { method: 'eth_getCode', params: JSON.stringify([token, 'latest']) }

/** A node with these facts about the token. */
async function startNode(handle: Handler) {
  const node = await startUpstream(handle)
  onTestFinished(node.stop)
  return node
}
const saying = (facts: { decimals?: unknown; supply?: number; code?: unknown }) =>
  startNode(
    honest(1, {
      eth_call: ([{ data }]: [{ data: string }]) =>
        data === '0x313ce567' ? facts.decimals : word(facts.supply ?? 1),
      eth_getCode: facts.code,
    }),
  )

const open = (...nodes: { url: string }[]) =>
  compareNodes(
    createUpstreams(makeServices({ [chainId]: chainWith(nodes.map(({ url }) => url)) })),
    { graceMs: 200 },
  )

const reverted = Object.assign(new Error('execution reverted'), { code: 3 })
const limited = Object.assign(new Error('rate limit exceeded'), { code: -32005 })
const result = (value: unknown) => ({ result: JSON.stringify(value) })
const disagreement = {
  error: JSON.stringify({
    code: nodesDisagreeCode,
    message: 'Two nodes of this network return different results',
  }),
}

test('default: equal results of two nodes keep the order of the calls; balances use one node', async () => {
  const [one, two] = [await saying({ decimals: word(6) }), await saying({ decimals: word(6) })]
  const answer = await open(one, two).request(chainId, [supply, decimals, supply])
  expect(answer).toEqual({ replies: [result(word(1)), result(word(6)), result(word(1))] })
  const asked = [one, two].map(({ bodies }) => bodies.filter((method) => method === 'eth_call'))
  expect(asked.map(({ length }) => length)).toEqual([2, 1])
})

test.each([
  ['more decimals', word(18), word(6)],
  ['decimals of a collection', word(18), reverted],
  ['no decimals', reverted, word(6)],
  ['nothing', '0x', word(6)],
])('hostile RPC: one node that says %s gives no answer, whichever it is', async (_, lie, truth) => {
  const [liar, other] = [await saying({ decimals: lie }), await saying({ decimals: truth })]
  for (const nodes of [
    [liar, other],
    [other, liar],
  ])
    expect(await open(...nodes).request(chainId, [decimals, supply])).toEqual({
      replies: [disagreement, result(word(1))],
    })
})

const to = (address: string) => `0xef0100${address.slice(2)}`
const foreign = to(token)
const [simple, permitting] = [to(simple7702Account), to(permissionContracts.account)]

test.each([
  ['code and none', '0x6001', '0x', '0x'],
  ['two codes', '0x60', '0x61', '0x'],
  ['code and an error', '0x6001', reverted, '0x'],
  ['code that only begins as a delegation, and none', `${foreign}00`, '0x', '0x'],
  ['no code where the other node lags behind a delegation', simple, '0x', simple],
  ['a delegation to anybody, and none', foreign, '0x', foreign],
  ['a delegation to anybody, and one to ours', foreign, simple, foreign],
  ['two delegations to ours', simple, permitting, permitting],
])(
  'hostile RPC: of %s, the worse code is answered, whichever node says it',
  async (_, one, other, worse) => {
    const [a, b] = [await saying({ code: one }), await saying({ code: other })]
    for (const nodes of [
      [a, b],
      [b, a],
    ])
      expect(await open(...nodes).request(chainId, [code])).toEqual({ replies: [result(worse)] })
  },
)

test('hostile RPC: a fact that begins as a delegation is compared as any other', async () => {
  const [liar, other] = [
    await saying({ decimals: `0xef0100${'00'.repeat(29)}` }),
    await saying({ decimals: word(6) }),
  ]
  expect(await open(liar, other).request(chainId, [decimals])).toEqual({ replies: [disagreement] })
})

test('behavior: a contract that has no decimals at two nodes is answered as its own error', async () => {
  const nodes = [await saying({ decimals: reverted }), await saying({ decimals: reverted })]
  const { replies = [] } = (await open(...nodes).request(chainId, [decimals])) as {
    replies?: { error?: string }[]
  }
  expect(JSON.parse(replies[0]?.error ?? '')).toMatchObject({ code: 3 })
})

test.each<[string, Handler]>([
  [
    'is silent',
    (response, [first]) => {
      if (first?.method === 'eth_chainId') honest(1)(response, [first], response.req)
    },
  ],
  ['answers a web page', (response) => void response.end('<html>')],
  ['takes no more calls', honest(1, { eth_call: limited })],
])('error: a node that %s leaves the other one alone', async (_, handle) => {
  const [other, broken] = [await saying({ decimals: word(6) }), await startNode(handle)]
  for (const nodes of [
    [other, broken],
    [broken, other],
  ])
    expect(await open(...nodes).request(chainId, [decimals])).toEqual({
      replies: [result(word(6))],
    })
})

test('behavior: if neither node answers some of the calls, only those calls are sent once more', async () => {
  const supplies: string[] = []
  const start = () =>
    startNode(
      honest(1, {
        eth_call: ([{ data }]: [{ data: string }]) => {
          if (data === '0x313ce567') return limited
          supplies.push(data)
          return word(1)
        },
      }),
    )
  const answer = await open(await start(), await start()).request(chainId, [decimals, supply])
  expect(supplies).toHaveLength(1)
  expect(answer).not.toHaveProperty('replies')
})

test('param: a network with one node, and other calls, are requested as before', async () => {
  const only = await saying({ decimals: word(6) })
  expect(await open(only).request(chainId, [decimals])).toEqual({ replies: [result(word(6))] })
  const [one, two] = [await saying({ supply: 5 }), await saying({ supply: 6 })]
  const earlier = { ...decimals, params: decimals.params.replace('latest', '0x1') }
  const answer = await open(one, two).request(chainId, [supply, earlier])
  expect(answer).toMatchObject({ replies: [result(word(5)), {}] })
})

import { expect, onTestFinished, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createContractAges } from './contractAges.ts'

const chainId = 'eip155:1'
const address = `0x${'77'.repeat(20)}`
const height = 1_000_000
const startSeconds = 1_800_000_000
const hex = (value: number) => `0x${value.toString(16)}`

/**
 * A node of a chain with a block every 12 s, on which the contract has code from block `made` on.
 */
async function startNode(given: { made: number }) {
  const chain = { ...given, asked: 0 }
  const node = await startUpstream(
    honest(1, {
      eth_getBlockByNumber: ([tag]: [string]) => {
        const number = tag === 'latest' ? height : Number(tag)
        return { number: hex(number), timestamp: hex(startSeconds - (height - number) * 12) }
      },
      eth_getCode: ([, tag]: [string, string]) => {
        chain.asked += 1
        return Number(tag) >= chain.made ? '0x60' : '0x'
      },
    }),
  )
  onTestFinished(node.stop)
  return { chain, url: node.url }
}

function open(urls: string[]) {
  const time = { nowMs: startSeconds * 1_000 }
  const upstreams = createUpstreams(makeServices({ [chainId]: chainWith(urls) }))
  const getAge = createContractAges(upstreams, () => time.nowMs)
  const { signal } = new AbortController()
  return { time, getAge: () => getAge({ chainId, address, signal }) }
}

const never = height + 1

test('default: a contract that is created at an empty address is detected a few seconds later', async () => {
  const { chain, url } = await startNode({ made: never })
  const { time, getAge } = open([url])
  expect(await getAge()).toBeUndefined()
  chain.made = height
  // The lookups of a single approval share one request.
  time.nowMs += 2_999
  expect(await getAge()).toBeUndefined()
  expect(chain.asked).toBe(1)
  time.nowMs += 1
  expect(await getAge()).toBe(3)
})

test.each([
  ['new', height - 100, 1_200],
  ['old', 1, undefined],
])('behavior: that a contract is %s is kept for ten minutes', async (_, made, age) => {
  const { chain, url } = await startNode({ made })
  const { time, getAge } = open([url])
  expect(await getAge()).toBe(age)
  const { asked } = chain
  time.nowMs += 599_000
  expect(await getAge()).toBe(age && age + 599)
  expect(chain.asked).toBe(asked)
  time.nowMs += 1_000
  await getAge()
  expect(chain.asked).toBeGreaterThan(asked)
})

test.each([
  ['old', 1],
  ['none', never],
])(
  'security: a node that calls a new contract %s hides nothing from the second',
  async (_, lie) => {
    const liar = await startNode({ made: lie })
    const other = await startNode({ made: height - 10 })
    for (const urls of [
      [liar.url, other.url],
      [other.url, liar.url],
    ]) {
      const { getAge } = open(urls)
      // If the second node answers late, the next call has the answer.
      await expect.poll(getAge).toBe(120)
    }
  },
)

test('error: a second node that does not answer is not waited for', async () => {
  const { url } = await startNode({ made: height - 10 })
  const silent = await startUpstream((response, [first]) => {
    if (first?.method === 'eth_chainId') honest(1)(response, [first], response.req)
  })
  onTestFinished(silent.stop)
  expect(await open([url, silent.url]).getAge()).toBe(120)
})

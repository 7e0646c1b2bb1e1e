import { expect, test } from 'vitest'
import { type AskMany, findContractAge } from './findContractAge.ts'

const address = `0x${'77'.repeat(20)}`
const nowSeconds = 1_800_000_000
const hex = (value: number) => `0x${value.toString(16)}`

/**
 * A chain with a block every `pace` seconds, on which the contract has code from block `made` on.
 */
function createChain({
  height,
  pace = 12,
  made,
  code = '0x60',
  keeps = height,
}: {
  height: number
  pace?: number
  made: number
  code?: string
  keeps?: number
}) {
  const rounds = { count: 0 }
  const ask: AskMany = async (calls) => {
    rounds.count += 1
    return calls.map(({ method, params }) => {
      if (method === 'eth_getBlockByNumber') {
        const number = params[0] === 'latest' ? height : Number(params[0])
        return { number: hex(number), timestamp: hex(nowSeconds - (height - number) * pace) }
      }
      const number = Number(params[1])
      if (height - number > keeps) return undefined
      return number >= made ? code : '0x'
    })
  }
  return { ask, rounds }
}

const find = (chain: Parameters<typeof createChain>[0]) => {
  const { ask, rounds } = createChain(chain)
  return findContractAge(ask, { address, nowSeconds }).then((age) => ({
    age,
    rounds: rounds.count,
  }))
}

test.each([
  ['two days', 20_000_000, 20_000_000 - 14_400, 172_800],
  ['one block', 20_000_000, 20_000_000, 0],
  ['almost thirty days', 20_000_000, 20_000_000 - 215_999, 30 * 86_400 - 12],
  ['a short chain, from its first block', 7, 0, 84],
  ['a chain of one block', 0, 0, 0],
])('default: a contract made %s ago', async (_, height, made, age) => {
  const found = await find({ height, made })
  expect(found.age).toBe(age)
  expect(found.rounds).toBeLessThan(16)
})

test('param: a network with a block every quarter second', async () => {
  expect((await find({ height: 200_000_000, pace: 0.25, made: 200_000_000 - 400_000 })).age).toBe(
    100_000,
  )
})

test.each<[string, Parameters<typeof createChain>[0]]>([
  ['an account without code', { height: 20_000_000, made: 30_000_000 }],
  [
    'an account that delegates',
    { height: 20_000_000, made: 19_999_999, code: `0xef0100${'11'.repeat(20)}` },
  ],
  ['a node that keeps 128 states', { height: 20_000_000, made: 19_999_000, keeps: 128 }],
])('error: %s has no age', async (_, chain) => {
  expect((await find(chain)).age).toBeUndefined()
})

test('default: an old contract is distinguished from no contract', async () => {
  expect((await find({ height: 20_000_000, made: 1 })).age).toBe('old')
  // By the pace of the latest blocks it could be young, but its own block shows that it is not.
  expect((await find({ height: 500, pace: 2 * 86_400, made: 100 })).age).toBe('old')
})

test('error: a node that answers nonsense gives no age, after few rounds', async () => {
  for (const reply of [undefined, null, '0x', 'x', {}, { number: '0x1', timestamp: '0xff' }]) {
    let rounds = 0
    const ask: AskMany = async (calls) => {
      rounds += 1
      return calls.map(() => reply)
    }
    expect(await findContractAge(ask, { address, nowSeconds })).toBeUndefined()
    expect(rounds).toBeLessThan(20)
  }
})

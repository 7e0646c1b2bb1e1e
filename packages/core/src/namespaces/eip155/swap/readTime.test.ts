import { expect, test } from 'vitest'
import type { PlanSwapParameters } from '../../swapPlan.ts'
import { readTime } from './prepareCall.ts'

const nowSeconds = 1_800_000_000n

/** The time for a swap on a network whose last block is this many seconds ahead. */
const read = (aheadSeconds: bigint, network: object = {}) =>
  readTime({
    now: () => Number(nowSeconds) * 1_000,
    node: async () => ({ timestamp: `0x${(nowSeconds + aheadSeconds).toString(16)}` }),
    network,
  } as unknown as PlanSwapParameters)

test.each([
  ['behind', -86_400n, 0n],
  ['as late as this device', 0n, 0n],
  ['a little ahead', 900n, 900n],
])('default: a network that is %s', async (_, ahead, counts) => {
  expect(await read(ahead)).toBe(nowSeconds + counts)
})

test.each([901n, 86_400n * 365n, 2n ** 64n])(
  'error: a node that is %s seconds ahead moves no deadline',
  async (ahead) => {
    await expect(read(ahead)).rejects.toMatchObject({
      code: 'SWAP_REFUSED',
      message: expect.stringContaining('Set the clock of this device'),
    })
  },
)

test('param: a test network that was moved on has its own time', async () => {
  expect(await read(86_400n, { testnet: true })).toBe(nowSeconds + 86_400n)
})

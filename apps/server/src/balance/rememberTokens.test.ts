import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { heldActivity } from '../../test/heldActivity.ts'
import type { Hex } from '../evm/hex.ts'
import { rememberTokens } from './rememberTokens.ts'

const account = { chainId: 'eip155:1', address: '0xa1' } as const

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function start(read: () => Promise<readonly Hex[]>) {
  const { activity: held, tell, listening } = heldActivity([])
  const readTokens = vi.fn(read)
  return { activity: rememberTokens({ ...held, readTokens }), readTokens, tell, listening }
}

test('default: the tokens of an account are read once for half a minute', async () => {
  const { activity, readTokens, listening } = start(async () => ['0xb1'])
  for (let asking = 0; asking < 3; asking++)
    expect(await activity.readTokens(account, 200)).toEqual(['0xb1'])
  expect(readTokens.mock.calls).toEqual([[account, 200]])
  expect(listening()).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(listening()).toBe(0)
  await activity.readTokens(account, 200)
  expect(readTokens).toHaveBeenCalledTimes(2)
})

test('behavior: other accounts, chains and limits are read for themselves', async () => {
  const { activity, readTokens } = start(async () => [])
  await activity.readTokens(account, 200)
  await activity.readTokens(account, 100)
  await activity.readTokens({ ...account, address: '0xa2' }, 200)
  await activity.readTokens({ ...account, chainId: 'eip155:2' }, 200)
  expect(readTokens).toHaveBeenCalledTimes(4)
})

test.each(['changed', 'sync'] as const)(
  'behavior: forgotten when the activity says %s',
  async (type) => {
    const { activity, readTokens, tell, listening } = start(async () => [])
    await activity.readTokens(account, 200)
    tell('eip155:1', type)
    expect(listening()).toBe(0)
    await activity.readTokens(account, 200)
    expect(readTokens).toHaveBeenCalledTimes(2)
  },
)

test('behavior: a change while they are read is not missed', async () => {
  let answer = (_: readonly Hex[]) => {}
  const done = new Promise<readonly Hex[]>((resolve) => {
    answer = resolve
  })
  const { activity, readTokens, tell } = start(() => done)
  const first = activity.readTokens(account, 200)
  tell('eip155:1', 'changed')
  const second = activity.readTokens(account, 200)
  answer([])
  await Promise.all([first, second])
  expect(readTokens).toHaveBeenCalledTimes(2)
})

test('error: a read that failed is not remembered', async () => {
  const { activity, readTokens, listening } = start(async () => {
    throw new Error('The database is away')
  })
  for (let asking = 0; asking < 2; asking++)
    await expect(activity.readTokens(account, 200)).rejects.toThrow('away')
  expect(readTokens).toHaveBeenCalledTimes(2)
  expect(listening()).toBe(0)
})

test('behavior: of many accounts, the first are forgotten', async () => {
  const { activity, readTokens, listening } = start(async () => [])
  const ask = (index: number) =>
    activity.readTokens({ ...account, address: `0x${index.toString(16)}` }, 200)
  for (let index = 0; index < 2_001; index++) await ask(index)
  expect(listening()).toBe(2_000)
  await ask(2_000)
  expect(readTokens).toHaveBeenCalledTimes(2_001)
  await ask(0)
  expect(readTokens).toHaveBeenCalledTimes(2_002)
})

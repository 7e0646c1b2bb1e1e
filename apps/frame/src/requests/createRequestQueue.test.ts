import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { evmChain } from '../../test/testRequest.ts'
import { createRequestQueue } from './createRequestQueue.ts'

const sign = { method: 'personal_sign', params: [], chain: evmChain }
const never = new AbortController().signal

function create() {
  const state = { nowMs: 0, open: 0, maxOpen: 0, decide: [] as ((value: unknown) => void)[] }
  const requests = createRequestQueue({
    now: () => state.nowMs,
    handleSafe: async ({ method }) => `read ${method}`,
    approve: async (_, signal) => {
      state.open += 1
      state.maxOpen = Math.max(state.maxOpen, state.open)
      try {
        return await new Promise((resolve, reject) => {
          state.decide.push(resolve)
          signal.addEventListener('abort', () => reject(new LatchkeyError('ABORTED')))
        })
      } finally {
        state.open -= 1
      }
    },
  })
  return { state, requests }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: LatchkeyError) => error.code,
  )

test('default: a safe method at once, another after a decision', async () => {
  const { state, requests } = create()
  expect(await requests.handle({ ...sign, method: 'eth_call' }, never)).toBe('read eth_call')
  const answer = requests.handle(sign, never)
  await expect.poll(() => state.decide.length).toBe(1)
  state.decide[0]?.('0xsigned')
  expect(await answer).toBe('0xsigned')
})

test('behavior: a request that waits for a block after its turn keeps no other request waiting', async () => {
  const { state, requests } = create()
  const first = requests.handle(sign, never)
  const second = requests.handle(sign, never)
  await expect.poll(() => state.decide.length).toBe(1)
  let include: (hash: string) => void = () => {}
  state.decide[0]?.(
    () =>
      new Promise((resolve) => {
        include = resolve
      }),
  )
  await expect.poll(() => state.decide.length).toBe(2)
  state.decide[1]?.('0xsecond')
  expect(await second).toBe('0xsecond')
  include('0xfirst')
  expect(await first).toBe('0xfirst')
})

test('refused requests: methods of neither list are not allowed', async () => {
  const { requests } = create()
  const methods = [
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData',
    'wallet_signAuthorization',
  ]
  for (const method of [...methods, '__proto__', 'toString', 'constructor', ''])
    expect(await codeOf(requests.handle({ ...sign, method }, never))).toBe('REQUEST_NOT_ALLOWED')
})

test('closed pages: an abort ends each waiting request with one response, but not safe requests', async () => {
  const { state, requests } = create()
  const open = [sign, sign, sign].map((request) => codeOf(requests.handle(request, never)))
  await expect.poll(() => state.decide.length).toBe(1)
  const safe = codeOf(requests.handle({ ...sign, method: 'eth_getBalance' }, never))
  requests.abort()
  requests.abort()
  expect(await Promise.all(open)).toEqual(['ABORTED', 'ABORTED', 'ABORTED'])
  expect(await safe).toBe('resolved')
  expect(state.open).toBe(0)
  const next = codeOf(requests.handle(sign, never))
  await expect.poll(() => state.decide.length).toBe(2)
  state.decide[1]?.('later')
  expect(await next).toBe('resolved')
})

test('request flood: opens a single request of 500, queues a few and refuses the rest', async () => {
  const { state, requests } = create()
  const answers = Array.from({ length: 500 }, () => codeOf(requests.handle(sign, never)))
  await expect.poll(() => state.decide.length).toBe(1)
  expect(state.maxOpen).toBe(1)
  requests.abort()
  const codes = await Promise.all(answers)
  expect(codes.filter((code) => code === 'ABORTED')).toHaveLength(10)
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(490)
})

test('request flood: twenty requests pass in a minute, then none until the minute ends', async () => {
  const { state, requests } = create()
  for (let count = 0; count < 20; count++) {
    const answer = codeOf(requests.handle(sign, never))
    await expect.poll(() => state.decide.length).toBe(count + 1)
    state.decide[count]?.('ok')
    expect(await answer).toBe('resolved')
  }
  expect(await codeOf(requests.handle(sign, never))).toBe('RATE_LIMITED')
  state.nowMs = 60_001
  const answer = codeOf(requests.handle(sign, never))
  await expect.poll(() => state.decide.length).toBe(21)
  state.decide[20]?.('ok')
  expect(await answer).toBe('resolved')
})

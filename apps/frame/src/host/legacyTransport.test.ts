import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { listenToLegacyTransport } from './legacyTransport.ts'

const peerOrigin = 'https://app.example'

/** Returns the response that a page receives for a request that ends with this error. */
async function answerOf(error: unknown): Promise<unknown> {
  const here = new EventTarget()
  const fail = () => Promise.reject(error)
  const answered = new Promise((resolve) => {
    const peer = {
      postMessage: (message: { type: string }) =>
        message.type.endsWith('/READY') || resolve(message),
    }
    listenToLegacyTransport({
      window: here as Window,
      peer: peer as Window,
      peerOrigin,
      limits: { maxLength: 1_000, maxPending: 1 },
      isTaken: () => false,
      take: () => ({ APP_GET_CHAIN_ID: fail }) as unknown as Handlers<FrameProtocol>,
    })
    const data = { type: '@w3m-app/GET_CHAIN_ID', id: 'a' }
    here.dispatchEvent(
      Object.assign(new Event('message'), { source: peer, origin: peerOrigin, data }),
    )
  })
  return answered
}

const errorOf = (message: string) => ({
  type: '@w3m-frame/GET_CHAIN_ID_ERROR',
  payload: { message },
  id: 'a',
})

test('error: our own errors keep their message', async () => {
  const error = new LatchkeyError('USER_REJECTED')
  expect(await answerOf(error)).toEqual(errorOf(error.message))
})

test.each([new Error(''), new TypeError('x is not a function'), undefined, null, 'text', {}])(
  'error: what has no message for a person is An error occurred',
  async (error) => {
    expect(await answerOf(error)).toEqual(errorOf('An error occurred'))
  },
)

import { isError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { passkeyHandler } from './passkeyHandler.ts'

const origin = 'https://shop.example'

/** Begins an account for a page; the view that the frame shows, or the code of the refusal. */
async function begin({ isPlain = false, passkeyAccounts = true }) {
  const asked: string[] = []
  const screenQueue = createScreenQueue()
  const session = { call: async ({ path }: { path: string }) => asked.push(path) }
  const context = { facts: { projectId: 'local', passkeyAccounts }, screenQueue, session }
  const getUser = () => ({})
  const page = { origin, isPlain, getUser } as never
  const answer = passkeyHandler(context as never, {} as never, page)
  const served = { signal: new AbortController().signal }
  const outcome = Promise.resolve(answer({ create: true }, served as never)).catch(
    (error: unknown) => (isError(error) ? error.code : error),
  )
  const shown = new Promise((resolve) => {
    screenQueue.subscribe(() => resolve(screenQueue.current()))
  })
  const first = await Promise.race([outcome, shown])
  screenQueue.close()
  return { first, outcome: await outcome, asked }
}

test('security: a page begins no account without a press in the frame', async () => {
  const { first, outcome, asked } = await begin({})
  expect(first).toMatchObject({ view: 'passkey', props: { target: origin } })
  expect(outcome).toBe('USER_REJECTED')
  expect(asked).toEqual([])
})

test('security: no account begins for a page that hides the frame, or if the operator does not allow it', async () => {
  for (const not of [{ isPlain: true }, { passkeyAccounts: false }]) {
    const { first, asked } = await begin(not)
    expect(first).toBe('UNSUPPORTED_METHOD')
    expect(asked).toEqual([])
  }
})

import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import type { LoginSession } from '../auth/loginSession.ts'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { savePending, takePending } from './pendingReturn.ts'

const tx = 'A'.repeat(22)
const challenge = 'C'.repeat(43)
const origin = 'https://shop.example'
const begun = { tx, origin, projectId: 'shop', inTab: true }
const here = { challenge, origin, projectId: 'shop' }

function openBrowser() {
  const store = createMemoryStore()
  const confirmed: unknown[] = []
  const session = {
    call: async (_route: unknown, body: { challenge: string }) => {
      if (body.challenge !== challenge) throw new LatchkeyError('LOGIN_ENDED')
      confirmed.push(body)
      return {}
    },
  } as unknown as LoginSession
  return { store, session, confirmed }
}
const ended = expect.objectContaining({ code: 'LOGIN_ENDED' })

test('default: the login that came back is confirmed, once', async () => {
  const browser = openBrowser()
  await savePending(browser.store, begun, 0)
  expect(await takePending(browser, here, 1)).toMatchObject(begun)
  expect(browser.confirmed).toEqual([{ tx, challenge }])
  await expect(takePending(browser, here, 2)).rejects.toEqual(ended)
})

test('error: a browser that began no login opens the return address of another person’s login', async () => {
  const browser = openBrowser()
  await expect(takePending(browser, here, 0)).rejects.toEqual(ended)
  expect(browser.confirmed).toEqual([])
})

test('error: another page of the same site, another project, another challenge, too late', async () => {
  const browser = openBrowser()
  await savePending(browser.store, begun, 0)
  for (const other of [
    { origin: 'https://blog.shop.example' },
    { origin: 'https://shop.example:8443' },
    { projectId: 'other' },
  ])
    await expect(takePending(browser, { ...here, ...other }, 1)).rejects.toEqual(ended)
  expect(browser.confirmed).toEqual([])
  const guess = { ...here, challenge: 'D'.repeat(43) }
  await expect(takePending(browser, guess, 1)).rejects.toEqual(ended)
  // A guess uses the login up.
  await expect(takePending(browser, here, 1)).rejects.toEqual(ended)
  await savePending(browser.store, begun, 0)
  await expect(takePending(browser, here, 15 * 60_000 + 1)).rejects.toEqual(ended)
  expect(browser.confirmed).toEqual([])
})

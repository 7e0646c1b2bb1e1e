import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, begin, type FrameStack, inside, settle, setUpKit, startFrame } from '../startFrame.ts'

let frame: FrameStack

beforeAll(async () => {
  frame = await startFrame([], { PASSKEY_ACCOUNTS: 'on', PASSKEY_ACCOUNTS_PER_HOUR: '100' })
})
afterAll(() => frame?.stop())

const button = (page: Page, name: string | RegExp) => inside(page).getByRole('button', { name })

/** Plugs in an authenticator that always says yes. */
async function plug(page: Page, { hasPrf = true } = {}) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
}

async function open(authenticator: { hasPrf?: boolean } = {}) {
  const page = await frame.openHost(await frame.newContext())
  const count = await plug(page, authenticator)
  await page.evaluate((address) => window.embed(address), frame.address)
  return { page, count }
}

test('default: one press begins an account whose wallet the passkey recovers', async () => {
  const { page, count } = await open()
  const creating = await begin(page, 'APP_CONNECT_PASSKEY', { create: true })
  await inside(page).getByText(frame.hostUrl).waitFor()
  expect(await count()).toBe(0)
  await button(page, 'Create my wallet').click()
  const { result } = await settle(page, creating)
  expect(result).toMatchObject({ email: null, address: expect.stringMatching(/^0x/) })
  expect(result).not.toMatchObject({ isRecoverable: false })
  expect(await count()).toBe(1)
  const { address } = result as { address: string }

  await ask(page, 'APP_SIGN_OUT')
  const signing = await begin(page, 'APP_CONNECT_PASSKEY')
  await button(page, 'Use your passkey').click()
  expect((await settle(page, signing)).result).toMatchObject({ address })
  expect(await count()).toBe(1)
  await page.context().close()
})

test('behavior: a passkey without secrets signs in, and another way of recovery comes first', async () => {
  const { page, count } = await open({ hasPrf: false })
  const creating = await begin(page, 'APP_CONNECT_PASSKEY', { create: true })
  await button(page, 'Create my wallet').click()
  await inside(page).getByText('cannot reopen a wallet').waitFor()
  await setUpKit(page)
  const { result } = await settle(page, creating)
  const { address } = result as { address: string }
  expect(address).toMatch(/^0x/)
  expect(await count()).toBe(1)

  await ask(page, 'APP_SIGN_OUT')
  const signing = await begin(page, 'APP_CONNECT_PASSKEY')
  await button(page, 'Use your passkey').click()
  expect((await settle(page, signing)).result).toMatchObject({ address })
  await page.context().close()
})

test('security: an account that the user closes is not begun', async () => {
  const { page, count } = await open()
  const creating = await begin(page, 'APP_CONNECT_PASSKEY', { create: true })
  await button(page, 'Create my wallet').waitFor()
  await ask(page, 'APP_CLOSE')
  expect((await settle(page, creating)).code).toBe('USER_REJECTED')
  expect(await count()).toBe(0)
  expect((await ask(page, 'APP_IS_CONNECTED')).result).toEqual({ isConnected: false })
  await page.context().close()
})

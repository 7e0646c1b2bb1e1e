import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FrameStack, inside, settle, signIn, startFrame } from '../startFrame.ts'

let frame: FrameStack

beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

const button = (page: Page, name: string | RegExp) => inside(page).getByRole('button', { name })
const way = (page: Page, name: RegExp) => inside(page).getByRole('radio', { name })

/** Plugs in an authenticator that always says yes. */
async function plug(page: Page, { hasPrf = true } = {}) {
  const session: CDPSession = await page.context().newCDPSession(page)
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

/** A secret that differs each time. */
const random = `({ results: { first: crypto.getRandomValues(new Uint8Array(32)) } })`

/** Replaces the secret that the browser returns when a passkey is made and used. */
const answerPrf = (page: Page, { made, used }: { made?: string; used?: string }) =>
  page.addInitScript(`{
    const changed = (credential, prf) =>
      Object.defineProperty(credential, 'getClientExtensionResults', { value: () => ({ prf }) })
    const { credentials } = navigator
    const { create, get } = credentials
    ${made ? `credentials.create = async (given) => changed(await create.call(credentials, given), ${made})` : ''}
    ${used ? `credentials.get = async (given) => changed(await get.call(credentials, given), ${used})` : ''}
  }`)

test.each([
  ['gives none when it is used', { used: 'undefined' }],
  ['gives an empty one when it is used', { used: '({ results: {} })' }],
  ['gives another when it is used', { used: random }],
  [
    'gives one only when it is used, another each time',
    { made: '({ enabled: true })', used: random },
  ],
] as const)(
  'field 17: a passkey that gives a secret while it is made and %s does not count as recovery',
  async (title, prf) => {
    const page = await frame.openHost(await frame.newContext())
    await answerPrf(page, prf)
    await plug(page)
    await page.evaluate((address) => window.embed(address), frame.address)
    const email = `${title.replaceAll(/\W/g, '')}@passkeys.example`
    const connecting = await signIn(frame, page, email)
    await button(page, 'Create my wallet').click()
    await inside(page).getByText('cannot open a wallet again').waitFor()
    expect(await way(page, /^Passkey/).isDisabled()).toBe(true)
    await button(page, 'Continue').click()
    await inside(page).locator('.kit').waitFor()
    expect(await page.evaluate((key) => window.host.answers[key], connecting)).toBe(undefined)
    await page.context().close()
  },
)

test('default: a passkey that gives the same secret again recovers, whether it tells the secret while it is made or not', async () => {
  for (const made of [undefined, '({ enabled: true })']) {
    const page = await frame.openHost(await frame.newContext())
    if (made) await answerPrf(page, { made })
    const count = await plug(page)
    await page.evaluate((address) => window.embed(address), frame.address)
    const connecting = await signIn(frame, page, `${made ? 'late' : 'same'}@passkeys.example`)
    await button(page, 'Create my wallet').click()
    expect(await settle(page, connecting)).toEqual({ result: {} })
    expect(await count()).toBe(1)
    await page.context().close()
  }
})

test('field 19: an authenticator without secrets keeps no passkey, and set-up does not offer a passkey again', async () => {
  const page = await frame.openHost(await frame.newContext())
  const count = await plug(page, { hasPrf: false })
  await page.evaluate((address) => window.embed(address), frame.address)
  await signIn(frame, page, 'without@passkeys.example')
  await button(page, 'Create my wallet').click()
  await inside(page).getByText('cannot open a wallet again').waitFor()
  expect(await way(page, /^Passkey/).isDisabled()).toBe(true)
  await expect.poll(count).toBe(0)
  await page.context().close()
})

test('field 19: a browser that says that passkeys give no secrets makes none', async () => {
  const page = await frame.openHost(await frame.newContext())
  await page.addInitScript(`{
    PublicKeyCredential.getClientCapabilities = async () => ({ 'extension:prf': false })
    navigator.credentials.create = () => { document.title = 'made' }
  }`)
  await page.evaluate((address) => window.embed(address), frame.address)
  await signIn(frame, page, 'says@passkeys.example')
  await button(page, 'Create my wallet').click()
  await inside(page).getByText('cannot open a wallet again').waitFor()
  expect(await page.frames()[1]?.title()).not.toBe('made')
  await page.context().close()
})

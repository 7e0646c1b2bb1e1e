import { mayClose } from '@latchkey/dev'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, begin, type FrameStack, inside, settle, signIn, startFrame } from '../startFrame.ts'

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
  const made: Credential[] = []
  session.on('WebAuthn.credentialAdded', ({ credential }) => made.push(credential))
  return {
    /** The passkeys that were made here. */
    made,
    count: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    add: (credential: Credential) =>
      session.send('WebAuthn.addCredential', { authenticatorId, credential }),
  }
}

type Credential = {
  credentialId: string
  isResidentCredential: boolean
  privateKey: string
  signCount: number
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
  'weak passkeys: a passkey that has a secret at creation and %s does not count as recovery',
  async (title, prf) => {
    const page = await frame.openHost(await frame.newContext())
    await answerPrf(page, prf)
    await plug(page)
    await page.evaluate((address) => window.embed(address), frame.address)
    const email = `${title.replaceAll(/\W/g, '')}@passkeys.example`
    const connecting = await signIn(frame, page, email)
    await button(page, 'Create my wallet').click()
    await inside(page).getByText('cannot reopen a wallet').waitFor()
    expect(await way(page, /^Passkey/).isDisabled()).toBe(true)
    await button(page, 'Continue').click()
    await inside(page).locator('.kit').waitFor()
    expect(await page.evaluate((key) => window.host.answers[key], connecting)).toBe(undefined)
    await page.context().close()
  },
)

test('default: a passkey that returns the same secret twice recovers, also without one at creation', async () => {
  for (const made of [undefined, '({ enabled: true })']) {
    const page = await frame.openHost(await frame.newContext())
    if (made) await answerPrf(page, { made })
    const { count } = await plug(page)
    await page.evaluate((address) => window.embed(address), frame.address)
    const connecting = await signIn(frame, page, `${made ? 'late' : 'same'}@passkeys.example`)
    await button(page, 'Create my wallet').click()
    expect(await settle(page, connecting)).toEqual({ result: {} })
    expect(await count()).toBe(1)
    await page.context().close()
  }
})

test('weak passkeys: an authenticator without secrets keeps no passkey, and setup does not retry', async () => {
  const page = await frame.openHost(await frame.newContext())
  const { count } = await plug(page, { hasPrf: false })
  await page.evaluate((address) => window.embed(address), frame.address)
  await signIn(frame, page, 'without@passkeys.example')
  await button(page, 'Create my wallet').click()
  await inside(page).getByText('cannot reopen a wallet').waitFor()
  expect(await way(page, /^Passkey/).isDisabled()).toBe(true)
  await expect.poll(count).toBe(0)
  await page.context().close()
})

test('weak passkeys: a browser that reports no support for secrets creates no passkey', async () => {
  const page = await frame.openHost(await frame.newContext())
  await page.addInitScript(`{
    PublicKeyCredential.getClientCapabilities = async () => ({ 'extension:prf': false })
    navigator.credentials.create = () => { document.title = 'made' }
  }`)
  await page.evaluate((address) => window.embed(address), frame.address)
  await signIn(frame, page, 'says@passkeys.example')
  await button(page, 'Create my wallet').click()
  await inside(page).getByText('cannot reopen a wallet').waitFor()
  expect(await page.frames()[1]?.title()).not.toBe('made')
  await page.context().close()
})

/** Has the browser refuse passkeys in frames at once, as WebKit and some extensions do. */
const refuseInFrames = (context: BrowserContext) =>
  context.addInitScript(`if (window.top !== window) {
    const refuse = async () => { throw new DOMException('not the same origin', 'NotAllowedError') }
    navigator.credentials.create = refuse
    navigator.credentials.get = refuse
  }`)

const inWindow = 'Use the passkey in a window'

/** Presses for a window of the wallet's site, and uses the passkey there. */
async function useInWindow(page: Page, prepare: (popup: Page) => Promise<unknown>) {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    button(page, inWindow).click(),
  ])
  expect(new URL(popup.url()).origin).toBe(new URL(frame.frameUrl).origin)
  await prepare(popup)
  const closed = popup.waitForEvent('close')
  await mayClose(popup.getByRole('button', { name: 'Continue' }).click())
  await closed
}

test.each(['policy', 'refusal'])(
  'weak passkeys: in a frame blocked by a %s, a popup sets up and signs in',
  async (how) => {
    const context = await frame.newContext()
    if (how === 'refusal') await refuseInFrames(context)
    const allow = how === 'policy' ? 'clipboard-write' : undefined
    const embed = async () => {
      const page = await frame.openHost(context)
      await page.evaluate(([address, allow]) => window.embed(address as string, undefined, allow), [
        frame.address,
        allow,
      ] as const)
      return page
    }
    const page = await embed()
    const connecting = await signIn(frame, page, `${how}@blocked.example`)
    if (how === 'refusal') await button(page, 'Create my wallet').click()
    await inside(page).getByText('don’t work in this box').waitFor()
    expect(await inside(page).getByText('You did not finish this').count()).toBe(0)

    // A window that is closed can be opened again.
    const [left] = await Promise.all([context.waitForEvent('page'), button(page, inWindow).click()])
    await left.getByRole('button', { name: 'Continue' }).waitFor()
    await left.close()
    await inside(page).getByText('The other window was closed').waitFor()

    let made: Credential[] = []
    await useInWindow(page, async (popup) => {
      made = (await plug(popup)).made
    })
    expect(await settle(page, connecting)).toEqual({ result: {} })
    expect(made.length).toBe(1)

    await ask(page, 'APP_SIGN_OUT')
    const signing = await begin(page, 'APP_CONNECT_PASSKEY')
    if (how === 'refusal') await button(page, 'Use your passkey').click()
    await useInWindow(page, async (popup) => {
      const { add } = await plug(popup)
      for (const credential of made) await add(credential)
    })
    expect((await settle(page, signing)).result).toMatchObject({ email: `${how}@blocked.example` })
    await context.close()
  },
)

test('weak passkeys: the popup refuses an opener of another origin', async () => {
  const context = await frame.newContext()
  const page = await frame.openHost(context)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate((url) => {
      window.open(`${url}/passkey`)
    }, frame.frameUrl),
  ])
  await popup.waitForLoadState()
  await expect.poll(() => popup.textContent('#root')).toContain('Loading')
  expect(await popup.getByRole('button').count()).toBe(0)
  await context.close()
})

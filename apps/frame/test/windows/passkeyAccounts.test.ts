import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getHost } from '../getHost.ts'
import { ask, begin, type FrameStack, inside, settle, setUpKit, startFrame } from '../startFrame.ts'

let frame: FrameStack

beforeAll(async () => {
  frame = await startFrame([], {
    PASSKEY_ACCOUNTS: 'on',
    PASSKEY_ACCOUNTS_PER_HOUR: '100',
    RECOVERY_LATER_ORIGINS: await getHost(),
  })
})
afterAll(() => frame?.stop())

const button = (page: Page, name: string | RegExp) => inside(page).getByRole('button', { name })

/** The frame expects that its storage ends with the visit, so recovery comes first. */
const safari =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari'

type Credential = {
  credentialId: string
  isResidentCredential: boolean
  privateKey: string
  signCount: number
}

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
  return {
    list: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: (credential: Credential) =>
      session.send('WebAuthn.addCredential', { authenticatorId, credential }),
  }
}

async function open({ hasPrf = true, userAgent }: { hasPrf?: boolean; userAgent?: string } = {}) {
  const page = await frame.openHost(await frame.newContext(userAgent ? { userAgent } : {}))
  const { list, add } = await plug(page, { hasPrf })
  const prompts: string[] = []
  await page.exposeFunction('notePrompt', (kind: string) => {
    prompts.push(kind)
  })
  await page.addInitScript(`{
    const { credentials } = navigator
    const { create, get } = credentials
    const note = (kind, ask) => async (given) => {
      await window.notePrompt(kind)
      return ask.call(credentials, given)
    }
    credentials.create = note('create', create)
    credentials.get = note('get', get)
  }`)
  await page.evaluate((address) => window.embed(address), frame.address)
  return { page, prompts, list, add, count: async () => (await list()).length }
}

/** Begins an account by the press in the frame; the key of the answer. */
async function create(page: Page) {
  const creating = await begin(page, 'APP_CONNECT_PASSKEY', { create: true })
  await inside(page).getByText(frame.hostUrl).waitFor()
  await button(page, 'Create my wallet').click()
  return creating
}

/** Signs out and in again with the passkey; the address. */
async function signInAgain(page: Page) {
  await ask(page, 'APP_SIGN_OUT')
  const signing = await begin(page, 'APP_CONNECT_PASSKEY')
  await button(page, 'Use your passkey').click()
  return (await settle(page, signing)).result
}

test('default: one press and one prompt begin an account and a wallet, which the same passkey recovers later', async () => {
  const { page, prompts, list } = await open()
  const creating = await create(page)
  const { result } = await settle(page, creating)
  expect(result).toMatchObject({ email: null, isRecoverable: false })
  expect(prompts).toEqual(['create'])
  const { address } = result as { address: string }

  // Elsewhere the passkey signs in, and only the first browser can bring the wallet.
  const [passkey] = await list()
  const other = await open()
  await other.add(passkey as Credential)
  await begin(other.page, 'APP_CONNECT_PASSKEY')
  await button(other.page, 'Use your passkey').click()
  await inside(other.page).getByText('Only the browser that made your wallet').waitFor()
  expect(await inside(other.page).getByText(frame.hostUrl).count()).toBe(1)
  expect(await button(other.page, 'Use your passkey').count()).toBe(0)
  await other.page.context().close()

  const backingUp = await begin(page, 'APP_OPEN', { page: 'back-up' })
  const way = inside(page).getByRole('radio', { name: /^Use your passkey/ })
  await way.waitFor()
  expect(await way.isChecked()).toBe(true)
  await button(page, 'Back up my wallet').click()
  await settle(page, backingUp)
  expect(prompts).toEqual(['create', 'get', 'get'])
  expect(await list()).toHaveLength(1)
  expect(await signInAgain(page)).toMatchObject({ address })
  const { result: user } = await ask(page, 'APP_GET_USER')
  expect(user).not.toMatchObject({ isRecoverable: false })
  await page.context().close()
})

test('behavior: a passkey without secrets begins a wallet too, and the set-up turns to another way', async () => {
  const { page, prompts, count } = await open({ hasPrf: false })
  const { result } = await settle(page, await create(page))
  expect(result).toMatchObject({ isRecoverable: false })
  const { address } = result as { address: string }
  const backingUp = await begin(page, 'APP_OPEN', { page: 'back-up' })
  await button(page, 'Back up my wallet').click()
  await inside(page).getByText('cannot reopen a wallet').waitFor()
  await setUpKit(page)
  await settle(page, backingUp)
  expect(prompts.filter((kind) => kind === 'create')).toEqual(['create'])
  expect(await count()).toBe(1)
  expect(await signInAgain(page)).toMatchObject({ address })
  await page.context().close()
})

test('behavior: next to a kit, the same passkey is added later, and no second passkey is made', async () => {
  const { page, prompts, count } = await open()
  await settle(page, await create(page))
  const backingUp = await begin(page, 'APP_OPEN', { page: 'back-up' })
  await setUpKit(page)
  await settle(page, backingUp)
  expect(prompts).toEqual(['create'])
  await begin(page, 'APP_OPEN', { page: 'recovery' })
  await button(page, 'Add a passkey').click()
  await inside(page).getByText('Add a passkey that recovers your wallet').waitFor()
  await button(page, 'Use your passkey').click()
  await inside(page).getByText('You sign in with this passkey').waitFor()
  await button(page, 'Use your passkey').click()
  await inside(page).getByText('Also signs you in and confirms changes').waitFor()
  expect(prompts).toEqual(['create', 'get', 'get', 'get'])
  expect(await count()).toBe(1)
  await page.context().close()
})

test('behavior: if recovery comes first, the passkey recovers the wallet from the beginning', async () => {
  const { page, prompts, count } = await open({ userAgent: safari })
  const { result } = await settle(page, await create(page))
  expect(result).toMatchObject({ email: null, address: expect.stringMatching(/^0x/) })
  expect(result).not.toMatchObject({ isRecoverable: false })
  expect(prompts.slice(0, 2)).toEqual(['create', 'get'])
  expect(await count()).toBe(1)
  await page.context().close()
})

test('behavior: if recovery comes first, and the passkey has no secret, another way comes before the wallet', async () => {
  const { page, count } = await open({ hasPrf: false, userAgent: safari })
  const creating = await create(page)
  await inside(page).getByText('cannot reopen a wallet').waitFor()
  await setUpKit(page)
  const { result } = await settle(page, creating)
  const { address } = result as { address: string }
  expect(address).toMatch(/^0x/)
  expect(await count()).toBe(1)
  expect(await signInAgain(page)).toMatchObject({ address })
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

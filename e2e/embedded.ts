import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { test as base, expect, pageOf, report, rpc, stack, watch } from './fixtures.ts'
import { countCodes, readCode, readDeviceLink, someEmail } from './mails.ts'

export { expect, stack }

const chain = 'eip155:31337'
// The first development account, which holds every asset.
const faucet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/**
 * Gives the next login a new network address: the mail limit counts by address, and all tests share
 * one. Only that request is intercepted, because a browser does not use its cache while requests
 * are intercepted.
 */
export async function movePlace(context: BrowserContext) {
  const address = [10, ...crypto.getRandomValues(new Uint8Array(3))].join('.')
  await context.route(
    `${stack.urls.frame}/api/login`,
    (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': address } }),
    { times: 1 },
  )
}

type Fixtures = {
  /** Opens another browser, with another network address. */
  device: () => Promise<Page>
  /** The developer page in a browser with a connected wallet, which the tests of a worker share. */
  connected: Page
}
/**
 * A user with a wallet, and the user's browser. A test that changes the address, the kit or the
 * email writes the new value here.
 */
type Owner = Awaited<ReturnType<typeof makeWallet>> & {
  context: BrowserContext
  allowed: { errors: readonly RegExp[]; addresses: [] }
  check: () => void
}

/** The tests of the embedded wallet. */
export const test = base.extend<Fixtures, { owner: Owner }>({
  owner: [
    async ({ browser, placed: _ }, use, { project }) => {
      const { viewport, contextOptions } = project.use
      const context = await browser.newContext({ viewport: viewport ?? null, ...contextOptions })
      const allowed: Owner['allowed'] = { errors: [], addresses: [] }
      const check = watch(context, allowed)
      const page = await context.newPage()
      const wallet = await makeWallet(page)
      await page.close()
      await use({ ...wallet, context, allowed, check })
      await context.close()
    },
    { scope: 'worker' },
  ],
  connected: async ({ owner: { context, address, allowed, check }, allowedErrors }, use, info) => {
    allowed.errors = allowedErrors
    const page = await context.newPage()
    await page.goto(pageOf('/developer'))
    expect(await readAddress(page)).toBe(address)
    await use(page)
    await report(context, info)
    for (const open of context.pages()) await open.close()
    check()
  },
  device: async ({ browser, allowedErrors }, use, info) => {
    const contexts: BrowserContext[] = []
    const checks: (() => void)[] = []
    await use(async () => {
      const context = await browser.newContext()
      contexts.push(context)
      checks.push(watch(context, { errors: allowedErrors, addresses: [] }))
      return context.newPage()
    })
    for (const context of contexts) {
      await report(context, info)
      await context.close()
    }
    for (const check of checks) check()
  },
})

/** The secure frame in the page. */
export const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[src*="/f/"]')

/**
 * Waits until the frame has stopped moving in its page, because the page may be changing its
 * height.
 */
const stand = (page: Page) =>
  page.locator('iframe[src*="/f/"]').evaluateAll(
    (frames) =>
      new Promise<void>((resolve) => {
        const place = () => JSON.stringify(frames.map((frame) => frame.getBoundingClientRect()))
        const look = (before: string, times: number) => {
          const now = place()
          const still = now === before ? times + 1 : 0
          if (still === 3) resolve()
          else setTimeout(look, 50, now, still)
        }
        look(place(), 0)
      }),
  )

/** Moves the pointer to a button of the frame after it has stopped moving, like a user. */
async function pointAt(button: Locator) {
  await button.waitFor()
  await expect(async () => {
    await stand(button.page())
    await button.hover()
    expect(await button.evaluate((element) => element.matches(':hover'))).toBe(true)
  }).toPass({ intervals: [200] })
}

/**
 * Presses a button of the frame after it has stopped moving: a late button makes the frame grow.
 */
export async function press(button: Locator) {
  await button.waitFor()
  await stand(button.page())
  await button.click()
}

/** Opens the modal and submits the email address. */
export async function submitEmail(page: Page, email: string) {
  await page.goto(pageOf('/developer'))
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const modal = page.getByRole('dialog')
  await modal.getByLabel('Email address').fill(email)
  await movePlace(page.context())
  await modal.getByRole('button', { name: 'Continue with email' }).click()
}

/** Requests another mail, as soon as the same browser may: it may have to wait for up to 30 s. */
export async function submitAgain(page: Page) {
  const list = page.getByRole('dialog', { name: 'Log in or connect' })
  const submit = list.getByRole('button', { name: 'Continue with email' })
  await expect(async () => {
    if (await list.isVisible()) await submit.click({ timeout: 1_000 })
    await expect(list).toBeHidden({ timeout: 3_000 })
  }).toPass({ timeout: 120_000 })
}

/**
 * Opens the newest link from the mail in a new tab and approves with the digits that `shown` shows.
 */
export async function approveDevice(page: Page, email: string, shown: Locator) {
  const digits = (await shown.textContent())?.trim() ?? ''
  expect(digits).toMatch(/^\d{2}$/)
  const tab = await page.context().newPage()
  await tab.goto(await readDeviceLink(email))
  await expect(tab.getByText(new URL(page.url()).origin)).toBeVisible()
  await tab.getByLabel('Enter the two digits shown there').fill(digits)
  await tab.getByRole('button', { name: 'Yes, sign me in' }).click()
  await expect(tab.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await tab.close()
}

/** Types a code into the six boxes, the first of which has the focus. */
export async function typeCode(boxes: FrameLocator | Page, digits: string) {
  const first = boxes.getByLabel('Digit 1 of 6')
  await expect(first).toBeFocused()
  await first.pressSequentially(digits)
}

/** Logs in a new browser, up to the frame's screen after the code. */
export async function logIn(page: Page, email: string) {
  const before = await countCodes(email)
  await submitEmail(page, email)
  const modal = page.getByRole('dialog')
  await expect(modal.getByText('Open the link we sent to')).toBeVisible()
  await approveDevice(page, email, modal.getByText(/^\d{2}$/))
  await page.bringToFront()
  await expect(frameOf(page).getByLabel('Digit 1 of 6')).toBeVisible()
  await typeCode(frameOf(page), await readCode(email, before))
}

/** Sets up recovery with a printed kit; resolves to the kit. This creates the wallet. */
export async function setUpKit(page: Page): Promise<string> {
  const frame = frameOf(page)
  const printed = frame.getByLabel('Printed kit')
  await press(printed)
  await expect(printed).toBeChecked()
  await press(frame.getByRole('button', { name: 'Continue' }))
  return keepKit(page)
}

/** Confirms that the shown kit is on paper, and types the requested group, without the kit. */
export async function keepKit(page: Page): Promise<string> {
  const frame = frameOf(page)
  const shown = frame.locator('.kit span')
  await expect(shown).toHaveCount(7)
  const groups = await shown.allTextContents()
  await press(frame.getByRole('button', { name: 'I’ve saved it' }))
  const asked = (await frame.getByText(/^Type group \d of 7$/).textContent()) ?? ''
  await expect(shown).toHaveCount(0)
  await frame.getByLabel(asked).fill(groups[Number(asked[11]) - 1] ?? '')
  await press(frame.getByRole('button', { name: 'Continue' }))
  return groups.join('-')
}

/** The address of the account in the state that the developer page shows. */
export const shownAddress = (page: Page) => page.getByText('"caipAddress": "eip155:')

/** The complete address of the account on the developer page, after it is connected. */
export async function readAddress(page: Page): Promise<`0x${string}`> {
  await expect(shownAddress(page)).toBeVisible()
  const state = (await shownAddress(page).textContent()) ?? ''
  const [, address = ''] = /"caipAddress": "eip155:\d+:(\w+)"/.exec(state) ?? []
  expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  return address as `0x${string}`
}

/** Creates a new user with a wallet and a printed kit. */
export async function makeWallet(page: Page, email = someEmail()) {
  await logIn(page, email)
  const kit = await setUpKit(page)
  return { email, kit, address: await readAddress(page) }
}

/** Gives an account 10 ETH, 250 dUSD, and `wrappedWei` of wrapped ether. */
export async function fund(address: string, wrappedWei = 0n) {
  await rpc(chain, 'anvil_setBalance', [address, `0x${(10n ** 19n).toString(16)}`])
  for (const [token, amount] of [
    ['usd', 250_000_000n],
    ['wrappedEther', wrappedWei],
  ] as const) {
    const words = [address.slice(2).toLowerCase(), amount.toString(16)]
    const data = `0xa9059cbb${words.map((word) => word.padStart(64, '0')).join('')}`
    const to = stack.addresses[chain]?.[token]
    if (amount > 0n) await rpc(chain, 'eth_sendTransaction', [{ from: faucet, to, data }])
  }
}

/** Scrolls an approval to its end and holds its button until it approves. */
export async function holdToApprove(page: Page, action: string) {
  const button = frameOf(page).getByRole('button', { name: `Hold to ${action}` })
  const asked = frameOf(page).locator('.asked')
  await expect(async () => {
    // After the page changes the frame's height, an earlier scroll is no longer at the end.
    await asked.evaluate((element) => element.scrollTo(0, element.scrollHeight), undefined, {
      timeout: 5_000,
    })
    await expect(button).not.toHaveAttribute('aria-disabled', 'true', { timeout: 5_000 })
    await pointAt(button)
    const card = await frameOf(page).locator('.approval').elementHandle({ timeout: 5_000 })
    await page.mouse.down()
    try {
      const hold = frameOf(page).locator('.hold')
      await expect(hold).toHaveAttribute('data-hold', 'full', { timeout: 5_000 })
    } finally {
      await page.mouse.up()
    }
    // A hold during which the browser reported the frame as moved or covered has no effect.
    const isAsking = (shown: Element) =>
      shown.isConnected && !/Signing/.test(shown.querySelector('.state')?.textContent ?? '')
    const isApproved = async () => !(await card?.evaluate(isAsking).catch(() => false))
    await expect.poll(isApproved, { timeout: 5_000 }).toBe(true)
  }).toPass()
}

/** Opens the settings of the account; resolves to the modal. */
export async function openAccountSettings(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: /^Account settings/ }).click()
  return modal
}

/** Signs out in the settings of the account. */
export async function signOut(page: Page) {
  await pressSignOut(await openAccountSettings(page))
}

/**
 * Signs out in the open settings, and waits: leaving the page before the frame has signed out would
 * cancel it.
 */
export async function pressSignOut(modal: Locator) {
  const page = modal.page()
  const ended = page.waitForResponse(`${stack.urls.frame}/api/session/end`)
  await modal.getByRole('button', { name: 'Sign out' }).click()
  await ended
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
}

/** Recovers the wallet with the printed kit in a browser that has just logged in. */
export async function openWithKit(page: Page, kit: string) {
  const frame = frameOf(page)
  await press(frame.getByRole('button', { name: 'Use your printed kit' }))
  await frame.getByLabel('The seven groups of your kit').fill(kit)
  await press(frame.getByRole('button', { name: 'Open with the kit' }))
}

/** Opens a page of the wallet in the settings of the account. */
export async function openSettings(
  page: Page,
  name:
    | 'Devices'
    | 'Recovery'
    | 'Recovery phrase'
    | 'Sign-ins'
    | 'Smart account'
    | 'Replace this wallet'
    | 'Your picture and data',
) {
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: new RegExp(`^${name}(?! phrase)`) }).click()
}

/** Removes this browser in the settings of the wallet. */
export async function forgetBrowser(page: Page) {
  const frame = frameOf(page)
  await openSettings(page, 'Your picture and data')
  await press(frame.getByRole('button', { name: /^Forget this browser/ }))
  await press(frame.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
}

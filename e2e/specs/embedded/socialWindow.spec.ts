import { mayClose } from '@latchkey/dev'
import type { BrowserContext, Page } from '@playwright/test'
import {
  expect,
  frameOf,
  openSettings,
  press,
  readAddress,
  setUpKit,
  stack,
  test,
} from '../../embedded.ts'
import {
  chooseApart,
  findProvider,
  goToGoogle,
  openModal,
  signInAs,
  signInAsSomebody,
  somebody,
} from '../../socialSignIn.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

test('blocked popup: the login continues in the tab and returns to the same page', async ({
  page,
  context,
}) => {
  test.slow()
  const start = `${stack.urls.web}/?from=eth#part`
  await page.addInitScript(() => {
    if (!new URLSearchParams(location.search).has('from')) return
    window.open = () => null
  })
  await page.goto(start)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const modal = page.getByRole('dialog')
  const continueToProvider = async (choice: string) => {
    await modal.getByRole('button', { name: 'Continue in this tab' }).click()
    await goToGoogle(page)
    await page.getByRole('button', { name: choice }).click()
    await page.waitForURL(start)
  }
  await modal.getByRole('button', { name: 'Continue with Google' }).click()
  await continueToProvider('Do not allow it')
  await expect(modal.getByText('Not signed in')).toBeVisible()
  await modal.getByRole('button', { name: 'Try again' }).click()
  await continueToProvider('Sign in as linus')
  const frame = frameOf(page)
  // The frame was not visible during the login, so it shows who has signed in.
  await expect(frame.getByText('You are signed in as Linus')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await expect(frame.getByLabel('Printed kit')).toBeVisible()

  // A popup that cannot reach its page, for example a page with
  // `Cross-Origin-Opener-Policy: same-origin`, brings the login back by itself.
  await page.goto('about:blank')
  await context.addInitScript(() => {
    if (location.pathname === '/social') Object.defineProperty(window, 'opener', { value: null })
  })
  const google = (await openModal(page)).getByRole('button', { name: 'Continue with Google' })
  const [opened] = await Promise.all([page.waitForEvent('popup'), google.click()])
  await goToGoogle(opened)
  await mayClose(opened.getByRole('button', { name: 'Sign in as linus' }).click())
  await expect(frame.getByLabel('Printed kit')).toBeVisible()
  await expect.poll(() => opened.isClosed()).toBe(true)
})

/** Serves the web app like a site with COOP. */
async function cutOff(context: BrowserContext) {
  // The browser does not treat a page that a test serves as local, unlike its scripts and frames.
  await context.grantPermissions(['local-network-access'], { origin: stack.urls.web })
  await context.route(`${stack.urls.web}/**`, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' }
    await route.fulfill({ response, headers })
  })
}

/** Records the headings of the popups that confirm or add a sign-in: each continues at once. */
async function noteHeadings(context: BrowserContext) {
  const headings: string[] = []
  await context.exposeFunction('noteHeading', (text: string) => headings.push(text))
  await context.addInitScript(() => {
    if (location.pathname !== '/visit') return
    const note = Reflect.get(window, 'noteHeading') as (text: string) => void
    new MutationObserver(() => {
      const text = document.querySelector('h1')?.textContent
      if (text) note(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return headings
}

test('blocked popup: with `Cross-Origin-Opener-Policy: same-origin`, sign-ins and confirmations work', async ({
  page,
  context,
}) => {
  test.slow()
  await cutOff(context)
  const headings = await noteHeadings(context)
  const frame = frameOf(page)
  const [owner, added] = [somebody(), somebody()]
  const google = (await openModal(page)).getByRole('button', { name: 'Continue with Google' })
  const window = await chooseApart(page, google, async (opened) => {
    await goToGoogle(opened)
    await signInAsSomebody(owner)(opened)
  })
  await setUpKit(page)
  await expect.poll(() => window.isClosed()).toBe(true)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)

  await openSettings(page, 'Sign-ins')
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  // The popup is closed before it has reached the frame, and after.
  const held = new Promise<void>((resolve) => {
    void context.route('**/api/rendezvous/take', () => resolve(), { times: 1 })
  })
  const unmet = await chooseApart(page, confirm, () => held)
  await unmet.close()
  await expect(frame.getByText('If none has opened, allow pop-ups')).toBeVisible()
  const again = frame.getByRole('button', { name: 'Start again' })
  await press(again)
  const closed = await chooseApart(page, confirm, (opened) =>
    opened.getByRole('heading', { name: 'Google, for development' }).waitFor(),
  )
  await closed.close()
  await expect(frame.getByText('If you closed it, start again.')).toBeVisible()
  await press(again)
  const confirmed = await chooseApart(page, confirm, signInAsSomebody(owner))
  await expect.poll(() => confirmed.isClosed()).toBe(true)
  const github = frame.getByRole('button', { name: 'Continue with GitHub' })
  // The confirmation was refused first, then given.
  const { host } = new URL(stack.urls.web)
  expect(headings).toContain(`Confirming on ${host}`)
  expect(headings).not.toContain(`Adding a sign-in on ${host}`)
  await chooseApart(page, github, (opened) =>
    mayClose(opened.getByRole('button', { name: 'Do not allow it' }).click()),
  )
  expect(headings).toContain(`Adding a sign-in on ${host}`)
  await expect(frame.getByText('You did not allow the sign-in.')).toBeVisible()
  await chooseApart(page, github, signInAsSomebody(added))
  const row = frame.getByRole('listitem').filter({ hasText: new RegExp(added, 'i') })
  await expect(row).toBeVisible()
  await press(row.getByRole('button', { name: 'Remove' }))
  await chooseApart(page, confirm, signInAsSomebody(somebody()))
  await expect(frame.getByText('That sign-in does not belong to this account.')).toBeVisible()
  await chooseApart(page, confirm, signInAsSomebody(owner))
  await expect(row).toBeHidden()
  await page.keyboard.press('Escape')
  expect(await readAddress(page)).toBe(address)
})

/**
 * Opens an attacker's confirmation (`tx`) from a victim's page, and checks that the popup neither
 * shows it nor returns anything.
 */
async function leadToConfirmation(victim: Page, tx: string) {
  await victim.goto(stack.urls.web)
  const address = `${stack.urls.frame}/social#${tx}.${encodeURIComponent(stack.urls.web)}`
  const opening = victim.context().waitForEvent('page')
  await victim.evaluate((url) => void Object.assign(window, { opened: window.open(url) }), address)
  const opened = await opening
  const lead = (url: string) =>
    victim.evaluate((to) => {
      const { opened } = window as unknown as { opened: Window }
      opened.location.href = to
    }, url)
  await expect(opened.getByText('This login has ended. Start again')).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Continue to Google' })).toBeHidden()
  await lead(`${stack.urls.frame}/oauth/start`)
  await expect(opened.getByText('This sign-in was not started here, or has ended.')).toBeVisible()
  const closed = opened.waitForEvent('close')
  await lead(`${stack.urls.frame}/social?x#done`)
  // The popup had nothing to return.
  await closed
}

test("login begun by others: the window of another user's login or confirmation opens nothing", async ({
  page,
  context,
  device,
}) => {
  test.slow()
  const frame = frameOf(page)
  const owner = somebody()
  await signInAs(page, await findProvider(page, 'Google'), owner)
  await setUpKit(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await openSettings(page, 'Sign-ins')
  const begun = page.waitForResponse(
    (response) => response.url().endsWith('/api/social/start') && response.ok(),
  )
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  const { tx } = (await (await begun).json()) as { tx: string }
  const other = await device()
  await leadToConfirmation(other, tx)
  await page.bringToFront()
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  const inner = page.frames().find((each) => each.url().startsWith(`${stack.urls.frame}/f/`))
  // Runs everything that opens the popup, and captures its URL instead of opening it.
  await inner?.evaluate(() => {
    const { open } = window
    window.open = (address) => {
      window.open = open
      Object.assign(window, { stolen: new URL(String(address), location.href).href })
      return null
    }
  })
  await press(confirm)
  await expect(frame.getByText('If none has opened, allow pop-ups')).toBeVisible()
  const stolen = await inner?.evaluate(() => (window as unknown as { stolen: string }).stolen)
  if (!stolen) throw new Error('No window was opened')
  const refused = async (opened: Page) => {
    await expect(opened.getByText('This sign-in was not started here, or has ended.')).toBeVisible()
    await opened.close()
  }
  await other.goto(stolen)
  await refused(other)
  // The user follows a link or types it, or this page or another page opens it.
  const typed = await context.newPage()
  await typed.goto(stolen)
  await refused(typed)
  for (const from of [stack.urls.web, stack.urls.wallet]) {
    const evil = await context.newPage()
    await evil.goto(from)
    const opening = context.waitForEvent('page')
    await evil.evaluate((address) => void window.open(address), stolen)
    await refused(await opening)
    await evil.goto(stolen)
    await refused(evil)
  }
  // No popup has taken the question: the frame still waits, and another popup confirms.
  await expect(frame.getByText('If none has opened, allow pop-ups')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Start again' }))
  await chooseApart(page, confirm, signInAsSomebody(owner))
  await expect(frame.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
})

import type { BrowserContext, Locator, Page } from '@playwright/test'
import {
  expect,
  frameOf,
  holdToApprove,
  logIn,
  openAccountSettings,
  openSettings,
  openWithKit,
  press,
  readAddress,
  readCode,
  setUpKit,
  signOut,
  someEmail,
  stack,
  test,
  typeCode,
} from '../../embedded.ts'
import { noteMessages } from '../../noteMessages.ts'
import { plugPasskeys } from '../../plugPasskeys.ts'

// The browser itself reports each refused answer.
test.use({ allowedErrors: [/Failed to load resource/] })

/** Opens the modal on its ways to connect. */
async function openModal(page: Page): Promise<Locator> {
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  return page.getByRole('dialog')
}

/** Presses a button, and chooses on the page of the provider whose window that opens. */
async function chooseAt(page: Page, button: Locator, choice: string): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), press(button)])
  await opened.getByRole('button', { name: choice }).click()
  return opened
}

/** Says in a window of the frame's origin that one wants to go on to the provider, once it has been seen. */
async function goToGoogle(opened: Page): Promise<void> {
  await expect(opened.getByRole('heading', { name: /Signing in to/ })).toBeVisible()
  await opened.bringToFront()
  const button = opened.getByRole('button', { name: 'Continue to Google' })
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await button.click()
}

test('default: refused, then signed in without a mailbox; sign-ins are added and removed, and the second login finds the wallet', async ({
  page,
}) => {
  test.slow()
  const modal = await openModal(page)
  const google = modal.getByRole('button', { name: 'Continue with Google' })
  await chooseAt(page, google, 'Do not allow it')
  await expect(modal.getByText('Not signed in')).toBeVisible()
  const tryAgain = modal.getByRole('button', { name: 'Try again' })
  const opened = await chooseAt(page, tryAgain, 'Sign in as ada')
  const frame = frameOf(page)
  await expect(frame.getByLabel('Printed kit')).toBeVisible()
  await expect(frame.getByText('By e-mail, with the operator’s help')).toBeHidden()
  await expect.poll(() => opened.isClosed()).toBe(true)
  await setUpKit(page)
  // A provider may sign in without asking, so the page has to.
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)

  await openSettings(page, 'Sign-ins')
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  // Without a mailbox, it is the provider that confirms.
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  await chooseAt(page, confirm, 'Sign in as ada')
  await chooseAt(
    page,
    frame.getByRole('button', { name: 'Continue with GitHub' }),
    'Sign in as grace',
  )
  await expect(frame.getByText('grace')).toBeVisible()
  await press(frame.locator('li', { hasText: 'Google' }).getByRole('button', { name: 'Remove' }))
  await chooseAt(page, confirm, 'Sign in as ada')
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await signOut(page)

  await openModal(page)
  await modal.getByRole('button', { name: 'All ways to sign in' }).click()
  await chooseAt(page, modal.getByRole('button', { name: 'GitHub' }), 'Sign in as grace')
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  expect(await readAddress(page)).toBe(address)
})

const providers = ['Google', 'X', 'Discord', 'GitHub', 'Apple', 'Facebook'] as const

const somebody = () => `p${crypto.randomUUID().slice(0, 8)}`

/** Presses a button, and signs in as somebody of this name on the page of the provider whose window that opens. */
async function signInAs(page: Page, button: Locator, name: string): Promise<void> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), press(button)])
  await opened.getByLabel('Somebody else').fill(name)
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens the modal on the list of providers, and finds one there. */
async function findProvider(page: Page, provider: string): Promise<Locator> {
  const modal = await openModal(page)
  await modal.getByRole('button', { name: 'All ways to sign in' }).click()
  return modal.getByRole('listitem').getByRole('button', { name: provider, exact: true })
}

for (const provider of providers)
  test(`error: ${provider}: a blocked window, one that was closed, a failure and a refusal; then somebody new signs in`, async ({
    page,
  }) => {
    const modal = page.getByRole('dialog')
    const row = await findProvider(page, provider)
    await expect(row).toBeVisible()
    await page.evaluate(() => {
      const { open } = window
      window.open = () => {
        window.open = open
        return null
      }
    })
    await row.click()
    await expect(modal.getByText('The window was blocked')).toBeVisible()
    const button = modal.getByRole('button', { name: 'Open the window' })
    const [opened] = await Promise.all([page.waitForEvent('popup'), button.click()])
    await expect(modal.getByText('Authenticating...')).toBeVisible()
    await opened.getByRole('heading', { name: `${provider}, for development` }).waitFor()
    await opened.close()
    await expect(modal.getByText(`The window of ${provider} looks closed.`)).toBeVisible()
    const tryAgain = modal.getByRole('button', { name: 'Try again' })
    await chooseAt(page, tryAgain, `Fail, as if ${provider} had an error`)
    await expect(modal.getByText('The sign-in did not work')).toBeVisible()
    await chooseAt(page, tryAgain, 'Do not allow it')
    await expect(modal.getByText('Not signed in')).toBeVisible()
    await signInAs(page, tryAgain, somebody())
    await expect(frameOf(page).getByLabel('Printed kit')).toBeVisible()
  })

// A browser may begin twenty sign-ins in an hour.
for (const others of [['X', 'Discord', 'GitHub'] as const, ['Apple', 'Facebook'] as const])
  test(`default: ${others.join(', ')} are added, find the wallet at the next login, and are removed`, async ({
    page,
  }) => {
    test.slow()
    const frame = frameOf(page)
    const show = () => press(frame.getByRole('button', { name: 'Show', exact: true }))
    const owner = somebody()
    await signInAs(page, await findProvider(page, 'Google'), owner)
    await setUpKit(page)
    await show()
    const address = await readAddress(page)
    const added = others.map((provider) => ({ provider, name: somebody() }))
    const confirm = frame.getByRole('button', { name: 'Continue with Google' })
    const row = (name: string) =>
      frame.getByRole('listitem').filter({ hasText: new RegExp(name, 'i') })

    await openSettings(page, 'Sign-ins')
    for (const { provider, name } of added) {
      await press(frame.getByRole('button', { name: `Add ${provider}`, exact: true }))
      await signInAs(page, confirm, owner)
      await signInAs(page, frame.getByRole('button', { name: `Continue with ${provider}` }), name)
      await expect(row(name)).toBeVisible()
    }
    await page.keyboard.press('Escape')
    for (const { provider, name } of added) {
      await page.reload()
      await signOut(page)
      await signInAs(page, await findProvider(page, provider), name)
      await show()
      expect(await readAddress(page)).toBe(address)
    }
    await openSettings(page, 'Sign-ins')
    for (const { name } of added) {
      await press(row(name).getByRole('button', { name: 'Remove' }))
      await signInAs(page, confirm, owner)
      await expect(row(name)).toBeHidden()
    }
    await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
  })

test('default: an account without a mailbox adds one, confirmed at its provider, and signs in with it elsewhere', async ({
  page,
  device,
}) => {
  test.slow()
  const frame = frameOf(page)
  const [owner, email] = [somebody(), someEmail()]
  const hasAnnounced = await noteMessages(page)
  await signInAs(page, await findProvider(page, 'Google'), owner)
  const kit = await setUpKit(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: 'E-mail Add an address' }).click()
  await modal.getByLabel('E-mail address').fill(email)
  await modal.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByText('Add this e-mail address to your account')).toBeVisible()
  await expect(frame.getByText(email)).toBeVisible()
  await holdToApprove(page, 'add it')
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  await expect(frame.getByText(email)).toBeVisible()
  await signInAs(page, confirm, owner)
  await typeCode(frame, await readCode(email))
  await hasAnnounced('E-mail address added')
  await expect(modal.getByRole('button', { name: `E-mail ${email}` })).toBeVisible()
  const other = await device()
  await logIn(other, email)
  await openWithKit(other, kit)
  expect(await readAddress(other)).toBe(address)
})

test('behavior: a passkey that is new adds an address, but the sign-in from before the address removes it', async ({
  page,
}) => {
  test.slow()
  await plugPasskeys(page)
  const frame = frameOf(page)
  const [owner, email] = [somebody(), someEmail()]
  const hasAnnounced = await noteMessages(page)
  await signInAs(page, await findProvider(page, 'Google'), owner)
  await expect(frame.getByLabel('Passkey')).toBeChecked()
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: 'E-mail Add an address' }).click()
  await modal.getByLabel('E-mail address').fill(email)
  await modal.getByRole('button', { name: 'Continue' }).click()
  await holdToApprove(page, 'add it')
  await press(frame.getByRole('button', { name: 'Use your passkey' }))
  await typeCode(frame, await readCode(email))
  await hasAnnounced('E-mail address added')
  await page.keyboard.press('Escape')

  await openSettings(page, 'Sign-ins')
  const row = frame.getByRole('listitem').filter({ hasText: email })
  await press(row.getByRole('button', { name: 'Remove' }))
  await expect(frame.getByText('or a passkey that is three days old, confirms this')).toBeVisible()
  await expect(frame.getByRole('button', { name: 'Use your passkey' })).toBeHidden()
  await signInAs(page, frame.getByRole('button', { name: 'Continue with Google' }), owner)
  await expect(row).toBeHidden()
  await page.keyboard.press('Escape')
  expect(await readAddress(page)).toBe(address)
})

test('row 32: a blocked window goes on in the tab, and comes back to the same page; one that is cut off from its page brings the login back', async ({
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
  const goOn = async (choice: string) => {
    await modal.getByRole('button', { name: 'Go on in this tab' }).click()
    await goToGoogle(page)
    await page.getByRole('button', { name: choice }).click()
    await page.waitForURL(start)
  }
  await modal.getByRole('button', { name: 'Continue with Google' }).click()
  await goOn('Do not allow it')
  await expect(modal.getByText('Not signed in')).toBeVisible()
  await modal.getByRole('button', { name: 'Try again' }).click()
  await goOn('Sign in as linus')
  const frame = frameOf(page)
  // Nobody could see the frame on the way, so it says who has come back.
  await expect(frame.getByText('You are signed in as Linus')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await expect(frame.getByLabel('Printed kit')).toBeVisible()

  // A window that cannot reach its page, as on one with `Cross-Origin-Opener-Policy: same-origin`, carries the login back by itself.
  await page.goto('about:blank')
  await context.addInitScript(() => {
    if (location.pathname === '/social') Object.defineProperty(window, 'opener', { value: null })
  })
  const google = (await openModal(page)).getByRole('button', { name: 'Continue with Google' })
  const [opened] = await Promise.all([page.waitForEvent('popup'), google.click()])
  await goToGoogle(opened)
  await opened.getByRole('button', { name: 'Sign in as linus' }).click()
  await expect(frame.getByLabel('Printed kit')).toBeVisible()
  await expect.poll(() => opened.isClosed()).toBe(true)
})

/** Serves the web app as a site does that separates itself from every window. */
async function cutOff(context: BrowserContext) {
  // A page that a test serves is not known to be of this machine, as its scripts and frames are.
  await context.grantPermissions(['local-network-access'], { origin: stack.urls.web })
  await context.route(`${stack.urls.web}/**`, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' }
    await route.fulfill({ response, headers })
  })
}

/** Presses a button of the frame, and chooses in the window that opens, which the page does not hear of. */
async function chooseApart(page: Page, button: Locator, choose: (opened: Page) => Promise<void>) {
  const opening = page.context().waitForEvent('page')
  await press(button)
  const opened = await opening
  await choose(opened)
  return opened
}

const signInAsSomebody = (name: string) => async (opened: Page) => {
  await opened.getByLabel('Somebody else').fill(name)
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('row 32: on a page with `Cross-Origin-Opener-Policy: same-origin` a sign-in, its confirmations and another sign-in work; a window that was closed is opened again', async ({
  page,
  context,
}) => {
  test.slow()
  await cutOff(context)
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
  // Closed before it has met the frame, and after.
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
  await expect(frame.getByText('If you have closed it, start again.')).toBeVisible()
  await press(again)
  const confirmed = await chooseApart(page, confirm, signInAsSomebody(owner))
  await expect.poll(() => confirmed.isClosed()).toBe(true)
  const github = frame.getByRole('button', { name: 'Continue with GitHub' })
  // Refused, then by somebody.
  await chooseApart(page, github, (opened) =>
    opened.getByRole('button', { name: 'Do not allow it' }).click(),
  )
  await expect(frame.getByText('You did not allow the sign-in.')).toBeVisible()
  await chooseApart(page, github, signInAsSomebody(added))
  const row = frame.getByRole('listitem').filter({ hasText: new RegExp(added, 'i') })
  await expect(row).toBeVisible()
  await press(row.getByRole('button', { name: 'Remove' }))
  await chooseApart(page, confirm, signInAsSomebody(somebody()))
  await expect(frame.getByText('That is not a sign-in of this account.')).toBeVisible()
  await chooseApart(page, confirm, signInAsSomebody(owner))
  await expect(row).toBeHidden()
  await page.keyboard.press('Escape')
  expect(await readAddress(page)).toBe(address)
})

test('row 17: the address of a window that confirms opens nothing in another browser, from another page or by itself', async ({
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
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  const inner = page.frames().find((each) => each.url().startsWith(`${stack.urls.frame}/f/`))
  // Everything of the window but the window.
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
    await expect(opened.getByText('This sign-in was not begun here, or has ended.')).toBeVisible()
    await opened.close()
  }
  const other = await device()
  await other.goto(stolen)
  await refused(other)
  // The person follows a link, types it, or this page and another one open it.
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
  // Nobody has taken the question: the frame still waits, and another window confirms.
  await expect(frame.getByText('If none has opened, allow pop-ups')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Start again' }))
  await chooseApart(page, confirm, signInAsSomebody(owner))
  await expect(frame.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
})

test('row 17: the page of sign-ins opens no confirmation of somebody else, and hands none to the page that opened it', async ({
  page,
  context,
  device,
}) => {
  test.slow()
  const attacker = await device()
  const owner = somebody()
  await signInAs(attacker, await findProvider(attacker, 'Google'), owner)
  await setUpKit(attacker)
  await press(frameOf(attacker).getByRole('button', { name: 'Show', exact: true }))
  await openSettings(attacker, 'Sign-ins')
  const begun = attacker.waitForResponse(
    (response) => response.url().endsWith('/api/social/start') && response.ok(),
  )
  await press(frameOf(attacker).getByRole('button', { name: 'Add GitHub' }))
  const { tx } = (await (await begun).json()) as { tx: string }

  await page.goto(stack.urls.web)
  const address = `${stack.urls.frame}/social#${tx}.${encodeURIComponent(stack.urls.web)}`
  const opening = context.waitForEvent('page')
  await page.evaluate((url) => void Object.assign(window, { opened: window.open(url) }), address)
  const opened = await opening
  const lead = (url: string) =>
    page.evaluate((to) => {
      const { opened } = window as unknown as { opened: Window }
      opened.location.href = to
    }, url)
  await expect(opened.getByText('This login has ended. Start again')).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Continue to Google' })).toBeHidden()
  await lead(`${stack.urls.frame}/oauth/start`)
  await expect(opened.getByText('This sign-in was not begun here, or has ended.')).toBeVisible()
  const closed = opened.waitForEvent('close')
  await lead(`${stack.urls.frame}/social?x#done`)
  // It had nothing to bring back.
  await closed
})

test('default: the page of the phrase, which is apart from every window, signs in at a provider', async ({
  page,
  context,
}) => {
  test.slow()
  const frame = frameOf(page)
  const owner = somebody()
  await signInAs(page, await findProvider(page, 'Google'), owner)
  await setUpKit(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await openSettings(page, 'Recovery phrase')
  const opening = context.waitForEvent('page')
  await press(frame.getByRole('button', { name: 'Open the tab' }))
  const phrase = await opening
  await phrase.getByRole('button', { name: 'Sign in another way' }).click()
  await chooseApart(
    phrase,
    phrase.getByRole('button', { name: 'Continue with Google' }),
    signInAsSomebody(owner),
  )
  await expect(phrase.getByText('Anyone who has these 24 words')).toBeVisible()
})

test('default: Farcaster has a code: refused, then signed by its app, which also confirms', async ({
  page,
  context,
}) => {
  const modal = await openModal(page)
  await modal.getByRole('button', { name: 'All ways to sign in' }).click()
  await modal.getByRole('button', { name: 'Farcaster' }).click()
  const answer = async (choice: string) => {
    await expect(modal.getByRole('img', { name: 'QR code for your Farcaster app' })).toBeVisible()
    const button = modal.getByRole('button', { name: 'Open Farcaster' })
    const [opened] = await Promise.all([context.waitForEvent('page'), button.click()])
    await opened.getByRole('button', { name: choice }).click()
    await opened.getByText('Done.').waitFor()
    await opened.close()
  }
  await answer('Do not allow it')
  await expect(modal.getByText('The sign-in did not work')).toBeVisible()
  await modal.getByRole('button', { name: 'Try again' }).click()
  await answer('Sign in as grace (fid 2)')
  await setUpKit(page)
  const frame = frameOf(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await openSettings(page, 'Sign-ins')
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  const confirm = frame.getByRole('button', { name: 'Continue with Farcaster' })
  const app = await chooseApart(page, confirm, (opened) =>
    opened.getByRole('button', { name: 'Sign in as grace (fid 2)' }).click(),
  )
  await expect(frame.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
  await expect.poll(() => app.isClosed()).toBe(true)
})

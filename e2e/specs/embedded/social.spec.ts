import type { Locator, Page } from '@playwright/test'
import {
  expect,
  frameOf,
  openSettings,
  press,
  readAddress,
  setUpKit,
  signOut,
  stack,
  test,
} from '../../embedded.ts'

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
  const [opened] = await Promise.all([page.waitForEvent('popup'), button.click()])
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
  const [opened] = await Promise.all([page.waitForEvent('popup'), button.click()])
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

test('default: Farcaster has a code: refused, then signed by its app', async ({
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
  await expect(frameOf(page).getByLabel('Printed kit')).toBeVisible()
})

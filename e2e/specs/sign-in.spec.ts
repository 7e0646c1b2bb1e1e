import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, expect, stack, test } from '../fixtures.ts'
import { noteMessages } from '../noteMessages.ts'
import { openOtherOrigin } from '../otherOrigin.ts'
import {
  connectSignedIn,
  connectToSignIn,
  endAtServer,
  passLifetime,
  requireSignIn,
} from '../requireSignIn.ts'

test('default: a signature opens a session, which a reload and another network keep', async ({
  page,
}) => {
  const { dialog } = await connectSignedIn(page)
  await page.reload()
  await openDeveloperPage(page)
  const session = section(page, 'Session')
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await expect(session.locator('pre')).toContainText(
    'wants you to sign in with your Ethereum account',
  )
  await page
    .getByRole('button', { name: /^Network: Latchkey One/ })
    .first()
    .click()
  await answer(page, 'approve', () => dialog.getByRole('button', { name: /Latchkey Two/ }).click())
  await expect(page.getByRole('button', { name: /^Network: Latchkey Two/ }).first()).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await session.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('error: a declined signature is said, and cancelling disconnects', async ({ page }) => {
  const hasAnnounced = await noteMessages(page)
  const { dialog, signIn } = await connectToSignIn(page)
  await answer(page, 'reject', () => signIn.click())
  await hasAnnounced('Signature declined')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('behavior: where a sign-in is optional, whoever cancels stays connected and is not asked after a reload', async ({
  page,
}) => {
  const { dialog, signIn } = await connectToSignIn(page, { signIn: 'optional' })
  await expect(signIn).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await openDeveloperPage(page)
  const session = section(page, 'Session')
  await expect(session.getByRole('status')).toHaveText('Not signed in')
  await expect(dialog).toBeHidden()
})

test('behavior: of two tabs one asks; signing in there closes the question in the other, and signing out ends both', async ({
  page,
  context,
}) => {
  const { signIn } = await connectToSignIn(page)
  await expect(signIn).toBeVisible()
  const other = await context.newPage()
  await requireSignIn(other)
  await other.goto(stack.urls.web)
  const otherDialog = other.getByRole('dialog')
  await expect(otherDialog.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await page.bringToFront()
  await answer(page, 'approve', () => signIn.click())
  await expect(otherDialog).toBeHidden()
  await openDeveloperPage(other)
  const session = section(other, 'Session')
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await session.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [page, other])
    await expect(tab.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('behavior: a list of the sign-ins ends those of other browsers; one that has ended is asked for again', async ({
  page,
  browser,
}) => {
  const elsewhere = await browser.newContext()
  const far = await elsewhere.newPage()
  for (const one of [far, page]) {
    const { dialog, signIn } = await connectToSignIn(one)
    await answer(one, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
  }
  const account = page.getByRole('button', { name: /^Account 0xf3/i }).first()
  await account.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign-ins' }).click()
  const others = dialog.getByRole('button', { name: 'Sign out everywhere else' })
  await expect(others).toBeVisible()
  await expect(dialog.getByText('This browser')).toBeVisible()
  await others.click()
  await expect(others).toBeHidden()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await far.reload()
  await expect(
    far.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }),
  ).toBeVisible()
  await elsewhere.close()
})

test.describe('a sign-in whose time is over', () => {
  // What the server answers to who asks with it.
  test.use({ allowedErrors: [/status of 401 .*\/v1\/siwx\/session/] })

  test('behavior: where it is required, it is asked for again on the open page, and after a reload', async ({
    page,
  }) => {
    await page.clock.install()
    const { dialog, signIn } = await connectSignedIn(page)
    await endAtServer(page)
    await passLifetime(page, signIn)
    await page.keyboard.press('Escape')
    await answer(page, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
    await endAtServer(page)
    await page.reload()
    await expect(signIn).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  })

  test('behavior: where it is optional, the page says so, interrupts nobody, and asks when it is wanted', async ({
    page,
  }) => {
    await page.clock.install()
    const { dialog, signIn } = await connectSignedIn(page, { signIn: 'optional' })
    await openDeveloperPage(page)
    const session = section(page, 'Session')
    await expect(session.getByRole('status')).toHaveText('Signed in')
    await endAtServer(page)
    await passLifetime(page, session.getByText('Not signed in'))
    await expect(dialog).toBeHidden()
    await session.getByRole('button', { name: 'Sign in' }).click()
    await answer(page, 'approve', () => signIn.click())
    await expect(session.getByRole('status')).toHaveText('Signed in')
    await endAtServer(page)
    await page.reload()
    await expect(session.getByRole('status')).toHaveText('Not signed in')
    await expect(dialog).toBeHidden()
  })
})

const json = { 'content-type': 'application/json' }

test('behavior: an older client on a page of another origin signs in by the routes that it knows', async ({
  page,
}) => {
  const { ask, sign, account, close } = await openOtherOrigin(page)
  const { nonce, token: proof } = (await ask('/auth/v1/nonce')).body
  const { token } = (
    await ask('/auth/v1/authenticate', {
      method: 'POST',
      headers: { ...json, 'x-nonce-jwt': `Bearer ${proof}` },
      body: JSON.stringify(await sign(nonce)),
    })
  ).body
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('/auth/v1/me', { headers })).body).toMatchObject({ address: account.address })
  expect((await ask('/auth/v1/sign-out', { method: 'POST', headers })).body).toEqual({
    status: 'SUCCESS',
  })
  close()
})

import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, expect, test } from '../fixtures.ts'
import { noteMessages } from '../noteMessages.ts'
import { openOtherOrigin } from '../otherOrigin.ts'
import { connectToSignIn, endAtServer, passLifetime } from '../requireSignIn.ts'

// Required sign-ins, for each namespace: `namespaces-sign-in.spec.ts`.

test('error: a declined signature shows an error, and Cancel disconnects', async ({ page }) => {
  const hasAnnounced = await noteMessages(page)
  const { dialog, signIn } = await connectToSignIn(page)
  await answer(page, 'reject', () => signIn.click())
  await hasAnnounced('Signature declined')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('behavior: the list ends sign-ins of other browsers; an ended sign-in is requested again', async ({
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

test.describe('a sign-in that is optional', () => {
  // The server's response to a request with the ended sign-in.
  test.use({ allowedErrors: [/status of 401 .*\/v1\/siwx\/session/] })

  test('behavior: a canceled optional sign-in leaves the wallet connected, also after it has expired', async ({
    page,
  }) => {
    await page.clock.install()
    const { dialog, signIn } = await connectToSignIn(page, { signIn: 'optional' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await page.reload()
    await openDeveloperPage(page)
    const session = section(page, 'Session')
    await expect(session.getByRole('status')).toHaveText('Not signed in')
    await expect(dialog).toBeHidden()
    await session.getByRole('button', { name: 'Sign in' }).click()
    await answer(page, 'approve', () => signIn.click())
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

test('behavior: an older client on a page of another origin signs in through the older routes', async ({
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

import { openDeveloperPage, section } from '../../developerPage.ts'
import { expect, pageOf, test } from '../../fixtures.ts'
import { requireSignIn } from '../../requireSignIn.ts'
import { account, decide, openCode, pair, scan } from '../../walletConnect.ts'

test('default: one approval connects and signs in, also if the page is reloaded in between', async ({
  page,
  wallet,
}) => {
  await requireSignIn(page)
  await page.goto(pageOf('/developer'))
  await openCode(page)
  await pair(wallet, await scan(page), 'sign-in')
  const request = wallet.getByTestId('sign-in')
  await expect(request).toContainText('I further authorize the stated URI')
  await page.reload()
  await decide(wallet, 'sign-in', 'approve')
  await expect(account(page)).toBeVisible()
  await openDeveloperPage(page)
  const session = section(page, 'Session')
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await expect(session.locator('pre')).toContainText('- urn:recap:')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('error: a refusal on the phone connects no account', async ({ page, wallet }) => {
  await requireSignIn(page)
  await page.goto(pageOf('/developer'))
  const dialog = await openCode(page)
  await pair(wallet, await scan(page), 'sign-in')
  await decide(wallet, 'sign-in', 'reject')
  await expect(dialog.getByText('Connection declined')).toBeVisible()
})

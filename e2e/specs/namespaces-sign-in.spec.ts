import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, expect, stack, test } from '../fixtures.ts'
import { requireSignIn } from '../requireSignIn.ts'

for (const namespace of ['Solana', 'Bitcoin', 'Polkadot'] as const)
  test(`default: an account of ${namespace} signs in, stays so after a reload, and signs out`, async ({
    page,
  }) => {
    await requireSignIn(page)
    await page.goto(stack.urls.web)
    await page.getByRole('button', { name: 'Connect wallet' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click()
    const choice = dialog.getByRole('button', { name: new RegExp(`^${namespace}`) })
    await answer(page, 'approve', () => choice.click())
    // Solana's wallets connect and sign in with one approval.
    if (namespace !== 'Solana')
      await answer(page, 'approve', () =>
        dialog.getByRole('button', { name: 'Sign in', exact: true }).click(),
      )
    await expect(dialog).toBeHidden()
    await page.reload()
    await openDeveloperPage(page)
    const session = section(page, 'Session')
    await expect(session.getByRole('status')).toHaveText('Signed in')
    await expect(session.locator('pre')).toContainText(
      `wants you to sign in with your ${namespace} account`,
    )
    await session.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  })

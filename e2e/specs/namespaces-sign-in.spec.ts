import type { Page } from '@playwright/test'
import { approveWallet, selectNetwork } from '../connectOn.ts'
import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, expect, stack, test } from '../fixtures.ts'
import { endAtServer, passLifetime, requireSignIn } from '../requireSignIn.ts'

// The page requests Solana Devnet from the server before it knows that the server does not serve
// it.
test.use({ allowedErrors: [/chainId=solana%3AEtWTRABZ/] })

/** All namespaces except EVM, whose other sign-ins are in `sign-in.spec.ts`. */
const namespaces = ['Solana', 'Bitcoin', 'Polkadot'] as const

const startButton = (page: Page) => page.getByRole('button', { name: 'Connect wallet' }).first()
const signInButton = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true })

/** Whether a wallet of the namespace skips its prompt for a page that it already allows. */
const isRemembered = (namespace: string) => namespace === 'Polkadot'

/** Connects an account of a namespace. */
async function connect(
  page: Page,
  namespace: string,
  { isAllowed = false, network = networks[namespace]?.[0] } = {},
) {
  await selectNetwork(page, network ?? 'Latchkey Bitcoin')
  if (!isAllowed) return approveWallet(page)
  await startButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click()
  return dialog
}

/** Connects an account of a namespace, and signs in. */
async function connectAndSignIn(
  page: Page,
  namespace: string,
  options?: Parameters<typeof connect>[2],
) {
  const dialog = await connect(page, namespace, options)
  // Solana's wallets connect and sign in with one approval.
  if (namespace !== 'Solana') await answer(page, 'approve', () => signInButton(page).click())
  await expect(dialog).toBeHidden()
}

/**
 * Two networks of each namespace. An address of Bitcoin belongs to one network, so its accounts
 * cannot switch.
 */
const networks: Record<string, readonly [string, string]> = {
  EVM: ['Latchkey One', 'Latchkey Two'],
  Solana: ['Latchkey Solana', 'Solana Devnet'],
  Polkadot: ['Westend', 'Kusama'],
}

async function switchNetwork(page: Page, namespace: string, [from, to]: readonly [string, string]) {
  const shown = (name: string) => page.getByRole('button', { name: `Network: ${name}` }).first()
  await shown(from).click()
  const row = page.getByRole('dialog').getByRole('button', { name: to })
  // EVM wallets prompt for a switch; wallets of other namespaces have all networks at once.
  await (namespace === 'EVM' ? answer(page, 'approve', () => row.click()) : row.click())
  await expect(shown(to)).toBeVisible()
}

test.describe('an expired sign-in', () => {
  // Also the server's response to a request with the expired sign-in.
  test.use({ allowedErrors: [/chainId=solana%3AEtWTRABZ|status of 401 .*\/v1\/siwx\/session/] })

  for (const namespace of ['EVM', ...namespaces])
    test(`default: an account of ${namespace} stays signed in after a reload, and tabs sign in and out together`, async ({
      page,
      context,
    }) => {
      test.slow()
      await page.clock.install()
      await requireSignIn(page)
      await page.goto(stack.urls.web)
      await connectAndSignIn(page, namespace)
      await page.reload()
      await openDeveloperPage(page)
      const session = section(page, 'Session')
      await expect(session.getByRole('status')).toHaveText('Signed in')
      const named = namespace === 'EVM' ? 'Ethereum' : namespace
      await expect(session.locator('pre')).toContainText(
        `wants you to sign in with your ${named} account`,
      )
      if (networks[namespace]) {
        await switchNetwork(page, namespace, networks[namespace])
        await expect(page.getByRole('dialog')).toBeHidden()
        await expect(session.getByRole('status')).toHaveText('Signed in')
      }

      await endAtServer(page)
      await passLifetime(page, signInButton(page))
      await page.keyboard.press('Escape')
      const other = await context.newPage()
      await requireSignIn(other)
      await other.goto(stack.urls.web)
      await expect(signInButton(other)).toBeVisible()
      await page.bringToFront()
      await answer(page, 'approve', () => signInButton(page).click())
      for (const tab of [page, other]) await expect(tab.getByRole('dialog')).toBeHidden()
      await openDeveloperPage(other)
      const otherSession = section(other, 'Session')
      await expect(otherSession.getByRole('status')).toHaveText('Signed in')
      await otherSession.getByRole('button', { name: 'Sign out' }).click()
      for (const tab of [page, other]) await expect(startButton(tab)).toBeVisible()

      const isAllowed = isRemembered(namespace)
      // The network that an EVM wallet has by now: another would need a switch.
      const network = networks[namespace]?.[namespace === 'EVM' ? 1 : 0]
      await connectAndSignIn(page, namespace, { isAllowed, ...(network && { network }) })
      await endAtServer(page)
      await page.reload()
      await expect(signInButton(page)).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      for (const tab of [page, other]) await expect(startButton(tab)).toBeVisible()
    })

  for (const namespace of namespaces)
    test(`param: signIn: optional: an account of ${namespace} that cancels is prompted again only on request`, async ({
      page,
    }) => {
      await page.clock.install()
      await requireSignIn(page, { signIn: 'optional' })
      await page.goto(stack.urls.web)
      const dialog = await connect(page, namespace)
      const session = section(page, 'Session')
      if (namespace === 'Solana') {
        // It signed in with the approval of the connection: after a sign-out the user is prompted
        // when the page requests it.
        await openDeveloperPage(page)
        await session.getByRole('button', { name: 'Sign out' }).click()
        await session.getByRole('button', { name: 'Sign in' }).click()
      }
      await expect(signInButton(page)).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toBeHidden()
      await page.reload()
      await openDeveloperPage(page)
      await expect(session.getByRole('status')).toHaveText('Not signed in')
      await expect(dialog).toBeHidden()
      await session.getByRole('button', { name: 'Sign in' }).click()
      await answer(page, 'approve', () => signInButton(page).click())
      await expect(session.getByRole('status')).toHaveText('Signed in')
      await endAtServer(page)
      await passLifetime(page, session.getByText('Not signed in'))
      await expect(dialog).toBeHidden()
    })
})

for (const [namespace, [first, second]] of Object.entries(networks))
  test(`param: signInPer: network: an account of ${namespace} signs in once on each network`, async ({
    page,
  }) => {
    await requireSignIn(page, { signInPer: 'network' })
    await page.goto(stack.urls.web)
    await connectAndSignIn(page, namespace)
    await openDeveloperPage(page)
    const session = section(page, 'Session')
    const message = session.locator('pre')
    const signedFirst = (await message.textContent()) ?? ''
    await switchNetwork(page, namespace, [first, second])
    await answer(page, 'approve', () => signInButton(page).click())
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(message).not.toHaveText(signedFirst)
    await switchNetwork(page, namespace, [second, first])
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(message).toHaveText(signedFirst)
  })

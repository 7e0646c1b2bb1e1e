import type { Page } from '@playwright/test'
import { approveWallet, connectOn } from '../connectOn.ts'
import { askToSign, openDeveloperPage } from '../developerPage.ts'
import { answer, answerIn, expect, rpc, stack, test } from '../fixtures.ts'
import { decide, openCode, pair, scan } from '../walletConnect.ts'

const chain = 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU'
// The first of the development accounts, and a receiver that no other test uses.
const own = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
const receiver = '9u9uNb5uVbYsYP4SKgeFYFMrMjXgLnP6WpTLQvu7ryey'

const account = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()
const ownSolana = /^Account oeYf…A9kq96/
const ownEvm = /^Account 0xf3…b92266/i
const ownPolkadot = /^Account 5Grw…GKutQY/
const ownBitcoin = /^Account bcrt…wjpnuw/

async function connectSolana(page: Page) {
  const dialog = await connectOn(page, 'Latchkey Solana')
  await expect(account(page, ownSolana)).toBeVisible()
  return dialog
}

/** The on-chain balance of an account, in lamports. */
const lamportsOf = async (address: string) =>
  (await rpc<{ value: number }>(chain, 'getBalance', [address])).value

test('default: connects, shows the assets, sends, lists the transaction, stays after a reload, disconnects', async ({
  page,
}) => {
  const dialog = await connectSolana(page)
  const main = page.getByRole('main')
  await expect(main.getByText('Dev USD').first()).toBeVisible()
  await expect(main.getByText('Dev Fee').first()).toBeVisible()
  await expect(account(page, ownSolana)).toContainText(' SOL')

  const before = await lamportsOf(receiver)
  await account(page, ownSolana).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('Amount').fill('0.25')
  await dialog.getByLabel('To', { exact: true }).fill(receiver)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText(own)).toBeVisible()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  expect((await lamportsOf(receiver)) - before).toBe(250_000_000)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem')
  await expect(rows.first()).toContainText('−0.25 SOL')

  await page.reload()
  await expect(account(page, ownSolana)).toBeVisible()
  await account(page, ownSolana).click()
  await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('default: SOL and a token are bought at the checkout, and arrive', async ({ page }) => {
  const dialog = await connectSolana(page)
  const before = await lamportsOf(own)
  for (const [token, arrived] of [
    [/Solana/, '0.985 SOL arrived'],
    [/Dev USD/, '147.75 dUSD arrived'],
  ] as const) {
    await account(page, ownSolana).click()
    await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
    await dialog.getByRole('button', { name: /^Token: / }).click()
    await dialog.getByRole('button', { name: token }).click()
    await dialog.getByRole('textbox', { name: 'You pay' }).fill('150')
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Continue to Latchkey Checkout' }).click()
    await (await opened).getByRole('button', { name: /is paid at once/ }).click()
    await expect(dialog.getByText(arrived)).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  expect((await lamportsOf(own)) - before).toBe(985_000_000)
  const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem')
  for (const bought of ['0.985 SOL', '147.75 dUSD'])
    await expect(rows.filter({ hasText: bought }).first()).toContainText('Bought')
})

test('default: a message is signed, and another library verifies it; a declined signature shows an error', async ({
  page,
}) => {
  await connectSolana(page)
  await openDeveloperPage(page)
  const form = await (async () => {
    const asked = page.waitForEvent('popup')
    const form = await askToSign(page, 'Hello from Solana')
    const popup = await asked
    await expect(popup.getByText('Hello from Solana')).toBeVisible()
    await answerIn(popup, 'approve')
    return form
  })()
  await expect(form.getByText('Valid: signed by oeYf…A9kq96')).toBeVisible()
  await answer(page, 'reject', () => askToSign(page, 'Another one'))
  await expect(form.getByText('Valid: signed by oeYf…A9kq96')).toBeHidden()
})

test('default: Polkadot connects, shows that balances are not available, signs, and stays after a reload', async ({
  page,
}) => {
  const dialog = await connectOn(page, 'Westend')
  await expect(account(page, ownPolkadot)).toBeVisible()
  await expect(page.getByText('Balances are not available on Westend.')).toBeVisible()
  await openDeveloperPage(page)
  const asked = page.waitForEvent('popup')
  const form = await askToSign(page, 'Hello from Polkadot')
  const popup = await asked
  await expect(popup.getByText('Hello from Polkadot')).toBeVisible()
  await answerIn(popup, 'approve')
  await expect(form.getByText('Valid: signed by 5Grw…GKutQY')).toBeVisible()
  await page.reload()
  await account(page, ownPolkadot).click()
  await expect(dialog.getByText('Balances are not available on Westend')).toBeVisible()
  await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

/** Signs on the developer page, and verifies with another library that `signer` signed. */
async function signAs(page: Page, signer: string, message: string) {
  await openDeveloperPage(page)
  await answer(page, 'approve', () => askToSign(page, message))
  await expect(page.getByText(`Valid: signed by ${signer}`)).toBeVisible()
  await page.getByRole('link', { name: 'Portfolio' }).first().click()
}

/**
 * Switches in the view of networks to a network that the server does not serve, which the view
 * states.
 */
async function switchTo(page: Page, from: string, to: string) {
  const network = (name: string) => page.getByRole('button', { name: `Network: ${name}` }).first()
  await network(from).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: to }).click()
  await expect(dialog).toBeHidden()
  await expect(network(to)).toBeVisible()
  await expect(page.getByText(`Balances are not available on ${to}.`)).toBeVisible()
}

// After a reload the page requests the network before it knows that the server does not serve it.
test.describe(() => {
  test.use({ allowedErrors: [/chainId=solana%3AEtWTRABZ/] })

  test('behavior: another Solana network is one click away, and the wallet signs for it after a reload', async ({
    page,
  }) => {
    await connectSolana(page)
    await switchTo(page, 'Latchkey Solana', 'Solana Devnet')
    await page.reload()
    await expect(account(page, ownSolana)).toBeVisible()
    await signAs(page, 'oeYf…A9kq96', 'Hello from Devnet')
  })
})

test('behavior: on Polkadot another network is one click away, with the address that the account has there', async ({
  page,
}) => {
  await connectOn(page, 'Westend')
  await expect(account(page, ownPolkadot)).toBeVisible()
  await switchTo(page, 'Westend', 'Kusama')
  await page.reload()
  // The same key as 5Grw…GKutQY, with the prefix of Kusama.
  await expect(account(page, /^Account HNZa…Upf74F/)).toBeVisible()
  await signAs(page, 'HNZa…Upf74F', 'Hello from Kusama')
})

/** Chooses a namespace in the account view. */
async function chooseNamespace(page: Page, name: RegExp) {
  await page
    .getByRole('button', { name: /^Account / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  // The rows of tokens are buttons too, and may begin with the same word.
  const choice = dialog.getByRole('group').getByRole('button', { name })
  await choice.click()
  await expect(choice).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

const places = [
  { name: /^Ethereum & EVM/, own: ownEvm },
  { name: /^Solana/, own: ownSolana },
  { name: /^Polkadot/, own: ownPolkadot },
  { name: /^Bitcoin/, own: ownBitcoin },
]

/** Each namespace has its own address, and shows no other. */
async function checkPlaces(page: Page) {
  for (const { name, own } of places) {
    await chooseNamespace(page, name)
    await expect(account(page, own)).toBeVisible()
    for (const other of places)
      if (other.own !== own) await expect(account(page, other.own)).toBeHidden()
  }
}

/** Connects the account of the selected network, then the accounts of the other namespaces. */
async function connectAll(page: Page) {
  await page.goto(stack.urls.web)
  const dialog = await approveWallet(page)
  const windows: Page[] = []
  page.on('popup', (popup) => windows.push(popup))
  await expect(dialog).toBeHidden()
  await account(page, ownEvm).click()
  await dialog.getByRole('button', { name: /^Also connect/ }).click()
  await dialog.getByRole('button', { name: 'Connect all' }).click()
  for (const index of places.slice(1).keys()) {
    await expect.poll(() => windows.length).toBeGreaterThan(index)
    await answerIn(windows[index] as Page, 'approve')
  }
  await expect(dialog.getByRole('group').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('behavior: EVM, Solana, Polkadot and Bitcoin are connected at once, also after a reload', async ({
  page,
}) => {
  await connectAll(page)
  await checkPlaces(page)
  await page.reload()
  await checkPlaces(page)
})

test('behavior: the portfolio adds up all accounts, and shows each; the richest is selected', async ({
  page,
}) => {
  await connectAll(page)
  await expect(account(page, ownEvm)).toBeVisible()
  const sum = page.locator('.worth .sum')
  const readCents = async () => {
    await expect(sum).toHaveText(/^\$[\d,]+\.\d\d$/)
    return Number((await sum.textContent())?.replace(/[$,.]/g, ''))
  }
  await expect(page.getByRole('heading', { name: /^Total of \d accounts/ })).toBeVisible()
  const all = await readCents()
  // An account without a price has no value.
  const chips = page.getByRole('group', { name: 'Accounts' }).getByRole('button')
  const valued = chips.filter({ hasText: '$' })
  await expect.poll(() => valued.count()).toBeGreaterThan(1)
  let added = 0
  for (const chip of (await valued.all()).slice(1)) {
    await chip.click()
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('heading', { name: 'Total value' })).toBeVisible()
    added += await readCents()
  }
  // Each total is truncated to cents.
  expect(Math.abs(all - added)).toBeLessThanOrEqual(4)
  await chips.first().click()
  expect(await readCents()).toBe(all)
})

test('behavior: one WalletConnect session of all of them, in which each signs', async ({
  page,
  wallet: phone,
}) => {
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  await pair(phone, await scan(page))
  await decide(phone, 'proposal', 'approve')
  await expect(dialog).toBeHidden()
  await checkPlaces(page)
  await openDeveloperPage(page)
  for (const [name, signer] of [
    [/^Polkadot/, '5Grw…GKutQY'],
    [/^Solana/, 'oeYf…A9kq96'],
    [/^Bitcoin/, 'bcrt…wjpnuw'],
  ] as const) {
    await chooseNamespace(page, name)
    const form = await askToSign(page, `Hello from ${signer}`)
    await expect(phone.getByTestId('details')).toContainText(`Hello from ${signer}`)
    await decide(phone, 'request', 'approve')
    await expect(form.getByText(`Valid: signed by ${signer}`)).toBeVisible()
  }
})

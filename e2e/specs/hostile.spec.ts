import { announce } from '../announced.ts'
import { expect, stack, test } from '../fixtures.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const wellBehaved = `
  if (method === 'eth_requestAccounts') { wallet.connected = true; return ['${account}'] }
  if (method === 'eth_accounts') return wallet.connected ? ['${account}'] : []
  if (method === 'eth_chainId') return wallet.chainId ?? '0x7a69'`

test('error: a script in name and icon stays text', async ({ page }) => {
  await announce(page, {
    name: '<img src=x onerror="window.pwned=1">\u202Eevil',
    icon: 'javascript:window.pwned=1',
    request: wellBehaved,
  })
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await expect(page.getByRole('dialog').getByText('<img src=x onerror=').first()).toBeVisible()
  expect(await page.evaluate('window.pwned')).toBeUndefined()
})

test('error: a wallet that answers garbage', async ({ page }) => {
  await announce(page, {
    name: 'Garbage Wallet',
    request: `return method === 'eth_accounts' ? [] : [{ not: 'an address' }]`,
  })
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Garbage Wallet/ })
    .click()
  await expect(
    page.getByRole('dialog').getByText('The wallet sent an invalid response'),
  ).toBeVisible()
})

test('behavior: a wallet that never answers can be left', async ({ page }) => {
  await announce(page, { name: 'Silent Wallet', request: 'return new Promise(() => {})' })
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Silent Wallet/ }).click()
  await expect(dialog.getByText('Continue in Silent Wallet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog.getByRole('button', { name: /Silent Wallet/ })).toBeVisible()
})

test('behavior: on an unsupported chain the modal only shows how to leave it', async ({ page }) => {
  await announce(page, { name: 'Roaming Wallet', request: wellBehaved })
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Roaming Wallet/ })
    .click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.evaluate(`testWallet.chainId = '0x539', testWallet.emit('chainChanged', '0x539')`)
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByText('This app does not support the network your wallet is on.', { exact: false }),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

for (const [name, script] of [
  [
    'corrupt',
    `for (const key of ['connections', 'recentWallets', 'activeChainId']) { localStorage.setItem('latchkey.' + key, '{"broken'); localStorage.setItem('latchkey.1.' + key, '[[[') }`,
  ],
  [
    'forbidden',
    `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
  ],
  [
    'full',
    `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`,
  ],
] as const) {
  test(`error: storage is ${name}, and connecting still works`, async ({ page }) => {
    await page.addInitScript(script)
    await announce(page, { name: 'Plain Wallet', request: wellBehaved })
    await page.goto(stack.urls.web)
    await page.getByRole('button', { name: 'Connect wallet' }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Plain Wallet/ })
      .click()
    await expect(page.getByRole('button', { name: /^Account 0x70…/ }).first()).toBeVisible()
  })
}

import type { BrowserContext, Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import { askToSign, openDeveloperPage, section } from '../../developerPage.ts'
import { test as base, expect, stack, watch } from '../../fixtures.ts'
import { dollarsOf, nativeOf } from '../../holdings.ts'
import { account, connectElsewhere, decide, network } from '../../walletConnect.ts'

const one = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
// The fourth of the development accounts: no other test of this suite sends to it.
const receiver = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

type Session = { app: BrowserContext; wallet: Page; check: () => void }

/** The tests share a session: each opens the app again in the browser that has it. */
const test = base.extend<object, { session: Session }>({
  session: [
    async ({ browser, placed: _ }, use, { project }) => {
      const { viewport, contextOptions } = project.use
      const open = async () => {
        const context = await browser.newContext({ viewport: viewport ?? null, ...contextOptions })
        return { context, check: watch(context, { errors: [], addresses: [] }) }
      }
      const [app, elsewhere] = [await open(), await open()]
      const [page, wallet] = [await app.context.newPage(), await elsewhere.context.newPage()]
      await wallet.goto(stack.urls.wallet)
      await wallet.getByTestId('pair').waitFor()
      await connectElsewhere(page, wallet)
      await page.close()
      const check = () => {
        app.check()
        elsewhere.check()
      }
      await use({ app: app.context, wallet, check })
      await app.context.close()
      await elsewhere.context.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ session: { app, check } }, use) => {
    const page = await app.newPage()
    await page.goto(stack.urls.web)
    await expect(account(page)).toBeVisible()
    await use(page)
    await page.close()
    check()
  },
  wallet: ({ session }, use) => use(session.wallet),
})

/** Fills in the modal's form and waits for the request in the wallet. */
async function askToSend(page: Page, parameters: { amount: string; token?: RegExp }) {
  await account(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  if (parameters.token) {
    await dialog.getByRole('button', { name: /^Token / }).click()
    await dialog.getByRole('button', { name: parameters.token }).click()
  }
  await dialog.getByLabel('Amount').fill(parameters.amount)
  await dialog.getByLabel('To', { exact: true }).fill(receiver)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  return dialog
}

test('default: signs a message and typed data; a declined signature shows an error', async ({
  page,
  wallet,
}) => {
  await openDeveloperPage(page)
  const message = 'Grüße über das Relais: <b>no markup</b>\nsecond line'
  const form = await askToSign(page, message)
  await expect(wallet.getByTestId('request').getByTestId('details')).toContainText('no markup')
  await decide(wallet, 'request', 'approve')
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
  const signature = (await form.locator('pre').textContent()) as `0x${string}`
  expect(await verifyMessage({ address: one, message, signature })).toBe(true)

  const typed = section(page, 'Sign typed data')
  await typed.getByRole('button', { name: 'Sign', exact: true }).click()
  await decide(wallet, 'request', 'approve')
  await expect(typed.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()

  await askToSign(page, 'No')
  await decide(wallet, 'request', 'reject')
  await expect(form.getByText('User rejected the request')).toBeVisible()
})

test('default: sends ETH and an ERC-20 token, and the chain has both', async ({ page, wallet }) => {
  const before = { native: await nativeOf(receiver), tokens: await dollarsOf(receiver) }
  await expect(account(page)).toContainText(' ETH')
  const shown = await account(page).textContent()

  const dialog = await askToSend(page, { amount: '1.25' })
  await expect(wallet.getByTestId('request').getByTestId('details')).toContainText('1.25')
  await decide(wallet, 'request', 'approve')
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await expect
    .poll(async () => (await nativeOf(receiver)) - before.native)
    .toBe(1_250_000_000_000_000_000n)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(account(page)).not.toHaveText(shown ?? '')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await askToSend(page, { amount: '3.210987', token: /dUSD/ })
  await decide(wallet, 'request', 'approve')
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await expect.poll(async () => (await dollarsOf(receiver)) - before.tokens).toBe(3_210_987n)
})

test('default: a batch is sent and its status reported, from the chain if the wallet does not have it', async ({
  page,
  wallet,
}) => {
  await openDeveloperPage(page)
  const form = section(page, 'Raw request')
  const ask = async (method: string, params: unknown) => {
    await form.getByLabel('Method').fill(method)
    await form.getByLabel('Parameters (JSON)').fill(JSON.stringify(params))
    await form.getByRole('button', { name: 'Request', exact: true }).click()
  }
  const answered = async (pattern: RegExp) => {
    await expect(form.locator('pre')).toHaveText(pattern)
    return JSON.parse((await form.locator('pre').textContent()) ?? '')
  }
  await ask('eth_getBlockByNumber', ['0x0', false])
  await answered(/"number": "0x0"/)

  const before = await nativeOf(receiver)
  const calls = ['0x7', '0x8'].map((value) => ({ to: receiver, value, data: '0x' }))
  await ask('wallet_sendCalls', [
    { version: '2.0.0', from: one, chainId: '0x7a69', atomicRequired: false, calls },
  ])
  await decide(wallet, 'request', 'approve')
  const { id } = await answered(/"id"/)
  await expect.poll(async () => (await nativeOf(receiver)) - before).toBe(15n)
  await ask('wallet_getCallsStatus', [id])
  await answered(/"status": 200/)
})

test('error: a declined transfer sends nothing and keeps the form', async ({ page, wallet }) => {
  const before = await nativeOf(receiver)
  const dialog = await askToSend(page, { amount: '2' })
  await decide(wallet, 'request', 'reject')
  await expect(dialog.getByText('You declined the transfer. Nothing was sent.')).toBeVisible()
  expect(await nativeOf(receiver)).toBe(before)
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('2')
})

test('behavior: the wallet is reloaded while a request waits, and it still waits', async ({
  page,
  wallet,
}) => {
  await openDeveloperPage(page)
  const form = await askToSign(page, 'Over a reload')
  await expect(wallet.getByTestId('request')).toBeVisible()
  await wallet.reload()
  await expect(wallet.getByTestId('request').getByTestId('details')).toContainText('Over a reload')
  await decide(wallet, 'request', 'approve')
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
})

test('behavior: the app is reloaded while a request waits; it stays connected and asks again', async ({
  page,
  wallet,
}) => {
  await openDeveloperPage(page)
  await askToSign(page, 'Nobody waits for this')
  await expect(wallet.getByTestId('request')).toBeVisible()
  await page.reload()
  await expect(account(page)).toBeVisible()
  await decide(wallet, 'request', 'approve')
  const form = await askToSign(page, 'For this somebody does')
  await expect(wallet.getByTestId('request').getByTestId('details')).toContainText(
    'For this somebody does',
  )
  await decide(wallet, 'request', 'approve')
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
  await expect(network(page, 'Latchkey One')).toBeVisible()
})

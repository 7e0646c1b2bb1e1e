import type { Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { openDeveloperPage, section } from '../../developerPage.ts'
import {
  expect,
  forgetBrowser,
  frameOf,
  fund,
  holdToApprove,
  keepKit,
  logIn,
  openSettings,
  press,
  readAddress,
  signOut,
  stack,
  submitEmail,
  test,
  typeCode,
} from '../../embedded.ts'
import { countCodes, readCode, someEmail } from '../../mails.ts'
import { plugPasskeys } from '../../plugPasskeys.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

/** Logs in a new user, who is offered a passkey for recovery. */
async function logInWithPasskey(page: Page) {
  const answerAtOnce = await plugPasskeys(page)
  const email = someEmail()
  await logIn(page, email)
  const frame = frameOf(page)
  await expect(frame.getByLabel('Passkey')).toBeChecked()
  return { email, frame, answerAtOnce }
}

/** Signs in with only a passkey. */
async function logInByPasskey(page: Page) {
  const modal = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await modal.getByRole('button', { name: 'I have a passkey' }).click()
  await press(frameOf(page).getByRole('button', { name: 'Use your passkey' }))
}

test('default: a passkey protects the wallet: it signs in, confirms, and shows the phrase', async ({
  page,
}) => {
  test.slow()
  const { email, frame, answerAtOnce } = await logInWithPasskey(page)
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  const address = await readAddress(page)
  await signOut(page)

  await page.addInitScript(() => {
    const signals: (AbortSignal | undefined)[] = []
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      if (options?.mediation === 'conditional') signals.push(options.signal)
      return get(options)
    }
    Object.assign(window, { readOffers: () => signals.map((signal) => signal?.aborted) })
  })
  const field = frame.getByLabel('Digit 1 of 6')
  const offers = () =>
    field.evaluate(() => (window as unknown as { readOffers(): boolean[] }).readOffers())
  await answerAtOnce(false)
  await submitEmail(page, email)
  await expect(frame.getByText('Or choose a passkey in the first box')).toBeVisible()
  await expect(frame.getByText(`to ${stack.urls.web}`)).toBeVisible()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code webauthn')
  await expect.poll(offers).toEqual([false])
  const fade = new URL(stack.urls.frame).origin
  await page.evaluate((source) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`iframe[src^="${source}"] { opacity: .99 }`)
    document.adoptedStyleSheets = [sheet]
  }, fade)
  await expect.poll(offers).toEqual([true])
  await answerAtOnce(true)
  await page.evaluate(() => {
    document.adoptedStyleSheets = []
  })
  expect(await readAddress(page)).toBe(address)

  await fund(address)
  await openDeveloperPage(page)
  const form = section(page, 'Raw request')
  const to = stack.addresses['eip155:31337']?.usd
  const ask = async (amount: bigint) => {
    const args = ['0x90F79bf6EB2c4f870365E785982E1f101E93b906', amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await form.getByLabel('Method').fill('eth_sendTransaction')
    await form.getByLabel('Parameters (JSON)').fill(JSON.stringify([{ from: address, to, data }]))
    await form.getByRole('button', { name: 'Request' }).click()
    await holdToApprove(page, 'allow')
  }
  const confirm = frame.getByRole('button', { name: 'Use your passkey' })
  await ask(maxUint256)
  await expect(frame.getByText('Let others take assets without a limit')).toBeVisible()
  await expect(form.locator('pre')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(form.getByText('User rejected the request')).toBeVisible()
  await ask(maxUint256)
  await press(confirm)
  const hash = form.locator('pre')
  await expect(hash).toHaveText(/0x[0-9a-f]{64}/)
  const first = (await hash.textContent()) ?? ''
  // A part of the balance: holding the button is enough.
  await ask(1n)
  await expect(hash).not.toHaveText(first)
  await expect(hash).toHaveText(/0x[0-9a-f]{64}/)

  const codes = await countCodes(email)
  await signOut(page)
  await logInByPasskey(page)
  expect(await readAddress(page)).toBe(address)
  await forgetBrowser(page)
  // This browser has no data of the wallet: one press signs in and opens it.
  await logInByPasskey(page)
  expect(await readAddress(page)).toBe(address)

  await page.reload()
  await openSettings(page, 'Recovery')
  await expect(frame.getByText('Also signs you in and confirms changes')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Add a printed kit' }))
  await expect(frame.getByText('Add a printed kit that recovers your wallet')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Use your passkey' }))
  await keepKit(page)
  await expect(frame.getByText('Printed kit', { exact: true })).toBeVisible()

  // This authenticator responds at once to the request of the page's field, possibly before the
  // press.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto(`${stack.urls.frame}/export#local`)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Hold to see the words' }).hover()
  await page.mouse.down()
  const items = page.locator('.phrase li')
  await expect(items.first()).not.toHaveText('••••')
  expect(mnemonicToAccount((await items.allTextContents()).join(' ')).address).toBe(address)
  await page.mouse.up()
  expect(await countCodes(email)).toBe(codes)
})

test('behavior: a passkey unknown to the server can only recover, until a passkey is added again', async ({
  page,
}) => {
  test.slow()
  const { email, frame } = await logInWithPasskey(page)
  // The passkey signs a challenge other than the server's, so the server refuses it.
  await page.route(
    `${stack.urls.frame}/api/passkeys/start`,
    async (route) => {
      const response = await route.fetch()
      const started = await response.json()
      await route.fulfill({ response, json: { ...started, challenge: 'A'.repeat(43) } })
    },
    { times: 1 },
  )
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  await readAddress(page)
  await openSettings(page, 'Recovery')
  const only = frame.getByText('Recovery only. Add it again')
  const all = frame.getByText('Also signs you in and confirms changes')
  await expect(only).toHaveCount(1)
  await expect(all).toHaveCount(0)

  const before = await countCodes(email)
  await press(frame.getByRole('button', { name: 'Add a printed kit' }))
  // The passkey confirms nothing; a code does.
  await typeCode(frame, await readCode(email, before))
  await keepKit(page)
  await expect(frame.getByText('Printed kit', { exact: true })).toBeVisible()
  // A kit does not offer to add it again as a passkey.
  await expect(only).toHaveCount(1)

  const then = await countCodes(email)
  await press(frame.getByRole('button', { name: 'Add a passkey' }))
  await typeCode(frame, await readCode(email, then))
  await press(frame.getByRole('button', { name: 'Add a passkey' }))
  await expect(all).toHaveCount(1)
  await expect(only).toHaveCount(1)
  // The dates distinguish the two passkeys.
  await expect(frame.getByText(/^Added .*20\d\d/)).toHaveCount(2)

  await press(frame.getByRole('button', { name: 'Add a passkey' }))
  await press(frame.getByRole('button', { name: 'Use your passkey' }))
  await press(frame.getByRole('button', { name: 'Add a passkey' }))
  await expect(frame.getByText('This account already has a passkey here.')).toBeVisible()
})

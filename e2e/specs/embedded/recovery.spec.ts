import type { Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { openDeveloperPage, section } from '../../developerPage.ts'
import {
  approveDevice,
  countCodes,
  expect,
  frameOf,
  fund,
  holdToApprove,
  keepKit,
  logIn,
  makeWallet,
  movePlace,
  openSettings,
  press,
  readAddress,
  readCode,
  signOut,
  someEmail,
  stack,
  submitEmail,
  test,
  typeCode,
} from '../../embedded.ts'
import { plugPasskeys } from '../../plugPasskeys.ts'

// The browser itself reports each refused answer.
test.use({ allowedErrors: [/Failed to load resource/] })

const byMail = 'By e-mail, with the operator’s help'

/** Has the settings of the wallet forget this browser. */
async function forgetBrowser(page: Page) {
  const frame = frameOf(page)
  await openSettings(page, 'Devices')
  await expect(frame.getByText('This browser')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Back' }))
  await press(frame.getByRole('button', { name: /^Forget this browser/ }))
  await press(frame.getByRole('button', { name: 'Do it' }))
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
}

/** Somebody new with a wallet that the operator can bring back. */
async function makeAssisted(page: Page) {
  const email = someEmail()
  await logIn(page, email)
  const frame = frameOf(page)
  const assisted = frame.getByLabel(byMail)
  await press(assisted)
  await expect(assisted).toBeChecked()
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  return { email, address: await readAddress(page) }
}

/** Asks for the operator's help, up to the code that it takes. */
async function askByMail(page: Page) {
  const frame = frameOf(page)
  const [digit, button] = [
    frame.getByLabel('Digit 1 of 6'),
    frame.getByRole('button', { name: byMail }),
  ]
  await expect(button).toBeVisible()
  // The code before it was mailed less than 30 s ago.
  await expect(async () => {
    if (await button.isVisible()) await press(button)
    await expect(digit).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
}

/** Asks for the operator's help, and types the code that it takes. */
async function recoverByMail(page: Page, email: string) {
  const before = await countCodes(email)
  await askByMail(page)
  await typeCode(frameOf(page), await readCode(email, before))
}

test('default: an assisted wallet comes back to another browser by e-mail', async ({
  page,
  device,
}) => {
  test.slow()
  const { email, address } = await makeAssisted(page)
  await forgetBrowser(page)
  const other = await device()
  await logIn(other, email)
  await recoverByMail(other, email)
  expect(await readAddress(other)).toBe(address)
})

test('behavior: while another browser holds it, it says when it opens, and goes on after another login', async ({
  page,
  device,
}) => {
  test.slow()
  const { email } = await makeAssisted(page)
  const other = await device()
  await logIn(other, email)
  await recoverByMail(other, email)
  const frame = frameOf(other)
  const waits = frame.getByText(/^Your wallet can be opened here after/)
  const readWhen = async () => {
    const [, when = ''] = /after (.+), unless/.exec((await waits.textContent()) ?? '') ?? []
    return Date.parse(when)
  }
  await expect(waits).toBeVisible()
  const whenMs = await readWhen()
  expect(Math.abs(whenMs - Date.now() - 24 * 3_600_000)).toBeLessThan(120_000)
  const codes = await countCodes(email)
  await submitEmail(other, email)
  await press(frame.getByRole('button', { name: byMail }))
  await expect(waits).toBeVisible()
  expect(Math.abs((await readWhen()) - whenMs)).toBeLessThanOrEqual(60_000)
  expect(await countCodes(email)).toBe(codes)

  // The browser that holds it is told, unasked too, and when it is signed out. It stops it then by its key alone, for a week.
  await openSettings(page, 'Devices')
  const holder = frameOf(page)
  const told = holder.getByText('A code from your mail was used.')
  await expect(told).toBeVisible()
  await page.reload()
  await expect(told).toBeVisible()
  await page.keyboard.press('Escape')
  await signOut(page)
  await submitEmail(page, email)
  await expect(told).toBeVisible()
  await press(holder.getByRole('button', { name: 'Stop it' }))
  await expect(holder.getByText('Stopped. Nothing opens there')).toBeVisible()
  await submitEmail(other, email)
  await press(frame.getByRole('button', { name: byMail }))
  await expect(frame.getByText('A recovery was stopped recently.')).toBeVisible()
})

/** Signs in with nothing but a passkey. */
async function logInByPasskey(page: Page) {
  const modal = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await modal.getByRole('button', { name: 'Use a passkey' }).click()
  await press(frameOf(page).getByRole('button', { name: 'Use your passkey' }))
}

test('default: a passkey protects the wallet, signs in alone, confirms, and shows the phrase', async ({
  page,
}) => {
  test.slow()
  await plugPasskeys(page)
  const email = someEmail()
  await logIn(page, email)
  const frame = frameOf(page)
  await expect(frame.getByLabel('Passkey')).toBeChecked()
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  const address = await readAddress(page)
  const codes = await countCodes(email)

  await signOut(page)
  await logInByPasskey(page)
  expect(await readAddress(page)).toBe(address)
  await forgetBrowser(page)
  // Nothing of the wallet is here any more: one press signs in and opens it.
  await logInByPasskey(page)
  expect(await readAddress(page)).toBe(address)

  await page.reload()
  await openSettings(page, 'Recovery')
  await expect(frame.getByText('Also signs you in and confirms changes')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Add a printed kit' }))
  await keepKit(page)
  await expect(frame.getByText('Add a printed kit that recovers your wallet')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Use your passkey' }))
  await expect(frame.getByText('Printed kit', { exact: true })).toBeVisible()

  // This authenticator answers at once what the page offers in its field, which can come before the press.
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

test('behavior: a passkey that the server does not know only recovers, as its row says, until one is added anew', async ({
  page,
}) => {
  test.slow()
  await plugPasskeys(page)
  const email = someEmail()
  await logIn(page, email)
  const frame = frameOf(page)
  await expect(frame.getByLabel('Passkey')).toBeChecked()
  // The passkey answers another challenge than the server gave, which therefore does not take it.
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
  const only = frame.getByText('Only recovers. Add a passkey anew')
  const all = frame.getByText('Also signs you in and confirms changes')
  await expect(only).toHaveCount(1)
  await expect(all).toHaveCount(0)

  const before = await countCodes(email)
  await press(frame.getByRole('button', { name: 'Add a printed kit' }))
  await keepKit(page)
  // It confirms nothing: a code does.
  await typeCode(frame, await readCode(email, before))
  await expect(frame.getByText('Printed kit', { exact: true })).toBeVisible()
  // A kit is no passkey to add anew.
  await expect(only).toHaveCount(1)

  const then = await countCodes(email)
  await press(frame.getByRole('button', { name: 'Add a passkey' }))
  await typeCode(frame, await readCode(email, then))
  await press(frame.getByRole('button', { name: 'Add a passkey' }))
  await expect(all).toHaveCount(1)
  await expect(only).toHaveCount(1)
})

test('behavior: the browser offers the passkey in the field of the code, until the page fades the frame', async ({
  page,
}) => {
  test.slow()
  const answerAtOnce = await plugPasskeys(page)
  const email = someEmail()
  await logIn(page, email)
  const frame = frameOf(page)
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
})

test('default: the exported words give the same address in another library', async ({ page }) => {
  test.slow()
  const { email, kit, address } = await makeWallet(page)
  await openSettings(page, 'Recovery phrase')
  const opened = page.context().waitForEvent('page')
  await press(frameOf(page).getByRole('button', { name: 'Open the tab' }))
  const tab = await opened
  await expect.poll(() => new URL(tab.url()).origin).toBe(stack.urls.frame)
  // The tab is a browser of its own to the wallet: its storage is not the frame's.
  const before = await countCodes(email)
  await movePlace(page.context())
  await tab.getByLabel('E-mail address').fill(email)
  await tab.getByRole('button', { name: 'Continue' }).click()
  await approveDevice(tab, email, tab.getByText(/^\d{2}$/))
  await tab.bringToFront()
  await typeCode(tab, await readCode(email, before))
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('button', { name: 'Use your printed kit' }).click()
  await tab.getByLabel('The seven groups of your kit').fill(kit)
  await tab.getByRole('button', { name: 'Open with the kit' }).click()
  const hold = tab.getByRole('button', { name: 'Hold to see the words' })
  await hold.hover()
  await tab.mouse.down()
  const items = tab.locator('.phrase li')
  await expect(items.first()).not.toHaveText('••••')
  const words = (await items.allTextContents()).join(' ')
  await tab.mouse.up()
  await expect(items.first()).toHaveText('••••')
  expect(words.split(' ')).toHaveLength(24)
  expect(mnemonicToAccount(words).address).toBe(address)
  await tab.getByRole('button', { name: 'Hide and forget' }).click()
  await expect(tab.getByText('The words are gone from this page.')).toBeVisible()
})

test('security: an allowance without a limit is signed only after the passkey, one with a limit without it', async ({
  page,
}) => {
  test.slow()
  await plugPasskeys(page)
  await logIn(page, someEmail())
  const frame = frameOf(page)
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  const from = await readAddress(page)
  await fund(from)
  await openDeveloperPage(page)
  const form = section(page, 'Raw request')
  const to = stack.addresses['eip155:31337']?.usd
  const ask = async (amount: bigint) => {
    const args = ['0x90F79bf6EB2c4f870365E785982E1f101E93b906', amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await form.getByLabel('Method').fill('eth_sendTransaction')
    await form.getByLabel('Parameters (JSON)').fill(JSON.stringify([{ from, to, data }]))
    await form.getByRole('button', { name: 'Request' }).click()
    await holdToApprove(page, 'allow')
  }
  const confirm = frame.getByRole('button', { name: 'Use your passkey' })
  await ask(maxUint256)
  await expect(frame.getByText('Let others take without a limit')).toBeVisible()
  await expect(form.locator('pre')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(form.getByText('User rejected the request')).toBeVisible()
  await ask(maxUint256)
  await press(confirm)
  const hash = form.locator('pre')
  await expect(hash).toHaveText(/0x[0-9a-f]{64}/)
  const first = (await hash.textContent()) ?? ''
  // Of all that there is, a part: the hold is enough.
  await ask(1n)
  await expect(hash).not.toHaveText(first)
  await expect(hash).toHaveText(/0x[0-9a-f]{64}/)
})

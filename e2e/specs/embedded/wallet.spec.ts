import type { Page } from '@playwright/test'
import { formatEther, verifyMessage } from 'viem'
import { askRaw, openDeveloperPage, section } from '../../developerPage.ts'
import {
  expect,
  frameOf,
  fund,
  holdToApprove,
  makeWallet,
  openSettings,
  press,
  readAddress,
  stack,
  test,
} from '../../embedded.ts'
import { rpc } from '../../fixtures.ts'
import { dollarsOf, nativeOf } from '../../holdings.ts'

// The fourth of the development accounts: no other test of this suite sends to it.
const receiver = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

test.use({ allowedErrors: [/status of 503 .*\/v1\/faucet/] })

const sign = (page: Page) =>
  section(page, 'Sign a message').getByRole('button', { name: 'Sign', exact: true }).click()

test('default: signs, sends ETH and a token, and declines', async ({
  connected: page,
  owner: { address },
}) => {
  test.slow()
  await fund(address)
  const before = { native: await nativeOf(receiver), token: await dollarsOf(receiver) }
  await openDeveloperPage(page)
  const frame = frameOf(page)

  const message = 'Grüße aus dem Test'
  const form = section(page, 'Sign a message')
  await form.getByRole('textbox').fill(message)
  await sign(page)
  await expect(frame.getByText('Sign this message?')).toBeVisible()
  await expect(frame.getByText(new URL(stack.urls.web).host)).toBeVisible()
  await expect(frame.getByText(message)).toBeVisible()
  await holdToApprove(page, 'sign')
  await expect(form.getByText('Valid: signed by', { exact: false })).toBeVisible()
  const signature = (await form.locator('pre').textContent()) as `0x${string}`
  expect(await verifyMessage({ address, message, signature })).toBe(true)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const native = section(page, 'Send ETH')
  await native.getByLabel('To').fill(receiver)
  await native.getByLabel('Amount').fill('0.25')
  await native.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(frame.getByText('Send 0.25 ETH?')).toBeVisible()
  await expect(frame.getByText('You have never sent to this address.')).toBeVisible()
  await expect(frame.getByText('None: Latchkey Development pays it')).toBeVisible()
  await holdToApprove(page, 'send')
  await expect(native.getByText('Included in a block: success')).toBeVisible()
  expect((await nativeOf(receiver)) - before.native).toBe(250_000_000_000_000_000n)

  // If the operator pays the fee, an account without ETH can send tokens.
  await rpc('eip155:31337', 'anvil_setBalance', [address, '0x0'])
  const token = section(page, 'Send a token')
  await token.getByLabel('To', { exact: true }).fill(receiver)
  await token.getByLabel('Amount').fill('1.5')
  await token.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(frame.getByText('Send 1.5 dUSD?')).toBeVisible()
  await holdToApprove(page, 'send')
  await expect(token.getByText('Included in a block: success')).toBeVisible()
  expect((await dollarsOf(receiver)) - before.token).toBe(1_500_000n)
  await fund(address)

  await native.getByRole('button', { name: 'Send', exact: true }).click()
  await press(frame.getByRole('button', { name: 'Reject' }))
  await expect(native.getByText('User rejected the request')).toBeVisible()
  expect((await nativeOf(receiver)) - before.native).toBe(250_000_000_000_000_000n)
})

test('default: a new account gets test money; without ETH, the operator pays for its smart account', async ({
  page,
}) => {
  test.slow()
  const { address } = await makeWallet(page)
  expect(await nativeOf(address)).toBe(0n)
  const account = page.getByRole('button', { name: /^Account 0x/ }).first()
  await account.click()
  const dialog = page.getByRole('dialog')
  const next = dialog.getByText('Your account is ready')
  await expect(next).toBeVisible()
  await expect(dialog.getByText('Get test money on Latchkey One to try everything')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Receive' })).toBeVisible()
  await expect(dialog.getByText('$0.00').first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Get test money' })).toBeVisible()
  await page.keyboard.press('Escape')
  await askFaucet(page)
  await expect.poll(() => nativeOf(address)).toBeGreaterThan(0n)
  const paid = await nativeOf(address)
  await expect(page.getByRole('main').getByRole('button', { name: 'Swap' })).toBeVisible()
  await account.click()
  await expect(next).toBeHidden()
  const shown = formatEther(paid)
  await expect(dialog.getByRole('tabpanel').getByTitle(`${shown} ETH`)).toBeVisible()
  await page.keyboard.press('Escape')

  const frame = frameOf(page)
  const id = 'eip155:31337'
  await rpc(id, 'anvil_setBalance', [address, '0x0'])
  const readCode = () => rpc<string>(id, 'eth_getCode', [address, 'latest'])
  await openDeveloperPage(page)
  const calls = [{ to: receiver, value: '0x0' }]
  const batch = { version: '2.0.0', from: address, chainId: '0x7a69', atomicRequired: true, calls }
  await askRaw(page, 'wallet_sendCalls', [batch])
  await expect(frame.getByText('Turns on your smart account')).toBeVisible()
  await expect(frame.getByText('None: Latchkey Development pays it')).toBeVisible()
  await holdToApprove(page, 'send')
  await expect.poll(readCode).toContain('0xef0100')
  await openSettings(page, 'Smart account')
  await press(frame.getByRole('button', { name: 'Remove it from Latchkey One' }))
  await expect(frame.getByText('It is not turned on for your address on any network')).toBeVisible()
  expect(await readCode()).toBe('0x')
  expect(await rpc<string>(id, 'eth_getBalance', [address, 'latest'])).toBe('0x0')
})

/** Asks on the portfolio itself, first while the faucet is down. */
async function askFaucet(page: Page) {
  await page.getByRole('link', { name: 'Portfolio', exact: true }).click()
  const main = page.getByRole('main')
  const ask = main.getByRole('button', { name: 'Get test money' })
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const json = { status: 'FAILURE', reasons: [{ name: 'faucet', description: 'It is down' }] }
  await page.route(/\/v1\/faucet/, async (route) => {
    await held
    await route.fulfill({ status: 503, json })
  })
  await ask.click()
  await expect(ask).toHaveAttribute('aria-busy', 'true')
  answer()
  const problem = main.getByRole('alert')
  await expect(problem).toHaveText('The faucet is not responding. Try again in a minute.')
  await page.unroute(/\/v1\/faucet/)
  await ask.click()
  await expect(page.getByText('Test money is on its way')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The button that had the focus is gone once the money is there.
  await expect(ask).toHaveCount(0)
  await expect(main.getByRole('button', { name: 'Send', exact: true })).toBeFocused()
}

/**
 * Records from the page's next load on whether the hold button was disabled, which lasts less than
 * a second.
 */
const noteHold = (page: Page) =>
  page.addInitScript(() => {
    const holdStates: string[] = []
    Object.assign(window, { holdStates })
    new MutationObserver(() => {
      const state = document.querySelector('.hold')?.getAttribute('aria-disabled')
      if (state && state !== holdStates.at(-1)) holdStates.push(state)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })

test('behavior: a reload stays connected; the two digits and a long press approve, a short press does not', async ({
  connected: page,
  owner: { address },
}) => {
  await noteHold(page)
  await page.reload()
  expect(await readAddress(page)).toBe(address)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await openDeveloperPage(page)
  await sign(page)
  const frame = frameOf(page)
  const hold = frame.getByRole('button', { name: 'Hold to sign' })
  await expect(hold).toHaveAttribute('aria-disabled', 'false')
  const [first] = await hold.evaluate(() => Reflect.get(window, 'holdStates'))
  expect(first).toBe('true')
  await hold.hover()
  // Sent together: on a busy machine, two separate events would become a long press.
  await Promise.all([page.mouse.down(), page.mouse.up()])
  await expect(frame.getByText('Sign this message?')).toBeVisible()
  const digits = frame.getByLabel('The two digits shown')
  const shown = (await digits.getAttribute('aria-label'))?.match(/\d/g)?.join('') ?? ''
  await digits.click()
  await digits.pressSequentially(shown)
  await digits.press('Enter')
  const form = section(page, 'Sign a message')
  const valid = form.getByText('Valid: signed by', { exact: false })
  await expect(valid).toBeVisible()
  await form.getByRole('textbox').fill('By a long press')
  await sign(page)
  await expect(valid).toBeHidden()
  await holdToApprove(page, 'sign')
  await expect(valid).toBeVisible()
})

test('behavior: closing the modal aborts pending requests; a forbidden request is an error', async ({
  connected: page,
}) => {
  await openSettings(page, 'Devices')
  await expect(frameOf(page).getByText('This browser')).toBeVisible()
  const dialogs = page.getByRole('dialog')
  await dialogs.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialogs).toHaveCount(0)

  await openDeveloperPage(page)
  // The frame shows this after all its earlier screens.
  await sign(page)
  await expect(frameOf(page).getByText('Sign this message?')).toBeVisible()
  await dialogs.getByRole('button', { name: 'Close' }).last().click()
  await expect(section(page, 'Sign a message').getByText('Request was aborted')).toBeVisible()
  await expect(dialogs).toHaveCount(0)

  await askRaw(page, 'eth_sign', ['0x00', '0x00'])
  const raw = section(page, 'Raw request')
  await expect(raw.getByText('Requested RPC call is not allowed')).toBeVisible()
})

import { expect, stack, test } from './fixtures.ts'

test('default: the development wallet connects in the window that a click opens', async ({
  site,
}) => {
  await site.open(stack.urls.web)
  // A browser that lets every window through would prove nothing.
  expect(await site.run(`window.open('about:blank') === null`)).toBe(true)
  await site.press({ button: 'Connect wallet' })
  const asked = await site.popup(() => site.press({ button: /^Latchkey Development Wallet/ }))
  await asked.press({ css: '[data-testid="approve"]' })
  await asked.closed()
  await site.see({ button: /^Account 0xf3…b92266/i })
})

test('default: a QR code connects a wallet elsewhere', async ({ site }) => {
  await site.open(stack.urls.web)
  await site.press({ button: 'Connect wallet' })
  await site.press({ button: /^WalletConnect/ })
  await site.see({ css: 'svg[role="img"][aria-label="QR code to connect a wallet"]' })
  await site.see({ button: 'Copy link' })
})

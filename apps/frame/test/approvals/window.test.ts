import { mayClose } from '@latchkey/dev'
import type { Page } from 'playwright-core'
import { recoverMessageAddress } from 'viem'
import { expect, test } from 'vitest'
import { ask, begin, inside, settle } from '../startFrame.ts'
import { cutWindows } from '../windows/openWindow.ts'
import { address, askUnlimited, context, frame, picture, startApprovals } from './startApprovals.ts'

startApprovals()

test('unproven visibility: a browser that cannot vouch for visibility approves in a popup', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const asked = await begin(other, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: ['In a window', address],
    chainId: 31337,
  })
  await inside(other).getByText('cannot prove').waitFor()
  expect(await inside(other).locator('.hold').count()).toBe(0)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  // A double click that began in the frame must not land in it.
  const button = popup.locator('.hold')
  await button.waitFor()
  await button.dblclick()
  await popup.locator('.hold[data-open="true"]').waitFor()
  expect(await popup.locator('.origin').textContent()).toBe(frame.hostUrl)
  await popup.getByRole('img', { name: picture }).waitFor()
  const box = await button.boundingBox()
  await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await popup.mouse.down()
  await popup.locator('.hold[data-hold="full"]').waitFor()
  await mayClose(popup.mouse.up())
  const { result } = await settle(other, asked)
  const signature = result as `0x${string}`
  expect(await recoverMessageAddress({ message: 'In a window', signature })).toBe(address)
  await other.close()
  await script.dispose()
})

test('unproven visibility: a request rejected in the frame can no longer be approved in the window', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const asked = await begin(other, 'APP_RPC_REQUEST', {
    method: 'eth_sendTransaction',
    params: [{ from: address, to: frame.stack.accounts[2]?.address, value: '0x1' }],
    chainId: 31337,
  })
  await inside(other).getByText('cannot prove').waitFor()
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  await popup.locator('.hold[data-open="true"]').waitFor()
  const closed = popup.waitForEvent('close')
  await inside(other).getByRole('button', { name: 'Reject' }).click()
  expect(await settle(other, asked)).toMatchObject({ code: 'USER_REJECTED' })
  await closed
  await other.close()
  await script.dispose()
})

/**
 * Requests a signature in a browser that cannot vouch for visibility, and opens the window that
 * replaces the frame.
 */
async function openWindow(other: Page, text: string): Promise<Page> {
  await begin(other, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: [text, address],
    chainId: 31337,
  })
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  await popup.locator('.hold').waitFor()
  return popup
}

test('blocked popup: a window that the page cuts off from its frame decides through the server', async () => {
  const script = await cutWindows(context)
  const other = await frame.embed(context)
  for (const answer of ['reject', 'approve'] as const) {
    const asked = await begin(other, 'APP_RPC_REQUEST', {
      method: 'personal_sign',
      params: ['Cut off', address],
      chainId: 31337,
    })
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      inside(other).getByRole('button', { name: 'Open the window' }).click(),
    ])
    await popup.getByText('Cut off').waitFor()
    await popup.getByRole('img', { name: picture }).waitFor()
    expect(await popup.evaluate(() => [window.opener, location.hash])).toEqual([null, ''])
    const closed = popup.waitForEvent('close')
    if (answer === 'reject') await mayClose(popup.getByRole('button', { name: 'Reject' }).click())
    else {
      await popup.locator('.hold[data-open="true"]').waitFor()
      const box = await popup.locator('.hold').boundingBox()
      await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
      await popup.mouse.down()
      await popup.locator('.hold[data-hold="full"]').waitFor()
      await mayClose(popup.mouse.up())
    }
    await closed
    const result = await settle(other, asked)
    if (answer === 'reject') expect(result).toMatchObject({ code: 'USER_REJECTED' })
    else expect(result.result).toMatch(/^0x/)
  }
  await other.close()
  await script.dispose()
})

test('behavior: after a window that closed without a decision, another one decides', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const asked = await begin(other, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: ['Closed', address],
    chainId: 31337,
  })
  const open = async () => {
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      inside(other).getByRole('button', { name: 'Open the window' }).click(),
    ])
    await popup.getByText('Closed').waitFor()
    return popup
  }
  const first = await open()
  await first.close()
  await inside(other).getByText('The window closed before you decided.').waitFor()
  const second = await open()
  const closed = second.waitForEvent('close')
  await mayClose(second.getByRole('button', { name: 'Reject' }).click())
  expect(await settle(other, asked)).toMatchObject({ code: 'USER_REJECTED' })
  await closed
  await other.close()
  await script.dispose()
})

/**
 * Returns the parts of the window's card that are cut off, or could be scrolled away, after an
 * attempt to do so.
 */
const cutOff = (popup: Page) =>
  popup.evaluate(() => {
    window.scrollTo(0, 10_000)
    const asked = document.querySelector('.asked')
    asked?.scrollTo(0, asked.scrollHeight)
    const { scrollWidth, scrollHeight } = document.documentElement
    const found = [...document.querySelectorAll('.asker, .asker *, .answer, .answer *')]
      .filter((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
      })
      .map(({ className }) => className)
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push('the page scrolls')
    if ((asked?.clientHeight ?? 0) < 48) found.push('no room for what is asked')
    return found
  })

test('behavior: origin and buttons are visible together in the window, at any size and for any request', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  await ask(other, 'APP_SYNC_DAPP_DATA', { metadata: { name: 'Name'.repeat(100) } })
  const texts = ['Hello', `${'word '.repeat(400)}\n${'W'.repeat(3_000)}`, 'שלום '.repeat(300)]
  for (const [index, text] of texts.entries()) {
    const direction = index === 1 ? 'ltr' : 'rtl'
    await ask(other, 'APP_SYNC_THEME', { direction })
    const popup = await openWindow(other, text)
    for (const origin of [frame.hostUrl, `https://${'long-label.'.repeat(22)}example`]) {
      await popup.evaluate((shown) => {
        const line = document.querySelector('.origin')
        if (line) line.textContent = shown
      }, origin)
      for (const height of [480, 600, 800])
        for (const width of [360, 420, 1280]) {
          await popup.setViewportSize({ width, height })
          // The layout follows a frame later.
          const message = `text ${index}, origin ${origin.length}, ${width} × ${height}`
          await expect.poll(() => cutOff(popup), { message }).toEqual([])
        }
    }
    await inside(other).getByRole('button', { name: 'Reject' }).click()
  }
  await other.close()
  await script.dispose()
})

test('behavior: the window looks as the page does, and takes nothing else from its address', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const looks = [
    ['light', 'rtl', 'rgb(255, 255, 255)'],
    ['dark', 'ltr', 'rgb(21, 23, 28)'],
  ] as const
  for (const [themeMode, direction, surface] of looks) {
    await ask(other, 'APP_SYNC_THEME', { themeMode, direction })
    const popup = await openWindow(other, 'Looks')
    expect(await popup.evaluate(() => document.documentElement.dir)).toBe(direction)
    const background = () => getComputedStyle(document.documentElement).backgroundColor
    expect(await popup.evaluate(background)).toBe(surface)
    await inside(other).getByRole('button', { name: 'Reject' }).click()
  }
  const forged = await context.newPage()
  for (const query of [
    '?theme=light&dir="><b>',
    '?theme=url(//evil.example)&dir=rtl',
    '?theme=light',
  ]) {
    await forged.goto(`${frame.frameUrl}/approve${query}`)
    await forged.getByText('not allowed').waitFor()
    const { theme, dir } = await forged.evaluate(() => ({
      theme: document.documentElement.dataset.lkTheme,
      dir: document.documentElement.dir,
    }))
    expect({ theme, dir }).toEqual({ theme: 'system', dir: '' })
  }
  await forged.close()
  await other.close()
  await script.dispose()
})

test('behavior: the window of an approval changes an amount too', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const { key, read } = await askUnlimited(other)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  await popup.getByRole('button', { name: 'Allow less' }).click()
  await popup.getByRole('textbox', { name: 'Limit in' }).fill('2')
  await popup.getByRole('button', { name: 'Use this amount' }).click()
  await popup.getByText('Let someone else take 2 dUSD?').waitFor()
  await popup.locator('.asked').evaluate((asked) => asked.scrollTo(0, asked.scrollHeight))
  await popup.locator('.hold[data-open="true"]').waitFor()
  const box = await popup.locator('.hold').boundingBox()
  await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await popup.mouse.down()
  await popup.locator('.hold[data-hold="full"]').waitFor()
  await mayClose(popup.mouse.up())
  expect((await settle(other, key)).result).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await read()).toBe(2_000_000n)
  await other.close()
  await script.dispose()
})

test('error: a window that is opened again while an amount changes shows what its approval would do', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const { key } = await askUnlimited(other)
  const open = async () => {
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      inside(other).getByRole('button', { name: 'Open the window' }).click(),
    ])
    return popup
  }
  const change = async (popup: Page, amount: string) => {
    await popup.getByRole('button', { name: 'Allow less' }).click()
    await popup.getByRole('textbox', { name: 'Limit in' }).fill(amount)
    await popup.getByRole('button', { name: 'Use this amount' }).click()
  }
  const first = await open()
  await change(first, '1')
  await first.getByText('Let someone else take 1 dUSD?').waitFor()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await other.route('**/api/**', async (route) => {
    await held
    await route.continue()
  })
  const asked = other.waitForRequest('**/api/**')
  await change(first, '3')
  await asked
  await first.close()
  const second = await open()
  await second.waitForLoadState()
  release()
  await second.getByText(/Let someone else take .* dUSD\?/).waitFor()
  expect(await second.locator('.approval').textContent()).toContain('Let someone else take 3 dUSD?')
  await mayClose(second.getByRole('button', { name: 'Reject' }).click())
  expect(await settle(other, key)).toMatchObject({ code: 'USER_REJECTED' })
  await other.close()
  await script.dispose()
})

import { recoverMessageAddress } from 'viem'
import { expect, test } from 'vitest'
import { coverFrame, covers, flashHeight, uncoverFrame } from '../coverFrame.ts'
import { ask, inside, settle } from '../startFrame.ts'
import {
  address,
  approve,
  card,
  hold,
  isOpen,
  page,
  press,
  readOn,
  sign,
  startApprovals,
  untilOpen,
} from './startApprovals.ts'

startApprovals()

test('behavior: the key worker starts when a press begins, and ends without work if it is let go too soon', async () => {
  const asked = await sign('Too soon')
  await untilOpen()
  // The worker that read the wallet's state.
  await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0)
  const started = page.waitForEvent('worker')
  await press(() => started)
  expect(await isOpen()).toBe(true)
  await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0)
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
})

test('default: a keyboard approves by typing the digits shown', async () => {
  const asked = await sign('By keys')
  await untilOpen()
  const label = await inside(page).locator('.digits span').textContent()
  const digits = /\d\d/.exec(label ?? '')?.[0] ?? ''
  await page.waitForTimeout(1_000)
  await inside(page).getByRole('textbox').focus()
  await page.keyboard.type(digits, { delay: 60 })
  await page.keyboard.press('Enter')
  expect((await settle(page, asked)).result).toMatch(/^0x/)
})

test('behavior: what is longer than the card can be signed once its end was in sight', async () => {
  const message = `Welcome${'\n'.repeat(300)}All that you own goes to 0xbad`
  const asked = await sign(message)
  await inside(page).getByText('Scroll to the end first').waitFor()
  // Longer than the guard takes to open.
  await page.waitForTimeout(1_000)
  expect(await isOpen()).toBe(false)
  await press(() => page.waitForTimeout(900))
  const label = await inside(page).locator('.digits span').textContent()
  await inside(page).getByRole('textbox').focus()
  await page.keyboard.type(/\d\d/.exec(label ?? '')?.[0] ?? '', { delay: 60 })
  await page.keyboard.press('Enter')
  expect(await card().count()).toBe(1)
  expect(await isOpen()).toBe(false)
  await readOn()
  await approve()
  const { result } = await settle(page, asked)
  const signature = result as `0x${string}`
  expect(await recoverMessageAddress({ message, signature })).toBe(address)
})

test('clickjacking: while the person is elsewhere in the page nothing can be approved', async () => {
  const asked = await sign('Elsewhere')
  await untilOpen()
  await page.evaluate(() => {
    const field = document.createElement('input')
    document.body.append(field)
    field.focus()
  })
  await inside(page).locator('.hold[data-open="false"]').waitFor()
  // Pressing there brings the focus back, and does not count as the hold.
  await press(() => page.waitForTimeout(900))
  expect(await card().count()).toBe(1)
  await approve()
  expect((await settle(page, asked)).result).toMatch(/^0x/)
})

test('clickjacking: nothing can be approved while the frame is covered, faded, turned, cut or too small', async () => {
  const asked = await sign('Covered')
  await untilOpen()
  // What the modal leaves to the frame in a window of 1280 × 800 px at 200% zoom is enough.
  await coverFrame(page, `frame.style.height = '320px'`)
  await untilOpen()
  await uncoverFrame(page)
  await untilOpen()
  const shuts = async (code: string) => {
    await coverFrame(page, code)
    // Before a hold that begins now could be over.
    const shut = inside(page).locator('.hold[data-open="false"]').waitFor({ timeout: 700 })
    const isShut = await shut.then(() => true).catch(() => false)
    await uncoverFrame(page)
    await untilOpen()
    return isShut
  }
  // A stall of the machine takes longer than a hold, but not each time.
  for (const [name, code] of Object.entries(covers))
    expect((await shuts(code)) || (await shuts(code)) || (await shuts(code)), name).toBe(true)
  await ask(page, 'APP_RPC_ABORT')
  expect(await settle(page, asked)).toMatchObject({ code: 'ABORTED' })
})

test('clickjacking: only seen content counts as read, even if a page makes the frame tall briefly', async () => {
  const asked = await sign('All of this has to be read. '.repeat(200))
  await hold().waitFor()
  await page.waitForTimeout(500)
  await flashHeight(page)
  await page.waitForTimeout(1_500)
  expect(await hold().getAttribute('data-open')).toBe('false')
  await inside(page)
    .locator('.asked')
    .evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await untilOpen()
  await ask(page, 'APP_RPC_ABORT')
  expect(await settle(page, asked)).toMatchObject({ code: 'ABORTED' })
})

test('clickjacking: closed before the browser has said a word, and for 800 ms after', async () => {
  await page.frames()[1]?.evaluate(() => {
    const seen: (string | undefined)[] = []
    Object.assign(window, { seen })
    const stateNow = () => document.querySelector<HTMLElement>('.hold')?.dataset.open
    const look = () => {
      const state = stateNow()
      if (state) seen.push(state)
    }
    const note = () => Object.assign(window, { pressedAt: stateNow() })
    addEventListener('pointerdown', note, { capture: true })
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-open'],
    })
  })
  // On a machine that stalls the press may come when it is open already: then once more.
  for (let pressedAt: unknown; pressedAt !== 'false'; ) {
    const asked = await sign('Early')
    await hold().waitFor()
    const seen = await page.frames()[1]?.evaluate('window.seen')
    expect((seen as string[])[0]).toBe('false')
    await press(() => page.waitForTimeout(600))
    pressedAt = await page.frames()[1]?.evaluate('window.pressedAt')
    await page.waitForTimeout(300)
    await ask(page, 'APP_RPC_ABORT')
    const { code } = await settle(page, asked)
    if (pressedAt === 'false') expect(code).toBe('ABORTED')
    await card().waitFor({ state: 'detached' })
  }
})

test('clickjacking: covered in the middle of a hold, or moved under the pointer, it does not count', async () => {
  for (const code of [covers['a transparent overlay'], `frame.style.marginTop = '60px'`]) {
    const asked = await sign('Switch')
    await untilOpen()
    const box = await hold().boundingBox()
    await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 12)
    await page.mouse.down()
    await inside(page).locator('.hold[data-hold="holding"]').waitFor()
    await coverFrame(page, code ?? '')
    await page.waitForTimeout(900)
    await page.mouse.up()
    await ask(page, 'APP_RPC_ABORT')
    expect(await settle(page, asked)).toMatchObject({ code: 'ABORTED' })
    await uncoverFrame(page)
  }
})

test('clickjacking: a request that replaces another under a press waits 800 ms and for a new press', async () => {
  await page.frames()[1]?.evaluate(() => {
    const seen: [string | undefined, number][] = []
    Object.assign(window, { seen })
    const look = () => {
      const button = document.querySelector<HTMLElement>('.hold')
      if (button && document.body.textContent?.includes('Second'))
        seen.push([button.dataset.open, performance.now()])
    }
    const change = { subtree: true, childList: true, attributeFilter: ['data-open'] }
    new MutationObserver(look).observe(document, change)
  })
  const first = await sign('First')
  await untilOpen()
  const box = await hold().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 12)
  await page.mouse.down()
  await inside(page).locator('.hold[data-hold="holding"]').waitFor()
  await ask(page, 'APP_RPC_ABORT')
  const second = await sign('Second')
  expect(await settle(page, first)).toMatchObject({ code: 'ABORTED' })
  await inside(page).getByText('Second').waitFor()
  await untilOpen()
  // As long as a hold takes.
  await page.waitForTimeout(900)
  await page.mouse.up()
  expect(await card().count()).toBe(1)
  const seen = (await page.frames()[1]?.evaluate('window.seen')) as [string, number][]
  const [shownMs = 0, openMs = 0] = ['false', 'true'].map(
    (state) => seen.find(([open]) => open === state)?.[1] ?? Number.NaN,
  )
  expect(seen[0]?.[0]).toBe('false')
  expect(openMs - shownMs).toBeGreaterThan(790)
  await approve()
  expect((await settle(page, second)).result).toMatch(/^0x/)
})

test('stray presses: clicks, double clicks, drags, made-up events and keys held before do not approve', async () => {
  await page.keyboard.down('Enter')
  await page.keyboard.down('Space')
  const asked = await sign('Haste')
  await hold().waitFor()
  await inside(page).locator('.hold').focus()
  await page.waitForTimeout(600)
  await page.keyboard.up('Enter')
  await page.keyboard.up('Space')
  await untilOpen()
  await hold().dblclick({ delay: 30 })
  await hold().click()
  const box = await hold().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) - 80, { steps: 4 })
  await page.waitForTimeout(900)
  await page.mouse.up()
  await page.frames()[1]?.evaluate(async () => {
    const button = document.querySelector('.hold')
    const pointer = { bubbles: true, isPrimary: true, button: 0, pointerId: 1 }
    button?.dispatchEvent(new PointerEvent('pointerdown', pointer))
    await new Promise((resolve) => setTimeout(resolve, 900))
    button?.dispatchEvent(new PointerEvent('pointerup', pointer))
    ;(button as HTMLElement | null)?.click()
  })
  await inside(page).locator('.hold').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  expect(await card().count()).toBe(1)
  await inside(page).getByRole('button', { name: 'Reject' }).click()
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
})

import { expect } from '@playwright/test'
import type { Browser, FrameLocation, Step } from './browser.ts'
import { type FoundTarget, findExpression, type Target } from './target.ts'

/**
 * A page from a user's view. Each function waits for its target, and its error names the target.
 */
export type Page = {
  inFrame(part: string): Page
  open(url: string): Promise<void>
  /** The value of a JavaScript expression in it, as JSON. */
  run(expression: string): Promise<unknown>
  /** Waits until the target is visible; resolves to its text. */
  see(target: Target): Promise<string>
  press(target: Target): Promise<void>
  /**
   * Presses until `shown` is visible: a press on a target that a busy machine is still moving is
   * lost, and a user would press again.
   */
  pressFor(target: Target, shown: Target): Promise<void>
  /** Presses a field, and types. */
  type(target: Target, text: string): Promise<void>
  /** Types into one field per character; each field moves the focus to the next. */
  typeOn(first: Target, text: string): Promise<void>
  /** Holds the pointer down until another target is visible. */
  hold(target: Target, until: Target): Promise<void>
  /** Runs `ask`, which opens a window; resolves to the window. */
  popup(ask: () => Promise<unknown>): Promise<Page>
  close(): Promise<void>
  /** Waits until the window has been closed. */
  closed(): Promise<void>
}

/** How long to wait for the effect of a press before it counts as lost. */
const lostAfterMs = 10_000

/** A JavaScript expression for the beginning of the visible text. */
const shownText = `(document.querySelector('dialog[open]') ?? document.body).innerText.slice(0, 1000)`

const waits = { intervals: [100], timeout: 120_000 }

/** The page in a window, or in the frame there whose address contains `frame`. */
export function openPage(browser: Browser, place: FrameLocation): Page {
  const { window } = place

  // Reading an element that is just being removed throws; the next attempt may succeed.
  const until = (message: string, isSo: () => Promise<boolean>) =>
    expect(async () => expect(await isSo(), message).toBe(true))
      .toPass(waits)
      .catch(async (cause: unknown) => {
        const text = await browser.evaluate(place, shownText).catch(String)
        throw new Error(`${message}; the page shows: ${text}`, { cause })
      })

  const look = async (target: Target): Promise<FoundTarget | undefined> => {
    const seen = (await browser.evaluate(place, findExpression(target))) as
      | FoundTarget
      | null
      | undefined
    return seen ?? undefined
  }

  /** Moves the pointer to a target after it can be pressed and has stopped moving. */
  const pointAt = async (target: Target): Promise<Point> => {
    let point: Point = { type: 'pointerMove', x: 0, y: 0 }
    await until(`press ${nameOf(target)}`, async () => {
      const before = await look(target)
      const { x, y } = before?.pressable ? before : { x: point.x === 1 ? 2 : 1, y: 1 }
      point = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
      // A browser may pause animations until the pointer moves, and continue them then.
      await browser.perform(place, [point])
      if (!before?.pressable) return false
      const after = await look(target)
      return after?.pressable === true && before.x === after.x && before.y === after.y
    })
    return point
  }
  /** Performs steps that may close the window; the browser may then be unable to confirm them. */
  const perform = (steps: readonly Step[]) =>
    browser.perform(place, steps).catch(async (error: unknown) => {
      if ((await browser.windows()).includes(window)) throw error
    })
  const down = { type: 'pointerDown', button: 0 } as const
  const up = { type: 'pointerUp', button: 0 } as const

  const page: Page = {
    inFrame: (part) => openPage(browser, { window, frame: part }),
    open: (url) => browser.open(window, url),
    run: (expression) => browser.evaluate(place, expression),
    async see(target) {
      let seen: FoundTarget | undefined
      await until(`see ${nameOf(target)}`, async () => {
        seen = await look(target)
        return seen !== undefined
      })
      return seen?.text ?? ''
    },
    async press(target) {
      await perform([await pointAt(target), down, up])
    },
    async pressFor(target, shown) {
      let pressedAtMs = Number.NEGATIVE_INFINITY
      await until(`press ${nameOf(target)} for ${nameOf(shown)}`, async () => {
        if (await look(shown)) return true
        const isLost = performance.now() - pressedAtMs > lostAfterMs
        if (!isLost || !(await look(target))?.pressable) return false
        await page.press(target)
        pressedAtMs = performance.now()
        return false
      })
    },
    async type(target, text) {
      // A press on a moving target may miss.
      await until(`focus ${nameOf(target)}`, async () => {
        await page.press(target)
        return (await look(target))?.focused === true
      })
      await browser.perform(place, [...text].flatMap(pressKey))
    },
    async typeOn(target, text) {
      await page.type(target, text.charAt(0))
      // The field moves the focus to the next after each.
      for (const value of text.slice(1)) await browser.perform(place, pressKey(value))
    },
    async hold(target, shown) {
      await browser.perform(place, [await pointAt(target), down])
      await page.see(shown)
      await perform([up])
    },
    async popup(ask) {
      const before = await browser.windows()
      let opened: string | undefined
      await ask()
      await until('a window opens', async () => {
        opened = (await browser.windows()).find((one) => !before.includes(one))
        return opened !== undefined
      })
      return openPage(browser, { window: opened ?? '' })
    },
    close: () => browser.close(window),
    closed: () =>
      until('the window is closed', async () => !(await browser.windows()).includes(window)),
  }
  return page
}

const pressKey = (value: string): Step[] => [
  { type: 'keyDown', value },
  { type: 'keyUp', value },
]

type Point = Extract<Step, { type: 'pointerMove' }>

const nameOf = (target: Target) => Object.entries(target).join().replace(',', ' ')

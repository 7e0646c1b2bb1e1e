import type { Browser, CDPSession, Page } from 'playwright-core'
import { announceWallets } from '../browser.ts'

/** Lighthouse's Slow 4G. Both slower profiles use a processor that is four times slower. */
export const profiles = {
  '1x': { slowdown: 1, network: undefined },
  '4x': { slowdown: 4, network: undefined },
  'slow 4G': {
    slowdown: 4,
    network: { latency: 150, downloadThroughput: 180_000, uploadThroughput: 84_375 },
  },
} as const
export type Profile = keyof typeof profiles

/** The network of Lighthouse's Slow 4G alone. */
const slowNetwork = { slowdown: 1, network: profiles['slow 4G'].network }

/** How long a page sends no request before it counts as quiet. */
const QUIET_MS = 1_000

/** The button of the page and an item of the list it opens. */
const button = 'button[aria-haspopup]'
const item = 'dialog li button'

// A string, not a function: the transpiler of this file would add calls that the page does not
// have. An element counts as visible if it is in view, at least half opaque with all its ancestors,
// and a click at its center hits it.
const watch = `
  const opacity = (element) => element ? +getComputedStyle(element).opacity * opacity(element.parentElement) : 1
  const isVisible = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(x + width / 2, y + height / 2)
    return width > 2 && hit !== null && element.contains(hit) && !element.disabled && opacity(element) >= 0.5
  }
  window.firstFrame = (selector) => new Promise((done) => {
    const look = () => [...document.querySelectorAll(selector)].some(isVisible)
      ? done(performance.now())
      : requestAnimationFrame(look)
    look()
  })
  firstFrame('${button}').then(() => buttonWorks(''))
  addEventListener('click', (click) => { window.clickedAt = click.timeStamp }, true)`

/**
 * Measurements of a visit: JavaScript by phase (transferred bytes and files), times in ms, the heap
 * in bytes.
 */
export type Visit = {
  start: Transfer
  idle: Transfer
  open: Transfer
  cold: number
  warm: number
  task: number
  heap: number
}
type Transfer = { bytes: number; files: number }

/** Opens the page, waits until it is quiet, opens the modal, closes it and opens it again. */
export async function measureVisit(
  browser: Browser,
  { url, profile }: { url: string; profile: Profile },
): Promise<Visit> {
  const { page, session, transfer, stop } = await openPage(browser, { url, ...profiles[profile] })
  await page.evaluate(`firstFrame('${button}')`)
  await untilQuiet(page)
  transfer.phase = 'open'
  const before = await getTaskMs(session)
  const cold = await click(page)
  await untilQuiet(page)
  const task = (await getTaskMs(session)) - before
  transfer.phase = 'warm'
  // Each pass finds garbage that the previous pass left.
  for (let pass = 0; pass < 3; pass++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize: heap } = await session.send('Runtime.getHeapUsage')
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'hidden' })
  await untilQuiet(page)
  const warm = await click(page)
  await stop()
  const { start, idle, open } = transfer
  return { start, idle, open, cold, warm, task, heap }
}

/** The time from the navigation to the list, in ms, with a click as soon as the button works. */
export async function measureStraight(
  browser: Browser,
  { url, profile }: { url: string; profile: Profile },
): Promise<number> {
  const { page, stop } = await openPage(browser, { url, ...profiles[profile] })
  await page.evaluate(`firstFrame('${button}')`)
  await press(page)
  const listAt = (await page.evaluate(`firstFrame('${item}')`)) as number
  await stop()
  return listAt
}

/** The times from the navigation to the first paint and to a button that works, in ms. */
export async function measureLanding(
  browser: Browser,
  { url }: { url: string },
): Promise<{ paint: number; button: number; bytes: number }> {
  const { page, transfer, stop } = await openPage(browser, { url, ...slowNetwork })
  const shownAt = (await page.evaluate(`firstFrame('${button}')`)) as number
  const [paint] = await page.evaluate(() =>
    performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
  )
  await stop()
  return { paint: paint ?? Number.NaN, button: shownAt, bytes: transfer.start.bytes }
}

type Conditions = {
  slowdown: number
  network: { latency: number; downloadThroughput: number; uploadThroughput: number } | undefined
}

async function openPage(
  browser: Browser,
  { url, slowdown, network }: Conditions & { url: string },
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await announceWallets(context)
  await context.addInitScript(watch)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const transfer = await countTransfer(session)
  if (network)
    await session.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await page.goto(url, { waitUntil: 'commit' })
  return { page, session, transfer, stop: () => context.close() }
}

/** Counts JavaScript by the phase of its request. The page itself ends the first phase. */
async function countTransfer(session: CDPSession) {
  const none = () => ({ bytes: 0, files: 0 })
  const counts = { start: none(), idle: none(), open: none(), warm: none() }
  const transfer = { ...counts, phase: 'start' as keyof typeof counts }
  const phases = new Map<string, keyof typeof counts>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (new URL(request.url).pathname.endsWith('.js')) phases.set(requestId, transfer.phase)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const asked = phases.get(requestId)
    if (asked === undefined) return
    counts[asked].bytes += encodedDataLength
    counts[asked].files += 1
  })
  session.on('Runtime.bindingCalled', ({ name }) => {
    if (name === 'buttonWorks' && transfer.phase === 'start') transfer.phase = 'idle'
  })
  await session.send('Network.enable')
  await session.send('Runtime.enable')
  await session.send('Runtime.addBinding', { name: 'buttonWorks' })
  return transfer
}

async function click(page: Page): Promise<number> {
  const listed = page.evaluate(`firstFrame('${item}').then((at) => at - clickedAt)`)
  // A round trip ensures that the watcher is installed before the click.
  await page.evaluate('1')
  await press(page)
  return (await listed) as number
}

/**
 * Clicks by coordinates: a locator would load its own code into the page and distort the
 * measurement.
 */
async function press(page: Page) {
  const [x, y] = (await page.evaluate(
    `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector('${button}').getBoundingClientRect())`,
  )) as [number, number]
  await page.mouse.click(x, y)
}

async function untilQuiet(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(QUIET_MS)
}

async function getTaskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

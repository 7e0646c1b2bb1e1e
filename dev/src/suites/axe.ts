import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'

/** A frame is checked without the page around it. */
type PageOrFrame = Page | Frame

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Maximum number of checks of a page that keeps changing. */
const maxLooks = 6

/**
 * The violations that axe-core finds in the page, or within a selector, after all movement has
 * ended, and the fields into which a phone zooms.
 */
export const violations = (page: PageOrFrame, within = 'html') => run(page, within, {})

/**
 * The violations of {@link violations} in the dark theme, and the color violations in the light
 * theme.
 */
export async function violationsInThemes(page: PageOrFrame, within = 'html'): Promise<string[]> {
  await changeTheme(page, 'dark')
  const found = await violations(page, within)
  await changeTheme(page, 'light')
  const values = ['color-contrast', 'link-in-text-block']
  const inLight = await run(page, within, { runOnly: { type: 'rule', values } })
  await changeTheme(page, 'dark')
  return [...found, ...inLight.map((one) => `light: ${one}`)]
}

/**
 * Switches the open page to a theme: the web app's theme, and the browser's for pages that follow
 * it.
 */
export async function changeTheme(page: PageOrFrame, theme: 'dark' | 'light') {
  await ('page' in page ? page.page() : page).emulateMedia({ colorScheme: theme })
  await page.evaluate((value) => {
    for (const root of document.querySelectorAll<HTMLElement>('[data-lk-theme]'))
      root.dataset.lkTheme = value
  }, theme)
}

/** The landmarks of the page, and of the dialog over it, that share their name with another. */
export async function repeatedLandmarks(page: Page): Promise<string[]> {
  const found = await run(page, 'html', { runOnly: { type: 'rule', values: [uniqueLandmark] } })
  return found.filter((one) => one.startsWith(uniqueLandmark))
}

const uniqueLandmark = 'landmark-unique'

async function run(page: PageOrFrame, within: string, options: object): Promise<string[]> {
  // Through the debugger, because the page's own policy rightly refuses third-party scripts.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe)
  for (let looks = 1; ; looks++) {
    await settled(page)
    const { found, hasChanged } = (await page.evaluate(look(within, options))) as Looked
    // Late content was checked half faded in, and content that it moved, at its old position.
    if (found.length === 0 || !hasChanged || looks === maxLooks) return found
  }
}

type Looked = { found: string[]; hasChanged: boolean }

/** Runs axe-core; returns its findings and whether anything changed meanwhile. */
const look = (within: string, options: object) => `(async () => {
  let hasChanged = false
  const changes = new MutationObserver(() => { hasChanged = true })
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const { violations } = await axe.run(${JSON.stringify(within)}, {
    resultTypes: ['violations'],
    ...${JSON.stringify(options)},
  })
  hasChanged ||= changes.takeRecords().length > 0
  changes.disconnect()
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' ')))
  const fields = document.querySelectorAll('select, textarea, input:not([type=radio], [type=checkbox], [type=range], [type=file])')
  for (const field of fields)
    if (parseFloat(getComputedStyle(field).fontSize) < 16) found.push('under 16 px ' + field.outerHTML.slice(0, 100))
  return { found, hasChanged }
})()`

/** Resolves when all finite animations on the page have ended. */
export const settled = (page: PageOrFrame) =>
  page.evaluate(`(async () => {
    // Waits until the end of the frame: size observers run after the layout.
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    for (let moving = true; moving; ) {
      // Animations after a new size begin a frame later.
      await frame()
      await frame()
      const ending = document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity)
      await Promise.allSettled(ending.map((one) => one.finished))
      moving = ending.length > 0
    }
  })()`)

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on the page once nothing moves. */
export async function violations(page: Page): Promise<string[]> {
  await settled(page)
  // Through the debugger, since the page's own policy rightly refuses scripts it did not bring.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe)
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))))`)
}

/** Resolves when nothing on the page moves any more that ends by itself. */
export const settled = (page: Page) =>
  page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    for (let moving = true; moving; ) {
      // What a new size sets in motion begins a frame later.
      await frame()
      await frame()
      const ending = document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity)
      await Promise.allSettled(ending.map((one) => one.finished))
      moving = ending.length > 0
    }
  })()`)

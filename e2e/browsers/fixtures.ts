import { writeFile } from 'node:fs/promises'
import { test as base, expect } from '@playwright/test'
import { stack } from '../fixtures.ts'
import type { Browser } from './browser.ts'
import { openPage, type Page } from './page.ts'
import { startFirefox } from './startFirefox.ts'
import { startWebkit } from './startWebkit.ts'

const start = { firefox: startFirefox, webkit: startWebkit }
const stackTimeoutMs = 300_000

export type Options = { runs: keyof typeof start }

type WorkerFixtures = Options & { placed: undefined; driven: Browser }

/**
 * A page that has stored nothing, in a browser that a project's tests share. It must end without an
 * error on any page and without a request to another machine.
 */
export const test = base.extend<{ site: Page }, WorkerFixtures>({
  runs: ['firefox', { option: true, scope: 'worker' }],
  placed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads off it what a fixture needs.
    async ({}, use) => {
      const response = await fetch(`${process.env.LATCHKEY_STACKS}/browsers`)
      if (!response.ok) throw new Error(await response.text())
      Object.assign(stack, await response.json())
      await use(undefined)
    },
    { auto: true, scope: 'worker', timeout: stackTimeoutMs },
  ],
  driven: [
    async ({ runs }, use) => {
      const browser = await start[runs]()
      try {
        await use(browser)
      } finally {
        await browser.stop()
      }
    },
    { scope: 'worker', timeout: stackTimeoutMs },
  ],
  site: async ({ driven }, use, info) => {
    const [window = ''] = await driven.windows()
    const site = openPage(driven, { window })
    await site.open(stack.urls.web)
    await site.run('localStorage.clear()')
    await use(site)
    if (info.status !== info.expectedStatus)
      for (const [index, window] of (await driven.windows()).entries()) {
        const picture = Buffer.from(await driven.screenshot(window), 'base64')
        await writeFile(info.outputPath(`window-${index}.png`), picture)
      }
    expect(driven.complaints()).toEqual([])
  },
})

export { expect, stack }

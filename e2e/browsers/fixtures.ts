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

/** A page of a new browser, which must end without an error on any page and without a request to another machine. */
export const test = base.extend<{ driven: Browser; site: Page }, Options & { placed: undefined }>({
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
  driven: async ({ runs }, use, info) => {
    const browser = await start[runs]()
    try {
      await use(browser)
      if (info.status !== info.expectedStatus)
        for (const [index, window] of (await browser.windows()).entries()) {
          const picture = Buffer.from(await browser.screenshot(window), 'base64')
          await writeFile(info.outputPath(`window-${index}.png`), picture)
        }
      expect(browser.complaints()).toEqual([])
    } finally {
      await browser.stop()
    }
  },
  site: async ({ driven }, use) => {
    const [window = ''] = await driven.windows()
    await use(openPage(driven, { window }))
  },
})

export { expect, stack }

import type { BrowserContext } from '@playwright/test'
import { expect, frameOf, makeWallet, stack, test } from '../../embedded.ts'
import { connect, disconnect, pageOf } from '../../fixtures.ts'

/**
 * Removes the APIs that Chrome 111, Firefox 115 or Safari 16.4 lacks, from a page, a frame or a
 * worker.
 */
function removeNewerApis() {
  const newer: readonly (readonly [owner: unknown, names: readonly string[]])[] = [
    [AbortSignal, ['any']],
    [URL, ['canParse', 'parse']],
    [Promise, ['withResolvers', 'try']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Array, ['fromAsync']],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [ArrayBuffer.prototype, ['transfer', 'transferToFixedLength', 'resize']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Uint8Array.prototype, ['toBase64', 'toHex', 'setFromBase64', 'setFromHex']],
    [Response.prototype, ['bytes']],
    [Response, ['json']],
    [RegExp, ['escape']],
    [Error, ['isError']],
    [Math, ['f16round', 'sumPrecise']],
    [
      Set.prototype,
      ['union', 'intersection', 'difference', 'symmetricDifference'].concat([
        'isSubsetOf',
        'isSupersetOf',
        'isDisjointFrom',
      ]),
    ],
    [
      Object.getPrototypeOf(Object.getPrototypeOf([].values())),
      ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some'].concat([
        'every',
        'find',
      ]),
    ],
    [
      globalThis,
      ['Iterator', 'CloseWatcher', 'URLPattern', 'scheduler', 'requestIdleCallback'].concat([
        'SuppressedError',
        'DisposableStack',
        'AsyncDisposableStack',
        'Float16Array',
      ]),
    ],
  ]
  for (const [owner, names] of newer)
    for (const name of names) Reflect.deleteProperty(owner as object, name)
  if (typeof Element === 'undefined') return
  for (const name of ['checkVisibility', 'moveBefore', 'setHTMLUnsafe', 'getHTML', 'ariaNotify'])
    Reflect.deleteProperty(Element.prototype, name)
  for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
    Reflect.deleteProperty(HTMLElement.prototype, name)
  for (const name of ['requestClose', 'closedBy'])
    Reflect.deleteProperty(HTMLDialogElement.prototype, name)
  Reflect.deleteProperty(Document.prototype, 'startViewTransition')
}

/**
 * Makes all pages, frames and workers of a browser start without the newer APIs. No init script
 * runs in a worker, so each script of the frame also removes them: the first script in the worker
 * does so before others look for them.
 */
async function makeOlder(context: BrowserContext) {
  await context.addInitScript(removeNewerApis)
  await context.route(`${stack.urls.frame}/**/*.js`, async (route) => {
    const response = await route.fetch()
    const body = `(${removeNewerApis.toString()})();\n${await response.text()}`
    await route.fulfill({ response, body })
  })
}

test('default: in the oldest supported browsers a wallet connects, and a new user logs in by email', async ({
  page,
  context,
}) => {
  const newer = '[AbortSignal.any, URL.canParse, Uint8Array.prototype.toHex].filter(Boolean).length'
  const inWorkers: { url: string; newer: unknown }[] = []
  // Counted from its start, because the frame ends a worker that is not needed. Its first script
  // may not have run at the first count.
  page.on('worker', async (worker) => {
    for (let count: unknown; count !== 0 && count !== 'ended'; ) {
      count = await worker.evaluate(newer).catch(() => 'ended')
      inWorkers.push({ url: worker.url(), newer: count })
    }
  })
  await makeOlder(context)
  await connect(page, '/developer')
  await disconnect(page)
  const { address } = await makeWallet(page)
  const inPage = await page.evaluate(newer)
  const inFrame = await frameOf(page).locator('body').evaluate(newer)
  expect([inPage, inFrame]).toEqual([0, 0])
  await expect
    .poll(() => inWorkers)
    .toContainEqual({ url: expect.stringContaining('keyWorker'), newer: 0 })
  await page.goto(pageOf())
  const account = page.getByRole('button', { name: /^Account 0x/ }).first()
  await expect(account).toHaveAccessibleName(new RegExp(address.slice(-6), 'i'))
})

import { mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveAccounts } from '../../src/wallet/crypto/deriveAccounts.ts'
import { openExport } from '../openExport.ts'
import {
  ask,
  begin,
  type FrameStack,
  holdToApprove,
  logIn,
  settle,
  startFrame,
} from '../startFrame.ts'
import { findBytes, type Heap, readHeap } from './readHeap.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

const email = 'memory@example.org'

/**
 * Runs first in the key worker: sends the test each key that it imports, and all that it opens or
 * derives.
 */
const spy = `
const send = (value) => {
  const bytes = Array.from(new Uint8Array(value))
  const body = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (bytes.length >= 16) void fetch('/seen', { method: 'POST', body })
}
const { importKey, decrypt, deriveBits } = SubtleCrypto.prototype
SubtleCrypto.prototype.importKey = function (format, data, algorithm, ...rest) {
  if (['AES-GCM', 'HKDF', 'PBKDF2'].includes(algorithm.name ?? algorithm)) send(data)
  return importKey.call(this, format, data, algorithm, ...rest)
}
for (const [name, work] of Object.entries({ decrypt, deriveBits }))
  SubtleCrypto.prototype[name] = async function (...given) {
    const result = await work.apply(this, given)
    send(result)
    return result
  }
`

/**
 * Collects everything that the key worker of any page of the context imports, opens and derives, as
 * hex.
 */
async function watchWorker(context: BrowserContext): Promise<Set<string>> {
  const seen = new Set<string>()
  await context.route('**/keyWorker*.js', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${spy}${await response.text()}` })
  })
  await context.route('**/seen', async (route) => {
    seen.add(route.request().postData() ?? '')
    await route.fulfill({ body: '' })
  })
  return seen
}

/** The heap of the main thread in which the frame's page runs, once its worker has ended. */
async function readFrame(page: Page, url: string): Promise<Heap> {
  await expect.poll(() => page.workers().length).toBe(0)
  const found = page.frames().find((one) => one.url().startsWith(url))
  if (!found) throw new Error('the frame is gone')
  // The frame is cross-site to the page, so it has a separate target; a tab is itself the page.
  const session = await page.context().newCDPSession(found === page.mainFrame() ? page : found)
  const heap = await readHeap(session)
  await session.detach()
  return heap
}

test('default: what is in a heap is found in each form', async () => {
  const context = await frame.newContext()
  const page = await frame.embed(context)
  const secrets = Array.from({ length: 4 }, () => crypto.getRandomValues(new Uint8Array(32)))
  const found = page.frames().find((one) => one.url().startsWith(frame.frameUrl))
  await found?.evaluate(
    ([hex = [], base64 = [], list, text]) => {
      const digits = hex.map((byte) => byte.toString(16).padStart(2, '0')).join('')
      const kept = {
        hex: `0x${digits}`,
        base64: btoa(`id${String.fromCharCode(...base64)}more`),
        list,
        text: `${'x'.repeat(5_000)}${JSON.stringify({ text })}`,
      }
      Object.assign(window, { kept })
    },
    secrets.map((secret) => [...secret]),
  )
  const heap = await readFrame(page, frame.frameUrl)
  const ways = secrets.map((secret) => findBytes(heap, secret))
  expect(ways).toEqual([['hex'], ['base64'], ['bytes'], ['numbers']])
  expect(findBytes(heap, crypto.getRandomValues(new Uint8Array(32)))).toEqual([])
  await context.close()
})

test('memory: after approvals and an export, no key is in the main thread and the worker has ended', async () => {
  const context = await frame.newContext()
  const seen = await watchWorker(context)
  const page = await frame.embed(context)
  let started = 0
  page.on('worker', () => {
    started += 1
  })
  const kit = await logIn(frame, page, email)
  await expect.poll(() => page.workers().length).toBe(0)
  const { address } = (await ask(page, 'APP_GET_USER')).result as { address: string }
  seen.clear()
  for (const message of ['0x6869', '0x686f']) {
    const params = { method: 'personal_sign', params: [message, address], chainId: 31337 }
    const asked = await begin(page, 'APP_RPC_REQUEST', params)
    await holdToApprove(page)
    expect((await settle(page, asked)).result).toMatch(/^0x[0-9a-f]{130}$/)
  }
  // Of the login, and of the approvals: they follow each other before it ends.
  expect(started).toBeGreaterThanOrEqual(2)
  const afterApproval = await readFrame(page, frame.frameUrl)

  const tab = await openExport(frame, page, { email, kit })
  const button = tab.getByRole('button', { name: 'Hold to see the words' })
  const box = await button.boundingBox()
  await tab.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await tab.mouse.down()
  await tab.waitForFunction(() => !document.querySelector('.phrase')?.textContent?.includes('•'))
  const words = await tab.locator('.phrase li').allTextContents()
  await tab.mouse.up()
  await tab.getByRole('button', { name: 'Hide and forget' }).click()
  await tab.getByText('The words are gone').waitFor()
  const afterExport = await readFrame(tab, frame.frameUrl)

  const seed = Buffer.from(mnemonicToEntropy(words.join(' '), wordlist))
  const { keys, addresses } = await deriveAccounts(new Uint8Array(seed))
  expect(addresses.eip155).toBe(address)
  const opened = [...seen].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')))
  // The worker did open the seed, of which half of what was sealed is the recovery key.
  const sealed = opened.find((one) => one.length === 64 && Buffer.from(one).includes(seed))
  expect(sealed).toBeDefined()
  const secrets = [seed, mnemonicToSeedSync(words.join(' ')), keys.eip155, keys.solana]
  for (const heap of [afterApproval, afterExport]) {
    expect([...secrets, ...opened].flatMap((secret) => findBytes(heap, secret))).toEqual([])
    expect(heap.texts.length).toBeGreaterThan(100_000)
    for (let at = 0; at + 4 <= words.length; at += 4)
      expect(heap.texts).not.toContain(words.slice(at, at + 4).join(' '))
  }
})

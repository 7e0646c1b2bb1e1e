import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Part, startStack } from '@latchkey/dev'
import { approveDeviceLinkRoute } from '@latchkey/wire'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type FrameLocator,
  type Page,
} from 'playwright-core'
import { getHost } from './getHost.ts'

type PageResponse = { result?: unknown; code?: string; message?: string }

/**
 * The real server with its mail inbox, chains, `more` parts and the built frame, and a Chromium
 * that partitions storage as people's do. `given` is added to the environment of the server.
 */
export async function startFrame(
  more: readonly Part[] = [],
  given: Readonly<Record<string, string>> = {},
) {
  // Another site than the frame's localhost, so that the frame's storage is a third party's.
  const hostUrl = await getHost()
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-frame-'))
  const parts: Part[] = ['chains', 'inbox', 'server', 'frame', ...more]
  const env = {
    MAIL_COOLDOWN_SECONDS: '1',
    PUBLIC_URL: hostUrl,
    // Most tests need a wallet with a kit, which is set up first.
    RECOVERY_LATER_ORIGINS: 'none',
    ...given,
  }
  const parameters = { mode: 'production', ports: 'free', dataDir, parts, env } as const
  const starting = [startStack({ ...parameters, log: () => {} }), getBrowser()] as const
  const [stack, browser] = await Promise.all(starting).catch(async (error) => {
    // What has started, or still does, would outlive the run.
    const [stack] = await Promise.allSettled(starting)
    if (stack.status === 'fulfilled') await stack.value.stop()
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
  const frameUrl = stack.urls.frame
  const openHost = async (context: BrowserContext, site = hostUrl) => {
    const page = await context.newPage()
    await page.goto(`${site}/host`)
    await page.waitForFunction(() => 'embed' in window)
    return page
  }
  return {
    stack,
    browser,
    frameUrl,
    hostUrl,
    address: `${frameUrl}/f/local`,
    newContext: async (options: Parameters<Browser['newContext']>[0] = {}) => {
      const context = await browser.newContext({
        viewport: { width: 900, height: 800 },
        // Every frame of a movement is drawn by the processor.
        reducedMotion: 'reduce',
        ...options,
      })
      // A busy machine stalls for seconds: this ends what hangs, and judges no speed.
      context.setDefaultTimeout(120_000)
      return context
    },
    openHost,
    /**
     * Opens a page with the connected frame in it: on our site, or on `site` for a separate
     * project.
     */
    embed: async (context: BrowserContext, { site = hostUrl, projectId = 'local' } = {}) => {
      const page = await openHost(context, site)
      await page.evaluate((address) => window.embed(address), `${frameUrl}/f/${projectId}`)
      return page
    },
    /** The newest code that was mailed to an address. */
    readCode: (email: string, after = 0) =>
      untilMail(stack.urls.inbox, email, /\b(\d{6})\b/, after),
    readLink: (email: string, after = 0) =>
      untilMail(stack.urls.inbox, email, /(https?:\/\/\S+\/device#[\w-]+)/, after),
    countMails: async (email: string) => (await mailsTo(stack.urls.inbox, email)).length,
    /** The newest mail to an address. */
    readMail: async (email: string) => (await mailsTo(stack.urls.inbox, email))[0]?.text ?? '',
    stop: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
      await stack.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type FrameStack = Awaited<ReturnType<typeof startFrame>>

/** Asks by the host page and waits for the answer. */
export async function ask(page: Page, method: string, params: unknown = {}): Promise<PageResponse> {
  const key = await begin(page, method, params)
  return settle(page, key)
}

/** Sends a request through the host page; await the response with {@link settle}. */
export async function begin(page: Page, method: string, params: unknown = {}): Promise<string> {
  const key = crypto.randomUUID()
  await page.evaluate(
    ([key, method, params]) => window.ask(key as string, method as string, params),
    [key, method, params] as const,
  )
  return key
}

export async function settle(page: Page, key: string): Promise<PageResponse> {
  const handle = await page.waitForFunction((key) => window.host.answers[key], key, {
    timeout: 120_000,
    // By default it looks at each frame, and so has the page draw sixty of them a second.
    polling: 100,
  })
  return (await handle.jsonValue()) as PageResponse
}

/** The frame's document inside the host page. */
export const inside = (page: Page) => page.frameLocator('#frame')

/** How a device link is approved. */
type Approve = typeof approveLink

/**
 * Signs in with `email`. Returns the key of the response, which arrives once the new wallet exists.
 */
export async function signIn(
  frame: FrameStack,
  page: Page,
  email: string,
  approve: Approve = sendApproval,
): Promise<string> {
  const first = await ask(page, 'APP_CONNECT_EMAIL', { email })
  const { action, matchCode } = first.result as { action: string; matchCode?: string }
  if (action === 'VERIFY_DEVICE') {
    const waiting = await begin(page, 'APP_CONNECT_DEVICE')
    await approve(frame, page.context(), { email, matchCode: matchCode ?? '' })
    await settle(page, waiting)
  }
  const code = await frame.readCode(email)
  const connecting = await begin(page, 'APP_CONNECT_OTP')
  await typeCode(page, code)
  return connecting
}

/**
 * Signs in with `email`, sets up recovery by a printed kit, and returns the kit. `onSetup` runs
 * while the choice of a recovery is shown.
 */
export async function logIn(
  frame: FrameStack,
  page: Page,
  email: string,
  { onSetup, approve }: { onSetup?: () => Promise<void>; approve?: Approve } = {},
): Promise<string> {
  const connecting = await signIn(frame, page, email, approve)
  await onSetup?.()
  const kit = await setUpKit(page)
  const answer = await settle(page, connecting)
  if (answer.code) throw new Error(`${answer.code}: ${answer.message}`)
  return kit
}

/** Deletes the consent for the page at `origin`, so that the frame prompts the user again. */
export const forgetConsent = (frame: FrameStack, page: Page, origin: string = frame.hostUrl) =>
  page.frames()[1]?.evaluate(
    (key) =>
      new Promise((resolve) => {
        const opened = indexedDB.open('latchkey-wallet', 1)
        opened.onsuccess = () => {
          const all = opened.result.transaction('values', 'readwrite')
          all.objectStore('values').delete(key)
          all.oncomplete = resolve
        }
      }),
    `consent ${origin}`,
  )

/** Approves a device link on its page. */
export async function approveLink(
  frame: FrameStack,
  context: BrowserContext,
  { email, matchCode }: { email: string; matchCode: string },
): Promise<void> {
  const link = await context.newPage()
  await link.goto(await frame.readLink(email))
  await link.getByRole('textbox').fill(matchCode)
  await link.getByRole('button').click()
  await link.getByRole('heading', { name: 'Approved' }).waitFor()
  await link.close()
}

/** Sends what the page of a device link sends, which is faster than loading that page. */
const sendApproval: Approve = async (frame, _context, { email, matchCode }) => {
  const secret = new URL(await frame.readLink(email)).hash.slice(1)
  const response = await fetch(`${frame.frameUrl}${approveDeviceLinkRoute.path}`, {
    method: approveDeviceLinkRoute.method,
    headers: { 'content-type': 'application/json', origin: frame.frameUrl },
    body: JSON.stringify({ secret, matchCode }),
  })
  if (!response.ok) throw new Error(await response.text())
}

const typeCode = (page: Page, code: string) => fillCode(inside(page), code)

/** Types a code digit by digit. */
export async function fillCode(where: Page | FrameLocator, code: string): Promise<void> {
  const boxes = where.locator('.box')
  await boxes.first().waitFor()
  for (const [index, digit] of [...code].entries()) await boxes.nth(index).pressSequentially(digit)
}

/** Scrolls as a wheel does, a part of the window at a time. */
export const readOn = (page: Page, selector: string) =>
  inside(page)
    .locator(selector)
    .evaluate(async (box) => {
      const nextFrame = () => new Promise(requestAnimationFrame)
      for (let last = -1; box.scrollTop !== last; ) {
        last = box.scrollTop
        box.scrollBy({ top: 200, behavior: 'instant' })
        await nextFrame()
        await nextFrame()
      }
    })

/** Chooses the printed kit and keeps it. Gives the kit. */
export async function setUpKit(page: Page): Promise<string> {
  const frame = inside(page)
  await frame.getByRole('radio', { name: /Printed kit/ }).check()
  const shown = frame.locator('.kit span')
  const isShown = () =>
    shown
      .nth(6)
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      )
  // In a low window, the choice has changed what there is to read. A press that comes before the
  // button knows is refused.
  do {
    await frame.locator('.screen').evaluate((box) => box.scrollTo(0, 0))
    await readOn(page, '.screen')
    const go = frame.getByRole('button', { name: 'Continue' })
    await go.click({ timeout: 5_000 }).catch(() => {})
  } while (!(await isShown()))
  return keepKit(frame)
}

/** Says that the shown kit is on paper, and types the requested group. Gives the kit. */
export async function keepKit(where: Page | FrameLocator): Promise<string> {
  const shown = where.locator('.kit span')
  await shown.nth(6).waitFor()
  const groups = await shown.allTextContents()
  await where.getByRole('button', { name: 'I’ve saved it' }).click()
  const asked = (await where.getByText(/^Type group \d of 7$/).textContent()) ?? ''
  if ((await shown.count()) > 0) throw new Error('The kit is shown next to the field')
  await where.getByRole('textbox').fill(groups[Number(asked[11]) - 1] ?? '')
  await where.getByRole('button', { name: 'Continue', exact: true }).click()
  return groups.join('-')
}

/**
 * Approves what is shown as a person does: once it can be, by holding the button until it says so.
 */
export async function holdToApprove(page: Page): Promise<void> {
  await inside(page).locator('.hold[data-open="true"]').waitFor()
  const box = await inside(page).locator('.hold').boundingBox()
  if (!box) throw new Error('nothing to press')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await inside(page).locator('.hold[data-hold="full"]').waitFor()
  await page.mouse.up()
}

let launched: Promise<Browser> | undefined

/** The same for all files of a worker, which ends it when it exits. */
function getBrowser(): Promise<Browser> {
  launched ??= launch()
  return launched
}

const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      // Playwright disables storage partitioning, and a test of it would pass for nothing. Only the
      // last of these flags takes effect. A page that a test fulfills has no network address, and
      // could not reach this machine.
      '--disable-features=Translate,MediaRouter,LocalNetworkAccessChecks',
      // A heap snapshot has the whole of each string.
      '--js-flags=--heap-snapshot-string-limit=10000000',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })

type Mail = { id: string; to: string[]; text: string }

async function mailsTo(inbox: string, email: string): Promise<Mail[]> {
  const response = await fetch(`${inbox}/messages?to=${encodeURIComponent(email)}`)
  return (await response.json()) as Mail[]
}

async function untilMail(inbox: string, email: string, pattern: RegExp, after: number) {
  const deadlineMs = Date.now() + 120_000
  while (Date.now() < deadlineMs) {
    const mails = await mailsTo(inbox, email)
    const fresh = mails.slice(0, Math.max(0, mails.length - after))
    const [first] = fresh.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
    if (first !== undefined) return first
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail to ${email}`)
}

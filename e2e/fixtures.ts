import { mayClose } from '@latchkey/dev'
import {
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test'

type Stack = {
  urls: {
    web: string
    frame: string
    inbox: string
    wallet: string
    /** Esplora's API of the local Bitcoin chain. */
    bitcoin: string
    rpc: Record<string, string>
  }
  addresses: Record<string, Record<string, `0x${string}`>>
  /** The port at which a test may open another way to the relay. */
  proxyPort: number
}

/** URLs and facts of this project's stack; set when a test runs. */
export const stack = {} as Stack

type Allowed = { errors: readonly RegExp[]; addresses: readonly RegExp[] }

/**
 * Fails the test on any console error, uncaught error, request or socket to another machine.
 * Endless animations are stopped in this context, because the processor would render each of their
 * frames.
 */
export function watch(context: BrowserContext, allowed: Allowed): () => void {
  const complaints: string[] = []
  void context.addInitScript(pauseEndless)
  context.on('weberror', (error) =>
    complaints.push(`uncaught: ${error.error().stack ?? error.error().message}`),
  )
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const text = `${message.text()} ${message.location().url}`
    if (!allowed.errors.some((pattern) => pattern.test(text))) complaints.push(`console: ${text}`)
  })
  const look = (url: string) => {
    const { protocol, hostname } = new URL(url)
    if (!/^(https?|wss?):$/.test(protocol) || /^(127\.0\.0\.1|localhost)$/.test(hostname)) return
    if (!allowed.addresses.some((pattern) => pattern.test(url)))
      complaints.push(`request to ${url}`)
  }
  context.on('request', (request) => look(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => look(socket.url())))
  return () => expect(complaints).toEqual([])
}

/**
 * Attaches to a failed test what each frame of a context's pages shows, and the requests that were
 * refused or have no response yet. Reports print the first 300 characters of each.
 */
export async function report(context: BrowserContext, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return
  const attach = (name: string, body: string) =>
    info.attach(name, { body, contentType: 'text/plain' })
  for (const page of context.pages()) {
    for (const frame of page.frames())
      await attach(
        frame.url(),
        await frame
          .evaluate(() => {
            const open = [...document.querySelectorAll('dialog[open]')]
            return [...open, document.body].map((one) => one.textContent).join('\n\n')
          })
          .catch(String),
      )
    for (const request of await page.requests()) {
      const response = request.existingResponse()
      if (response && response.status() < 400) continue
      const failure = request.failure()?.errorText ?? response?.status() ?? 'waits'
      await attach(request.url(), String(failure))
    }
  }
}

function pauseEndless(): void {
  document.addEventListener('animationstart', ({ target }) => {
    for (const animation of (target as Element).getAnimations({ subtree: true }))
      if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
        animation.pause()
  })
}

type Fixtures = {
  /**
   * Console errors that a test provokes on purpose. One pattern, because Playwright misreads a list
   * of two as value and options.
   */
  allowedErrors: RegExp[]
  /** URLs on other machines that a test opens and serves itself. */
  allowedAddresses: RegExp[]
  watched: undefined
  /** The development wallet on another device: a separate browser context. */
  wallet: Page
}

const stackTimeoutMs = 300_000

export const test = base.extend<Fixtures, { placed: undefined }>({
  placed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads off it what a fixture needs.
    async ({}, use, { project: { name, metadata } }) => {
      const response = await fetch(`${process.env.LATCHKEY_STACKS}/${metadata.stack ?? name}`)
      if (!response.ok) throw new Error(await response.text())
      Object.assign(stack, await response.json())
      await use(undefined)
    },
    { auto: true, scope: 'worker', timeout: stackTimeoutMs },
  ],
  allowedErrors: [[], { option: true }],
  allowedAddresses: [[], { option: true }],
  watched: [
    async ({ context, allowedErrors, allowedAddresses }, use, info) => {
      const check = watch(context, { errors: allowedErrors, addresses: allowedAddresses })
      await use(undefined)
      await report(context, info)
      check()
      // Pending requests of a page at the end of its test are not awaited, and their failures do
      // not count.
      const pages = context.pages()
      for (const one of [context, ...pages])
        await one.unrouteAll({ behavior: 'ignoreErrors' }).catch((error: unknown) => {
          // A window may close itself meanwhile.
          if (!pages.some((page) => page.isClosed())) throw error
        })
    },
    { auto: true },
  ],
  wallet: async ({ browser, allowedErrors }, use) => {
    const context = await browser.newContext()
    const check = watch(context, { errors: allowedErrors, addresses: [] })
    const page = await context.newPage()
    await page.goto(stack.urls.wallet)
    await page.getByTestId('pair').waitFor()
    await use(page)
    await context.close()
    check()
  },
})

export { expect }

/** Runs an action that makes the development wallet prompt, and responds in its popup. */
export async function answer(
  page: Page,
  decision: 'approve' | 'reject',
  ask: () => Promise<unknown>,
) {
  const opened = page.waitForEvent('popup')
  await ask()
  const popup = await opened
  // A wallet that already allows the page does not prompt, and may close the popup before the press
  // returns.
  const closed = popup.isClosed() || popup.waitForEvent('close')
  await answerIn(popup, decision)
  await closed
}

/**
 * Responds in an open popup of the development wallet, which may close before the click returns.
 */
export const answerIn = (popup: Page, decision: 'approve' | 'reject') =>
  mayClose(popup.getByTestId(decision).click())

/**
 * The URL of a page of the web app, by default the portfolio. The developer page also has the
 * modal, and does not load the account's assets: a test that does not need the portfolio begins
 * there.
 */
export const pageOf = (path: `/${string}` = '/') => stack.urls.web + path

/** Opens the web app and connects the development wallet through the modal. */
export async function connect(page: Page, path?: '/developer') {
  await page.goto(pageOf(path))
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await answer(page, 'approve', () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Latchkey Development Wallet/ })
      .click(),
  )
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Disconnects in the account view. */
export async function disconnect(page: Page) {
  await page
    .getByRole('button', { name: /^Account / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click()
}

/** The storage of a browser with a connected development wallet. */
let connectedState: Awaited<ReturnType<BrowserContext['storageState']>> | undefined

/**
 * Opens the web app in a browser whose development wallet was connected before, which happens once
 * for all tests.
 */
export async function openConnected(page: Page, path?: `/${string}`) {
  connectedState ??= await storeConnected(page)
  await page.context().setStorageState(connectedState)
  await page.goto(pageOf(path))
  await expect(page.getByRole('button', { name: /^Account 0x/ }).first()).toBeVisible()
}

async function storeConnected(page: Page) {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('The page has no browser')
  await connect(await context.newPage(), '/developer')
  const state = await context.storageState()
  await context.close()
  return state
}

/** JSON-RPC straight to a local chain. */
export async function rpc<T>(chain: string, method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(stack.urls.rpc[chain] as string, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  // A block that is mined meanwhile can remove the state of the previous latest block that anvil is
  // reading.
  if (error?.message.startsWith('BlockOutOfRange')) return rpc(chain, method, params)
  if (error !== undefined) throw new Error(error.message)
  return result
}

/** Takes a chain back to a snapshot, but not its clock, which anvil takes back too. */
export async function revert(chain: string, snapshot: string) {
  await rpc(chain, 'evm_revert', [snapshot])
  const { timestamp } = await rpc<{ timestamp: string }>(chain, 'eth_getBlockByNumber', [
    'latest',
    false,
  ])
  const next = Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1_000))
  await rpc(chain, 'evm_setNextBlockTimestamp', [next])
}

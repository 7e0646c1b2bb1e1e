import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'

type Stack = {
  urls: { web: string; wallet: string; rpc: Record<string, string> }
  addresses: Record<string, Record<string, `0x${string}`>>
}

/** Where the stack of this run is; set by startStack.ts. */
export const stack: Stack = JSON.parse(process.env.LATCHKEY_STACK ?? '{}')

/** Fails the test on any console error, uncaught error or request to another machine. */
function watch(context: BrowserContext, allowed: readonly RegExp[]): () => void {
  const complaints: string[] = []
  context.on('weberror', (error) =>
    complaints.push(`uncaught: ${error.error().stack ?? error.error().message}`),
  )
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const text = `${message.text()} ${message.location().url}`
    if (!allowed.some((pattern) => pattern.test(text))) complaints.push(`console: ${text}`)
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (/^(https?|wss?):$/.test(protocol) && hostname !== '127.0.0.1')
      complaints.push(`request to ${request.url()}`)
  })
  return () => expect(complaints).toEqual([])
}

type Fixtures = {
  /** Console errors a test provokes on purpose. */
  allowedErrors: RegExp[]
  watched: undefined
}

export const test = base.extend<Fixtures>({
  allowedErrors: [[], { option: true }],
  watched: [
    async ({ context, allowedErrors }, use) => {
      const check = watch(context, allowedErrors)
      await use(undefined)
      check()
    },
    { auto: true },
  ],
})

export { expect }

/** Does what makes the development wallet ask, and answers in its popup. */
export async function answer(
  page: Page,
  decision: 'approve' | 'reject',
  ask: () => Promise<unknown>,
) {
  const opened = page.waitForEvent('popup')
  await ask()
  const popup = await opened
  const closed = popup.waitForEvent('close')
  await popup.getByTestId(decision).click()
  await closed
}

/** Opens the web app and connects the development wallet through the modal. */
export async function connect(page: Page) {
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await answer(page, 'approve', () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Latchkey Development Wallet/ })
      .click(),
  )
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** JSON-RPC straight to a local chain. */
export async function rpc<T>(chain: string, method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(stack.urls.rpc[chain] as string, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

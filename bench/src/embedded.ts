import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@latchkey/dev'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { launch } from './browser.ts'
import { printRows, type Row } from './measure/printRows.ts'
import { quantile } from './measure/quantiles.ts'
import { frameRows, weighFrame } from './measure/weighFrame.ts'

/** The first round does not count, because it compiles the servers' code. */
const rounds = 9
/** Time limit from the request until the user can approve, including the 800 ms of the guard. */
const approvalLimitMs = 1_150
const chain = 'eip155:31337'
const approvalName = 'asked to approval that can be given'
const hashName = 'let go to transaction hash'
const bareName = 'bare eth_sendTransaction to the chain'
const receiver = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
/** How long a mail, or an element, may take on a busy machine. */
const patienceMs = 60_000

/**
 * Records on the page's clock when a request was clicked, when the user could approve, when the
 * press ended and when the hash was shown. The test driver would see these from outside, and later.
 * A string, because the transpiler of this file would add calls that the page does not have.
 */
const stopwatch = `
  const since = performance.timeOrigin
  const note = (name) => ({ timeStamp }) => { window[name] = since + timeStamp }
  const until = (name, isPresent) => new MutationObserver((_, observer) => {
    if (!isPresent()) return
    window[name] = since + performance.now()
    observer.disconnect()
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  if (window.top === window) addEventListener('click', note('clickedAtMs'), true)
  else {
    addEventListener('pointerup', note('releasedAtMs'), true)
    until('openedAtMs', () => document.querySelector('.hold[data-open="true"]'))
  }
  window.watchHash = () =>
    until('hashAtMs', () => /0x[0-9a-f]{64}/.test(document.querySelector('main')?.textContent ?? ''))
`

const samples = new Map<string, number[]>()
const note = (name: string, ms: number) => samples.set(name, [...(samples.get(name) ?? []), ms])
const median = (values: readonly number[]) => quantile(values, 0.5)

async function time<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work()
  note(name, performance.now() - startedAt)
  return result
}

async function rpc(method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(stack.urls.rpc[chain], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result?: unknown }).result
}

/** Waits for a mail to an address and returns the match of `pattern` in it. */
async function untilMail(email: string, pattern: RegExp): Promise<string> {
  const endMs = performance.now() + patienceMs
  while (performance.now() < endMs) {
    const response = await fetch(`${stack.urls.inbox}/messages?to=${encodeURIComponent(email)}`)
    const mails = (await response.json()) as { text: string }[]
    const found = mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0]
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 5))
  }
  throw new Error(`No such mail to ${email} after ${patienceMs / 1_000} s`)
}

/** The mail limit counts by network address, so every round has another address. */
async function movePlace(context: BrowserContext, round: number) {
  await context.route(`${stack.urls.frame}/api/login`, (route) =>
    route.continue({
      headers: { ...route.request().headers(), 'x-forwarded-for': `10.1.1.${round + 1}` },
    }),
  )
}

/** Measures a new user, from the click on the arrow of the email field to a transaction. */
async function run(context: BrowserContext, round: number) {
  const email = `bench-${round}-${process.pid}@people.example`
  await movePlace(context, round)
  const page = await context.newPage()
  const frame = page.frameLocator('iframe[src*="/f/"]')
  const modal = page.getByRole('dialog')
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await modal.getByLabel('Email address').fill(email)

  const loaded = loadOf(page)
  const link = await time('e-mail submitted to mail in the inbox', async () => {
    await modal.getByRole('button', { name: 'Continue with email' }).click()
    return untilMail(email, /^(http\S+\/device#\S+)$/m)
  })
  note('frame loaded, cold', await loaded)
  const digits = (await modal.getByText(/^\d{2}$/).textContent()) ?? ''
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByLabel('Enter the two digits shown there').fill(digits.trim())
  await time('digits typed to link approved', async () => {
    await tab.getByRole('button', { name: 'Yes, sign me in' }).click()
    await tab.getByRole('heading', { name: 'Approved' }).waitFor()
  })
  const code = await untilMail(email, /^ {4}(\d{6})$/m)
  await tab.close()
  await page.bringToFront()
  const digit = frame.getByLabel('Digit 1 of 6')
  await digit.click()
  const copy = page.getByRole('button', { name: /^Copy address 0x/ })
  await time('code typed to wallet ready', async () => {
    // Types each key separately: a whole string can reach the page while the focus moves to the
    // frame.
    await digit.pressSequentially(code)
    await copy.waitFor()
  })
  await send(page, (await copy.getAttribute('title')) ?? '')
}

async function send(page: Page, address: string) {
  await rpc('anvil_setBalance', [address, `0x${(10n ** 19n).toString(16)}`])
  await page.getByRole('link', { name: 'Developer' }).first().click()
  const form = page.getByRole('region', { name: 'Raw request', exact: true })
  await form.getByLabel('Method').fill('eth_sendTransaction')
  const transaction = { from: address, to: receiver, value: '0x1' }
  await form.getByLabel('Parameters (JSON)').fill(JSON.stringify([transaction]))
  const frame = page.frameLocator('iframe[src*="/f/"]')
  const hold = frame.getByRole('button', { name: 'Hold to send' })
  // A user reads the screen first. Meanwhile an idle frame loads the code of approvals.
  await page.waitForLoadState('networkidle')
  await page.evaluate('watchHash()')
  await form.getByRole('button', { name: 'Request' }).click()
  // An additional warning, for example about a simulation without a response, requires reading the
  // card to its end.
  await frame.locator('.asked').evaluate((asked) => {
    new ResizeObserver(() => asked.scrollTo(0, asked.scrollHeight)).observe(asked)
  })
  await frame.locator('.hold[data-open="true"]').waitFor()
  await hold.hover()
  await page.mouse.down()
  await frame.locator('.hold[data-hold="full"]').waitFor()
  await page.mouse.up()
  await form.getByText(/0x[0-9a-f]{64}/).waitFor()
  const inFrame = page.frames().find((one) => isFrame(one.url()))
  const read = (where: Page | Frame | undefined, name: string) =>
    where?.evaluate<number>(name) ?? Promise.resolve(Number.NaN)
  note(approvalName, (await read(inFrame, 'openedAtMs')) - (await read(page, 'clickedAtMs')))
  note(hashName, (await read(page, 'hashAtMs')) - (await read(inFrame, 'releasedAtMs')))
}

const isFrame = (url: string) => url.startsWith(`${stack.urls.frame}/f/`)

/** The time from the frame's first request to its load event, in ms. */
async function loadOf(page: Page): Promise<number> {
  await page.waitForRequest((request) => isFrame(request.url()))
  const startedAt = performance.now()
  const found = () => page.frames().find((one) => isFrame(one.url()))
  while (found() === undefined) await new Promise((done) => setTimeout(done, 1))
  await found()?.waitForLoadState('load')
  return performance.now() - startedAt
}

/** Sends the same transaction to the chain with a bare client, for comparison. */
async function sendBare(): Promise<void> {
  const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  await time(bareName, () => rpc('eth_sendTransaction', [{ from, to: receiver, value: '0x1' }]))
}

async function runAll(browser: Browser) {
  for (let round = 0; round < rounds; round++) {
    if (round === 1) samples.clear()
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(patienceMs)
    await context.addInitScript(stopwatch)
    await run(context, round)
    await sendBare()
    await context.close()
  }
}

// All browsers of the bench are on this machine; a test header sets another network address.
process.env.TRUST_PROXY = '1'
const weight = await weighFrame()
const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
const stack = await startStack({ mode: 'production', ports: 'free', dataDir, log: () => {} })
const browser = await launch()
try {
  await runAll(browser)
} finally {
  await browser.close()
  await stack.stop()
  await rm(dataDir, { recursive: true, force: true })
}
console.log('The approval and the hash are measured in the browser, all else from outside of it')
const bareMs = median(samples.get(bareName) ?? [])
for (const [name, values] of samples) {
  const ms = median(values)
  const times = `${(ms / bareMs).toFixed(1)} times a bare transaction`
  console.log(`${name}: median ${ms.toFixed(0)} ms, n ${values.length}, ${times}`)
}
const approvalMs = median(samples.get(approvalName) ?? [])
const rows: Row[] = [
  [
    approvalName,
    approvalMs <= approvalLimitMs,
    `${approvalMs.toFixed(0)} of ${approvalLimitMs} ms (median), 800 of them for the guard`,
  ],
  ...frameRows(weight),
]
printRows(rows)

import { type Part, solanaChain } from '@latchkey/dev'
import type { BrowserContext, Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { ask, begin, type FrameStack, inside, logIn, settle, startFrame } from '../startFrame.ts'

export const email = 'approve@example.org'

/** The real frame of the test file that runs, and the browser of its only user. */
export let frame: FrameStack
export let context: BrowserContext
export let page: Page
/** The user's account. */
export let address: `0x${string}`
/** The name of the picture that the user has from the set-up. */
export let picture: string
/** The paths that the frame loaded during the login, in order. */
export let loaded: string[]

/**
 * Registers one login for all tests of a file. Each test has a new page and a new frame, and with
 * them the frame's twenty requests a minute.
 */
export function startApprovals(more: readonly Part[] = []): void {
  beforeAll(async () => {
    loaded = []
    frame = await startFrame(more)
    context = await frame.newContext()
    const first = await frame.embed(context)
    context.on('request', (one) => loaded.push(new URL(one.url()).pathname))
    await logIn(frame, first, email)
    const user = (await ask(first, 'APP_GET_USER')).result as { address: `0x${string}` }
    address = user.address
    // These tests use plain transactions; if the operator pays, the account signs a user operation.
    const asked = await begin(first, 'APP_SET_PREFERRED_ACCOUNT', { type: 'eoa' })
    await inside(first).getByRole('button', { name: 'Pause smart account' }).click()
    const shown = inside(first).getByRole('img', { name: /^Your picture: / })
    picture = (await shown.getAttribute('aria-label')) ?? ''
    await inside(first).getByText('Your smart account is not in use.').waitFor()
    await inside(first).getByRole('button', { name: 'Close' }).click()
    await settle(first, asked)
    const told = await first.evaluate(() => window.host.events)
    if (!told.some(([name]) => name === 'FRAME_ACCOUNT_TYPE'))
      throw new Error('the page was not told')
    await first.close()
    await rpc('anvil_setBalance', [address, '0x8ac7230489e80000'])
  })
  afterAll(() => frame?.stop())
  beforeEach(async () => {
    page = await frame.embed(context)
  })
  afterEach(() => page.close())
}

export const rpc = (method: string, params: unknown[]) => askNode('eip155:31337', method, params)
export const solanaRpc = (method: string, params: unknown[]) =>
  askNode(solanaChain.id, method, params)

async function askNode(
  chain: 'eip155:31337' | typeof solanaChain.id,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const response = await fetch(frame.stack.urls.rpc[chain], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}

export const request = (method: string, params: unknown, more: object = {}) =>
  begin(page, 'APP_RPC_REQUEST', { method, params, chainId: 31337, ...more })

export const sign = (text: string) => request('personal_sign', [text, address])
export const card = () => inside(page).locator('.approval')
export const hold = () => inside(page).locator('.hold')
export const isOpen = async () => (await hold().getAttribute('data-open')) === 'true'

export const untilOpen = async () => {
  await hold().waitFor()
  await inside(page).locator('.hold[data-open="true"]').waitFor()
}

/** Scrolls the request to its end. */
export const readOn = () =>
  inside(page)
    .locator('.asked')
    .evaluate((asked) => asked.scrollTo(0, asked.scrollHeight))

/** Holds the button until `done`, and lets it go. */
export async function press(done: () => Promise<unknown>): Promise<void> {
  const box = await hold().boundingBox()
  if (!box) throw new Error('nothing to press')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await done()
  await page.mouse.up()
}

/** As a person does: waits until it can be pressed, and holds it until it says so. */
export async function approve(): Promise<void> {
  await untilOpen()
  await press(() => inside(page).locator('.hold[data-hold="full"]').waitFor())
}

/** A page requests an unlimited allowance. */
export async function askUnlimited(where: Page) {
  const token = frame.stack.addresses['eip155:31337'].usd as `0x${string}`
  const spender = frame.stack.accounts[2]?.address as `0x${string}`
  const args = [spender, 2n ** 256n - 1n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  const params = { method: 'eth_sendTransaction', params: [{ from: address, to: token, data }] }
  const key = await begin(where, 'APP_RPC_REQUEST', { ...params, chainId: 31337 })
  const readAllowance = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'allowance',
    args: [address, spender],
  })
  const read = async () =>
    BigInt(String(await rpc('eth_call', [{ to: token, data: readAllowance }, 'latest'])))
  return { key, read }
}

import { solanaChain } from '@latchkey/dev'
import { decodeBase58, encodeBase58, verifyLogin } from '@latchkey/wire'
import { parseTransaction } from '@latchkey/wire/solana'
import {
  type Address,
  createNoopSigner,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { BrowserContext, Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi, parseAbi, recoverMessageAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { coverFrame, covers, flashHeight, uncoverFrame } from './coverFrame.ts'
import { openExport } from './openExport.ts'
import { buildTransaction } from './solanaRequest.ts'
import {
  ask,
  begin,
  type FrameStack,
  fillCode,
  inside,
  logIn,
  settle,
  startFrame,
} from './startFrame.ts'
import { cutWindows } from './windows/openWindow.ts'

let frame: FrameStack
let context: BrowserContext
let page: Page
let address: `0x${string}`
/** The name of the picture that the person has from the set-up. */
let picture: string
const email = 'approve@example.org'
/** What the frame loaded during the login, in order. */
const loaded: string[] = []

/** One login for all; each test has a page and a frame of its own, and with them the frame's twenty requests a minute. */
beforeAll(async () => {
  frame = await startFrame(['solana'])
  context = await frame.newContext()
  const first = await frame.embed(context)
  context.on('request', (one) => loaded.push(new URL(one.url()).pathname))
  await logIn(frame, first, email)
  const user = (await ask(first, 'APP_GET_USER')).result as { address: `0x${string}` }
  address = user.address
  // These tests are of plain transactions; where the operator pays, what is signed is an operation.
  const asked = await begin(first, 'APP_SET_PREFERRED_ACCOUNT', { type: 'eoa' })
  await inside(first).getByRole('button', { name: 'Stop using it' }).click()
  const shown = inside(first).getByRole('img', { name: /^Your picture: / })
  picture = (await shown.getAttribute('aria-label')) ?? ''
  await inside(first).getByText('Your smart account is not used.').waitFor()
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

const rpc = (method: string, params: unknown[]) => askNode('eip155:31337', method, params)
const solanaRpc = (method: string, params: unknown[]) => askNode(solanaChain.id, method, params)

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

const request = (method: string, params: unknown, more: object = {}) =>
  begin(page, 'APP_RPC_REQUEST', { method, params, chainId: 31337, ...more })

const sign = (text: string) => request('personal_sign', [text, address])
const card = () => inside(page).locator('.approval')
const hold = () => inside(page).locator('.hold')
const isOpen = async () => (await hold().getAttribute('data-open')) === 'true'

const untilOpen = async () => {
  await hold().waitFor()
  await inside(page).locator('.hold[data-open="true"]').waitFor()
}

/** Scrolls what is asked to its end. */
const readOn = () =>
  inside(page)
    .locator('.asked')
    .evaluate((asked) => asked.scrollTo(0, asked.scrollHeight))

/** Holds the button until `done`, and lets it go. */
async function press(done: () => Promise<unknown>): Promise<void> {
  const box = await hold().boundingBox()
  if (!box) throw new Error('nothing to press')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await done()
  await page.mouse.up()
}

/** As a person does: waits until it can be pressed, and holds it until it says so. */
async function approve(): Promise<void> {
  await untilOpen()
  await press(() => inside(page).locator('.hold[data-hold="full"]').waitFor())
}

test('default: the key worker is not loaded before the first code was typed', () => {
  const isWorker = (path: string) => path.includes('keyWorker')
  expect(loaded.findIndex(isWorker)).toBeGreaterThan(loaded.indexOf(verifyLogin.path))
  expect(loaded).toContain(verifyLogin.path)
})

test('default: the code of approvals is loaded ahead, and not before the page knows its user', () => {
  for (const part of ['approveRequest', 'ApprovalScreen', 'prepareSponsored']) {
    const at = loaded.findIndex((path) => path.includes(part))
    expect(at).toBeGreaterThan(loaded.indexOf(verifyLogin.path))
  }
})

test('behavior: the key worker starts when a press begins, and ends without work if it is let go too soon', async () => {
  const asked = await sign('Too soon')
  await untilOpen()
  // The one that looked for the wallet.
  await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0)
  const started = page.waitForEvent('worker')
  await press(() => started)
  expect(await isOpen()).toBe(true)
  await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0)
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
})

test('default: a message is signed by the account that was shown', async () => {
  const asked = await sign('Hello')
  await untilOpen()
  expect(await inside(page).locator('.origin').textContent()).toBe(frame.hostUrl)
  await approve()
  const { result } = await settle(page, asked)
  const signature = result as `0x${string}`
  expect(await recoverMessageAddress({ message: 'Hello', signature })).toBe(address)
})

test('default: a payment goes out with the nonce, gas and chain of our own RPC, whatever the page says', async () => {
  const to = frame.stack.accounts[1]?.address ?? '0x'
  const lies = {
    gas: '0x1',
    nonce: '0xff',
    maxFeePerGas: '0xffffffffffff',
  }
  const asked = await request(
    'eth_sendTransaction',
    [{ from: address, to, value: '0xde0b6b3a7640000', ...lies }],
    { rpcUrl: 'https://evil.example' },
  )
  await untilOpen()
  const text = await card().textContent()
  expect(text).toContain('Send 1 ETH?')
  expect(text).toContain('You have never sent to this address.')
  expect(text).toContain('Latchkey One')
  // A fee with all its digits does not break within them.
  const fee = card()
    .locator('dd')
    .getByText(/^0\.\d+ ETH$/)
  const countLines = ({ firstChild }: Element) => {
    const number = '0.000123456789012345'
    const range = document.createRange()
    if (firstChild) firstChild.nodeValue = `${number} ETH`
    range.setStart(firstChild as Node, 0)
    range.setEnd(firstChild as Node, number.length)
    return range.getClientRects().length
  }
  expect(await fee.evaluate(countLines)).toBe(1)
  await approve()
  const { result } = await settle(page, asked)
  const sent = (await rpc('eth_getTransactionByHash', [result])) as Record<string, string>
  expect(sent).toMatchObject({ nonce: '0x0', value: '0xde0b6b3a7640000', to: to.toLowerCase() })
  expect(sent.gas).not.toBe('0x1')
})

/** The account on Solana, with money, and transfers from it to a development account. */
async function openSolana() {
  const user = await ask(page, 'APP_GET_USER', { chainId: solanaChain.id })
  const { address: own } = user.result as { address: Address }
  await solanaRpc('requestAirdrop', [own, 5_000_000_000])
  const accounts = frame.stack.solanaAccounts.map((one) => one.address as Address)
  const destination = accounts[3] ?? own
  const { lookupTable } = frame.stack.addresses[solanaChain.id]
  const pay = async (amount: bigint) => {
    const latest = await solanaRpc('getLatestBlockhash', [{ commitment: 'confirmed' }])
    const { blockhash } = (latest as { value: { blockhash: string } }).value
    const source = createNoopSigner(own)
    return buildTransaction([getTransferSolInstruction({ source, destination, amount })], {
      feePayer: own,
      blockhash,
      tables: { [lookupTable]: accounts },
    })
  }
  return { own, destination, pay }
}

const onSolana = (method: string, params: unknown) =>
  request(method, params, { chainId: solanaChain.id })

const untilConfirmed = (signature: unknown) =>
  expect
    .poll(async () => {
      const found = await solanaRpc('getSignatureStatuses', [[signature]])
      return (found as { value: [{ err: unknown } | null] }).value[0]?.err
    })
    .toBeNull()

test('row 55: a payment on Solana with a lookup table is shown, tried out, signed and sent', async () => {
  const { own, destination, pay } = await openSolana()
  const asked = await onSolana('solana_signAndSendTransaction', {
    transaction: await pay(1_000_000_000n),
    pubkey: own,
  })
  await hold().waitFor()
  const text = await card().textContent()
  expect(text).toContain('Send 1 SOL?')
  expect(text).toContain(destination)
  expect(text).toContain('What our server expects to happenLeaves1.000005 SOL')
  expect(text).toContain('from lookup tables of the network')
  await readOn()
  await approve()
  const { result } = await settle(page, asked)
  await untilConfirmed((result as { signature: string }).signature)
})

test('row 55: messages and several transactions on Solana are signed by the account that was shown', async () => {
  const { own, pay } = await openSolana()
  const bytes = new TextEncoder().encode('Hello')
  const said = await onSolana('solana_signMessage', { message: encodeBase58(bytes), pubkey: own })
  await card().getByRole('img', { name: picture }).waitFor()
  await approve()
  const { signature } = (await settle(page, said)).result as { signature: string }
  const key = await getPublicKeyFromAddress(own)
  const signed = decodeBase58(signature) as unknown as SignatureBytes
  expect(await verifySignature(key, signed, bytes)).toBe(true)
  const transactionsToSign = [await pay(1n), await pay(2n)]
  const asked = await onSolana('solana_signAllTransactions', { transactions: transactionsToSign })
  await card().getByText('Sign 2 transactions: send 0.000000003 SOL?').waitFor()
  // Who has seen the first alone cannot approve, even at the end of what is shown.
  await card().getByRole('heading', { name: 'Transaction 1 of 2' }).waitFor()
  await readOn()
  await card().getByText('See every transaction first').waitFor()
  expect(await isOpen()).toBe(false)
  await card().getByRole('button', { name: 'Next' }).click()
  await card().getByRole('heading', { name: 'Transaction 2 of 2' }).waitFor()
  expect(await card().textContent()).toContain('0.000000002 SOL')
  await readOn()
  await approve()
  const { transactions } = (await settle(page, asked)).result as { transactions: string[] }
  for (const one of transactions)
    await untilConfirmed(await solanaRpc('sendTransaction', [one, { encoding: 'base64' }]))
})

test('default: what an amount is worth stands quietly beside it, by the prices of our server, also of a newer one than this page', async () => {
  await page.route('**/api/simulation', async (route) => {
    const response = await route.fetch()
    const later = { later: 'unknown here' }
    const prices = [{ token: null, usd: 4500, ...later }]
    await route.fulfill({ response, json: { ...(await response.json()), prices, ...later } })
  })
  const to = frame.stack.accounts[2]?.address
  const sent = { from: address, to, value: '0x14d1120d7b160000' }
  const asked = await request('eth_sendTransaction', [sent])
  await hold().waitFor()
  expect(await card().locator('.effect dd').first().textContent()).toBe('1.5 ETH$6,750.00')
  expect(await card().locator('dd .quiet').first().textContent()).toContain('$6,750.00')
  expect(await card().locator('h1').textContent()).toBe('Send 1.5 ETH?')
  await inside(page).getByRole('button', { name: 'Reject' }).click()
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
})

test('row 53: a payment that would take more once it was approved is shown again, and not signed before', async () => {
  const { own, pay } = await openSolana()
  type Simulation = { params: [string, { accounts: { addresses: string[] } }] }
  let simulations = 0
  await page.route('**/rpc/**', async (route) => {
    if (!route.request().postData()?.includes('simulateTransaction')) return route.continue()
    simulations += 1
    const response = await route.fetch()
    const answer = await response.json()
    const { params } = route.request().postDataJSON() as Simulation
    const at = params[1].accounts.addresses.indexOf(own)
    if (simulations > 1) answer.result.value.accounts[at].lamports -= 1_000_000_000
    await route.fulfill({ response, json: answer })
  })
  const transaction = await pay(1n)
  const asked = await onSolana('solana_signTransaction', { transaction, pubkey: own })
  await hold().waitFor()
  expect(await card().textContent()).toContain('Leaves0.000005001 SOL')
  await readOn()
  await approve()
  await card().getByText('Nothing was signed. Read it again.').waitFor()
  expect(await card().textContent()).toContain('Leaves1.000005001 SOL')
  await readOn()
  await approve()
  const { signature } = (await settle(page, asked)).result as { signature: string }
  const { message } = parseTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')))
  const signed = decodeBase58(signature) as unknown as SignatureBytes
  expect(await verifySignature(await getPublicKeyFromAddress(own), signed, message)).toBe(true)
})

test('row 53: a contract that changes its mind after the review is shown again, and nothing is sent before', async () => {
  const to = `0x${'99'.repeat(20)}`
  // Gives back what it gets, until its slot 0 is set.
  await rpc('anvil_setCode', [to, '0x600054601357600060006000600034335af1005b00'])
  const asked = await request('eth_sendTransaction', [
    { from: address, to, value: '0xde0b6b3a7640000', data: '0x12345678' },
  ])
  await hold().waitFor()
  expect(await card().textContent()).toContain('Nothing changes hands')
  await rpc('anvil_setStorageAt', [to, '0x0', `0x${'1'.padStart(64, '0')}`])
  await readOn()
  await approve()
  await card().getByText('Nothing was signed. Read it again.').waitFor()
  expect(await card().textContent()).toContain('Leaves1 ETH')
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
  expect(await rpc('eth_getBalance', [to, 'latest'])).toBe('0x0')
})

test('behavior: closed while it is being sent, the page is told what becomes of it', async () => {
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/rpc/**', async (route) => {
    if (route.request().postData()?.includes('eth_sendRawTransaction')) await held
    await route.continue()
  })
  const to = frame.stack.accounts[1]?.address ?? '0x'
  const asked = await request('eth_sendTransaction', [{ from: address, to, value: '0x1' }])
  await untilOpen()
  const sending = page.waitForRequest((sent) => !!sent.postData()?.includes('eth_sendRaw'))
  await approve()
  await sending
  await page.keyboard.press('Escape')
  await hold().waitFor({ state: 'detached' })
  go()
  const { result } = await settle(page, asked)
  expect(await rpc('eth_getTransactionByHash', [result])).toMatchObject({ value: '0x1' })
})

test('default: a keyboard approves by typing the digits shown', async () => {
  const asked = await sign('By keys')
  await untilOpen()
  const label = await inside(page).locator('.digits span').textContent()
  const digits = /\d\d/.exec(label ?? '')?.[0] ?? ''
  await page.waitForTimeout(1_000)
  await inside(page).getByRole('textbox').focus()
  await page.keyboard.type(digits, { delay: 60 })
  await page.keyboard.press('Enter')
  expect((await settle(page, asked)).result).toMatch(/^0x/)
})

test('behavior: what is longer than the card can be signed once its end was in sight', async () => {
  const message = `Welcome${'\n'.repeat(300)}All that you own goes to 0xbad`
  const asked = await sign(message)
  await inside(page).getByText('Read to the end first').waitFor()
  // Longer than the gate takes to open.
  await page.waitForTimeout(1_000)
  expect(await isOpen()).toBe(false)
  await press(() => page.waitForTimeout(900))
  const label = await inside(page).locator('.digits span').textContent()
  await inside(page).getByRole('textbox').focus()
  await page.keyboard.type(/\d\d/.exec(label ?? '')?.[0] ?? '', { delay: 60 })
  await page.keyboard.press('Enter')
  expect(await card().count()).toBe(1)
  expect(await isOpen()).toBe(false)
  await readOn()
  await approve()
  const { result } = await settle(page, asked)
  const signature = result as `0x${string}`
  expect(await recoverMessageAddress({ message, signature })).toBe(address)
})

test('row 29: while the person is elsewhere in the page nothing can be approved', async () => {
  const asked = await sign('Elsewhere')
  await untilOpen()
  await page.evaluate(() => {
    const field = document.createElement('input')
    document.body.append(field)
    field.focus()
  })
  await inside(page).locator('.hold[data-open="false"]').waitFor()
  // Pressing there brings the focus back, and does not count as the hold.
  await press(() => page.waitForTimeout(900))
  expect(await card().count()).toBe(1)
  await approve()
  expect((await settle(page, asked)).result).toMatch(/^0x/)
})

test('row 29: nothing can be approved while the frame is covered, faded, turned, cut or too small', async () => {
  const asked = await sign('Covered')
  await untilOpen()
  const shuts = async (code: string) => {
    await coverFrame(page, code)
    // Before a hold that begins now could be over.
    const shut = inside(page).locator('.hold[data-open="false"]').waitFor({ timeout: 700 })
    const isShut = await shut.then(() => true).catch(() => false)
    await uncoverFrame(page)
    await untilOpen()
    return isShut
  }
  // A stall of the machine takes longer than a hold, but not each time.
  for (const [name, code] of Object.entries(covers))
    expect((await shuts(code)) || (await shuts(code)) || (await shuts(code)), name).toBe(true)
  await ask(page, 'APP_RPC_ABORT')
  expect(await settle(page, asked)).toMatchObject({ code: 'ABORTED' })
})

test('row 29: a text counts as read only as far as it was seen, not where a page made the frame high for a moment', async () => {
  const asked = await sign('All of this has to be read. '.repeat(200))
  await hold().waitFor()
  await page.waitForTimeout(500)
  await flashHeight(page)
  await page.waitForTimeout(1_500)
  expect(await hold().getAttribute('data-open')).toBe('false')
  await inside(page)
    .locator('.asked')
    .evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await untilOpen()
  await ask(page, 'APP_RPC_ABORT')
  expect(await settle(page, asked)).toMatchObject({ code: 'ABORTED' })
})

test('row 29: closed before the browser has said a word, and for 800 ms after', async () => {
  await page.frames()[1]?.evaluate(() => {
    const seen: (string | undefined)[] = []
    Object.assign(window, { seen })
    const stateNow = () => document.querySelector<HTMLElement>('.hold')?.dataset.open
    const look = () => {
      const state = stateNow()
      if (state) seen.push(state)
    }
    const note = () => Object.assign(window, { pressedAt: stateNow() })
    addEventListener('pointerdown', note, { capture: true })
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-open'],
    })
  })
  // On a machine that stalls the press may come when it is open already: then once more.
  for (let pressedAt: unknown; pressedAt !== 'false'; ) {
    const asked = await sign('Early')
    await hold().waitFor()
    const seen = await page.frames()[1]?.evaluate('window.seen')
    expect((seen as string[])[0]).toBe('false')
    await press(() => page.waitForTimeout(600))
    pressedAt = await page.frames()[1]?.evaluate('window.pressedAt')
    await page.waitForTimeout(300)
    await ask(page, 'APP_RPC_ABORT')
    const { code } = await settle(page, asked)
    if (pressedAt === 'false') expect(code).toBe('ABORTED')
    await card().waitFor({ state: 'detached' })
  }
})

test('row 29: covered in the middle of a hold, or moved under the pointer, it does not count', async () => {
  for (const code of [covers['a transparent overlay'], `frame.style.marginTop = '60px'`]) {
    const asked = await sign('Switch')
    await untilOpen()
    const box = await hold().boundingBox()
    await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 12)
    await page.mouse.down()
    await inside(page).locator('.hold[data-hold="holding"]').waitFor()
    await coverFrame(page, code ?? '')
    await page.waitForTimeout(900)
    await page.mouse.up()
    await ask(page, 'APP_RPC_ABORT')
    expect(await settle(page, asked)).toMatchObject({ code: 'ABORTED' })
    await uncoverFrame(page)
  }
})

test('row 29: a request that takes the place of another under a pressed pointer waits for 800 ms again, and for a press of its own', async () => {
  await page.frames()[1]?.evaluate(() => {
    const seen: [string | undefined, number][] = []
    Object.assign(window, { seen })
    const look = () => {
      const button = document.querySelector<HTMLElement>('.hold')
      if (button && document.body.textContent?.includes('Second'))
        seen.push([button.dataset.open, performance.now()])
    }
    const change = { subtree: true, childList: true, attributeFilter: ['data-open'] }
    new MutationObserver(look).observe(document, change)
  })
  const first = await sign('First')
  await untilOpen()
  const box = await hold().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 12)
  await page.mouse.down()
  await inside(page).locator('.hold[data-hold="holding"]').waitFor()
  await ask(page, 'APP_RPC_ABORT')
  const second = await sign('Second')
  expect(await settle(page, first)).toMatchObject({ code: 'ABORTED' })
  await inside(page).getByText('Second').waitFor()
  await untilOpen()
  // As long as a hold takes.
  await page.waitForTimeout(900)
  await page.mouse.up()
  expect(await card().count()).toBe(1)
  const seen = (await page.frames()[1]?.evaluate('window.seen')) as [string, number][]
  const [shownMs = 0, openMs = 0] = ['false', 'true'].map(
    (state) => seen.find(([open]) => open === state)?.[1] ?? Number.NaN,
  )
  expect(seen[0]?.[0]).toBe('false')
  expect(openMs - shownMs).toBeGreaterThan(790)
  await approve()
  expect((await settle(page, second)).result).toMatch(/^0x/)
})

test('row 30: clicks, double clicks, drags, made-up events and keys held before do not approve', async () => {
  await page.keyboard.down('Enter')
  await page.keyboard.down('Space')
  const asked = await sign('Haste')
  await hold().waitFor()
  await inside(page).locator('.hold').focus()
  await page.waitForTimeout(600)
  await page.keyboard.up('Enter')
  await page.keyboard.up('Space')
  await untilOpen()
  await hold().dblclick({ delay: 30 })
  await hold().click()
  const box = await hold().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) - 80, { steps: 4 })
  await page.waitForTimeout(900)
  await page.mouse.up()
  await page.frames()[1]?.evaluate(async () => {
    const button = document.querySelector('.hold')
    const pointer = { bubbles: true, isPrimary: true, button: 0, pointerId: 1 }
    button?.dispatchEvent(new PointerEvent('pointerdown', pointer))
    await new Promise((resolve) => setTimeout(resolve, 900))
    button?.dispatchEvent(new PointerEvent('pointerup', pointer))
    ;(button as HTMLElement | null)?.click()
  })
  await inside(page).locator('.hold').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  expect(await card().count()).toBe(1)
  await inside(page).getByRole('button', { name: 'Reject' }).click()
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
})

test('row 31: a browser that cannot vouch for what is seen approves in a window of its own', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const asked = await begin(other, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: ['In a window', address],
    chainId: 31337,
  })
  await inside(other).getByText('cannot prove').waitFor()
  expect(await inside(other).locator('.hold').count()).toBe(0)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  // A double click that began in the frame must not land in it.
  const button = popup.locator('.hold')
  await button.waitFor()
  await button.dblclick()
  await popup.locator('.hold[data-open="true"]').waitFor()
  expect(await popup.locator('.origin').textContent()).toBe(frame.hostUrl)
  await popup.getByRole('img', { name: picture }).waitFor()
  const box = await button.boundingBox()
  await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await popup.mouse.down()
  await popup.locator('.hold[data-hold="full"]').waitFor()
  await popup.mouse.up()
  const { result } = await settle(other, asked)
  const signature = result as `0x${string}`
  expect(await recoverMessageAddress({ message: 'In a window', signature })).toBe(address)
  await other.close()
  await script.dispose()
})

test('row 31: what is rejected in the frame cannot be approved in the window any more', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const asked = await begin(other, 'APP_RPC_REQUEST', {
    method: 'eth_sendTransaction',
    params: [{ from: address, to: frame.stack.accounts[2]?.address, value: '0x1' }],
    chainId: 31337,
  })
  await inside(other).getByText('cannot prove').waitFor()
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  await popup.locator('.hold[data-open="true"]').waitFor()
  const closed = popup.waitForEvent('close')
  await inside(other).getByRole('button', { name: 'Reject' }).click()
  expect(await settle(other, asked)).toMatchObject({ code: 'USER_REJECTED' })
  await closed
  await other.close()
  await script.dispose()
})

/** Asks for a signature where the browser cannot vouch, and opens the window that replaces the frame. */
async function openWindow(other: Page, text: string): Promise<Page> {
  await begin(other, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: [text, address],
    chainId: 31337,
  })
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  await popup.locator('.hold').waitFor()
  return popup
}

test('row 32: a window that the page cuts off from its frame decides through the server', async () => {
  const script = await cutWindows(context)
  const other = await frame.embed(context)
  for (const answer of ['reject', 'approve'] as const) {
    const asked = await begin(other, 'APP_RPC_REQUEST', {
      method: 'personal_sign',
      params: ['Cut off', address],
      chainId: 31337,
    })
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      inside(other).getByRole('button', { name: 'Open the window' }).click(),
    ])
    await popup.getByText('Cut off').waitFor()
    await popup.getByRole('img', { name: picture }).waitFor()
    expect(await popup.evaluate(() => [window.opener, location.hash])).toEqual([null, ''])
    const closed = popup.waitForEvent('close')
    if (answer === 'reject') await popup.getByRole('button', { name: 'Reject' }).click()
    else {
      await popup.locator('.hold[data-open="true"]').waitFor()
      const box = await popup.locator('.hold').boundingBox()
      await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
      await popup.mouse.down()
      await popup.locator('.hold[data-hold="full"]').waitFor()
      await popup.mouse.up()
    }
    await closed
    const result = await settle(other, asked)
    if (answer === 'reject') expect(result).toMatchObject({ code: 'USER_REJECTED' })
    else expect(result.result).toMatch(/^0x/)
  }
  await other.close()
  await script.dispose()
})

test('behavior: after a window that closed without a decision, another one decides', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const asked = await begin(other, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: ['Closed', address],
    chainId: 31337,
  })
  const open = async () => {
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      inside(other).getByRole('button', { name: 'Open the window' }).click(),
    ])
    await popup.getByText('Closed').waitFor()
    return popup
  }
  const first = await open()
  await first.close()
  await inside(other).getByText('The window closed before you decided.').waitFor()
  const second = await open()
  const closed = second.waitForEvent('close')
  await second.getByRole('button', { name: 'Reject' }).click()
  expect(await settle(other, asked)).toMatchObject({ code: 'USER_REJECTED' })
  await closed
  await other.close()
  await script.dispose()
})

/** What of the window's card is cut off, or could be scrolled away, after an attempt to do so. */
const cutOff = (popup: Page) =>
  popup.evaluate(() => {
    window.scrollTo(0, 10_000)
    const asked = document.querySelector('.asked')
    asked?.scrollTo(0, asked.scrollHeight)
    const { scrollWidth, scrollHeight } = document.documentElement
    const found = [...document.querySelectorAll('.asker, .asker *, .answer, .answer *')]
      .filter((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
      })
      .map(({ className }) => className)
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push('the page scrolls')
    if ((asked?.clientHeight ?? 0) < 48) found.push('no room for what is asked')
    return found
  })

test('behavior: origin and buttons stand together in the window, however small it is and whatever is asked', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  await ask(other, 'APP_SYNC_DAPP_DATA', { metadata: { name: 'Name'.repeat(100) } })
  const texts = ['Hello', `${'word '.repeat(400)}\n${'W'.repeat(3_000)}`, 'שלום '.repeat(300)]
  for (const [index, text] of texts.entries()) {
    const direction = index === 1 ? 'ltr' : 'rtl'
    await ask(other, 'APP_SYNC_THEME', { direction })
    const popup = await openWindow(other, text)
    for (const origin of [frame.hostUrl, `https://${'long-label.'.repeat(22)}example`]) {
      await popup.evaluate((shown) => {
        const line = document.querySelector('.origin')
        if (line) line.textContent = shown
      }, origin)
      for (const height of [480, 600, 800])
        for (const width of [360, 420, 1280]) {
          await popup.setViewportSize({ width, height })
          // The layout follows a frame later.
          const message = `text ${index}, origin ${origin.length}, ${width} × ${height}`
          await expect.poll(() => cutOff(popup), { message }).toEqual([])
        }
    }
    await inside(other).getByRole('button', { name: 'Reject' }).click()
  }
  await other.close()
  await script.dispose()
})

test('behavior: the window looks as the page does, and takes nothing else from its address', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const looks = [
    ['light', 'rtl', 'rgb(255, 255, 255)'],
    ['dark', 'ltr', 'rgb(21, 23, 28)'],
  ] as const
  for (const [themeMode, direction, surface] of looks) {
    await ask(other, 'APP_SYNC_THEME', { themeMode, direction })
    const popup = await openWindow(other, 'Looks')
    expect(await popup.evaluate(() => document.documentElement.dir)).toBe(direction)
    const background = () => getComputedStyle(document.documentElement).backgroundColor
    expect(await popup.evaluate(background)).toBe(surface)
    await inside(other).getByRole('button', { name: 'Reject' }).click()
  }
  const forged = await context.newPage()
  for (const query of [
    '?theme=light&dir="><b>',
    '?theme=url(//evil.example)&dir=rtl',
    '?theme=light',
  ]) {
    await forged.goto(`${frame.frameUrl}/approve${query}`)
    await forged.getByText('not allowed').waitFor()
    const { theme, dir } = await forged.evaluate(() => ({
      theme: document.documentElement.dataset.lkTheme,
      dir: document.documentElement.dir,
    }))
    expect({ theme, dir }).toEqual({ theme: 'system', dir: '' })
  }
  await forged.close()
  await other.close()
  await script.dispose()
})

test('row 54: what is for another site, another network or not allowed cannot be approved', async () => {
  const siwe = (domain: string, uri: string) =>
    `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nWelcome\n\nURI: ${uri}\nVersion: 1\nChain ID: 31337\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
  const { host } = new URL(frame.hostUrl)
  const typed = (chainId: number) => ({
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    domain: { name: 'Test', chainId },
    message: { text: 'hi', hidden: 'not signed' },
  })
  const blocked = [
    ['personal_sign', [siwe('evil.example', 'https://evil.example'), address]],
    ['personal_sign', [siwe(host, 'https://evil.example'), address]],
    ['personal_sign', [siwe(`${host}\u200b`, frame.hostUrl), address]],
    ['eth_signTypedData_v4', [address, JSON.stringify(typed(1))]],
  ] as const
  for (const [method, params] of blocked) {
    const asked = await request(method, params)
    await inside(page).getByRole('alert').waitFor()
    await page.waitForTimeout(1_200)
    expect(await isOpen()).toBe(false)
    await press(() => page.waitForTimeout(1_000))
    expect(await card().count()).toBe(1)
    await inside(page).getByRole('button', { name: 'Reject' }).click()
    expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
  }
  const own = await request('personal_sign', [siwe(host, frame.hostUrl), address])
  await approve()
  expect((await settle(page, own)).result).toMatch(/^0x/)
  const right = await request('eth_signTypedData_v4', [address, typed(31_337)])
  await untilOpen()
  expect(await card().textContent()).not.toContain('not signed')
  await approve()
  expect((await settle(page, right)).result).toMatch(/^0x/)

  const refused = await Promise.all(
    ['eth_sign', 'eth_signTransaction'].map((method) =>
      ask(page, 'APP_RPC_REQUEST', { method, params: [address, '0x'] }),
    ),
  )
  expect(refused.map(({ code }) => code)).toEqual(['REQUEST_NOT_ALLOWED', 'REQUEST_NOT_ALLOWED'])
  const to = address
  for (const more of [
    { type: '0x4', authorizationList: [{}] },
    { authorizationList: [] },
    { type: '0x3' },
    { blobVersionedHashes: [] },
    { chainId: '0x1' },
  ]) {
    const params = [{ from: address, to, value: '0x1', ...more }]
    const answer = await ask(page, 'APP_RPC_REQUEST', {
      method: 'eth_sendTransaction',
      params,
      chainId: 31337,
    })
    expect(answer.code).toBe('INVALID_PARAMS')
  }
})

test('row 54: every allowance of a batch permit is shown, and that it has no limit', async () => {
  const [token, spender] = [
    frame.stack.addresses['eip155:31337'].usd ?? address,
    '0x00000000000000000000000000000000000000aa',
  ]
  const details = [1n, 2n ** 160n - 1n].map((amount, index) => ({
    token,
    amount: String(amount),
    expiration: '2000000000',
    nonce: String(index),
  }))
  const data = {
    types: {
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' },
      ],
      PermitBatch: [
        { name: 'details', type: 'PermitDetails[]' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' },
      ],
    },
    primaryType: 'PermitBatch',
    domain: { name: 'Permit2', chainId: 31337, verifyingContract: spender },
    message: { details, spender, sigDeadline: '2000000000' },
  }
  const asked = await request('eth_signTypedData_v4', [address, JSON.stringify(data)])
  await hold().waitFor()
  const text = await card().textContent()
  expect(text).toContain('Let another take 0.000001 dUSD and unlimited dUSD by signature?')
  expect(text).toContain('There is no limit')
  expect(text?.match(/Who may take it/g)).toHaveLength(2)
  await readOn()
  const mails = await frame.countMails(email)
  await approve()
  // Without a passkey, a code from the mailbox confirms what has no limit.
  await inside(page)
    .getByText('Let others take without a limit, as you have just approved')
    .waitFor()
  await fillCode(inside(page), await frame.readCode(email, mails))
  expect((await settle(page, asked)).result).toMatch(/^0x/)
})

/** A page asks for an allowance without a limit. */
async function askUnlimited(where: Page) {
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

test('behavior: the amount of an allowance is changed by keys, and what is signed is what is shown then', async () => {
  const { key, read } = await askUnlimited(page)
  await hold().waitFor()
  await readOn()
  await untilOpen()
  const text = await card().textContent()
  expect(text).toContain('Let another take unlimited dUSD?')
  expect(text).toContain('Unlimited')
  expect(text).toContain('There is no limit')
  expect(text).toContain('It did what is shown, and nothing else')
  const change = inside(page).getByRole('button', { name: 'Allow less' })
  const field = inside(page).getByRole('textbox', { name: 'It may take at most, in dUSD' })
  // In the first second, no key counts.
  await page.waitForTimeout(1_000)
  await change.focus()
  await page.keyboard.press('Enter')
  await field.fill('9')
  // Typed, but not read yet: it cannot be approved, and Escape leaves only the amount.
  await inside(page).locator('.hold[data-open="false"]').waitFor()
  await field.press('Escape')
  await change.click()
  await field.and(inside(page).locator(':focus')).waitFor()
  await page.keyboard.type('1,5')
  await page.keyboard.press('Enter')
  await inside(page).getByRole('alert').getByText('a point before decimals').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('1.5')
  await page.keyboard.press('Enter')
  await card().getByText('Let another take 1.5 dUSD?').waitFor()
  expect(await card().textContent()).toContain('The site asked forUnlimited dUSD')
  expect(await card().textContent()).not.toContain('There is no limit')
  await readOn()
  await approve()
  expect((await settle(page, key)).result).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await read()).toBe(1_500_000n)
})

test('behavior: the window of an approval changes an amount too', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const { key, read } = await askUnlimited(other)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    inside(other).getByRole('button', { name: 'Open the window' }).click(),
  ])
  await popup.getByRole('button', { name: 'Allow less' }).click()
  await popup.getByRole('textbox', { name: 'It may take at most' }).fill('2')
  await popup.getByRole('button', { name: 'Use this amount' }).click()
  await popup.getByText('Let another take 2 dUSD?').waitFor()
  await popup.locator('.asked').evaluate((asked) => asked.scrollTo(0, asked.scrollHeight))
  await popup.locator('.hold[data-open="true"]').waitFor()
  const box = await popup.locator('.hold').boundingBox()
  await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await popup.mouse.down()
  await popup.locator('.hold[data-hold="full"]').waitFor()
  await popup.mouse.up()
  expect((await settle(other, key)).result).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await read()).toBe(2_000_000n)
  await other.close()
  await script.dispose()
})

test('error: a window that is opened again while an amount changes shows what its approval would do', async () => {
  const script = await context.addInitScript(`delete IntersectionObserverEntry.prototype.isVisible`)
  const other = await frame.embed(context)
  const { key } = await askUnlimited(other)
  const open = async () => {
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      inside(other).getByRole('button', { name: 'Open the window' }).click(),
    ])
    return popup
  }
  const change = async (popup: Page, amount: string) => {
    await popup.getByRole('button', { name: 'Allow less' }).click()
    await popup.getByRole('textbox', { name: 'It may take at most' }).fill(amount)
    await popup.getByRole('button', { name: 'Use this amount' }).click()
  }
  const first = await open()
  await change(first, '1')
  await first.getByText('Let another take 1 dUSD?').waitFor()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await other.route('**/api/**', async (route) => {
    await held
    await route.continue()
  })
  const asked = other.waitForRequest('**/api/**')
  await change(first, '3')
  await asked
  await first.close()
  const second = await open()
  await second.waitForLoadState()
  release()
  await second.getByText(/Let another take .* dUSD\?/).waitFor()
  expect(await second.locator('.approval').textContent()).toContain('Let another take 3 dUSD?')
  await second.getByRole('button', { name: 'Reject' }).click()
  expect(await settle(other, key)).toMatchObject({ code: 'USER_REJECTED' })
  await other.close()
  await script.dispose()
})

test('row 52: a call that we cannot read is named by a file of the operator, and by a published source', async () => {
  const { uniswapV2Router: router, usd, wrappedEther } = frame.stack.addresses['eip155:31337']
  const swap = encodeFunctionData({
    abi: parseAbi(['function swapExactETHForTokens(uint256, address[], address, uint256) payable']),
    args: [1_500_000n, [wrappedEther, usd], address, 4_000_000_000n],
  })
  const asked = await request('eth_sendTransaction', [
    { from: address, to: router, value: '0xde0b6b3a7640000', data: swap },
  ])
  await hold().waitFor()
  const text = (await card().textContent()) ?? ''
  for (const part of [
    'Send 1 ETH',
    '“Swap”',
    '“Least to receive”1.5 dUSD',
    'All its parameters',
    swap,
  ])
    expect(text).toContain(part)
  expect(text).toContain('a file that the operator of this server chose')
  await ask(page, 'APP_CLOSE')
  await settle(page, asked)
  const mint = encodeFunctionData({
    abi: parseAbi(['function mint(address, uint256)']),
    args: [address, 7n],
  })
  const named = await request('eth_sendTransaction', [{ from: address, to: usd, data: mint }])
  await card().getByText('Only its names are known').waitFor()
  expect(await card().textContent()).toContain('Callmint')
  await ask(page, 'APP_CLOSE')
  await settle(page, named)
})

test('row 59: an abort hides the approval and ends it once; what is safe goes on', async () => {
  const asked = await sign('Abort me')
  await untilOpen()
  const safe = await begin(page, 'APP_RPC_REQUEST', { method: 'eth_blockNumber', params: [] })
  await ask(page, 'APP_RPC_ABORT')
  expect(await settle(page, asked)).toEqual({ code: 'ABORTED', message: 'Request was aborted' })
  expect((await settle(page, safe)).result).toMatch(/^0x/)
  await card().waitFor({ state: 'detached' })
  expect((await page.evaluate(() => window.host.events.at(-1)))?.[0]).toBe('FRAME_HIDE')
})

test('row 60: 500 requests at once: one approval open, a few wait, the rest are refused', async () => {
  const answers = page.evaluate(
    async ([from]) => {
      const codes: string[] = []
      const asked = Array.from({ length: 500 }, () =>
        window.host.channel
          ?.request(
            'APP_RPC_REQUEST',
            { method: 'personal_sign', params: ['spam', from], chainId: 31337 },
            { timeoutMs: null },
          )
          .catch(({ code }) => codes.push(code)),
      )
      await Promise.all(asked)
      return codes
    },
    [address],
  )
  await card().waitFor()
  expect(await card().count()).toBe(1)
  await ask(page, 'APP_RPC_ABORT')
  const codes = await answers
  expect(codes).toHaveLength(500)
  expect(codes.filter((code) => code === 'ABORTED').length).toBeLessThanOrEqual(10)
  expect(codes.every((code) => ['ABORTED', 'RATE_LIMITED', 'CHANNEL_BUSY'].includes(code))).toBe(
    true,
  )
})

test('row 61: the phrase is shown in a tab of its own, after a code, while a button is held', async () => {
  // No message asks for it, and no page can hold the tab.
  for (const method of ['exportWords', 'APP_EXPORT']) {
    const answer = await ask(page, method)
    expect(answer.code).toBe('METHOD_NOT_FOUND')
  }
  const framed = await context.newPage()
  await framed.route('**/framed', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${frame.frameUrl}/export#local"></iframe>`,
    }),
  )
  await framed.goto(`${frame.hostUrl}/framed`)
  await framed.waitForTimeout(800)
  expect(framed.frames()[1]?.url()).toMatch(/^chrome-error:/)
  await framed.close()

  const email = 'export@example.org'
  const own = await frame.newContext()
  const first = await frame.embed(own)
  const kit = await logIn(frame, first, email)
  const tab = await openExport(frame, first, { email, kit })
  const button = tab.getByRole('button', { name: 'Hold to see the words' })
  await button.waitFor()
  const shown = () => tab.locator('.phrase li').allTextContents()
  expect(new Set(await shown())).toEqual(new Set(['••••']))
  // A word of a phrase may be one of the page's own.
  const before = await tab.content()
  const box = await button.boundingBox()
  await tab.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await tab.mouse.down()
  await tab.waitForFunction(() => !document.querySelector('.phrase')?.textContent?.includes('•'))
  const words = await shown()
  expect(words).toHaveLength(24)
  await tab.mouse.up()
  await expect.poll(async () => new Set(await shown())).toEqual(new Set(['••••']))
  const secret = words.join(' ')
  expect(await tab.content()).not.toContain(words.slice(0, 3).join('</li>'))
  await tab.getByRole('button', { name: 'Hide and forget' }).click()
  await tab.getByText('The words are gone').waitFor()
  const left = await tab.content()
  const leaked = (word: string) => word.length > 5 && left.includes(word) && !before.includes(word)
  expect(words.filter(leaked)).toEqual([])
  // The very account that the page knows.
  const user = (await ask(first, 'APP_GET_USER')).result as { address: string }
  expect(mnemonicToAccount(secret).address).toBe(user.address)
  await own.close()
})

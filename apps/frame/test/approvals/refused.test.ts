import { encodeFunctionData, type Hex, parseAbi, recoverTypedDataAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openExport } from '../openExport.ts'
import { ask, begin, fillCode, inside, logIn, settle } from '../startFrame.ts'
import {
  address,
  approve,
  askUnlimited,
  card,
  context,
  email,
  frame,
  hold,
  isOpen,
  page,
  press,
  readOn,
  request,
  sign,
  startApprovals,
  untilOpen,
} from './startApprovals.ts'

startApprovals()

test('refused requests: what is for another site, another network or not allowed cannot be approved', async () => {
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

test('behavior: typed data of 20,000 values is drawn in parts, and is approved only after its end was seen', async () => {
  const list = Array.from({ length: 20_000 }, (_, at) => String(at))
  const typed = {
    types: { Numbers: [{ name: '1st', type: 'uint256[]' }] },
    primaryType: 'Numbers',
    domain: { name: 'Test', chainId: 31337 },
    message: { '1st': list },
  } as const
  const asked = await request('eth_signTypedData_v4', [address, JSON.stringify(typed)])
  const tree = inside(page).locator('.tree')
  await tree.and(inside(page).locator('[aria-busy="false"]')).waitFor()
  expect(await tree.locator('li').last().textContent()).toBe('20000 19999')
  expect(await isOpen()).toBe(false)
  await readOn()
  await approve()
  const signature = (await settle(page, asked)).result as Hex
  const message = { '1st': list.map(BigInt) }
  expect(await recoverTypedDataAddress({ ...typed, message, signature })).toBe(address)
})

test('refused requests: every allowance of a batch permit is shown, and that it has no limit', async () => {
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
  expect(text).toContain('Let someone else take 0.000001 dUSD and unlimited dUSD by signature?')
  expect(text).toContain('There is no limit')
  expect(text?.match(/Can be taken by/g)).toHaveLength(2)
  await readOn()
  const mails = await frame.countMails(email)
  await approve()
  // Without a passkey, a code from the mailbox confirms what has no limit.
  await inside(page)
    .getByText('Let others take assets without a limit, as you just approved')
    .waitFor()
  await fillCode(inside(page), await frame.readCode(email, mails))
  expect((await settle(page, asked)).result).toMatch(/^0x/)
})

test('behavior: the amount of an allowance is changed by keys, and what is signed is what is shown then', async () => {
  const { key, read } = await askUnlimited(page)
  await hold().waitFor()
  await readOn()
  await untilOpen()
  const text = await card().textContent()
  expect(text).toContain('Let someone else take unlimited dUSD?')
  expect(text).toContain('Unlimited')
  expect(text).toContain('There is no limit')
  expect(text).toContain('No other changes found')
  const change = inside(page).getByRole('button', { name: 'Allow less' })
  const field = inside(page).getByRole('textbox', { name: 'Limit in dUSD' })
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
  await page.keyboard.type('1.5 apples')
  await page.keyboard.press('Enter')
  await inside(page).getByRole('alert').getByText('a point before decimals').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('1.5')
  await page.keyboard.press('Enter')
  await card().getByText('Let someone else take 1.5 dUSD?').waitFor()
  expect(await card().textContent()).toContain('Site requestedUnlimited dUSD')
  expect(await card().textContent()).not.toContain('There is no limit')
  await readOn()
  await approve()
  expect((await settle(page, key)).result).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await read()).toBe(1_500_000n)
})

test('decoders: a call that we cannot read is named by a file of the operator, and by a published source', async () => {
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
  for (const part of ['Send 1 ETH', '“Swap”', '“Least to receive”1.5 dUSD', 'All parameters', swap])
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

test('closed pages: an abort hides the approval and ends it once; anything already safe continues', async () => {
  const asked = await sign('Abort me')
  await untilOpen()
  const safe = await begin(page, 'APP_RPC_REQUEST', { method: 'eth_blockNumber', params: [] })
  await ask(page, 'APP_RPC_ABORT')
  expect(await settle(page, asked)).toEqual({ code: 'ABORTED', message: 'Request was aborted' })
  expect((await settle(page, safe)).result).toMatch(/^0x/)
  await card().waitFor({ state: 'detached' })
  expect((await page.evaluate(() => window.host.events.at(-1)))?.[0]).toBe('FRAME_HIDE')
})

test('request flood: 500 requests at once: one approval open, a few wait, the rest are refused', async () => {
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

test('export: the phrase is shown in a separate tab, after a code, while a button is held', async () => {
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
  // A word of a phrase may also be a word of the page.
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
  // The same account that the page received.
  const user = (await ask(first, 'APP_GET_USER')).result as { address: string }
  expect(mnemonicToAccount(secret).address).toBe(user.address)
  await own.close()
})

test('default: a token is added after the user saw its on-chain data, and then listed', async () => {
  const { usd } = frame.stack.addresses['eip155:31337']
  const lies = { symbol: 'Claim reward', decimals: 0, image: 'https://evil.example/x.png' }
  const params = { type: 'ERC20', options: { address: usd, ...lies } }
  const list = async (account: string = address) => {
    const asked = { method: 'wallet_getAssets', params: [{ account }], chainId: 31337 }
    return ask(page, 'APP_RPC_REQUEST', asked)
  }
  const rejected = await request('wallet_watchAsset', params)
  await inside(page).getByRole('button', { name: 'Reject' }).click()
  expect(await settle(page, rejected)).toMatchObject({ code: 'USER_REJECTED' })
  const before = (await list()).result as Record<string, { address: string; type: string }[]>
  expect(before['0x7a69']?.map(({ type }) => type)).toEqual(['native'])
  const asked = await request('wallet_watchAsset', params)
  await untilOpen()
  const text = await card().textContent()
  expect(text).toContain('Add this token to your list?')
  expect(text).toContain('dUSD')
  expect(text).not.toMatch(/claim|evil/i)
  await approve()
  expect((await settle(page, asked)).result).toBe(true)
  const after = (await list()).result as typeof before
  expect(after['0x7a69']).toMatchObject([
    { type: 'native', metadata: { symbol: 'ETH' } },
    { type: 'erc20', balance: '0x0', metadata: { symbol: 'dUSD', decimals: 6 } },
  ])
  expect(await list(usd)).toMatchObject({ code: 'UNAUTHORIZED' })
})

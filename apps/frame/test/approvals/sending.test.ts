import { solanaChain } from '@latchkey/dev'
import { decodeBase58, encodeBase58, verifyLoginRoute } from '@latchkey/wire'
import { parseSolanaTransaction } from '@latchkey/wire/solana'
import {
  type Address,
  createNoopSigner,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { recoverMessageAddress } from 'viem'
import { expect, test } from 'vitest'
import { buildTransaction } from '../solanaRequest.ts'
import { ask, inside, settle } from '../startFrame.ts'
import {
  address,
  approve,
  card,
  frame,
  hold,
  isOpen,
  loaded,
  page,
  picture,
  readOn,
  request,
  rpc,
  sign,
  solanaRpc,
  startApprovals,
  untilOpen,
} from './startApprovals.ts'

startApprovals(['solana'])

test('default: the key worker is not loaded before the first code was typed', () => {
  const isWorker = (path: string) => path.includes('keyWorker')
  expect(loaded.findIndex(isWorker)).toBeGreaterThan(loaded.indexOf(verifyLoginRoute.path))
  expect(loaded).toContain(verifyLoginRoute.path)
})

test('default: the code of approvals is preloaded, but not before the page has a user', () => {
  for (const part of ['approveRequest', 'ApprovalScreen', 'prepareSponsored']) {
    const at = loaded.findIndex((path) => path.includes(part))
    expect(at).toBeGreaterThan(loaded.indexOf(verifyLoginRoute.path))
  }
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

test('default: a payment uses nonce, gas and chain from our RPC, never the page’s values', async () => {
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

test('Solana: a payment on Solana with a lookup table is shown, tried out, signed and sent', async () => {
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

test('Solana: messages and several transactions on Solana are signed by the account that was shown', async () => {
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

test('default: an amount’s value is shown at our server’s prices, also from a newer server', async () => {
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

test('simulation: a payment that would take more after the approval is shown again before signing', async () => {
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
  await card().getByText('Nothing was signed. Check it again.').waitFor()
  expect(await card().textContent()).toContain('Leaves1.000005001 SOL')
  await readOn()
  await approve()
  const { signature } = (await settle(page, asked)).result as { signature: string }
  const { message } = parseSolanaTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')))
  const signed = decodeBase58(signature) as unknown as SignatureBytes
  expect(await verifySignature(await getPublicKeyFromAddress(own), signed, message)).toBe(true)
})

test('simulation: a contract that behaves differently after the review is shown again before sending', async () => {
  const to = `0x${'99'.repeat(20)}`
  // Gives back what it gets, until its slot 0 is set.
  await rpc('anvil_setCode', [to, '0x600054601357600060006000600034335af1005b00'])
  const asked = await request('eth_sendTransaction', [
    { from: address, to, value: '0xde0b6b3a7640000', data: '0x12345678' },
  ])
  await hold().waitFor()
  expect(await card().textContent()).toContain('No balances change')
  await rpc('anvil_setStorageAt', [to, '0x0', `0x${'1'.padStart(64, '0')}`])
  await readOn()
  await approve()
  await card().getByText('Nothing was signed. Check it again.').waitFor()
  expect(await card().textContent()).toContain('Leaves1 ETH')
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
  expect(await rpc('eth_getBalance', [to, 'latest'])).toBe('0x0')
})

test('behavior: if the approval is closed while it is being sent, the page still receives the outcome', async () => {
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

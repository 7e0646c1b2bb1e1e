import { createPublicKey, verify } from 'node:crypto'
import { mayClose, type Solana, startSolana } from '@latchkey/dev'
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  lamports,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { solanaAccounts } from '../src/solana/accounts.ts'
import { startWallet } from './startWallet.ts'

type WalletAnswer = { value?: unknown; message?: string }
type StandardFeature = Record<string, (...inputs: unknown[]) => Promise<unknown>>
type SiteWindow = {
  standard: {
    name: string
    accounts: { address: string }[]
    features: Record<string, StandardFeature>
  }
  outcome: Promise<WalletAnswer>
}

let solana: Solana
let started: Awaited<ReturnType<typeof startWallet>>
let context: BrowserContext
const own = address(solanaAccounts[0])

beforeAll(async () => {
  solana = await startSolana()
  started = await startWallet({ solana })
})
afterAll(async () => {
  await started?.stop()
  await solana?.stop()
})
beforeEach(async () => {
  context = await started.browser.newContext()
  context.setDefaultTimeout(120_000)
})
afterEach(() => context.close())

async function visit(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(started.urls.one)
  await page.waitForFunction(() => 'standard' in window)
  return page
}

/** Calls a feature in a click; bytes are passed and returned as base64. */
async function begin(page: Page, feature: string, inputs: readonly Record<string, string>[]) {
  await page.evaluate(
    ([feature, inputs]) => {
      const { standard } = window as unknown as SiteWindow
      const name = feature.slice(feature.indexOf(':') + 1)
      const toBytes = (text: string) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
      const readable = (_: string, value: unknown) =>
        value instanceof Uint8Array ? btoa(String.fromCharCode(...value)) : value
      const go = document.getElementById('go') as HTMLElement
      go.onclick = () => {
        const full = inputs.map((input) => ({
          account: standard.accounts[0],
          chain: 'solana:localnet',
          ...Object.fromEntries(Object.entries(input).map(([key, text]) => [key, toBytes(text)])),
        }))
        const run = standard.features[feature]?.[name] ?? (() => Promise.reject(new Error('none')))
        const outcome = run(...full).then(
          (value) => ({ value: JSON.parse(JSON.stringify(value ?? null, readable)) }),
          ({ message }) => ({ message }),
        )
        Object.assign(window, { outcome })
      }
    },
    [feature, inputs] as const,
  )
  await page.click('#go')
}

const outcome = (page: Page) =>
  page.evaluate(() => (window as unknown as SiteWindow).outcome) as Promise<WalletAnswer>

/** The same for a request that the user decides; also returns what the wallet showed. */
async function ask(
  page: Page,
  feature: string,
  inputs: readonly Record<string, string>[],
  decision: 'approve' | 'reject' = 'approve',
) {
  const opened = page.waitForEvent('popup')
  await begin(page, feature, inputs)
  const popup = await opened
  await popup.getByTestId('details').waitFor()
  const shown = (await popup.locator('body').textContent()) ?? ''
  await mayClose(popup.getByTestId(decision).click())
  return { shown, ...(await outcome(page)) }
}

async function connected() {
  const page = await visit()
  await ask(page, 'standard:connect', [])
  return page
}

async function build(instructions: readonly Instruction[], payer: Address = own) {
  const { value: lifetime } = await createSolanaRpc(solana.url).getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(payer, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => appendTransactionMessageInstructions(instructions, each),
  )
  return getBase64EncodedWireTransaction(compileTransaction(message))
}

const pay = (destination: Address, amount: bigint) =>
  getTransferSolInstruction({
    source: createNoopSigner(own),
    destination,
    amount: lamports(amount),
  })

const addresses = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as SiteWindow).standard.accounts.map(({ address }) => address),
  )

test('default: registers, connects, and signs a message that another library verifies', async () => {
  const page = await visit()
  const name = await page.evaluate(() => (window as unknown as SiteWindow).standard.name)
  expect(name).toBe('Latchkey Development Wallet')
  expect(await page.locator('iframe').count()).toBe(0)
  const { shown } = await ask(page, 'standard:connect', [])
  expect(shown).toContain(own)
  expect(await addresses(page)).toEqual([own])

  const message = Buffer.from('Hello Solana ✓')
  const input = [{ message: message.toString('base64') }]
  const signed = await ask(page, 'solana:signMessage', input)
  expect(signed.shown).toContain('Hello Solana ✓')
  const [{ signature }] = signed.value as [{ signature: string }]
  const spkiStart = Buffer.from('302a300506032b6570032100', 'hex')
  const der = Buffer.concat([spkiStart, Buffer.from(getBase58Encoder().encode(own))])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  expect(verify(null, message, key, Buffer.from(signature, 'base64'))).toBe(true)
})

test('behavior: a transaction is shown instruction by instruction, signed and sent', async () => {
  const page = await connected()
  const to = (await generateKeyPairSigner()).address
  const mint = address(solana.addresses.token)
  const find = async (owner: Address) =>
    (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0]
  const [source, ata] = await Promise.all([find(own), find(to)])
  const payer = createNoopSigner(own)
  const transaction = await build([
    pay(to, 1_500_000_000n),
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: to, mint }),
    getTransferCheckedInstruction({
      ...{ source, mint, destination: ata, authority: payer },
      ...{ amount: 2_250_000n, decimals: 6 },
    }),
    getAddMemoInstruction({ memo: 'Rent' }),
  ])
  const { shown, value } = await ask(page, 'solana:signAndSendTransaction', [{ transaction }])
  for (const text of ['1. Send SOL', '1.5 SOL', '2. Create a token account', '0.00203928 SOL'])
    expect(shown).toContain(text)
  for (const text of ['3. Send a token', '2.25 dUSD', '4. Memo', 'Rent', '0.000005 SOL'])
    expect(shown).toContain(text)
  expect(shown).not.toContain('cannot say')
  const rpc = createSolanaRpc(solana.url)
  expect((await rpc.getBalance(to).send()).value).toBe(1_500_000_000n)
  expect((await rpc.getTokenAccountBalance(ata).send()).value.uiAmountString).toBe('2.25')
  const [{ signature }] = value as [{ signature: string }]
  expect(Buffer.from(signature, 'base64')).toHaveLength(64)
})

test('behavior: several are signed in one window, and each can be sent as it is', async () => {
  const page = await connected()
  const to = (await generateKeyPairSigner()).address
  const transactions = [await build([pay(to, 1_000_000n)]), await build([pay(to, 2_000_000n)])]
  const inputs = transactions.map((transaction) => ({ transaction }))
  const { shown, value } = await ask(page, 'solana:signTransaction', inputs)
  expect(shown).toContain('Sign 2 transactions?')
  const rpc = createSolanaRpc(solana.url)
  for (const { signedTransaction } of value as { signedTransaction: string }[])
    await rpc
      .sendTransaction(signedTransaction as never, { encoding: 'base64' })
      .send()
      .then((signature: Signature) => expect(signature.length).toBeGreaterThan(80))
  expect((await rpc.getBalance(to).send()).value).toBe(3_000_000n)
})

test('behavior: names an unknown program, and returns a rejection as one', async () => {
  const page = await connected()
  const programAddress = (await generateKeyPairSigner()).address
  const accounts = [{ address: own, role: AccountRole.READONLY_SIGNER }]
  const transaction = await build([{ programAddress, accounts, data: Uint8Array.of(1, 2, 255) }])
  const { shown, message } = await ask(page, 'solana:signTransaction', [{ transaction }], 'reject')
  for (const text of ['Unknown instruction', programAddress, '0102ff', 'cannot say'])
    expect(shown).toContain(text)
  expect(message).toBe('User rejected the request')
})

test('behavior: a page that is connected only on Ethereum sees no Solana accounts, and vice versa', async () => {
  const page = await connected()
  const ethereum = () =>
    page.evaluate(() =>
      (window as unknown as { wallet: { request(one: object): Promise<unknown> } }).wallet.request({
        method: 'eth_accounts',
      }),
    )
  expect(await ethereum()).toEqual([])
  await page.reload()
  await page.waitForFunction(() => 'standard' in window)
  expect(await addresses(page)).toEqual([])
  const silent = () =>
    page.evaluate(() =>
      (window as unknown as SiteWindow).standard.features['standard:connect']?.connect?.({
        silent: true,
      }),
    )
  await silent()
  expect(await addresses(page)).toEqual([own])
  await begin(page, 'standard:disconnect', [])
  await outcome(page)
  expect(await addresses(page)).toEqual([])
  await silent()
  expect(await addresses(page)).toEqual([])
})

test('error: an invalid transaction, and a transaction that another account signs', async () => {
  const page = await connected()
  const refused = async (transaction: string) => {
    const opened = page.waitForEvent('popup')
    await begin(page, 'solana:signTransaction', [{ transaction }])
    await opened
    return (await outcome(page)).message
  }
  expect(await refused(Buffer.from([1, 2, 3]).toString('base64'))).toContain('transaction')
  const other = await generateKeyPairSigner()
  const source = createNoopSigner(other.address)
  const theirs = getTransferSolInstruction({ source, destination: own, amount: lamports(1n) })
  expect(await refused(await build([theirs], other.address))).toContain('does not sign')
})

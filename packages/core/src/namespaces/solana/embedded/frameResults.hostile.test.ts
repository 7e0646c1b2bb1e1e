import { decodeBase58, encodeBase58, isError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { logIn, openEmailApp } from '../../../../test/emailApp.ts'
import { createFakeFrame } from '../../../../test/fakeFrame.ts'
import {
  buildTransaction,
  createKey,
  type SolanaKey,
  signBytes,
  signTransaction,
} from '../../../../test/standardWallet.ts'
import { getCapabilities } from '../../../capabilities.ts'
import { request } from '../../../connection/requests/request.ts'
import { latchkeyOne, solanaDevnet } from '../../../networks.ts'
import { signMessage } from '../../../send/sign.ts'

const own = createKey(1)
const other = createKey(2)
const chainId = solanaDevnet.caipNetworkId
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const program = new Uint8Array(32)
const transfer = (lamports: number, more: Partial<Parameters<typeof buildTransaction>[0]> = {}) =>
  buildTransaction({
    keys: [own.publicKey, other.publicKey, program],
    instructions: [{ program: 2, accounts: [0, 1], data: [2, 0, 0, 0, lamports] }],
    ...more,
  })
const asked = transfer(1)
/** Paid by another account, whose signature it may already have. */
const sponsored = transfer(1, { keys: [other.publicKey, own.publicKey, program], signers: 2 })
const put = (transaction: Uint8Array, index: number, key: SolanaKey) => {
  const signed = Uint8Array.from(transaction)
  const count = signed[0] ?? 0
  signed.set(signBytes(key, transaction.slice(1 + 64 * count)), 1 + 64 * index)
  return signed
}
const idOf = (signed: Uint8Array) => encodeBase58(signed.slice(1, 65))
const text = (words: string) => encodeBase58(new TextEncoder().encode(words))

/** A user who is logged in on both namespaces; `answer` is the frame's result for each request. */
async function open(answer: (params: Record<string, unknown>) => unknown) {
  const frame = createFakeFrame()
  frame.handlers.APP_GET_USER = ({ chainId: chain = 31337 }) => ({
    address: String(chain).startsWith('solana:')
      ? own.address
      : '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    chainId: chain,
  })
  frame.handlers.APP_RPC_REQUEST = ({ params }) => answer(params as Record<string, unknown>)
  const app = openEmailApp(frame, {}, { networks: [latchkeyOne, solanaDevnet] })
  await logIn(app)
  const ask = (method: string, params: object) => request(app, { method, params, chainId })
  const asks = () => frame.calls.filter(({ method }) => method === 'APP_RPC_REQUEST')
  return { app, ask, asks }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isError(error) ? error.code : error),
  )

test('default: the four methods are offered, asked in the name of the account, and answered', async () => {
  const all = [asked, transfer(2)]
  const { app, ask, asks } = await open(({ message, transaction, transactions }) => {
    if (Array.isArray(transactions))
      return { transactions: all.map((one) => base64(signTransaction(one, own))) }
    const bytes = decodeBase58(String(message)) ?? new Uint8Array()
    if (!transaction) return { signature: encodeBase58(signBytes(own, bytes)) }
    const signed = signTransaction(asked, own)
    return { signature: idOf(signed), transaction: base64(signed) }
  })
  expect(getCapabilities(app, { chainId })).toMatchObject({ send: true, signMessage: true })
  expect(await ask('solana_getAccounts', {})).toEqual([{ pubkey: own.address }])
  expect(await signMessage(app, { message: 'Hello', namespace: 'solana' })).toBe(
    encodeBase58(signBytes(own, new TextEncoder().encode('Hello'))),
  )
  const signed = signTransaction(asked, own)
  expect(await ask('solana_signTransaction', { transaction: base64(asked) })).toEqual({
    signature: idOf(signed),
    transaction: base64(signed),
  })
  expect(await ask('solana_signAllTransactions', { transactions: all.map(base64) })).toEqual({
    transactions: all.map((one) => base64(signTransaction(one, own))),
  })
  expect(await ask('solana_signAndSendTransaction', { transaction: base64(asked) })).toEqual({
    signature: idOf(signed),
  })
  for (const { params } of asks())
    expect(params).toMatchObject({ chainId, params: { pubkey: own.address } })
  app.destroy()
})

test('error: a frame that signs another message, or by another account, is refused', async () => {
  const lies: unknown[] = [
    undefined,
    null,
    {},
    { signature: 7 },
    { signature: 'x' },
    { signature: encodeBase58(new Uint8Array(64)) },
    { signature: encodeBase58(signBytes(other, new TextEncoder().encode('Hello'))) },
    { signature: encodeBase58(signBytes(own, new TextEncoder().encode('Hello '))) },
    { signature: encodeBase58(signBytes(own, asked.slice(65))) },
  ]
  const { app, ask } = await open(() => lies[0])
  for (; lies.length > 0; lies.shift()) {
    const code = await codeOf(
      ask('solana_signMessage', { message: text('Hello'), pubkey: own.address }),
    )
    expect(code).toMatch(/^WALLET_(SIGNED_OTHER|ANSWER_INVALID)$/)
  }
  app.destroy()
})

test('error: a frame that signs another transaction, or changes a byte of it, is refused', async () => {
  const good = signTransaction(asked, own)
  const [otherAmount, otherHash] = [transfer(2), transfer(1, { blockhash: 8 })]
  const budget = transfer(1, {
    keys: [
      own.publicKey,
      other.publicKey,
      program,
      decodeBase58('ComputeBudget111111111111111111111111111111') ?? new Uint8Array(),
    ],
    instructions: [
      { program: 3, accounts: [], data: [3, 1, 0, 0, 0, 0, 0, 0, 0] },
      { program: 2, accounts: [0, 1], data: [2, 0, 0, 0, 1] },
    ],
  })
  const lies = [
    asked,
    put(asked, 0, other),
    signTransaction(otherAmount, own),
    signTransaction(otherHash, own),
    // Accepted from an extension, which may set a priority fee; the frame does not.
    signTransaction(budget, own),
    Uint8Array.from([...good, 0]),
    good.slice(0, -1),
  ]
  let lie: unknown
  const { app, ask } = await open(() => lie)
  for (const signed of lies) {
    const id = encodeBase58(signed.slice(1, 65))
    lie = { signature: id, transaction: base64(signed), transactions: [base64(signed)] }
    const transaction = base64(asked)
    for (const [method, params] of [
      ['solana_signTransaction', { transaction }],
      ['solana_signAllTransactions', { transactions: [transaction] }],
    ] as const)
      expect(await codeOf(ask(method, params))).toMatch(/^WALLET_(SIGNED_OTHER|ANSWER_INVALID)$/)
  }
  lie = { signature: idOf(signTransaction(otherAmount, own)) }
  expect(await codeOf(ask('solana_signAndSendTransaction', { transaction: base64(asked) }))).toBe(
    'WALLET_SIGNED_OTHER',
  )
  const two = { transactions: [base64(asked), base64(otherAmount)] }
  for (const transactions of [
    [base64(good)],
    [base64(good), base64(good)],
    [base64(signTransaction(otherAmount, own)), base64(good)],
    'none',
  ]) {
    lie = { transactions }
    expect(await codeOf(ask('solana_signAllTransactions', two))).toMatch(/^WALLET_/)
  }
  app.destroy()
})

test("error: a frame that drops or puts another signer's signature is refused", async () => {
  const half = put(sponsored, 0, other)
  let signed = put(half, 1, own)
  const { app, ask } = await open(() => ({ signature: idOf(signed), transaction: base64(signed) }))
  const params = { transaction: base64(half) }
  expect(await codeOf(ask('solana_signTransaction', params))).toBe('answered')
  expect(await codeOf(ask('solana_signAndSendTransaction', params))).toBe('answered')
  signed = put(sponsored, 1, own)
  expect(await codeOf(ask('solana_signTransaction', params))).toBe('WALLET_SIGNED_OTHER')
  expect(await codeOf(ask('solana_signAndSendTransaction', params))).toBe('WALLET_SIGNED_OTHER')
  app.destroy()
})

test('error: the frame is not even asked for another account, or for what is no transaction', async () => {
  const { app, ask, asks } = await open(() => null)
  const foreign = base64(transfer(1, { keys: [other.publicKey, own.publicKey, program] }))
  for (const [method, params, code] of [
    ['solana_signMessage', { message: text('Hello'), pubkey: other.address }, 'UNAUTHORIZED'],
    ['solana_signMessage', { message: '0', pubkey: own.address }, 'INVALID_PARAMS'],
    ['solana_signTransaction', { transaction: foreign }, 'INVALID_PARAMS'],
    ['solana_signTransaction', { transaction: foreign, pubkey: other.address }, 'UNAUTHORIZED'],
    ['solana_signAndSendTransaction', { transaction: 'AAAA' }, 'INVALID_PARAMS'],
    ['solana_signAllTransactions', { transactions: [] }, 'INVALID_PARAMS'],
  ] as const)
    expect([method, await codeOf(ask(method, params))]).toEqual([method, code])
  expect(asks()).toEqual([])
  app.destroy()
})

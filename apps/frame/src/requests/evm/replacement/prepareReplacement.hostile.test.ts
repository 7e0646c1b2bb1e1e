import { startChains } from '@latchkey/dev'
import { type Hex, parseEther, toBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestRequest, evmChain } from '../../../../test/testRequest.ts'
import type { FrameChain } from '../../../chains.ts'
import { replacement as t } from '../../../locales/replacement.en.ts'
import { createMemoryStore } from '../../../wallet/keyStore.ts'
import { signEvmTransaction } from '../../../wallet/sign/signEvmTransaction.ts'
import type { ApprovalRequest, PreparedApproval } from '../../approvalRequest.ts'
import { createCallsAccess } from '../../calls/callsAccess.ts'
import { createSafeRequestHandler } from '../../createSafeRequestHandler.ts'
import { loadPreparation } from '../../loadPreparation.ts'

const chain: FrameChain = { ...evmChain, id: 'eip155:31337', reference: '31337' }
const to: Hex = '0x00000000000000000000000000000000000c0de2'
const site = 'https://app.example'

let chains: Awaited<ReturnType<typeof startChains>>
beforeAll(async () => {
  chains = await startChains()
})
beforeEach(() => ask('evm_setAutomine', [false]))
// What a test leaves is included, so that the next one begins with an empty pool.
afterEach(() => mine())
afterAll(() => chains?.stop())

/** Asks the local chain. Throws the node's message as RPC_FAILED. */
async function ask(method: string, params: unknown): Promise<unknown> {
  const response = await fetch(chains.urls['eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result: unknown
    error?: { message: string }
  }
  if (error)
    throw Object.assign(new Error(error.message), { name: 'LatchkeyError', code: 'RPC_FAILED' })
  return result
}

const mine = () => ask('anvil_mine', ['0x1'])

type Transaction = Record<
  'hash' | 'nonce' | 'to' | 'value' | 'input' | 'maxFeePerGas' | 'maxPriorityFeePerGas',
  string
>
const readTransaction = (hash: unknown) =>
  ask('eth_getTransactionByHash', [hash]) as Promise<Transaction>
const isIncluded = async (hash: unknown) =>
  ((await ask('eth_getTransactionReceipt', [hash])) as object | null) !== null

/** An account with one ether, and a page that has sent half of it to a stranger. */
async function open() {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await ask('anvil_setBalance', [address, `0x${parseEther('1').toString(16)}`])
  const store = createMemoryStore()
  const signed: unknown[] = []
  const access = (origin: string) => createCallsAccess(store, { origin, account: address })
  const keys = {
    do: async (_: string, { transaction }: { transaction: never }) => {
      signed.push(transaction)
      return signEvmTransaction(transaction, Uint8Array.from(toBytes(key)))
    },
  } as unknown as ApprovalRequest['keys']
  const read: ApprovalRequest['read'] = (_, asked, given) => ask(asked, given)
  const prepare = async (method: string, params: unknown, origin = site) => {
    const accounts = { eip155: address, solana: '' }
    const request = createTestRequest({
      method,
      params,
      read,
      keys,
      origin,
      chain,
      accounts,
      calls: access(origin),
    })
    return (await loadPreparation(request))(request)
  }
  const pending = (origin = site, during: typeof read = read) =>
    createSafeRequestHandler({
      read: during,
      account: async () => address,
      chains: [chain],
      access: () => access(origin),
      session: { call: () => Promise.reject(new Error('The server is not asked')) },
    })(
      { method: 'wallet_getPendingTransactions', params: [], chain },
      new AbortController().signal,
    ) as Promise<{ hash: string; isCancelled: boolean; canBeReplaced: boolean }[]>
  const half = parseEther('0.5')
  const send = async (value = half, origin = site) => {
    const params = [{ from: address, to, value: `0x${value.toString(16)}` }]
    return String(await (await prepare('eth_sendTransaction', params, origin)).approve())
  }
  const replace = (hash: string, action: string, origin = site, more: object = {}) =>
    prepare('wallet_replaceTransaction', [{ hash, action, ...more }], origin)
  return { address, send, replace, pending, signed, read, prepare }
}

const getPlace = ({ view }: PreparedApproval, label: string) =>
  view.place.find((row) => row.label === label)?.value
const getTexts = ({ view }: PreparedApproval) => view.warnings.map(({ text }) => text)

/**
 * Whether both fee fields of the second transaction are at least a tenth above the first
 * transaction's fields.
 */
const pays = (first: Transaction, second: Transaction) =>
  (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).every(
    (field) => BigInt(second[field]) * 10n >= BigInt(first[field]) * 11n,
  )

test('default: a pending payment is sent once more with a higher fee, and nothing else changes', async () => {
  const { send, replace, pending } = await open()
  const first = await send()
  const prepared = await replace(first, 'speedUp')
  expect(prepared.view.title).toBe('Speed up: Send 0.5 ETH?')
  expect(prepared.view.action).toBe('speed up')
  const [before, after] = [
    getPlace(prepared, t.feeBefore),
    getPlace(prepared, 'Network fee, up to'),
  ]
  expect(Number.parseFloat(after ?? '')).toBeGreaterThan(1.099 * Number.parseFloat(before ?? ''))
  expect(getTexts(prepared)).toContain(t.onlyOne)
  expect(await prepared.recheck?.()).toBeUndefined()
  const sent = await readTransaction(first)
  const second = String(await prepared.approve())
  const { hash: _, maxFeePerGas, maxPriorityFeePerGas, ...rest } = await readTransaction(second)
  const { nonce, to: receiver, value, input } = sent
  expect(rest).toMatchObject({ nonce, to: receiver, value, input })
  expect(pays(sent, { ...sent, maxFeePerGas, maxPriorityFeePerGas })).toBe(true)
  expect(await pending()).toEqual([
    { hash: second, earlier: [first], isCancelled: false, canBeReplaced: true },
  ])
  await mine()
  expect(await isIncluded(second)).toBe(true)
  expect(await isIncluded(first)).toBe(false)
  expect(await pending()).toEqual([])
})

test('default: an empty payment to the account itself cancels a payment, and may come too late', async () => {
  const { address, send, replace, pending } = await open()
  const first = await send()
  const prepared = await replace(first, 'cancel')
  expect(prepared.view.title).toBe(t.titleCancel)
  expect(getTexts(prepared)).toContain(t.mayBeLate)
  expect(JSON.stringify(prepared.view.groups)).toContain('Send 0.5 ETH')
  expect(getPlace(prepared, t.feeBefore)).toBeDefined()
  const sent = await readTransaction(first)
  const second = await readTransaction(await prepared.approve())
  expect(second).toMatchObject({
    nonce: sent.nonce,
    to: address.toLowerCase(),
    value: '0x0',
    input: '0x',
  })
  expect(pays(sent, second)).toBe(true)
  // The page cannot bring the payment back: only the fee of the cancellation can go up.
  const again = await replace(first, 'speedUp')
  expect(again.view.title).toBe(t.titleCancel)
  const third = await readTransaction(await again.approve())
  expect(third).toMatchObject({ nonce: sent.nonce, value: '0x0', input: '0x' })
  expect((await pending()).map(({ isCancelled }) => isCancelled)).toEqual([true])
  await mine()
  expect(await isIncluded(third.hash)).toBe(true)
  expect(await isIncluded(first)).toBe(false)
})

test('error: a page can replace only its own transactions, and does not learn about others', async () => {
  const { send, replace, pending, signed } = await open()
  const first = await send()
  const reasons = await Promise.all(
    [
      [first, 'https://evil.example'],
      [`0x${'12'.repeat(32)}`, site],
    ].map(([hash = '', origin]) =>
      replace(hash, 'cancel', origin).catch(({ code, message }) => `${code} ${message}`),
    ),
  )
  expect(reasons[0]).toContain('SIGNING_REFUSED')
  expect(reasons[0]).toBe(reasons[1])
  expect(await pending('https://evil.example')).toEqual([])
  expect(signed).toHaveLength(1)
})

test('error: a page chooses neither contents nor fee', async () => {
  const { send, replace, signed } = await open()
  const first = await send()
  const lies = {
    to: `0x${'66'.repeat(20)}`,
    value: '0x1',
    data: '0x12',
    nonce: '0x0',
    gas: '0x1',
    maxFeePerGas: '0xffffffffffff',
    call: {},
  }
  await (await replace(first, 'speedUp', site, lies)).approve()
  const [one, two] = signed as Record<string, string>[]
  for (const field of ['to', 'value', 'data', 'nonce', 'gas', 'chainId', 'type'])
    expect(two?.[field]).toEqual(one?.[field])
  expect(BigInt(two?.maxFeePerGas ?? 0)).toBeLessThan(2n * BigInt(one?.maxFeePerGas ?? 0))
  for (const action of ['send', '', undefined])
    await expect(replace(first, action as string)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
})

test('error: does not replace a transaction that was included in the meantime', async () => {
  const { send, replace, signed } = await open()
  const first = await send()
  const prepared = await replace(first, 'speedUp')
  await mine()
  await expect(prepared.recheck?.()).rejects.toMatchObject(refused)
  await expect(replace(first, 'cancel')).rejects.toMatchObject(refused)
  expect(signed).toHaveLength(1)
  // Between the last look and the network: the node refuses the nonce.
  await expect(prepared.approve()).rejects.toMatchObject(refused)
})

test('behavior: shows a transaction that another tab replaced again before anything is signed', async () => {
  const { send, replace, signed } = await open()
  const first = await send()
  const [one, two] = [await replace(first, 'speedUp'), await replace(first, 'cancel')]
  await one.approve()
  const changed = await two.recheck?.()
  expect(signed).toHaveLength(2)
  expect(changed?.view.title).toBe(t.titleCancel)
  expect(getPlace(changed as PreparedApproval, t.feeBefore)).toBe(
    getPlace(one, 'Network fee, up to'),
  )
  await changed?.approve()
  expect(signed).toHaveLength(3)
  // Two simultaneous replacements have the same fee, so the node accepts only the first.
  const third = await send(1n)
  const both = [await replace(third, 'speedUp'), await replace(third, 'cancel')]
  const ends = await Promise.allSettled(both.map((each) => each.approve()))
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

const other = 'https://shop.example'
const refused = { code: 'SIGNING_REFUSED' }

test('error: does not replace a payment of another page that got the nonce of a dropped payment', async () => {
  const { send, replace, pending, signed } = await open()
  const first = await send()
  const shown = [await replace(first, 'cancel'), await replace(first, 'speedUp')]
  await ask('anvil_dropTransaction', [first])
  const payment = await send(1n, other)
  expect((await readTransaction(payment)).nonce).toBe('0x0')
  for (const action of ['cancel', 'speedUp'])
    await expect(replace(first, action)).rejects.toMatchObject(refused)
  for (const each of shown) {
    await expect(each.recheck?.()).rejects.toMatchObject(refused)
    await expect(each.approve()).rejects.toMatchObject(refused)
  }
  expect(signed).toHaveLength(2)
  // For the page, its own transaction is gone as if it had been included. The other transaction
  // stays hidden from it.
  expect(await pending()).toEqual([])
  await expect(replace(payment, 'cancel')).rejects.toMatchObject(refused)
  expect(await pending(other)).toMatchObject([{ hash: payment, earlier: [] }])
  expect((await replace(payment, 'cancel', other)).view.title).toBe(t.titleCancel)
  await mine()
  expect(await isIncluded(payment)).toBe(true)
})

test('error: never replaces a transaction that the network has dropped, before the card or signing', async () => {
  const { send, replace, signed } = await open()
  const first = await send()
  const shown = await replace(first, 'cancel')
  // Another browser can take the nonce now, of which this one's store knows nothing.
  await ask('anvil_dropTransaction', [first])
  await expect(replace(first, 'cancel')).rejects.toMatchObject(refused)
  await expect(shown.recheck?.()).rejects.toMatchObject(refused)
  await expect(shown.approve()).rejects.toMatchObject(refused)
  expect(signed).toHaveLength(1)
  // The same for a transaction that was replaced before: its replacement has to exist on the node.
  const second = await send()
  const third = String(await (await replace(second, 'speedUp')).approve())
  expect((await replace(second, 'cancel')).view.title).toBe(t.titleCancel)
  await ask('anvil_dropTransaction', [third])
  await expect(replace(second, 'cancel')).rejects.toMatchObject(refused)
  expect(signed).toHaveLength(3)
})

test('error: does not sign if another tab replaced the transaction after the last check', async () => {
  const { send, replace, signed } = await open()
  const first = await send()
  const [one, two] = [await replace(first, 'cancel'), await replace(first, 'speedUp')]
  await one.approve()
  await expect(two.approve()).rejects.toMatchObject(refused)
  expect(signed).toHaveLength(2)
})

test('behavior: keeps what is stored while a network request is pending', async () => {
  const { send, pending, read } = await open()
  await send(1n)
  await mine()
  let second = ''
  await pending(site, async (...asked) => {
    const answer = await read(...asked)
    if (second === '') second = await send(2n)
    return answer
  })
  expect(await pending()).toMatchObject([{ hash: second }])
})

test('behavior: a batch of another page that gets the nonce of a dropped payment ends its entry', async () => {
  const { address, send, prepare, pending } = await open()
  const first = await send()
  const second = await send(1n)
  await ask('anvil_dropTransaction', [second])
  const batch = { version: '2.0.0', from: address, chainId: '0x7a69', atomicRequired: false }
  const calls = [{ to, value: '0x2' }]
  await (await prepare('wallet_sendCalls', [{ ...batch, calls }], other)).approve()
  expect(await pending()).toMatchObject([{ hash: first }])
  expect(await pending(other)).toMatchObject([{ earlier: [], batchId: expect.any(String) }])
})

test('error: a page cannot raise a fee without end', async () => {
  const { send, replace, pending } = await open()
  const first = await send()
  for (let round = 0; round < 10; round++) {
    const prepared = await replace(first, 'speedUp')
    if (round > 0) expect(getTexts(prepared)).toContain(t.feeEnough)
    await prepared.approve()
  }
  expect(await pending()).toMatchObject([{ canBeReplaced: false }])
  await expect(replace(first, 'speedUp')).rejects.toMatchObject({
    code: 'SIGNING_REFUSED',
    message: expect.stringContaining('too often'),
  })
})

test('error: the balance does not pay for a tenth more; a cancellation gives the payment back', async () => {
  const { address, send, replace } = await open()
  const first = await send()
  const { maxFeePerGas } = await readTransaction(first)
  const exactly = parseEther('0.5') + 21_000n * BigInt(maxFeePerGas)
  await ask('anvil_setBalance', [address, `0x${exactly.toString(16)}`])
  await expect(replace(first, 'speedUp')).rejects.toMatchObject({ code: 'INSUFFICIENT_GAS' })
  expect((await replace(first, 'cancel')).view.title).toBe(t.titleCancel)
})

test('param: the frame keeps the last 20 transactions of a page on a network', async () => {
  const { send, pending } = await open()
  const hashes: string[] = []
  for (let count = 0; count < 22; count++) hashes.push(await send(1n))
  expect((await pending()).map(({ hash }) => hash)).toEqual(hashes.slice(-20))
})

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { type Solana, startSolana } from '@latchkey/dev'
import { decodeBase58, encodeBase58, LatchkeyError } from '@latchkey/wire'
import {
  AccountRole,
  type Address,
  createNoopSigner,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket as Peer } from 'ws'
import { rpc } from '../../../test/rpc.ts'
import { createRpcClient } from '../../network/createRpcClient.ts'
import { latchkeySolana as network } from '../../networks.ts'
import type { Request } from '../request.ts'
import type { Plan, PlanTransferParameters, SendToken } from '../transferPlan.ts'
import { solanaActions } from './actions.ts'
import { compile, readLifetime } from './message.ts'
import { getTransferFee, tokenPrograms } from './token.ts'
import { getAssociatedAddress } from './transferTokens.ts'

const sol: SendToken = { symbol: 'SOL', decimals: 9 }
const [classic, token2022] = tokenPrograms as [Address, Address]
const { signal } = new AbortController()

type Key = { address: Address; key: KeyObject }

let chain: Solana
let node: Request
let alice: Key
let usd: SendToken & { address: string }
let feeToken: SendToken & { address: string }

beforeAll(async () => {
  chain = await startSolana()
  const { url } = chain
  const environment = { fetch, now: Date.now, sleep: wait, signal }
  node = createRpcClient({ url, chain: network.name, ...environment })
  const [first] = chain.accounts
  alice = toKey(Buffer.from(first?.privateKey ?? '', 'hex'))
  usd = { address: chain.addresses.token, symbol: 'dUSD', decimals: 6 }
  feeToken = { address: chain.addresses.feeToken, symbol: 'dFEE', decimals: 9 }
})
afterAll(() => chain?.stop())

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A key pair of a 32-byte seed; without one a new account that holds nothing. */
function toKey(seed?: Buffer): Key {
  const start = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = seed
    ? createPrivateKey({ key: Buffer.concat([start, seed]), format: 'der', type: 'pkcs8' })
    : generateKeyPairSync('ed25519').privateKey
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { address: encodeBase58(spki.subarray(-32)) as Address, key }
}

const signBytes = ({ key }: Key, bytes: Uint8Array) => encodeBase58(sign(null, bytes, key))

/** Signs a transaction as it is on the wire. */
function signTransaction(owner: Key, transaction: string) {
  const bytes = Buffer.from(transaction, 'base64')
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const signature = sign(null, Uint8Array.from(messageBytes), owner.key)
  signature.copy(bytes, 1)
  return { signature: encodeBase58(signature), transaction: bytes.toString('base64') }
}

/** A wallet that approves all and sends by itself; `answers` replace its own. */
const createWallet =
  (owner: Key, answers: Record<string, (params: never) => unknown> = {}): Request =>
  async (method, params) => {
    const { transaction, message } = params as { transaction: string; message: string }
    const own = answers[method]
    if (own) return own(params as never)
    if (method === 'solana_signMessage')
      return { signature: signBytes(owner, decodeBase58(message) ?? new Uint8Array()) }
    const signed = signTransaction(owner, transaction)
    if (method === 'solana_signTransaction') return signed
    await submit(signed.transaction)
    return { signature: signed.signature }
  }

const submit = (transaction: string) =>
  rpc(chain.url, 'sendTransaction', [transaction, { encoding: 'base64' }])

const onlySigns = ['solana_signTransaction']

const ask = (
  parameters: Partial<PlanTransferParameters> & { owner?: Key } = {},
): PlanTransferParameters => {
  const { owner = alice, ...rest } = parameters
  return {
    wallet: createWallet(owner),
    node,
    sleep: () => wait(20),
    network,
    account: { namespace: 'solana', address: owner.address, type: 'eoa' },
    to: toKey().address,
    amount: '1',
    token: sol,
    ...rest,
  }
}

const plan = (parameters: Parameters<typeof ask>[0]) => solanaActions.planTransfer(ask(parameters))
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error) => error.code ?? String(error),
  )

const balance = (address: string) => solanaActions.balance({ node, address })

async function tokens(owner: string, { address, ...rest }: SendToken) {
  const question = ask({ token: { ...rest, address: address ?? '' } })
  return solanaActions.maxSend({ ...question, account: { ...question.account, address: owner } })
}

/** Executes a plan and waits until the network has confirmed it. */
async function complete(ready: Plan) {
  const hash = await ready.execute(signal)
  const result = await solanaActions.waitForTransaction({ node, hash, signal, sleep: wait })
  expect(result).toEqual({ status: 'success' })
  return hash
}

/** Sends instructions of the test's own. */
async function send(owner: Key, instructions: readonly Instruction[]) {
  const budget = { units: 200_000, microLamports: 0n }
  const lifetime = await readLifetime(node)
  const { unsigned } = compile({ from: owner.address, instructions, budget, lifetime })
  await submit(signTransaction(owner, unsigned).transaction)
}

const airdrop = (to: string, amount: string) => plan({ to, amount }).then(complete)

describe('SOL', () => {
  test('default', async () => {
    const to = toKey().address
    const before = await balance(alice.address)
    const ready = await plan({ to, amount: '1.5' })
    const amount = { assetId: `${network.caipNetworkId}/slip44:501`, value: 1_500_000_000n, ...sol }
    expect(ready).toMatchObject({
      chainId: network.caipNetworkId,
      outflows: [amount],
      fee: { value: 5_000n, symbol: 'SOL', payer: 'account' },
      steps: [{ kind: 'transfer', to, amount, isToContract: false }],
    })
    expect(ready.deposit).toBeUndefined()
    const hash = await complete(ready)
    expect(await balance(to)).toBe(1_500_000_000n)
    expect(before - (await balance(alice.address))).toBe(1_500_000_000n + ready.fee.value)
    expect(await solanaActions.isFinal({ node, hash: signBytes(alice, new Uint8Array()) })).toBe(
      false,
    )
    chain.skipSlots(40)
    expect(await solanaActions.isFinal({ node, hash })).toBe(true)
  })

  test('behavior: pays a recent price for priority, up to a limit', async () => {
    const priced =
      (fee: number): Request =>
      async (method, params) =>
        method === 'getRecentPrioritizationFees'
          ? [{ slot: 1, prioritizationFee: fee }]
          : node(method, params)
    const modest = await plan({ node: priced(1_000_000) })
    expect(modest.fee.value).toBeGreaterThan(5_000n)
    expect(modest.fee.value).toBeLessThan(10_000n)
    const high = await plan({ node: priced(1e15) })
    expect(high.fee.value).toBeLessThanOrEqual(205_000n)
    const before = await balance(alice.address)
    await complete(high)
    expect(before - (await balance(alice.address))).toBe(1_000_000_000n + high.fee.value)
  })

  test('behavior: Max leaves the fee and what the account has to hold', async () => {
    const owner = toKey()
    await airdrop(owner.address, '1')
    const to = toKey().address
    const { amount: _, ...question } = ask({ owner, to })
    const most = await solanaActions.maxSend(question)
    expect(most).toBe(1_000_000_000n - 5_000n - 890_880n)
    await complete(await plan({ owner, to, amount: '0.99910412' }))
    expect(await balance(owner.address)).toBe(890_880n)
    expect(await solanaActions.maxSend(question)).toBe(0n)
  })

  test('param: what an account cannot spare', async () => {
    const owner = toKey()
    const poor = toKey()
    await airdrop(owner.address, '1')
    const amounts = {
      '1.1': 'INSUFFICIENT_FUNDS',
      '1': 'INSUFFICIENT_FUNDS',
      '0.9999': 'TRANSFER_REFUSED',
      // To the last lamport: the account ends.
      '0.999995': 'resolved',
      '0.0005': 'TRANSFER_REFUSED',
      '0': 'INVALID_SEND_INPUT',
      '0.0000000001': 'INVALID_SEND_INPUT',
      x: 'INVALID_SEND_INPUT',
    }
    for (const [amount, code] of Object.entries(amounts))
      expect(await codeOf(plan({ owner, amount })), amount).toBe(code)
    expect(await codeOf(plan({ owner: poor }))).toBe('INSUFFICIENT_GAS')
    await complete(await plan({ owner, amount: '0.999995' }))
    expect(await balance(owner.address)).toBe(0n)
  })

  test('param: receivers', async () => {
    const owner = alice.address
    const mint = chain.addresses.token as Address
    const account = await getAssociatedAddress({ owner, mint, tokenProgram: classic })
    const other = toKey().address
    const empty = await getAssociatedAddress({ owner: other, mint, tokenProgram: classic })
    const receivers: [string, string][] = [
      [owner, 'resolved'],
      [account, 'TRANSFER_REFUSED'],
      [empty, 'TRANSFER_REFUSED'],
      [mint, 'TRANSFER_REFUSED'],
      [classic, 'TRANSFER_REFUSED'],
      [chain.addresses.lookupTable, 'TRANSFER_REFUSED'],
      ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'INVALID_ADDRESS'],
      ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'INVALID_ADDRESS'],
      [`${owner}1`, 'INVALID_ADDRESS'],
      ['1'.repeat(44), 'INVALID_ADDRESS'],
      ['', 'INVALID_SEND_INPUT'],
    ]
    for (const [to, code] of receivers) expect(await codeOf(plan({ to })), to).toBe(code)
    // The vault of a program that holds SOL can be sent to, with a warning.
    await send(alice, [
      getTransferSolInstruction({
        source: createNoopSigner(owner),
        destination: empty,
        amount: 1_000_000n,
      }),
    ])
    expect((await plan({ to: empty })).steps[0]?.isToContract).toBe(true)
  })
})

describe('tokens', () => {
  test('behavior: an account is made for a new receiver, and its deposit is said before', async () => {
    const to = toKey().address
    const first = await plan({ to, amount: '2.5', token: usd })
    expect(first).toMatchObject({
      outflows: [
        {
          assetId: `${network.caipNetworkId}/token:${usd.address}`,
          value: 2_500_000n,
          decimals: 6,
        },
      ],
      deposit: { value: 2_039_280n, symbol: 'SOL', decimals: 9 },
    })
    expect(first.steps[0]?.received).toBeUndefined()
    const before = await balance(alice.address)
    await complete(first)
    expect(await tokens(to, usd)).toBe(2_500_000n)
    expect(before - (await balance(alice.address))).toBe(first.fee.value + 2_039_280n)
    const second = await plan({ to, amount: '1', token: usd })
    expect(second.deposit).toBeUndefined()
    await complete(second)
    expect(await tokens(to, usd)).toBe(3_500_000n)
  })

  test('behavior: a transfer fee is taken from what arrives', async () => {
    const to = toKey().address
    const ready = await plan({ to, amount: '10', token: feeToken })
    expect(ready.steps[0]?.received).toMatchObject({ value: 9_900_000_000n, symbol: 'dFEE' })
    const before = await balance(alice.address)
    await complete(ready)
    expect(await tokens(to, feeToken)).toBe(9_900_000_000n)
    expect(before - (await balance(alice.address))).toBe(
      ready.fee.value + (ready.deposit?.value ?? 0n),
    )
  })

  test('param: a transfer fee rises with an epoch, up to the highest', () => {
    const config = Buffer.alloc(108)
    // Epoch, highest fee, basis points; from epoch 9 another one.
    for (const [offset, epoch, highest, points] of [
      [72, 1n, 50n, 100],
      [90, 9n, 500n, 250],
    ] as const) {
      config.writeBigUInt64LE(epoch, offset)
      config.writeBigUInt64LE(highest, offset + 8)
      config.writeUInt16LE(points, offset + 16)
    }
    const mint = {
      address: alice.address,
      program: token2022,
      decimals: 0,
      extensions: new Map([[1, config]]),
    }
    const fee = (amount: bigint, epoch: bigint) => getTransferFee(mint, amount, epoch)
    expect([fee(101n, 8n), fee(9_999n, 8n), fee(1_000n, 9n), fee(0n, 9n)]).toEqual([
      2n,
      50n,
      25n,
      0n,
    ])
  })

  test('behavior: a receiver who demands a memo gets one', async () => {
    const bob = toKey()
    await airdrop(bob.address, '1')
    const mint = feeToken.address as Address
    const parties = { owner: bob.address, mint, tokenProgram: token2022 }
    const account = await getAssociatedAddress(parties)
    const payer = createNoopSigner(bob.address)
    await send(bob, [
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: account, ...parties }),
      reallocate({ account, owner: bob.address }),
      demandMemo({ account, owner: bob.address }),
    ])
    const hash = await complete(await plan({ to: bob.address, token: feeToken }))
    expect(await tokens(bob.address, feeToken)).toBe(990_000_000n)
    const settings = {
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    }
    expect(JSON.stringify(await node('getTransaction', [hash, settings]))).toContain('Memo')
  })

  test('behavior: Max is all of a token, and takes it from every account', async () => {
    const bob = toKey()
    await airdrop(bob.address, '1')
    await complete(await plan({ to: bob.address, amount: '7.000001', token: usd }))
    expect(await tokens(bob.address, usd)).toBe(7_000_001n)
    const to = toKey().address
    await complete(await plan({ owner: bob, to, amount: '7.000001', token: usd }))
    expect(await tokens(bob.address, usd)).toBe(0n)
    expect(await tokens(to, usd)).toBe(7_000_001n)
    const more = plan({ owner: bob, to, amount: '0.000001', token: usd })
    expect(await codeOf(more)).toBe('INSUFFICIENT_FUNDS')
  })

  test('error: SOL for fee and deposit is missing', async () => {
    const bob = toKey()
    await complete(await plan({ to: bob.address, amount: '5', token: usd }))
    expect(await codeOf(plan({ owner: bob, token: usd }))).toBe('INSUFFICIENT_GAS')
    await airdrop(bob.address, '0.0015')
    expect(await codeOf(plan({ owner: bob, token: usd }))).toBe('INSUFFICIENT_GAS')
    expect(await codeOf(plan({ owner: bob, to: alice.address, token: usd }))).toBe('resolved')
  })

  test.each([
    ['nothing', [], 'resolved'],
    ['bound to its account', [9, 0], 'TRANSFER_REFUSED'],
    ['paused', [26, 33, ...Array(32).fill(1), 1], 'TRANSFER_REFUSED'],
    ['not paused', [26, 33, ...Array(32).fill(1), 0], 'resolved'],
    ['a hook', [14, 64, ...Array(64).fill(1)], 'TRANSFER_REFUSED'],
    ['no hook', [14, 64, ...Array(64).fill(0)], 'resolved'],
    ['new accounts are frozen', [6, 1, 2], 'TRANSFER_REFUSED'],
  ] as const)('param: a mint with an extension: %s', async (_, [type, length, ...bytes], code) => {
    const header = type === undefined ? [] : [type, 0, length ?? 0, 0]
    const lying = alterMint(feeToken.address, (data) =>
      Buffer.concat([data, Buffer.from([...header, ...bytes])]),
    )
    expect(await codeOf(plan({ node: lying, token: feeToken }))).toBe(code)
  })

  test('behavior: a delegate who may take back every token is said', async () => {
    const bytes = Buffer.from([12, 0, 32, 0, ...Array(32).fill(1)])
    const altered = alterMint(feeToken.address, (data) => Buffer.concat([data, bytes]))
    expect(await plan({ node: altered, token: feeToken })).toMatchObject({ isRevocable: true })
  })
})

/** A node that has something else to say of a mint's data. */
const alterMint =
  (mint: string, alter: (data: Buffer) => Buffer): Request =>
  async (method, params) => {
    const answer = await node(method, params)
    const [addresses] = params as [unknown]
    if (method !== 'getMultipleAccounts' || !Array.isArray(addresses)) return answer
    const { value } = structuredClone(answer) as { value: ({ data: [string, string] } | null)[] }
    const account = value[addresses.indexOf(mint)]
    if (account) account.data[0] = alter(Buffer.from(account.data[0], 'base64')).toString('base64')
    return { value }
  }

type Holding = { account: Address; owner: Address }

/** Makes room for the extension that demands memos. */
const reallocate = ({ account, owner }: Holding): Instruction => ({
  programAddress: token2022,
  accounts: [
    { address: account, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.WRITABLE_SIGNER },
    { address: '11111111111111111111111111111111' as Address, role: AccountRole.READONLY },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ],
  data: Uint8Array.of(29, 8, 0),
})

const demandMemo = ({ account, owner }: Holding): Instruction => ({
  programAddress: token2022,
  accounts: [
    { address: account, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ],
  data: Uint8Array.of(30, 0),
})

describe('a node that lies', () => {
  const change =
    (method: string, answer: unknown): Request =>
    async (asked, params) =>
      asked === method ? answer : node(asked, params)

  test('error: it belongs to another network', async () => {
    const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
    const lying = change('getGenesisHash', genesis)
    expect(await codeOf(plan({ node: lying }))).toBe('RPC_CHAIN_WRONG')
    const { amount: _, ...question } = ask({ node: lying })
    expect(await codeOf(solanaActions.maxSend(question))).toBe('RPC_CHAIN_WRONG')
  })

  test('error: a mint with other decimals than the amount was typed in', async () => {
    const lying = alterMint(usd.address, (data) => {
      data[44] = 9
      return data
    })
    expect(await codeOf(plan({ node: lying, token: usd }))).toBe('ANSWER_INVALID')
    expect(await codeOf(plan({ token: { ...usd, decimals: 9 } }))).toBe('ANSWER_INVALID')
    // Even if both agree, the network refuses it.
    const agreed = plan({ node: lying, token: { ...usd, decimals: 9 }, amount: '0.001' })
    expect(await codeOf(agreed)).toBe('TRANSFER_REFUSED')
  })

  test.each([
    ['getLatestBlockhash', null],
    ['getLatestBlockhash', { value: { blockhash: 1, lastValidBlockHeight: 2 } }],
    ['getMultipleAccounts', { value: [] }],
    ['getMultipleAccounts', { value: [{ lamports: -1 }, null] }],
    ['getMinimumBalanceForRentExemption', '1'],
    ['getRecentPrioritizationFees', [{ prioritizationFee: 1.5 }]],
    ['simulateTransaction', { value: { err: null, unitsConsumed: 'x' } }],
    ['getFeeForMessage', { value: 'x' }],
  ])('error: %s answers %j', async (method, answer) => {
    expect(await codeOf(plan({ node: change(method, answer) }))).toBe('ANSWER_INVALID')
  })

  test('error: what is no mint, and a mint of another program', async () => {
    const token = { ...usd, address: alice.address }
    expect(['TRANSFER_REFUSED', 'RPC_FAILED']).toContain(await codeOf(plan({ token })))
    const lying: Request = async (method, params) => {
      const answer = await node(method, params)
      if (method !== 'getMultipleAccounts') return answer
      const { value } = structuredClone(answer) as { value: ({ owner: string } | null)[] }
      if (value[2]) value[2].owner = token2022
      return { value }
    }
    expect(await codeOf(plan({ node: lying, token: usd }))).toBe('ANSWER_INVALID')
  })
})

describe('a transaction on its way', () => {
  test('behavior: what a wallet has only signed is sent by our node', async () => {
    const to = toKey().address
    await complete(await plan({ to, approvedMethods: onlySigns }))
    expect(await balance(to)).toBe(1_000_000_000n)
  })

  test('behavior: an expired transaction is reported, and the same plan sends it again', async () => {
    const to = toKey().address
    let isSlow = true
    const wallet = createWallet(alice, {
      solana_signTransaction: ({ transaction }: { transaction: string }) => {
        if (isSlow) chain.skipSlots(151)
        return signTransaction(alice, transaction)
      },
    })
    const ready = await plan({ to, wallet, approvedMethods: onlySigns })
    expect(await codeOf(ready.execute(signal))).toBe('TRANSACTION_EXPIRED')
    isSlow = false
    await complete(ready)
    expect(await balance(to)).toBe(1_000_000_000n)
  })

  test('behavior: waits for a transaction that may still land, and never doubles it', async () => {
    const to = toKey().address
    let sent = 0
    const flaky: Request = async (method, params) => {
      const answer = await node(method, params)
      if (method !== 'sendTransaction') return answer
      sent += 1
      throw new LatchkeyError('TIMEOUT')
    }
    await complete(await plan({ to, node: flaky, approvedMethods: onlySigns }))
    expect(sent).toBeGreaterThan(0)
    expect(await balance(to)).toBe(1_000_000_000n)
    const wallet = createWallet(alice, {
      solana_signAndSendTransaction: async ({ transaction }: { transaction: string }) => {
        await submit(signTransaction(alice, transaction).transaction)
        throw new LatchkeyError('REQUEST_EXPIRED')
      },
    })
    await complete(await plan({ to, amount: '2', wallet }))
    expect(await balance(to)).toBe(3_000_000_000n)
  })

  test('error: a wallet that gives up is waited out before another try is offered', async () => {
    const to = toKey().address
    let begun = 0n
    const wallet = createWallet(alice, {
      solana_signAndSendTransaction: async () => {
        begun = BigInt((await node('getBlockHeight')) as number)
        throw new LatchkeyError('WALLET_UNRESPONSIVE')
      },
    })
    const sleep = async () => chain.skipSlots(100)
    const ready = await plan({ to, wallet, sleep })
    expect(await codeOf(ready.execute(signal))).toBe('TRANSACTION_EXPIRED')
    expect(BigInt((await node('getBlockHeight')) as number)).toBeGreaterThan(begun + 150n)
    expect(await balance(to)).toBe(0n)
  })

  test('error: stops waiting for a transaction that never reaches a block', async () => {
    const sleep = async () => chain.skipSlots(100)
    const hash = signBytes(alice, Uint8Array.of(1))
    const waiting = solanaActions.waitForTransaction({ node, hash, signal, sleep })
    expect(await codeOf(waiting)).toBe('TRANSACTION_EXPIRED')
  })

  test('behavior: polls when the node’s subscription reports the confirmation', async () => {
    const hash = await (await plan({ amount: '0.001' })).execute(signal)
    let statuses = 0
    // Nothing of it is seen at first, as by a node that is behind.
    const behind: Request = async (method, params) => {
      const answer = await node(method, params)
      if (method !== 'getSignatureStatuses') return answer
      statuses += 1
      return statuses === 1 ? { value: [null] } : answer
    }
    const slept: number[] = []
    const sleep = (ms: number, until?: AbortSignal) => {
      slept.push(ms)
      return new Promise<void>((resolve) =>
        until?.aborted ? resolve() : until?.addEventListener('abort', () => resolve()),
      )
    }
    const openSocket = () => new Peer(chain.url.replace(/^http/, 'ws')) as unknown as WebSocket
    const result = await solanaActions.waitForTransaction({
      node: behind,
      openSocket,
      hash,
      signal,
      sleep,
    })
    expect(result).toEqual({ status: 'success' })
    expect(slept.length).toBeGreaterThan(0)
  })

  test('error: a subscription that lies, breaks or floods changes nothing of the result', async () => {
    const hash = signBytes(alice, Uint8Array.of(2))
    const note = JSON.stringify({
      method: 'signatureNotification',
      params: { result: { value: { err: null } } },
    })
    const promise = JSON.stringify({ id: 1, result: 7 })
    const says: ((socket: WebSocket) => void)[] = [
      (socket) => socket.onmessage?.({ data: note } as MessageEvent),
      (socket) => {
        for (let count = 0; count < 1_000; count++)
          socket.onmessage?.({ data: promise } as MessageEvent)
      },
      (socket) => socket.onmessage?.({ data: '{' } as MessageEvent),
      (socket) => socket.onclose?.({} as CloseEvent),
      (socket) => socket.onerror?.({} as Event),
    ]
    for (const say of says) {
      let closed = 0
      const socket = { send: () => say(socket), close: () => (closed += 1) } as unknown as WebSocket
      queueMicrotask(() => socket.onopen?.({} as Event))
      const sleep = async () => chain.skipSlots(100)
      const waiting = solanaActions.waitForTransaction({
        node,
        openSocket: () => socket,
        hash,
        signal,
        sleep,
      })
      expect(await codeOf(waiting)).toBe('TRANSACTION_EXPIRED')
      expect(closed).toBeGreaterThan(0)
    }
  })

  test('error: the visitor declines', async () => {
    const refuse = () => Promise.reject(new LatchkeyError('USER_REJECTED'))
    const names = ['solana_signAndSendTransaction', 'solana_signTransaction']
    const wallet = createWallet(alice, Object.fromEntries(names.map((name) => [name, refuse])))
    for (const approvedMethods of [undefined, onlySigns]) {
      const ready = await plan({ wallet, approvedMethods })
      expect(await codeOf(ready.execute(signal))).toBe('USER_REJECTED')
    }
  })

  test('error: the network refuses it meanwhile', async () => {
    const owner = toKey()
    await airdrop(owner.address, '1')
    const settings = { owner, amount: '0.7', approvedMethods: onlySigns }
    const [first, second] = await Promise.all([plan(settings), plan(settings)])
    await complete(first)
    expect(await codeOf(second.execute(signal))).toBe('TRANSACTION_NOT_SENT')
  })
})

describe('a hostile wallet', () => {
  const thief = toKey().address

  /** The transaction with another receiver. */
  const stolen = async () => {
    const instructions = [
      getTransferSolInstruction({
        source: createNoopSigner(alice.address),
        destination: thief,
        amount: 1_000_000_000n,
      }),
    ]
    const budget = { units: 1_000, microLamports: 0n }
    const lifetime = await readLifetime(node)
    return compile({ from: alice.address, instructions, budget, lifetime }).unsigned
  }

  test('error: it signs another transaction than the reviewed transaction', async () => {
    const wallet = createWallet(alice, {
      solana_signTransaction: async () => signTransaction(alice, await stolen()),
    })
    const ready = await plan({ wallet, approvedMethods: onlySigns })
    expect(await codeOf(ready.execute(signal))).toBe('WALLET_SIGNED_OTHER')
    expect(await balance(thief)).toBe(0n)
  })

  test.each([
    ['nothing', () => null, 'TRANSACTION_NOT_SENT'],
    ['no signature', () => ({ signature: 'x' }), 'TRANSACTION_NOT_SENT'],
    [
      'of another account',
      ({ transaction }: { transaction: string }) => signTransaction(toKey(), transaction),
      'WALLET_SIGNED_OTHER',
    ],
  ])('error: it answers with what is no signature: %s', async (_, solana_signTransaction, code) => {
    const wallet = createWallet(alice, { solana_signTransaction })
    const ready = await plan({ wallet, approvedMethods: onlySigns })
    expect(await codeOf(ready.execute(signal))).toBe(code)
  })

  test('error: it sends another transaction', async () => {
    const wallet = createWallet(alice, {
      solana_signAndSendTransaction: async () => {
        const signed = signTransaction(alice, await stolen())
        await submit(signed.transaction)
        return { signature: signed.signature }
      },
    })
    const ready = await plan({ wallet })
    expect(await codeOf(ready.execute(signal))).toBe('TRANSACTION_REPLACED')
  })

  test('behavior: a wallet may choose the fee of what it sends', async () => {
    const to = toKey().address
    const wallet = createWallet(alice, {
      solana_signAndSendTransaction: async () => {
        const source = createNoopSigner(alice.address)
        const instructions = [
          getTransferSolInstruction({ source, destination: to, amount: 1_000_000_000n }),
        ]
        const budget = { units: 50_000, microLamports: 7n }
        const lifetime = await readLifetime(node)
        const { unsigned } = compile({ from: alice.address, instructions, budget, lifetime })
        const signed = signTransaction(alice, unsigned)
        await submit(signed.transaction)
        return { signature: signed.signature }
      },
    })
    await complete(await plan({ to, wallet }))
    expect(await balance(to)).toBe(1_000_000_000n)
  })
})

describe('signMessage', () => {
  test('default', async () => {
    const { address } = alice
    const message = 'Hello, Grüße, 你好'
    const signature = await solanaActions.signMessage({
      wallet: createWallet(alice),
      address,
      message,
    })
    expect(signature).toBe(signBytes(alice, new TextEncoder().encode(message)))
  })

  test('error: a signature of another account, over another message, or none', async () => {
    const { address } = alice
    const other = () => ({ signature: signBytes(alice, new TextEncoder().encode('Pay')) })
    for (const wallet of [
      createWallet(toKey()),
      createWallet(alice, { solana_signMessage: other }),
      createWallet(alice, { solana_signMessage: () => null }),
      createWallet(alice, { solana_signMessage: () => ({ signature: 'x' }) }),
    ])
      expect(await codeOf(solanaActions.signMessage({ wallet, address, message: 'Hi' }))).toMatch(
        /^WALLET_(ANSWER_INVALID|SIGNED_OTHER)$/,
      )
  })
})

test('param: addresses', () => {
  const valid = ['11111111111111111111111111111111', token2022, String(network.id), alice.address]
  expect(valid.map((text) => solanaActions.isAddress(text))).toEqual([true, true, false, true])
  // 44 letters can be 33 bytes, and 43 can be 31.
  for (const text of ['', 'z'.repeat(44), `1${alice.address}`, `${alice.address} `, 'O'.repeat(43)])
    expect(solanaActions.isAddress(text), text).toBe(false)
  expect(solanaActions.formatAddress(alice.address)).toBe(alice.address)
  expect(() => solanaActions.formatAddress('x')).toThrow('Invalid address')
})

import { type Bitcoin, type BitcoinAccount, startBitcoin } from '@latchkey/dev'
import { LatchkeyError } from '@latchkey/wire'
import { p2pkh, p2sh, p2wpkh, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bitcoin, bitcoinTestnet, latchkeyBitcoin } from '../../networks.ts'
import type { Request } from '../request.ts'
import type { PlanTransferParameters } from '../transferPlan.ts'
import { bitcoinActions } from './actions.ts'
import { readEsploraFeeRates } from './esplora.ts'

const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

let chain: Bitcoin
beforeAll(async () => {
  chain = await startBitcoin({ blockDelayMs: 'never' })
})
afterAll(() => chain.stop())

// As a gateway would: an answer of another status than 200 is the node's refusal.
const node: Request = async (method, params) => {
  const [path, body] = params as readonly [string, string?]
  const response = await fetch(chain.url + path, { method, ...(body && { body }) })
  const text = await response.text()
  if (!response.ok) throw new LatchkeyError('RPC_FAILED', { data: { reason: text } })
  return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const getKeys = (at: number): BitcoinAccount => {
  const found = chain.accounts[at]
  if (!found) throw new Error(`There is no account ${at}`)
  return found
}
const fund = async (address: string, value: number) => {
  await fetch(`${chain.url}/faucet`, { method: 'POST', body: JSON.stringify({ address, value }) })
  chain.mine()
}

type Key = { address: string; publicKey: string; privateKey: string }
type Change = (psbt: Transaction) => Transaction

/** A wallet that signs requests after `change`. */
function createWallet(key: Key, change: Change = (psbt) => psbt): Request {
  return async (method, params) => {
    const question = params as { psbt: string; message: string }
    if (method !== 'signPsbt') throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
    const psbt = change(Transaction.fromPSBT(Buffer.from(question.psbt, 'base64')))
    for (let at = 0; at < psbt.inputsLength; at++)
      if (isTaproot(psbt, at))
        psbt.updateInput(at, { tapInternalKey: bytes(key.publicKey).slice(1) })
    psbt.sign(bytes(key.privateKey), [0, 1, 2, 3, 0x81])
    return { psbt: Buffer.from(psbt.toPSBT()).toString('base64') }
  }
}

const isTaproot = (psbt: Transaction, at: number) =>
  psbt.getInput(at).witnessUtxo?.script.length === 34

const ask = (parameters: {
  key: Key
  to?: string
  amount?: string
  wallet?: Request
}): PlanTransferParameters => ({
  wallet: parameters.wallet ?? createWallet(parameters.key),
  node,
  sleep: async () => {},
  network: latchkeyBitcoin,
  account: { namespace: 'bip122', address: parameters.key.address, type: 'payment' },
  to: parameters.to ?? getKeys(9).payment.address,
  amount: parameters.amount ?? '0.5',
  token: { symbol: 'BTC', decimals: 8 },
})

/** The same question to a node that must not be given anything. */
const withoutSending = (question: PlanTransferParameters): PlanTransferParameters => ({
  ...question,
  node: async (method, params) => {
    if (method === 'POST') throw new Error('A transaction was sent')
    return node(method, params)
  },
})

const balanceOf = (address: string) => bitcoinActions.balance({ node, address })
const live = () => new AbortController().signal

test('default: a transfer is planned, signed by the wallet, checked, sent and confirmed', async () => {
  const { payment } = getKeys(0)
  const to = getKeys(9).ordinals.address
  const [before, received] = await Promise.all([balanceOf(payment.address), balanceOf(to)])
  const plan = await bitcoinActions.planTransfer(ask({ key: payment, to, amount: '2.5' }))
  expect(plan.outflows).toEqual([
    {
      assetId: `${latchkeyBitcoin.caipNetworkId}/slip44:1`,
      value: 250_000_000n,
      decimals: 8,
      symbol: 'BTC',
    },
  ])
  const hash = await plan.execute(live())
  const sent = (await node('GET', [`/tx/${hash}`])) as { fee: number; weight: number }
  expect(BigInt(sent.fee)).toBe(plan.fee.value)
  // Three blocks' estimate, and a size that is close: a signature may be a byte shorter.
  expect(Math.abs(sent.fee / (sent.weight / 4) - 20 / 3)).toBeLessThan(0.5)
  expect(await bitcoinActions.isFinal({ node, hash })).toBe(false)
  const waited = bitcoinActions.waitForTransaction({
    node,
    hash,
    signal: live(),
    sleep: async () => chain.mine(),
  })
  expect(await waited).toEqual({ status: 'success' })
  expect(await balanceOf(to)).toBe(received + 250_000_000n)
  expect(await balanceOf(payment.address)).toBe(before - 250_000_000n - plan.fee.value)
  chain.mine(5)
  expect(await bitcoinActions.isFinal({ node, hash })).toBe(true)
})

test('behavior: a Taproot account and a P2PKH account send too', async () => {
  const { payment, ordinals } = getKeys(1)
  await fund(ordinals.address, 90_000_000)
  const plan = await bitcoinActions.planTransfer(ask({ key: ordinals }))
  expect(await plan.execute(live())).toMatch(/^[0-9a-f]{64}$/)

  const legacy = { ...payment, address: p2pkh(bytes(payment.publicKey), regtest).address ?? '' }
  await fund(legacy.address, 60_000_000)
  const other = await bitcoinActions.planTransfer(ask({ key: legacy }))
  expect(await other.execute(live())).toMatch(/^[0-9a-f]{64}$/)
  chain.mine()
})

test('behavior: the maximum empties the account', async () => {
  const { payment } = getKeys(2)
  const max = await bitcoinActions.maxSend(ask({ key: payment }))
  const amount = `${max / 100_000_000n}.${String(max % 100_000_000n).padStart(8, '0')}`
  const plan = await bitcoinActions.planTransfer(ask({ key: payment, amount }))
  expect(plan.fee.value + max).toBe(500_000_000n)
  await plan.execute(live())
  expect(await balanceOf(payment.address)).toBe(0n)
  expect(await bitcoinActions.maxSend(ask({ key: payment }))).toBe(0n)
  await expect(bitcoinActions.planTransfer(ask({ key: payment }))).rejects.toThrow(
    'Insufficient funds',
  )
})

test('param: smallCoins: small Taproot coins are kept, named when they are missing, and spent on request', async () => {
  const { ordinals } = getKeys(8)
  const coins = [9_000, 8_000].map((value) => ({ value }))
  const isCoins = (params: unknown) => (params as string[])[0]?.endsWith('/utxo')
  const withCoins = (extra: object[] = []): Request => {
    const list = [...coins, ...extra].map((coin, vout) => ({
      ...{ txid: 'ab'.repeat(32), vout, status: { confirmed: true } },
      ...coin,
    }))
    return async (method, params) => (isCoins(params) ? list : node(method, params))
  }
  const question = { ...ask({ key: ordinals, amount: '0.0001' }), node: withCoins() }
  const kept = { code: 'COINS_KEPT', data: { amount: '0.00017', symbol: 'BTC' } }
  await expect(bitcoinActions.planTransfer(question)).rejects.toMatchObject(kept)
  await expect(bitcoinActions.maxSend(question)).rejects.toMatchObject(kept)
  const plan = await bitcoinActions.planTransfer({ ...question, smallCoins: true })
  expect(plan).toMatchObject({ smallCoins: { value: 17_000n }, outflows: [{ value: 10_000n }] })
  expect(await bitcoinActions.maxSend({ ...question, smallCoins: true })).toBeGreaterThan(10_000n)
  // If the other coins are enough, the small coins are named and kept.
  const rich = { ...question, node: withCoins([{ value: 50_000 }]) }
  expect(await bitcoinActions.planTransfer(rich)).toMatchObject({ smallCoins: { value: 17_000n } })
  expect(await bitcoinActions.maxSend(rich)).toBeLessThan(50_000n)
  expect(await bitcoinActions.maxSend({ ...rich, smallCoins: true })).toBeGreaterThan(60_000n)
  // More than all coins is simply too much.
  const more = { ...question, amount: '1', smallCoins: true }
  await expect(bitcoinActions.planTransfer(more)).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
})

test('param: speed', async () => {
  const { payment } = getKeys(7)
  const plans = await Promise.all(
    (['slow', 'normal', 'fast'] as const).map((speed) =>
      bitcoinActions.planTransfer({ ...ask({ key: payment }), speed }),
    ),
  )
  const [slow, normal, fast] = plans.map(({ fee }) => fee.value)
  expect(Number(normal) / Number(slow)).toBeCloseTo(4, 1)
  expect(Number(fast) / Number(normal)).toBeCloseTo(3, 1)
  // Every plan offers all speeds, and the maximum of a speed leaves its fee.
  for (const plan of plans)
    expect(plan.feeChoice?.choices.map(({ fee, blocks }) => [fee?.value, blocks])).toEqual([
      [slow, 12],
      [normal, 3],
      [fast, 1],
    ])
  const question = ask({ key: payment })
  const [max, maxFast] = [
    await bitcoinActions.maxSend(question),
    await bitcoinActions.maxSend({ ...question, speed: 'fast' }),
  ]
  expect(maxFast).toBeLessThan(max)
  const amount = `4.${String(max - 400_000_000n).padStart(8, '0')}`
  const plan = await bitcoinActions.planTransfer({ ...question, amount })
  expect(plan).toMatchObject({ mayHoldInscriptions: true, feeChoice: { speed: 'normal' } })
  expect(plan.feeChoice?.choices.map(({ fee }) => fee === undefined)).toEqual([false, false, true])
  await expect(
    bitcoinActions.planTransfer({ ...question, amount, speed: 'fast' }),
  ).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  // A wallet that sends by itself chooses the fee too.
  const plain = await bitcoinActions.planTransfer({
    ...question,
    approvedMethods: ['sendTransfer'],
  })
  expect(plain.feeChoice).toBeUndefined()
})

test('behavior: a fee above the amount is a warning', async () => {
  const { payment } = getKeys(6)
  await fund(payment.address, 1_000_000)
  const expensive: Request = async (method, params) =>
    (params as string[])[0] === '/fee-estimates' ? { 3: 60 } : node(method, params)
  const plan = (amount: string) =>
    bitcoinActions.planTransfer({ ...ask({ key: payment, amount }), node: expensive })
  const small = await plan('0.00005')
  expect(small.fee.value).toBeGreaterThan(5_000n)
  expect(small.isFeeAboveAmount).toBe(true)
  expect(small.feeChoice?.choices.every(({ fee }) => fee !== undefined)).toBe(true)
  expect(await plan('0.005')).not.toHaveProperty('isFeeAboveAmount')
})

test.each([
  [{}, [1, 1, 1]],
  [{ 1: 87.9, 144: 1.027 }, [87.9, 87.9, 87.9]],
  [{ 2: 30, 6: 10 }, [10, 30, 30]],
  [{ 1: 5, 3: 9, 12: 20 }, [20, 20, 20]],
  [{ 1: 0.2 }, [0.2, 0.2, 0.2]],
  [{ 1: 0.35, 3: 0.2, 12: 0.1 }, [0.1, 0.2, 0.35]],
  [{ 1: 0.01 }, [0.1, 0.1, 0.1]],
])('behavior: estimates %o', async (estimates, expected) => {
  const rates = await readEsploraFeeRates(async () => estimates)
  expect(rates.map(({ rate }) => rate)).toEqual(expected)
})

test('behavior: small coins of a Taproot address, which may hold inscriptions, are not spent', async () => {
  const { ordinals } = getKeys(3)
  await fund(ordinals.address, 546)
  await fund(ordinals.address, 10_000)
  const spent: string[] = []
  const wallet = createWallet(ordinals, (psbt) => {
    for (let at = 0; at < psbt.inputsLength; at++)
      spent.push(String(psbt.getInput(at).witnessUtxo?.amount))
    return psbt
  })
  const max = await bitcoinActions.maxSend(ask({ key: ordinals }))
  expect(max).toBeLessThan(1_000_000n)
  const plan = await bitcoinActions.planTransfer(ask({ key: ordinals, amount: '0.009', wallet }))
  await plan.execute(live())
  expect(spent).toEqual(['1000000'])
})

test('behavior: P2SH accounts, and wallets without PSBTs, send by themselves', async () => {
  const { payment } = getKeys(4)
  const nested = p2sh(p2wpkh(bytes(payment.publicKey), regtest), regtest).address ?? ''
  await fund(nested, 80_000_000)
  const to = getKeys(9).payment.address
  for (const key of [{ ...payment, address: nested }, payment]) {
    const asked: unknown[] = []
    const txid = '00'.repeat(32)
    const wallet: Request = async (method, params) => {
      if (method === 'signPsbt') throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
      asked.push([method, params])
      return { txid }
    }
    const plan = await bitcoinActions.planTransfer(ask({ key, wallet }))
    expect(await plan.execute(live())).toBe(txid)
    const transfer = { account: key.address, recipientAddress: to, amount: '50000000' }
    expect(asked).toEqual([['sendTransfer', { ...transfer, changeAddress: key.address }]])
  }
  // A transaction that pays nothing of this to the receiver.
  const [{ txid = '' } = {}] = (await node('GET', [`/address/${nested}/utxo`])) as {
    txid: string
  }[]
  const liar = ask({ key: { ...payment, address: nested }, wallet: async () => ({ txid }) })
  const plan = await bitcoinActions.planTransfer(liar)
  await expect(plan.execute(live())).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
})

const anotherOutput: Change = (psbt) => {
  const changed = new Transaction()
  for (let at = 0; at < psbt.inputsLength; at++) changed.addInput(psbt.getInput(at))
  changed.addOutput(psbt.getOutput(0) as { script: Uint8Array; amount: bigint })
  // What was the change goes to the thief.
  const { amount = 0n } = psbt.getOutput(1)
  changed.addOutputAddress(getKeys(8).payment.address, amount, regtest)
  return changed
}
const withSighash = (sighashType: number): Change => {
  return (psbt) => {
    for (let at = 0; at < psbt.inputsLength; at++) psbt.updateInput(at, { sighashType })
    return psbt
  }
}
const withAnswer =
  (answer: unknown): Request =>
  async () =>
    answer

test.each<[string, string, (key: Key) => Request]>([
  ['gives away the change', 'WALLET_SIGNED_OTHER', (key) => createWallet(key, anotherOutput)],
  ['signs no outputs', 'WALLET_SIGNED_OTHER', (key) => createWallet(key, withSighash(2))],
  ['signs one output', 'WALLET_SIGNED_OTHER', (key) => createWallet(key, withSighash(3))],
  ['lets others add inputs', 'WALLET_SIGNED_OTHER', (key) => createWallet(key, withSighash(0x81))],
  [
    'does not sign',
    'WALLET_ANSWER_INVALID',
    () => async (_, params) => ({ psbt: (params as { psbt: string }).psbt }),
  ],
  ['answers nothing', 'WALLET_ANSWER_INVALID', () => withAnswer(null)],
  ['answers no PSBT', 'WALLET_ANSWER_INVALID', () => withAnswer({ psbt: 'cHNidP8=' })],
  ['answers nonsense', 'WALLET_ANSWER_INVALID', () => withAnswer({ psbt: '\u0000!' })],
  ['answers another type', 'WALLET_ANSWER_INVALID', () => withAnswer({ psbt: 7 })],
  ['answers too much', 'WALLET_ANSWER_INVALID', () => withAnswer({ psbt: 'A'.repeat(10_000_000) })],
])('error: a wallet that %s: nothing is sent', async (_, code, createLiar) => {
  for (const key of [getKeys(5).payment, getKeys(5).ordinals]) {
    const amount = key === getKeys(5).payment ? '0.5' : '0.005'
    const question = ask({ key, amount, wallet: createLiar(key) })
    const plan = await bitcoinActions.planTransfer(withoutSending(question))
    await expect(plan.execute(live())).rejects.toMatchObject({ code })
  }
})

test('error: a wallet that signs with another account’s key: nothing is sent', async () => {
  const [own, other] = [getKeys(5).payment, getKeys(6).payment]
  const forged: Request = async (_, params) => {
    const psbt = Transaction.fromPSBT(Buffer.from((params as { psbt: string }).psbt, 'base64'))
    const script = p2wpkh(bytes(other.publicKey), regtest).script
    const copy = new Transaction()
    for (let at = 0; at < psbt.inputsLength; at++) {
      const { witnessUtxo, ...input } = psbt.getInput(at)
      copy.addInput({ ...input, witnessUtxo: { script, amount: witnessUtxo?.amount ?? 0n } })
    }
    for (let at = 0; at < psbt.outputsLength; at++)
      copy.addOutput(psbt.getOutput(at) as { script: Uint8Array; amount: bigint })
    copy.sign(bytes(other.privateKey))
    return { psbt: Buffer.from(copy.toPSBT()).toString('base64') }
  }
  const plan = await bitcoinActions.planTransfer(withoutSending(ask({ key: own, wallet: forged })))
  await expect(plan.execute(live())).rejects.toMatchObject({ code: 'WALLET_SIGNED_OTHER' })
})

test('error: a node whose answers make no sense', async () => {
  const { address } = getKeys(5).payment
  for (const answer of [null, {}, [], 'x', { chain_stats: { funded_txo_sum: -1 } }])
    await expect(
      bitcoinActions.balance({ node: async () => answer, address }),
    ).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    })
  const greedy: Request = async (method, params) =>
    (params as string[])[0] === '/fee-estimates' ? { 3: 100_000 } : node(method, params)
  const question = { ...ask({ key: getKeys(5).payment }), node: greedy }
  await expect(bitcoinActions.planTransfer(question)).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
  })
})

test('behavior: addresses of every Bitcoin network, and how people compare them', () => {
  const upper = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'
  expect(bitcoinActions.isAddress(upper)).toBe(true)
  expect(bitcoinActions.formatAddress(upper)).toBe(upper.toLowerCase())
  const legacy = '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs'
  expect(bitcoinActions.formatAddress(legacy)).toBe(legacy)
  expect(bitcoinActions.isAddress(`${legacy}x`)).toBe(false)
  const networks = [bitcoin, bitcoinTestnet, latchkeyBitcoin]
  const isOnNetwork = (address: string) =>
    networks.map(({ caipNetworkId }) => bitcoinActions.isAddress(address, caipNetworkId))
  expect(isOnNetwork(upper)).toEqual([true, false, false])
  expect(isOnNetwork(legacy)).toEqual([true, false, false])
  expect(isOnNetwork('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toEqual([false, true, false])
  expect(isOnNetwork('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080')).toEqual([false, false, true])
  // Older addresses of test networks do not say which one.
  expect(isOnNetwork('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toEqual([false, true, true])
  expect(() => bitcoinActions.formatAddress('nobody')).toThrow('Invalid address')
})

test.each([bitcoin, bitcoinTestnet])('param: network $name', async (network) => {
  const address = getKeys(5).payment.address
  const question = { ...ask({ key: getKeys(5).payment }), network, to: address }
  await expect(bitcoinActions.planTransfer(question)).rejects.toMatchObject({
    code: 'INVALID_ADDRESS',
  })
})

test('behavior: a signed message is verified, BIP-322 for Taproot and ECDSA for the rest', async () => {
  // BIP-322's published signatures stand for wallets.
  const p2tr = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
  const taproot =
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=='
  const asked: unknown[] = []
  const wallet: Request = async (_, params) => {
    asked.push((params as { protocol: string }).protocol)
    return { signature: taproot }
  }
  const message = 'Hello World'
  expect(await bitcoinActions.signMessage({ wallet, address: p2tr, message })).toBe(taproot)
  const other = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
  for (const question of [
    { address: p2tr, message: 'Hello' },
    { address: other, message },
  ])
    await expect(bitcoinActions.signMessage({ wallet, ...question })).rejects.toMatchObject({
      code: 'WALLET_SIGNED_OTHER',
    })
  expect(asked).toEqual(['bip322', 'bip322', 'ecdsa'])
})

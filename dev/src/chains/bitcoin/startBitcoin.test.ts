import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { p2pkh, p2sh, p2tr, p2wpkh, Script, Transaction } from '@scure/btc-signer'
import { sha256x2 } from '@scure/btc-signer/utils.js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bitcoinChain, regtest } from './definition.ts'
import { type Bitcoin, startBitcoin } from './startBitcoin.ts'

let bitcoin: Bitcoin
beforeAll(async () => {
  bitcoin = await startBitcoin({ blockDelayMs: 'never' })
})
afterAll(() => bitcoin.stop())

const ask = async (path: string, body?: string, url = bitcoin.url) => {
  const response = await fetch(`${url}${path}`, body === undefined ? {} : { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}
// biome-ignore lint/suspicious/noExplicitAny: JSON that the assertions look into
const read = async (path: string, url?: string): Promise<any> =>
  JSON.parse((await ask(path, undefined, url)).text)

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const account = (at: number) => {
  const found = bitcoin.accounts[at]
  if (!found) throw new Error(`There is no account ${at}`)
  return found
}
const receiver = () => account(9).payment.address

/** The payments that spend each kind of output with the keys of account 1. */
function kinds() {
  const { payment, ordinals } = account(1)
  const publicKey = bytes(payment.publicKey)
  const nested = p2sh(p2wpkh(publicKey, regtest), regtest)
  return {
    p2pkh: { ...p2pkh(publicKey, regtest), key: payment.privateKey },
    v0_p2wpkh: { ...p2wpkh(publicKey, regtest), key: payment.privateKey },
    p2sh: { ...nested, key: payment.privateKey },
    v1_p2tr: {
      ...p2tr(bytes(ordinals.publicKey).slice(1), undefined, regtest),
      key: ordinals.privateKey,
    },
  }
}
type Kind = keyof ReturnType<typeof kinds>

const fund = async (address: string, value = 100_000) => {
  const { text: txid } = await ask('/faucet', JSON.stringify({ address, value }))
  const { vout } = await read(`/tx/${txid}`)
  const index = vout.findIndex(
    (output: { scriptpubkey_address?: string }) => output.scriptpubkey_address === address,
  )
  return { txid, index, value: BigInt(value), hex: (await ask(`/tx/${txid}/hex`)).text }
}

type Coin = Awaited<ReturnType<typeof fund>>

/** A signed transaction that spends a coin of a kind. */
function spend(parameters: {
  kind?: Kind
  coin: Coin
  fee?: bigint
  outputs?: { script: Uint8Array; amount: bigint }[]
  sequence?: number
  lockTime?: number
}) {
  const { kind = 'v0_p2wpkh', coin, fee = 1_000n, lockTime = 0 } = parameters
  const { key, ...payment } = kinds()[kind]
  const transaction = new Transaction({ lockTime, allowUnknownOutputs: true })
  transaction.addInput({
    txid: coin.txid,
    index: coin.index,
    sequence: parameters.sequence ?? 0xffff_ffff,
    ...(kind === 'p2pkh'
      ? { nonWitnessUtxo: bytes(coin.hex) }
      : { witnessUtxo: { script: payment.script, amount: coin.value } }),
    ...('redeemScript' in payment && { redeemScript: payment.redeemScript }),
    ...('tapInternalKey' in payment && { tapInternalKey: payment.tapInternalKey }),
  })
  if (parameters.outputs) for (const output of parameters.outputs) transaction.addOutput(output)
  else transaction.addOutputAddress(receiver(), coin.value - fee, regtest)
  transaction.sign(bytes(key))
  transaction.finalize()
  return transaction
}

const addressOf = (kind: Kind = 'v0_p2wpkh') => kinds()[kind].address ?? ''

/** The message with which a node refuses a transaction. */
async function refusal(hex: string) {
  const { status, text } = await ask('/tx', hex)
  expect(status).toBe(400)
  const [, json = '{}'] = /^sendrawtransaction RPC error: (.*)$/.exec(text) ?? []
  const { message } = JSON.parse(json)
  return message
}

test('default: our own regtest, whose genesis block identifies it', async () => {
  expect((await ask('/block-height/0')).text).toBe(bitcoinChain.genesisHash)
  expect(bitcoinChain.id).toBe(`bip122:${bitcoinChain.genesisHash.slice(0, 32)}`)
  expect(account(0)).toMatchObject({
    payment: { address: 'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw' },
    ordinals: { address: 'bcrt1pfewlxm8meyyvgjydfu7v8j4ej64symj6ut8sf66h9germp94qgzs92e5zv' },
  })
  const funded = await read(`/address/${account(0).payment.address}`)
  expect(funded.chain_stats).toMatchObject({ funded_txo_sum: 500_000_000, tx_count: 1 })
})

test('behavior: headers hash to the names of their blocks, and each names the one before', async () => {
  const hash = (await ask('/blocks/tip/hash')).text
  const block = await read(`/block/${hash}`)
  expect(block.height).toBe(Number((await ask('/blocks/tip/height')).text))
  const header = Buffer.alloc(80)
  header.writeInt32LE(block.version, 0)
  header.set(Buffer.from(block.previousblockhash, 'hex').reverse(), 4)
  header.set(Buffer.from(block.merkle_root, 'hex').reverse(), 36)
  header.writeUInt32LE(block.timestamp, 68)
  header.writeUInt32LE(block.bits, 72)
  header.writeUInt32LE(block.nonce, 76)
  expect(Buffer.from(sha256x2(header)).reverse().toString('hex')).toBe(hash)
  const before = (await ask(`/block-height/${block.height - 1}`)).text
  expect(before).toBe(block.previousblockhash)
})

for (const kind of ['p2pkh', 'v0_p2wpkh', 'p2sh', 'v1_p2tr'] as const) {
  test(`behavior: ${kind} is spent by its key, and by no tampered signature`, async () => {
    const coin = await fund(addressOf(kind))
    const transaction = spend({ kind, coin })
    const tampered = Transaction.fromRaw(transaction.extract(), { allowUnknownInputs: true })
    tampered.updateOutput(0, { amount: 98_999n }, true)
    expect(await refusal(tampered.hex)).toMatch(/^mandatory-script-verify-flag-failed/)

    expect(await ask('/tx', transaction.hex)).toEqual({ status: 200, text: transaction.id })
    const sent = await read(`/tx/${transaction.id}`)
    expect(sent).toMatchObject({ fee: 1_000, status: { confirmed: false } })
    expect(sent.vin[0].prevout).toMatchObject({ scriptpubkey_type: kind, value: 100_000 })
    expect(sent.weight).toBe(transaction.weight)
    bitcoin.mine()
    const status = await read(`/tx/${transaction.id}/status`)
    expect(status).toMatchObject({
      confirmed: true,
      block_hash: (await ask('/blocks/tip/hash')).text,
    })
  })
}

test('error: a coin is spent once, in the mempool and in a block', async () => {
  const coin = await fund(addressOf())
  const [one, other] = [spend({ coin }), spend({ coin, fee: 2_000n })]
  expect((await ask('/tx', one.hex)).status).toBe(200)
  expect(await refusal(one.hex)).toBe('txn-already-in-mempool')
  expect(await refusal(other.hex)).toBe('txn-mempool-conflict')
  bitcoin.mine()
  expect(await refusal(one.hex)).toBe('Transaction outputs already in utxo set')
  expect(await refusal(other.hex)).toBe('bad-txns-inputs-missingorspent')
})

test('behavior: a coin of the mempool is spent there, 25 in a row at most', async () => {
  bitcoin.mine()
  let coin = await fund(addressOf())
  const own = kinds().v0_p2wpkh.script
  const spendOn = () => spend({ coin, outputs: [{ script: own, amount: coin.value - 200n }] })
  for (let length = 1; length < 25; length++) {
    const next = spendOn()
    expect((await ask('/tx', next.hex)).text).toBe(next.id)
    coin = { txid: next.id, index: 0, value: coin.value - 200n, hex: next.hex }
  }
  expect(await refusal(spendOn().hex)).toMatch(/^too-long-mempool-chain/)
  expect((await read('/mempool')).count).toBe(25)
  bitcoin.mine()
  expect((await read('/mempool')).count).toBe(0)
  expect((await ask('/tx', spendOn().hex)).status).toBe(200)
})

test('error: dust, a fee below the minimum, too much spent, an unknown output', async () => {
  const coin = await fund(addressOf())
  const own = kinds().v0_p2wpkh.script
  const pay = (amount: bigint, script = own) => spend({ coin, outputs: [{ script, amount }] }).hex
  const change = { script: own, amount: 90_000n }
  const withDust = (amount: bigint, script: Uint8Array) =>
    spend({ coin, outputs: [change, { script, amount }] }).hex
  expect(await refusal(withDust(293n, own))).toBe('dust')
  expect(await refusal(withDust(329n, kinds().v1_p2tr.script))).toBe('dust')
  expect(await refusal(withDust(545n, kinds().p2pkh.script))).toBe('dust')
  expect(await refusal(pay(99_999n))).toBe('min relay fee not met, 1 < 110')
  const richer = { ...coin, value: 200_000n }
  const tooMuch = spend({ coin: richer, outputs: [{ script: own, amount: 100_001n }] }).hex
  expect(await refusal(tooMuch)).toMatch(/^bad-txns-in-belowout, value in \(0\.00100000\)/)
  expect(await refusal(withDust(1_000n, Script.encode(['CHECKSIG'])))).toBe('scriptpubkey')
  const rich = await fund(addressOf(), 10_000_000)
  expect(await refusal(spend({ coin: rich, fee: 5_000_000n }).hex)).toMatch(/^Fee exceeds maximum/)
  const memo = Script.encode(['RETURN', new Uint8Array(80)])
  expect((await ask('/tx', withDust(0n, memo))).status).toBe(200)
})

test('error: locks that are not open yet, and a coinbase that is too young', async () => {
  const coin = await fund(addressOf())
  const height = Number((await ask('/blocks/tip/height')).text)
  const locked = spend({ coin, lockTime: height + 1, sequence: 0xffff_fffe })
  expect(await refusal(locked.hex)).toBe('non-final')
  expect(await refusal(spend({ coin, sequence: 2 }).hex)).toBe('non-BIP68-final')
  bitcoin.mine()
  expect((await ask('/tx', locked.hex)).status).toBe(200)

  const [youngest] = (await read(`/address/${await faucetAddress()}/txs/chain`)) as {
    txid: string
  }[]
  const young = { txid: youngest?.txid ?? '', index: 0, value: 5_000_000_000n, hex: '' }
  expect(await refusal(spend({ coin: young }).hex)).toBe('bad-txns-premature-spend-of-coinbase')
})

const faucetAddress = async (): Promise<string> => {
  const { txid } = await fund(addressOf())
  return (await read(`/tx/${txid}`)).vin[0].prevout.scriptpubkey_address
}

test('behavior: an address, its coins and its history, paged as Esplora does', async () => {
  const address = await faucetAddress()
  bitcoin.mine()
  const first = await read(`/address/${address}/txs`)
  expect(first).toHaveLength(25)
  const second = await read(`/address/${address}/txs/chain/${first.at(-1).txid}`)
  expect(second).toHaveLength(25)
  const heights = [...first, ...second].map(({ status }) => status.block_height)
  expect(heights).toEqual([...heights].sort((one, other) => other - one))
  const coin = await fund(addressOf('v1_p2tr'))
  const waiting = await read(`/address/${addressOf('v1_p2tr')}/txs/mempool`)
  expect(waiting.map(({ txid }: { txid: string }) => txid)).toEqual([coin.txid])
  const coins = await read(`/address/${addressOf('v1_p2tr')}/utxo`)
  expect(coins).toContainEqual({
    txid: coin.txid,
    vout: coin.index,
    value: 100_000,
    status: { confirmed: false },
  })
  const stats = await read(`/address/${addressOf('v1_p2tr')}`)
  expect(stats.mempool_stats).toMatchObject({ funded_txo_sum: 100_000, tx_count: 1 })
})

test('error: invalid input gets the error messages of Esplora', async () => {
  const mainnet = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  expect(await ask(`/address/${mainnet}`)).toEqual({ status: 400, text: 'Invalid Bitcoin address' })
  expect(await ask('/tx/zz')).toEqual({ status: 400, text: 'Invalid hex string' })
  expect(await ask(`/tx/${'0'.repeat(64)}`)).toEqual({ status: 404, text: 'Transaction not found' })
  expect(await ask('/block-height/999999')).toEqual({ status: 404, text: 'Block not found' })
  expect((await ask('/nothing')).status).toBe(404)
  expect(await refusal('zz')).toBe('TX decode failed')
  expect(await refusal('0200')).toMatch(/^TX decode failed/)
  expect((await ask('/tx', 'ab'.repeat(500_000))).status).toBe(413)
  expect((await ask('/faucet', '{"address":"nobody"}')).status).toBe(400)
  expect((await ask('/faucet', 'no JSON')).status).toBe(400)
  const preflight = await fetch(`${bitcoin.url}/tx`, { method: 'OPTIONS' })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
})

test('param: blockDelayMs mines pending transactions automatically', async () => {
  const own = await startBitcoin({ blockDelayMs: 1 })
  onTestFinished(() => own.stop())
  const body = JSON.stringify({ address: receiver() })
  const { text: txid } = await ask('/faucet', body, own.url)
  await expect.poll(async () => (await read(`/tx/${txid}/status`, own.url)).confirmed).toBe(true)
})

test('behavior: confirmed data survives kill -9, and half a line is removed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bitcoin-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const file = join(import.meta.dirname, 'startBitcoin.ts')
  const script = `import(${JSON.stringify(file)}).then(({ startBitcoin }) =>
    startBitcoin({ dataDir: ${JSON.stringify(dataDir)}, blockDelayMs: 'never' })
  ).then(({ url }) => console.log(url))`
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
  )
  const address = receiver()
  const mined = (await ask('/faucet', JSON.stringify({ address }), url)).text
  const height = Number((await ask('/mine', '', url)).text)
  const waiting = (await ask('/faucet', JSON.stringify({ address }), url)).text
  const hash = (await ask('/blocks/tip/hash', undefined, url)).text
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  appendFileSync(join(dataDir, 'chains', 'bitcoin.jsonl'), '{"transaction":"02000')

  for (const _ of ['after kill -9', 'after a stop']) {
    const again = await startBitcoin({ dataDir, blockDelayMs: 'never' })
    expect(await ask('/blocks/tip/hash', undefined, again.url)).toEqual({ status: 200, text: hash })
    expect(await read(`/tx/${mined}/status`, again.url)).toMatchObject({ block_height: height })
    expect(await read(`/tx/${waiting}/status`, again.url)).toEqual({ confirmed: false })
    await again.stop()
  }
})

import { LatchkeyError } from '@latchkey/wire'
import { p2wpkh, RawTx, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { expect, test } from 'vitest'
import { buildPsbt, ordinals, payment } from '../../../test/bitcoinWallets.ts'
import { bitcoin } from '../../networks.ts'
import type { Account } from '../../state.ts'
import type { Request } from '../request.ts'
import { reviewPsbt } from './reviewPsbt.ts'

const otherAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const otherScript = p2wpkh(pubECDSA(new Uint8Array(32).fill(7))).script
const accounts: readonly Account[] = [payment, ordinals].map(({ address }) => ({
  namespace: 'bip122',
  address,
  type: 'payment',
}))
const knowsNothing: Request = () =>
  Promise.reject(new LatchkeyError('RPC_FAILED', { data: { reason: 'Transaction not found' } }))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const never = () => new Promise<void>(() => {})

type Parameters = {
  psbt?: Transaction
  params?: Record<string, unknown>
  node?: Request
  sleep?: () => Promise<void>
}

function read({ psbt = buildPsbt(), params = {}, node = knowsNothing, sleep = never }: Parameters) {
  const asked = {
    account: payment.address,
    psbt: base64(psbt.toPSBT()),
    signInputs: [{ address: payment.address, index: 0 }],
    ...params,
  }
  const request = { chainId: bitcoin.caipNetworkId, method: 'signPsbt', params: asked }
  return reviewPsbt({ request, accounts, network: bitcoin, node, sleep })
}

const review = async (parameters: Parameters = {}) => read(parameters).finish()
const dangersOf = async (parameters: Parameters) => (await review(parameters)).dangers

/** A PSBT of one input of the payment address, and what it spends. */
function spendFrom(previous: Transaction, claimed?: bigint) {
  const psbt = new Transaction()
  const amount = claimed ?? previous.getOutput(0).amount ?? 0n
  psbt.addInput({
    txid: previous.id,
    index: 0,
    witnessUtxo: { script: payment.script, amount },
  })
  psbt.addOutputAddress(otherAddress, 20_000n)
  psbt.addOutput({ script: payment.script, amount: 70_000n })
  return psbt
}

function buildPrevious(amount = 100_000n) {
  const previous = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true })
  previous.addOutput({ script: payment.script, amount })
  previous.addInput({ txid: 'cd'.repeat(32), index: 3, finalScriptSig: new Uint8Array([1]) })
  return previous
}

const nodeOf =
  (previous: Transaction): Request =>
  async (_, params) =>
    (params as string[])[0] === `/tx/${previous.id}/hex`
      ? Buffer.from(previous.toBytes(true)).toString('hex')
      : knowsNothing('GET', params)

test('default: every input and output with its whole address, what leaves, the fee and its rate', async () => {
  const found = await review()
  expect(found.inputs).toEqual([
    { address: payment.address, value: 100_000n, isOwn: true, isSigned: true },
    { address: ordinals.address, value: 100_000n, isOwn: true, isSigned: false },
  ])
  expect(found.outputs).toEqual([
    { address: otherAddress, value: 150_000n, isOwn: false },
    { address: payment.address, value: 40_000n, isOwn: true },
  ])
  expect(found).toMatchObject({ leaves: 160_000n, fee: 10_000n })
  // The real transaction has 199 virtual bytes.
  expect(found.feeRate).toBeCloseTo(10_000 / 199, -1)
})

test('behavior: the fee is proven if the spent transactions are known from any source', async () => {
  const previous = buildPrevious()
  const psbt = spendFrom(previous)
  expect(await dangersOf({ psbt })).toEqual(['unproven'])
  expect(await dangersOf({ psbt, node: nodeOf(previous) })).toEqual([])
  const whole = spendFrom(previous)
  whole.updateInput(0, { nonWitnessUtxo: RawTx.decode(previous.toBytes(true)) })
  expect(await dangersOf({ psbt: whole })).toEqual([])
  // Taproot signatures of all inputs sign what each of them holds.
  const taproot = [{ address: ordinals.address, index: 1 }]
  expect(await dangersOf({ params: { signInputs: taproot } })).toEqual([])
  expect(
    await dangersOf({ params: { signInputs: [{ ...taproot[0], sighashTypes: [0x81] }] } }),
  ).toEqual(['inputsAddable', 'unproven'])
})

test('error: an input with a higher value than in the page’s request', async () => {
  const previous = buildPrevious(9_000_000n)
  const lie = spendFrom(previous, 100_000n)
  await expect(review({ psbt: lie, node: nodeOf(previous) })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    data: { reason: 'psbt misstates what it spends' },
  })
  // A node that hands over another transaction proves nothing.
  const other = async () => Buffer.from(buildPrevious().toBytes(true)).toString('hex')
  expect(await dangersOf({ psbt: lie, node: other })).toEqual(['unproven'])
  for (const answer of ['', 'zz', 7, null, 'ff'.repeat(1_000_000)])
    expect(await dangersOf({ psbt: lie, node: async () => answer })).toEqual(['unproven'])
  // A node that never responds does not block the review.
  const silent: Request = () => new Promise(() => {})
  expect(await dangersOf({ psbt: lie, node: silent, sleep: async () => {} })).toEqual(['unproven'])
})

test('error: change that is given away', async () => {
  const stolen = spendFrom(buildPrevious())
  stolen.updateOutput(1, { script: otherScript })
  expect(await dangersOf({ psbt: stolen })).toEqual(['nothingBack', 'unproven'])
  // The page marks it as the account's own, with the account's own key.
  stolen.updateOutput(1, {
    bip32Derivation: [
      [Uint8Array.from(Buffer.from(payment.publicKey, 'hex')), { fingerprint: 1, path: [84, 0] }],
    ],
  })
  const found = await review({ psbt: stolen })
  expect(found.outputs.map(({ isOwn }) => isOwn)).toEqual([false, false])
  expect(found.leaves).toBe(100_000n)
  expect(found.dangers).toEqual(['falseChange', 'nothingBack', 'unproven'])
})

test('error: an address of the account in another network’s spelling is no change', async () => {
  const psbt = spendFrom(buildPrevious())
  const own = await review({ psbt })
  expect(own.outputs.at(-1)?.isOwn).toBe(true)
  const elsewhere = reviewPsbt({
    request: {
      chainId: bitcoin.caipNetworkId,
      method: 'signPsbt',
      params: {
        account: payment.address,
        psbt: base64(psbt.toPSBT()),
        signInputs: [{ address: payment.address, index: 0 }],
      },
    },
    accounts: [
      { namespace: 'bip122', address: payment.address, type: 'payment' },
      {
        namespace: 'bip122',
        address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
        type: 'payment',
      },
    ],
    network: bitcoin,
    node: knowsNothing,
    sleep: never,
  })
  // Its holder is the owner of the other script.
  expect((await elsewhere.finish()).outputs[0]?.isOwn).toBe(false)
})

test.each([
  { types: [1, 2], dangers: ['outputsChangeable'] },
  { types: [3], dangers: ['outputsChangeable'] },
  { types: [0x81], dangers: ['inputsAddable'] },
  { types: [0x83], dangers: ['outputsChangeable', 'inputsAddable'] },
])('error: sighash types $types let others change it', async ({ types, dangers }) => {
  const signInputs = [{ address: payment.address, index: 0, sighashTypes: types }]
  const psbt = spendFrom(buildPrevious())
  expect(await dangersOf({ psbt, params: { signInputs } })).toEqual([...dangers, 'unproven'])
})

test('error: a sighash type that only the PSBT names', async () => {
  const psbt = spendFrom(buildPrevious())
  psbt.updateInput(0, { sighashType: 0x82 })
  expect(await dangersOf({ psbt })).toEqual(['outputsChangeable', 'inputsAddable', 'unproven'])
})

test('undo: every sighash type in the PSBT but the two that sign everything is a danger', async () => {
  const sighashes = [
    ...Array.from({ length: 256 }, (_, type) => type),
    0x101,
    0x1_0000,
    0xffff_ff01,
  ]
  for (const sighashType of sighashes) {
    const psbt = spendFrom(buildPrevious())
    psbt.updateInput(0, { sighashType })
    const found = (await dangersOf({ psbt })).filter((one) => one !== 'unproven')
    const isWhole = sighashType <= 1
    expect([sighashType, found.length > 0]).toEqual([sighashType, !isWhole])
  }
})

test('undo: a fee is too high too if an input has a size that is not known', async () => {
  const psbt = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true })
  const script = Uint8Array.of(0, 32, ...new Uint8Array(32).fill(9))
  psbt.addInput({
    txid: 'ab'.repeat(32),
    index: 0,
    witnessUtxo: { script: payment.script, amount: 10n ** 8n },
  })
  psbt.addInput({ txid: 'ab'.repeat(32), index: 1, witnessUtxo: { script, amount: 10n ** 8n } })
  psbt.addOutput({ script: payment.script, amount: 10n ** 8n + 6n * 10n ** 7n })
  const found = await review({ psbt })
  expect(found).toMatchObject({ fee: 4n * 10n ** 7n, feeRate: undefined })
  expect(found.dangers).toContain('feeHigh')
})

test('error: absurdly high fees, and no fee', async () => {
  const psbt = spendFrom(buildPrevious())
  psbt.updateOutput(1, { amount: 20_000n })
  expect(await dangersOf({ psbt })).toEqual(['feeHigh', 'unproven'])
  const short = spendFrom(buildPrevious())
  short.updateOutput(0, { amount: 900_000n })
  const found = await review({ psbt: short })
  expect(found).toMatchObject({ fee: -870_000n, feeRate: undefined })
  expect(found.dangers).toContain('feeUnknown')
})

test('error: a small output that may hold an inscription', async () => {
  const psbt = new Transaction()
  for (const script of [otherScript, ordinals.script])
    psbt.addInput({ txid: 'ab'.repeat(32), index: 1, witnessUtxo: { script, amount: 10_000n } })
  psbt.addOutput({ script: payment.script, amount: 15_000n })
  const found = await review({
    psbt,
    params: { signInputs: [{ address: ordinals.address, index: 1 }] },
  })
  expect(found.inputs.map(({ isOwn }) => isOwn)).toEqual([false, true])
  expect(found.dangers).toEqual(['inscriptions'])
})

test('error: an address signs that is not connected', async () => {
  const psbt = spendFrom(buildPrevious())
  const request = {
    chainId: bitcoin.caipNetworkId,
    method: 'signPsbt',
    params: {
      account: ordinals.address,
      psbt: base64(psbt.toPSBT()),
      signInputs: [{ address: payment.address, index: 0 }],
    },
  }
  const connectedOnly = accounts.slice(1)
  const { finish } = reviewPsbt({
    request,
    accounts: connectedOnly,
    network: bitcoin,
    node: knowsNothing,
    sleep: never,
  })
  const found = await finish()
  expect(found.dangers).toEqual(['nothingBack', 'foreignSigner', 'unproven'])
  // What it signs is the account's loss, and what comes back to that address is not certain to.
  expect(found).toMatchObject({ leaves: 100_000n, inputs: [{ isOwn: true }] })
})

test('behavior: outputs without an address show their data', async () => {
  const psbt = new Transaction({ allowUnknownOutputs: true, disableScriptCheck: true })
  psbt.addInput({
    txid: 'ab'.repeat(32),
    index: 0,
    witnessUtxo: { script: payment.script, amount: 100_000n },
  })
  const text = new TextEncoder().encode('hello')
  psbt.addOutput({ script: Uint8Array.of(0x6a, 5, ...text), amount: 0n })
  psbt.addOutput({ script: Uint8Array.of(0x6a, 3, 0xe2, 0x80, 0xae), amount: 0n })
  psbt.addOutput({ script: Uint8Array.of(0x51), amount: 5n })
  psbt.addOutput({ script: payment.script, amount: 90_000n })
  const { outputs } = await review({ psbt })
  expect(outputs.map(({ address, data }) => address ?? data)).toEqual([
    'hello',
    '6a03e280ae',
    '51',
    payment.address,
  ])
})

test('undo: a data output is shown whole, and a data output that moves runes is a danger', async () => {
  const withData = (script: Uint8Array) => {
    const psbt = new Transaction({ allowUnknownOutputs: true, disableScriptCheck: true })
    psbt.addInput({
      ...{ txid: 'ab'.repeat(32), index: 0 },
      witnessUtxo: { script: payment.script, amount: 100_000n },
    })
    psbt.addOutput({ script, amount: 0n })
    psbt.addOutput({ script: payment.script, amount: 90_000n })
    return review({ psbt })
  }
  const long = Uint8Array.from([0x6a, 0x4d, 0x2c, 0x01, ...new Uint8Array(300).fill(0x61)])
  const mixed = Uint8Array.from([0x6a, 0x02, 0x61, 0x62, 0x20, 0x20])
  for (const script of [long, mixed]) {
    const { outputs, dangers } = await withData(script)
    expect(outputs[0]?.data).toBe(Buffer.from(script).toString('hex'))
    expect(dangers).not.toContain('tokensMoved')
  }
  const { dangers } = await withData(Uint8Array.of(0x6a, 0x5d, 4, 0, 1, 2, 3))
  expect(dangers).toContain('tokensMoved')
})

test('error: what is malformed, too large, or of another account is refused before anything is shown', () => {
  const many = buildPsbt()
  for (let at = 0; at < 500; at++) many.addOutput({ script: payment.script, amount: 1_000n })
  const first = { address: payment.address, index: 0 }
  const wrong: [Parameters, string][] = [
    [{ params: { psbt: 'cHNidP8=' } }, 'INVALID_PARAMS'],
    [{ params: { psbt: 'no base64!' } }, 'INVALID_PARAMS'],
    [{ params: { psbt: 'A'.repeat(500_000) } }, 'INVALID_PARAMS'],
    [{ params: { psbt: null } }, 'INVALID_PARAMS'],
    [{ psbt: many }, 'INVALID_PARAMS'],
    [{ params: { signInputs: [] } }, 'INVALID_PARAMS'],
    [{ params: { signInputs: [{ ...first, index: 1 }] } }, 'INVALID_PARAMS'],
    [{ params: { signInputs: [{ ...first, index: -1 }] } }, 'INVALID_PARAMS'],
    [{ params: { signInputs: [{ ...first, sighashTypes: [4] }] } }, 'INVALID_PARAMS'],
    [{ params: { signInputs: [{ ...first, sighashTypes: [0] }] } }, 'INVALID_PARAMS'],
    [{ params: { signInputs: [{ ...first, sighashTypes: ['1'] }] } }, 'INVALID_PARAMS'],
    [{ params: { broadcast: true } }, 'INVALID_PARAMS'],
    [{ params: { account: otherAddress } }, 'UNAUTHORIZED'],
    [{ params: { account: 'nobody' } }, 'INVALID_ADDRESS'],
  ]
  for (const [parameters, code] of wrong)
    expect(() => read(parameters), JSON.stringify(parameters.params)?.slice(0, 80)).toThrowError(
      expect.objectContaining({ code }),
    )
})

import { type Coin, type Ledger, sum } from './createLedger.ts'
import { describeScript } from './describeScript.ts'
import { Rejection } from './rejection.ts'
import type { Input, Output, Transaction } from './transaction.ts'

const maxWeight = 400_000
const minBaseSize = 65
const maxMoney = 21_000_000n * 100_000_000n
const maxChain = 25
const maxDataScript = 83
const maxScriptSig = 1_650
const coinbaseMaturity = 100
const finalSequence = 0xffff_ffff
// BIP-68: flag that disables the lock, flag that makes it a time, and its value.
const sequenceOff = 0x8000_0000
const sequenceTime = 0x0040_0000
const sequenceValue = 0xffff
/** A smaller lock time is a height. */
const firstLockTime = 500_000_000

/**
 * Checks a transaction like a node before the signatures: its form, the coins it spends, its locks,
 * its fee and the limits of the mempool. Throws {@link Rejection} with a real node's message.
 * Replacement by fee is not supported.
 */
export function checkTransaction(ledger: Ledger, transaction: Transaction): void {
  const known = ledger.getEntry(transaction.txid)
  if (known?.block) throw new Rejection('Transaction outputs already in utxo set', -27)
  if (known) throw new Rejection('txn-already-in-mempool')
  checkForm(transaction)
  checkLockTime(ledger, transaction)
  const coins = transaction.inputs.map((input) => findCoin(ledger, input))
  checkMaturity(ledger, transaction, coins)
  checkFee(transaction, coins)
  checkFamily(ledger, coins)
}

function checkForm({ inputs, outputs, isCoinbase, ...transaction }: Transaction) {
  if (isCoinbase) throw new Rejection('coinbase')
  if (inputs.length === 0) throw new Rejection('bad-txns-vin-empty')
  if (outputs.length === 0) throw new Rejection('bad-txns-vout-empty')
  if (transaction.version < 1 || transaction.version > 2) throw new Rejection('version')
  if (transaction.weight > maxWeight) throw new Rejection('tx-size')
  if (transaction.baseSize < minBaseSize) throw new Rejection('tx-size-small')
  if (new Set(inputs.map(({ outpoint }) => outpoint)).size < inputs.length)
    throw new Rejection('bad-txns-inputs-duplicate')
  if (inputs.some(({ scriptSig }) => scriptSig.length > maxScriptSig))
    throw new Rejection('scriptsig-size')
  if (outputs.some(({ value }) => value > maxMoney)) throw new Rejection('bad-txns-vout-toolarge')
  if (sum(outputs) > maxMoney) throw new Rejection('bad-txns-txouttotal-toolarge')
  const data = outputs.filter(({ script }) => describeScript(script).type === 'op_return')
  if (data.some(({ script }) => script.length > maxDataScript)) throw new Rejection('scriptpubkey')
  if (data.length > 1) throw new Rejection('multi-op-return')
  if (outputs.some(({ script }) => describeScript(script).type === 'unknown'))
    throw new Rejection('scriptpubkey')
  if (outputs.some((output) => output.value < getDustLimit(output))) throw new Rejection('dust')
}

/**
 * The minimum value of an output, at 3 satoshis for each byte of the output and of the input that
 * spends it.
 */
function getDustLimit({ script }: Output): bigint {
  const { type } = describeScript(script)
  if (type === 'op_return') return 0n
  const spending = type.startsWith('v') ? 67 : 148
  return 3n * BigInt(8 + 1 + script.length + spending)
}

function checkLockTime(ledger: Ledger, { lockTime, inputs }: Transaction) {
  if (inputs.every(({ sequence }) => sequence === finalSequence)) return
  const limit = lockTime < firstLockTime ? ledger.tip.height + 1 : getMedianTime(ledger)
  if (lockTime !== 0 && lockTime >= limit) throw new Rejection('non-final')
}

/** The median time of the last eleven blocks, up to `height`; in seconds. */
export function getMedianTime(ledger: Ledger, height: number = ledger.tip.height): number {
  const heights = Array.from({ length: Math.min(11, height + 1) }, (_, back) => height - back)
  const times = heights.map((at) => ledger.getBlock(at)?.time ?? 0).sort((a, b) => a - b)
  return times[times.length >> 1] ?? 0
}

function findCoin(ledger: Ledger, { outpoint }: Input): Coin {
  const coin = ledger.getCoin(outpoint)
  if (coin) return coin
  const spender = ledger.getSpender(outpoint)
  if (spender && !spender.block) throw new Rejection('txn-mempool-conflict')
  throw new Rejection('bad-txns-inputs-missingorspent', -25)
}

function checkMaturity(ledger: Ledger, { version, inputs }: Transaction, coins: readonly Coin[]) {
  const nextHeight = ledger.tip.height + 1
  for (const [at, { entry }] of coins.entries()) {
    const depth = entry.block ? nextHeight - entry.block.height : 0
    if (entry.transaction.isCoinbase && depth < coinbaseMaturity)
      throw new Rejection('bad-txns-premature-spend-of-coinbase')
    const sequence = inputs[at]?.sequence ?? finalSequence
    if (version < 2 || sequence & sequenceOff) continue
    const height = entry.block?.height ?? nextHeight
    const seconds = getMedianTime(ledger) - getMedianTime(ledger, Math.max(0, height - 1))
    const age = sequence & sequenceTime ? Math.floor(seconds / 512) : depth
    if (age < (sequence & sequenceValue)) throw new Rejection('non-BIP68-final')
  }
}

function checkFee({ outputs, vsize }: Transaction, coins: readonly Coin[]) {
  const inSats = sum(coins.map(({ output }) => output))
  const outSats = sum(outputs)
  if (inSats < outSats) {
    const values = `value in (${toBitcoin(inSats)}) < value out (${toBitcoin(outSats)})`
    throw new Rejection(`bad-txns-in-belowout, ${values}`)
  }
  const fee = inSats - outSats
  if (fee < BigInt(vsize)) throw new Rejection(`min relay fee not met, ${fee} < ${vsize}`)
  // The limit of `sendrawtransaction`: 0.1 BTC for 1,000 bytes.
  if (fee * 1_000n > 10_000_000n * BigInt(vsize))
    throw new Rejection('Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', -25)
}

const toBitcoin = (satoshis: bigint) =>
  `${satoshis / 100_000_000n}.${String(satoshis % 100_000_000n).padStart(8, '0')}`

// At most 25 unconfirmed ancestors, including the transaction itself, and the same for descendants.
function checkFamily(ledger: Ledger, coins: readonly Coin[]) {
  const ancestors = new Set<string>()
  const collect = (txid: string) => {
    const entry = ledger.getEntry(txid)
    if (!entry || entry.block || ancestors.has(txid)) return
    ancestors.add(txid)
    for (const input of entry.transaction.inputs) collect(input.txid)
  }
  for (const { txid } of coins) collect(txid)
  if (ancestors.size + 1 > maxChain)
    throw new Rejection('too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]')
  for (const txid of ancestors)
    if (countDescendants(ledger, txid) + 1 > maxChain)
      throw new Rejection('too-long-mempool-chain, exceeds descendant size limit [limit: 25]')
}

function countDescendants(ledger: Ledger, txid: string, found = new Set<string>()): number {
  found.add(txid)
  const outputs = ledger.getEntry(txid)?.transaction.outputs ?? []
  for (const vout of outputs.keys()) {
    const spender = ledger.getSpender(`${txid}:${vout}`)?.transaction.txid
    if (spender && !found.has(spender)) countDescendants(ledger, spender, found)
  }
  return found.size
}

import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { decodeTransaction, findField, getTransactionId } from '@latchkey/wire/bitcoin'
import type { Request } from '../request.ts'
import { readTransaction } from './esplora.ts'
import { inputFields, isSame, type Psbt } from './parsePsbt.ts'
import type { Question } from './requests.ts'

/** Transactions that are asked for at most. */
const maxLookups = 50
/** Milliseconds after which a review is shown without this check. */
const lookupMs = 5_000
const anyoneCanPay = 0x80

/**
 * Whether it is certain what a PSBT's inputs hold, and so what its fee is. A page can lie: a
 * signature without Taproot holds the value of its own input alone, and two such answers make one
 * transaction whose fee nobody saw. Certain is what stands in a transaction with the input's id,
 * which comes with the PSBT or from the node, and what only Taproot signatures of all inputs sign.
 * Throws INVALID_PARAMS for a lie.
 */
export async function proveSpent(parameters: {
  question: Extract<Question, { method: 'signPsbt' }>
  node: Request
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}): Promise<boolean> {
  const { question, node, sleep } = parameters
  const { psbt, inputs } = question
  const open = psbt.spent.flatMap((_, at) => (isProvenInside(psbt, at) ? [] : [at]))
  if (open.length === 0) return true
  const isSignedWhole = inputs.every(
    ({ index, sighashTypes }) =>
      psbt.spent[index]?.script[0] === 0x51 && !sighashTypes.some((type) => type & anyoneCanPay),
  )
  if (isSignedWhole) return true
  const ids = [...new Set(open.map((at) => getOutpoint(psbt, at).txid))]
  if (ids.length > maxLookups) return false
  const controller = new AbortController()
  const late = sleep(lookupMs, controller.signal).then(() => undefined)
  const read = (txid: string) =>
    Promise.race([readTransaction(node, txid).catch(() => undefined), late])
  const known = new Map(await Promise.all(ids.map(async (id) => [id, await read(id)] as const)))
  controller.abort()
  const proven = open.map((at) => isProvenBy(psbt, at, known.get(getOutpoint(psbt, at).txid)))
  return proven.every((isProven) => isProven)
}

/**
 * Whether the transaction that an input spends comes with it; its id was compared when the PSBT was
 * read.
 */
const isProvenInside = ({ inputs }: Psbt, at: number) =>
  findField(inputs[at] ?? [], inputFields.previous) !== undefined

/** Throws INVALID_PARAMS where the transaction pays something else than the PSBT says. */
function isProvenBy(psbt: Psbt, at: number, hex: string | undefined): boolean {
  const { txid, index } = getOutpoint(psbt, at)
  const bytes = Uint8Array.from(hex?.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  if (getTransactionId(bytes) !== txid) return false
  const output = decodeTransaction(bytes).outputs[index]
  const spent = psbt.spent[at]
  if (!output || !spent || !isSame(output, spent))
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'psbt lies about what it spends' },
    })
  return true
}

function getOutpoint({ transaction }: Psbt, at: number) {
  const { txid = new Uint8Array(), index = 0 } = transaction.inputs[at] ?? {}
  return { txid: bytesToHex(txid.slice().reverse()), index }
}

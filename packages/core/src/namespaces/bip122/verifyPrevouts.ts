import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { decodeTransaction, findField, getTransactionId } from '@latchkey/wire/bitcoin'
import type { Request } from '../request.ts'
import { readBitcoinTransaction } from './esplora.ts'
import { inputFields, isSame, type ParsedPsbt } from './parsePsbt.ts'
import type { BitcoinRequest } from './requests.ts'

/** The largest number of transactions that are fetched for a review. */
const maxLookups = 50
/** The time limit of this check. After it, the review is shown with the values unproven. */
const lookupMs = 5_000
const anyoneCanPay = 0x80

/**
 * Whether the values of a PSBT's inputs, and therefore its fee, are proven. The page's values are
 * untrusted. Without Taproot, a signature covers only the value of its own input. A page could then
 * combine two signed PSBTs into a transaction with a fee that the user never saw. A value is proven
 * by the transaction with the input's id, from the PSBT or from the node, or if every input has a
 * Taproot signature. Throws INVALID_PARAMS if a value is false.
 */
export async function verifyPrevouts(parameters: {
  question: Extract<BitcoinRequest, { method: 'signPsbt' }>
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
    Promise.race([readBitcoinTransaction(node, txid).catch(() => undefined), late])
  const known = new Map(await Promise.all(ids.map(async (id) => [id, await read(id)] as const)))
  controller.abort()
  const proven = open.map((at) => isProvenBy(psbt, at, known.get(getOutpoint(psbt, at).txid)))
  return proven.every((isProven) => isProven)
}

/**
 * Whether the PSBT contains the transaction that an input spends. Its id was compared during
 * parsing.
 */
const isProvenInside = ({ inputs }: ParsedPsbt, at: number) =>
  findField(inputs[at] ?? [], inputFields.previous) !== undefined

/** Throws INVALID_PARAMS if the transaction pays something else than the PSBT claims. */
function isProvenBy(psbt: ParsedPsbt, at: number, hex: string | undefined): boolean {
  const { txid, index } = getOutpoint(psbt, at)
  const bytes = Uint8Array.from(hex?.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  if (getTransactionId(bytes) !== txid) return false
  const output = decodeTransaction(bytes).outputs[index]
  const spent = psbt.spent[at]
  if (!output || !spent || !isSame(output, spent))
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'psbt misstates what it spends' },
    })
  return true
}

function getOutpoint({ transaction }: ParsedPsbt, at: number) {
  const { txid = new Uint8Array(), index = 0 } = transaction.inputs[at] ?? {}
  return { txid: bytesToHex(txid.slice().reverse()), index }
}

import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import {
  addsInputs,
  type BitcoinNetwork,
  changesOutputs,
  createReader,
  equalBytes,
  findField,
  formatBitcoinScript,
  isTaprootScript,
} from '@latchkey/wire/bitcoin'
import type { Account } from '../../state.ts'
import type { ReadReview } from '../metadata.ts'
import type {
  ReviewDanger,
  ReviewInput,
  ReviewOutput,
  TransactionReview,
} from '../transactionReview.ts'
import { findNetworks, toAddress } from './addresses.ts'
import { inputFields, type ParsedPsbt } from './parsePsbt.ts'
import { type BitcoinRequest, parseBitcoinRequest } from './requests.ts'
import { estimateSize, maxInscribedSats } from './selectCoins.ts'
import { verifyPrevouts } from './verifyPrevouts.ts'

type PsbtReviewParameters = Extract<BitcoinRequest, { method: 'signPsbt' }>

/**
 * The largest number of inputs, and of outputs, in a review. A review shows all of them, so that
 * none is hidden behind "and more".
 */
const maxParts = 500
/**
 * The highest fee rate without a warning, in satoshis per virtual byte. No confirmation needs a
 * higher rate.
 */
const highFeeRate = 1_000

/**
 * Parses a `signPsbt` request for review; see {@link ReadReview}. Verifies every claim of the
 * request that can be verified.
 */
export const reviewPsbt: ReadReview = ({ request, accounts, network, node, sleep }) => {
  const question = parseBitcoinRequest(request)
  if (question.method !== 'signPsbt') throw new LatchkeyError('INTERNAL')
  const { psbt } = question
  if (psbt.spent.length > maxParts || psbt.transaction.outputs.length > maxParts)
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'psbt has too many parts' } })
  const own = getScripts(accounts, question.network)
  const { account } = question
  if (!own.some(({ script }) => equalBytes(script, toAddress(account, question.network).script)))
    throw new LatchkeyError('UNAUTHORIZED')
  return {
    async finish() {
      const isProven = await verifyPrevouts({ question, node, sleep })
      return describe({ question, own, isProven, chainId: network.caipNetworkId })
    },
  }
}

/** The scripts that pay to an account's addresses. */
function getScripts(accounts: readonly Account[], network: BitcoinNetwork) {
  return accounts
    .filter(({ address }) => findNetworks(address).includes(network))
    .map(({ address }) => toAddress(address, network))
}

type Described = {
  question: PsbtReviewParameters
  own: ReturnType<typeof getScripts>
  isProven: boolean
  chainId: TransactionReview['chainId']
}

function describe({ question, own, isProven, chainId }: Described): TransactionReview {
  const { psbt, network } = question
  const isOwnScript = (script: Uint8Array) => own.some((one) => equalBytes(one.script, script))
  const inputs = psbt.spent.map(({ script, value }, at): ReviewInput => {
    const isSigned = question.inputs.some(({ index }) => index === at)
    const isOwn = isSigned || isOwnScript(script)
    return { address: formatBitcoinScript(script, network), value, isOwn, isSigned }
  })
  const outputs = readOutputs(psbt).map(({ script, value }): ReviewOutput => {
    const address = formatBitcoinScript(script, network)
    const data = address === undefined ? describeScript(script) : undefined
    return { address, ...(data && { data }), value, isOwn: isOwnScript(script) }
  })
  const fee = sum(inputs) - sum(outputs)
  const size = estimateSize(
    psbt.spent.map(({ script }) => script),
    readOutputs(psbt).map(({ script }) => script),
  )
  const feeRate = size === undefined || fee < 0n ? undefined : Number(fee) / size
  const leaves = sum(inputs.filter(isOwn)) - sum(outputs.filter(isOwn))
  const review = { chainId, inputs, outputs, leaves, fee, feeRate }
  return { ...review, dangers: findDangers(review, { question, isOwnScript, isProven }) }
}

const isOwn = (part: { isOwn: boolean }) => part.isOwn

const sum = (parts: readonly { value: bigint }[]) =>
  parts.reduce((total, { value }) => total + value, 0n)

/**
 * Fields of an output that name a key: the creator of the PSBT claims that it belongs to the
 * account (BIP-174, BIP-371).
 */
const ownFields: readonly number[] = [0x02, 0x05, 0x07]

const readOutputs = ({ transaction, outputs }: ParsedPsbt) =>
  transaction.outputs.map((output, at) => ({
    ...output,
    isCalledOwn: (outputs[at] ?? []).some(({ type }) => ownFields.includes(type)),
  }))

const opReturn = 0x6a
/** The opcode that marks an output as a runestone, which assigns the tokens of the inputs. */
const runestone = 0x5d
/** The longest data that is decoded as text. */
const maxPushed = 75

/**
 * The whole content of a script without an address: a string if it is valid text, else its bytes.
 */
function describeScript(script: Uint8Array): string {
  const [first, length = 0, ...content] = script
  const isPushed = first === opReturn && length === content.length && length <= maxPushed
  const text = isPushed ? String.fromCharCode(...content) : ''
  return /^[\x20-\x7e]+$/.test(text) ? text : bytesToHex(script)
}

/**
 * The fee rate if all inputs have the smallest possible size. If the size is unknown, this higher
 * rate is shown.
 */
const getHighestRate = ({ transaction }: ParsedPsbt, fee: bigint): number =>
  Number(fee) /
  transaction.outputs.reduce(
    (size, { script }) => size + outputBytes + script.length,
    transaction.inputs.length * inputBytes,
  )
/** Bytes of an outpoint, a sequence number and the length of an empty script. */
const inputBytes = 41
/** Bytes of a value and the length of a script. */
const outputBytes = 9

function findDangers(
  { inputs, outputs, fee, feeRate }: Omit<TransactionReview, 'dangers'>,
  parameters: {
    question: PsbtReviewParameters
    isOwnScript: (script: Uint8Array) => boolean
    isProven: boolean
  },
): ReviewDanger[] {
  const { question, isOwnScript, isProven } = parameters
  const { psbt } = question
  const signed = question.inputs.map(({ index, sighashTypes }) => {
    const { script = new Uint8Array(), value = 0n } = psbt.spent[index] ?? {}
    // A wallet may follow the PSBT's own field.
    const own = findField(psbt.inputs[index] ?? [], inputFields.sighashType)
    const types = own ? [...sighashTypes, createReader(own).uint32()] : sighashTypes
    return { script, value, types }
  })
  const types = signed.flatMap((input) => input.types)
  const paid = sum(outputs.filter((output) => !output.isOwn))
  const found: Record<ReviewDanger, boolean> = {
    outputsChangeable: types.some(changesOutputs),
    inputsAddable: types.some(addsInputs),
    falseChange: readOutputs(psbt).some(
      ({ script, isCalledOwn }) => isCalledOwn && !isOwnScript(script),
    ),
    nothingBack: sum(inputs.filter(isOwn)) > 0n && !outputs.some(isOwn),
    feeHigh:
      (paid > 0n && fee > paid) ||
      2n * fee > sum(inputs) ||
      (feeRate ?? getHighestRate(psbt, fee)) > highFeeRate,
    foreignSigner: signed.some(({ script }) => !isOwnScript(script)),
    feeUnknown: fee < 0n,
    unproven: !isProven,
    inscriptions: signed.some(
      ({ script, value }) => isTaprootScript(script) && value <= maxInscribedSats,
    ),
    tokensMoved: readOutputs(psbt).some(
      ({ script }) => script[0] === opReturn && script[1] === runestone,
    ),
  }
  return (Object.keys(found) as ReviewDanger[]).filter((danger) => found[danger])
}

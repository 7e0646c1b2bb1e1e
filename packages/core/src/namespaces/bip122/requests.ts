import { bytesToHex, type ChainId, LatchkeyError } from '@latchkey/wire'
import {
  type BitcoinNetwork,
  equalBytes,
  sighashTypes as knownTypes,
  verifyBitcoinMessage,
} from '@latchkey/wire/bitcoin'
import { findBitcoinNetwork, toAddress } from './addresses.ts'
import { insertSignatures, type SignInput } from './insertSignatures.ts'
import { formatPsbt, type ParsedPsbt, parsePsbt } from './parsePsbt.ts'

/** A parsed request with WalletConnect's methods. `account`: the address that signs or pays. */
export type BitcoinRequest = { account: string; network: BitcoinNetwork } & (
  | { method: 'signMessage'; message: string; protocol: 'ecdsa' | 'bip322' }
  | { method: 'signPsbt'; psbt: ParsedPsbt; text: string; inputs: readonly AddressInput[] }
  | { method: 'sendTransfer'; to: string; amountSats: number }
)

/** An input for `address` to sign. */
type AddressInput = SignInput & { address: string }

const maxMessageLength = 100_000
const maxInputs = 10_000

/** Parses a request. Throws UNSUPPORTED_METHOD, INVALID_PARAMS and INVALID_ADDRESS. */
export function parseBitcoinRequest(request: {
  chainId: ChainId
  method: string
  params: unknown
}): BitcoinRequest {
  const { chainId, method, params } = request
  if (method !== 'signMessage' && method !== 'signPsbt' && method !== 'sendTransfer')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: method.slice(0, 100) } })
  const network = findBitcoinNetwork({ caipNetworkId: chainId })
  const fields = (params ?? {}) as Record<string, unknown>
  const account = toText(fields, 'account')
  if (method === 'signMessage') {
    const address = fields.address === undefined ? account : toText(fields, 'address')
    const message = toText(fields, 'message', maxMessageLength)
    const isTaproot = toAddress(address, network).type === 'p2tr'
    const { protocol = isTaproot ? 'bip322' : 'ecdsa' } = fields
    if (protocol !== 'ecdsa' && protocol !== 'bip322') throw invalid('protocol')
    return { method, account: address, network, message, protocol }
  }
  if (method === 'signPsbt') {
    const { signInputs, broadcast = false } = fields
    // A broadcast transaction can no longer be refused.
    if (broadcast !== false) throw invalid('broadcast')
    const psbt = parsePsbt(fields.psbt)
    if (!Array.isArray(signInputs) || signInputs.length === 0 || signInputs.length > maxInputs)
      throw invalid('signInputs')
    const inputs = signInputs.map((input: unknown) => checkInput(input, { psbt, network }))
    return { method, account, network, psbt, text: formatPsbt(psbt), inputs }
  }
  const to = toText(fields, 'recipientAddress')
  const amount = toText(fields, 'amount')
  if (!/^[1-9]\d{0,15}$/.test(amount)) throw invalid('amount')
  toAddress(to, network)
  return { method, account, network, to, amountSats: Number(amount) }
}

function toText(fields: Record<string, unknown>, name: string, maxLength = 100): string {
  const value = fields[name]
  if (typeof value !== 'string' || value.length > maxLength) throw invalid(name)
  return value
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Checks that an input can be signed by its address, in a way that can be verified here. */
function checkInput(
  input: unknown,
  { psbt, network }: { psbt: ParsedPsbt; network: BitcoinNetwork },
): AddressInput {
  const { address, index, sighashTypes } = (input ?? {}) as Record<string, unknown>
  if (typeof address !== 'string' || typeof index !== 'number') throw invalid('signInputs')
  const { type, script } = toAddress(address, network)
  const isSighash = (sighash: unknown): sighash is number =>
    knownTypes.includes(sighash as number) && (sighash !== 0 || type === 'p2tr')
  const spent = psbt.spent[index]
  if (!spent || !equalBytes(spent.script, script) || type === 'p2wsh') throw invalid('signInputs')
  if (sighashTypes === undefined)
    return { address, index, sighashTypes: type === 'p2tr' ? [0, 1] : [1] }
  if (!Array.isArray(sighashTypes) || sighashTypes.length === 0 || !sighashTypes.every(isSighash))
    throw invalid('signInputs')
  return { address, index, sighashTypes }
}

/**
 * Verifies a wallet's result and returns it in WalletConnect's format. For a message: the account's
 * own signature as hex. For a PSBT: the requested PSBT with the signatures, and nothing else from
 * the wallet. For a transfer: its id, which the network has yet to confirm. Throws
 * WALLET_ANSWER_INVALID and WALLET_SIGNED_OTHER.
 */
export function checkBitcoinResult(question: BitcoinRequest, answer: unknown): unknown {
  const { account, network } = question
  if (question.method === 'sendTransfer') {
    if (typeof answer !== 'string' || !/^[0-9a-f]{64}$/i.test(answer))
      throw new LatchkeyError('WALLET_ANSWER_INVALID')
    return { txid: answer.toLowerCase() }
  }
  const text = readText(answer)
  if (question.method === 'signPsbt') {
    const { psbt, inputs } = question
    return { psbt: formatPsbt(insertSignatures({ psbt, inputs, answer: text })) }
  }
  const { message } = question
  if (!verifyBitcoinMessage({ address: account, network, message, signature: text }))
    throw new LatchkeyError('WALLET_SIGNED_OTHER')
  return { address: account, signature: toHex(text) }
}

/** The largest result; no valid result is longer. */
const maxBytes = 400_000

/**
 * A signature or a PSBT as a string. Wallets also return bytes, and an extension's array may come
 * from another realm.
 */
function readText(answer: unknown): string {
  if (ArrayBuffer.isView(answer) && answer.byteLength <= maxBytes)
    return bytesToHex(Uint8Array.from(answer as Uint8Array))
  if (typeof answer !== 'string' || answer === '') throw new LatchkeyError('WALLET_ANSWER_INVALID')
  return answer
}

/** The bytes of a verified signature in hex or base64, as hex. */
const toHex = (signature: string) =>
  /^(?:[0-9a-f]{2})+$/i.test(signature)
    ? signature.toLowerCase()
    : bytesToHex(Uint8Array.from(atob(signature.replace(/^smp/, '')), (each) => each.charCodeAt(0)))

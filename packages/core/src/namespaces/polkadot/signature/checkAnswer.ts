import { bytesToHex, type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import {
  decodeAddress,
  encodePayload,
  parsePayload,
  type TransactionPayload,
  wrapMessage,
} from '@latchkey/wire/polkadot'
import { hexToBytes } from '@noble/hashes/utils'
import { getSignatureType, type SignatureType } from './getSignatureType.ts'

/**
 * A request to sign, parsed; `message` are the bytes to be signed, of a transaction where there is
 * a `payload`.
 */
export type Question = {
  account: Uint8Array
  message: Uint8Array
  payload?: TransactionPayload
}

/**
 * A request in WalletConnect's words as a question. Throws UNSUPPORTED_METHOD and INVALID_PARAMS.
 */
export function parseQuestion(request: {
  chainId: ChainId
  method: string
  params: unknown
}): Question {
  const { chainId, method } = request
  if (method !== 'polkadot_signMessage' && method !== 'polkadot_signTransaction')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const { address, message, transactionPayload } = (request.params ?? {}) as Record<string, unknown>
  const account = typeof address === 'string' ? decodeAddress(address) : undefined
  if (!account) throw invalid('address')
  if (method === 'polkadot_signMessage') {
    if (typeof message !== 'string') throw invalid('message')
    return { account, message: wrapMessage(message) }
  }
  const payload = parsePayload(transactionPayload)
  if (String(decodeAddress(payload.address)) !== String(account))
    throw invalid('transactionPayload.address')
  // The genesis block is what a wallet chooses the network by.
  if (payload.genesisHash.slice(2, 34).toLowerCase() !== parseChainId(chainId).reference)
    throw invalid('transactionPayload.genesisHash')
  return { account, message: encodePayload(payload), payload }
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** How a signature in a transaction begins. */
const typeBytes: Readonly<Record<SignatureType, number>> = { ed25519: 0, sr25519: 1, ecdsa: 2 }

/**
 * A wallet's answer, once it is known to be the account's own signature of exactly what was asked.
 * The signature of a transaction begins with the byte of its type, whether the wallet put it there
 * or not. Throws WALLET_ANSWER_INVALID and WALLET_SIGNED_OTHER.
 */
export async function checkAnswer(
  { account, message, payload }: Question,
  answer: unknown,
): Promise<{ signature: `0x${string}` }> {
  for (const { signature, typeByte } of parseSignature(answer)) {
    const type = await getSignatureType({ account, message, signature })
    if (!type) continue
    if (!payload) return { signature: `0x${bytesToHex(signature)}` }
    if (typeByte !== undefined && typeByte !== typeBytes[type]) continue
    return { signature: `0x0${typeBytes[type]}${bytesToHex(signature)}` }
  }
  throw new LatchkeyError('WALLET_SIGNED_OTHER')
}

/**
 * The bytes of a signature, and what they are if the first one only names its type, as some wallets
 * do it.
 */
function parseSignature(answer: unknown) {
  try {
    const { signature } = answer as Record<string, unknown>
    if (typeof signature !== 'string' || !/^(0x)?([0-9a-f]{2}){64,66}$/i.test(signature))
      throw new TypeError('Not a signature')
    const bytes = hexToBytes(signature.replace(/^0x/i, ''))
    const readings: { signature: Uint8Array; typeByte?: number | undefined }[] = [
      { signature: bytes },
      { signature: bytes.slice(1), typeByte: bytes[0] },
    ]
    return readings.filter(({ signature: { length } }) => length === 64 || length === 65)
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

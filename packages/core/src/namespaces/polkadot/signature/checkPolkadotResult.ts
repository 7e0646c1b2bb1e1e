import { bytesToHex, type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import {
  decodeSs58Address,
  encodePayload,
  parsePayload,
  type TransactionPayload,
  wrapMessage,
} from '@latchkey/wire/polkadot'
import { hexToBytes } from '@noble/hashes/utils.js'
import { getSignatureType, type SignatureType } from './getSignatureType.ts'

/**
 * A parsed signing request. `message`: the bytes to sign, of a transaction if there is a `payload`.
 */
export type PolkadotRequest = {
  account: Uint8Array
  message: Uint8Array
  payload?: TransactionPayload
}

/** Parses a request with WalletConnect's methods. Throws UNSUPPORTED_METHOD and INVALID_PARAMS. */
export function parsePolkadotRequest(request: {
  chainId: ChainId
  method: string
  params: unknown
}): PolkadotRequest {
  const { chainId, method } = request
  if (method !== 'polkadot_signMessage' && method !== 'polkadot_signTransaction')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const { address, message, transactionPayload } = (request.params ?? {}) as Record<string, unknown>
  const account = typeof address === 'string' ? decodeSs58Address(address) : undefined
  if (!account) throw invalid('address')
  if (method === 'polkadot_signMessage') {
    if (typeof message !== 'string') throw invalid('message')
    return { account, message: wrapMessage(message) }
  }
  const payload = parsePayload(transactionPayload)
  if (String(decodeSs58Address(payload.address)) !== String(account))
    throw invalid('transactionPayload.address')
  // Wallets choose the network by the genesis block.
  if (payload.genesisHash.slice(2, 34).toLowerCase() !== parseChainId(chainId).reference)
    throw invalid('transactionPayload.genesisHash')
  return { account, message: encodePayload(payload), payload }
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** The first byte of a signature in a transaction. */
const typeBytes: Readonly<Record<SignatureType, number>> = { ed25519: 0, sr25519: 1, ecdsa: 2 }

/**
 * Verifies a wallet's result: it must be the account's own signature of exactly the requested data.
 * The returned signature of a transaction begins with the byte of its type, even if the wallet left
 * it out. Throws WALLET_ANSWER_INVALID and WALLET_SIGNED_OTHER.
 */
export async function checkPolkadotResult(
  { account, message, payload }: PolkadotRequest,
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
 * The bytes of a signature, and the bytes without the first in case it only names the type, because
 * some wallets add it.
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

import { decodeAddress, wrapMessage } from '@latchkey/wire/polkadot'
import { verify } from '@scure/sr25519'
import type { SignedMessage } from './signedMessage.ts'
import { verifyEd25519 } from './verifyEd25519.ts'

/**
 * sr25519 or ed25519 over a text between `<Bytes>` and `</Bytes>`, as Polkadot's wallets sign it. An address does not say
 * which of them its key is for. Accounts of ecdsa keys are hashes of those, and their signatures are not verified here.
 */
export function verifyPolkadot({ address, message, signature: text }: SignedMessage): boolean {
  const publicKey = decodeAddress(address)
  const signature = parseSignature(text)
  if (!publicKey || !signature || typeof message !== 'string') return false
  const signed = wrapMessage(message)
  return (
    isSr25519({ publicKey, message: signed, signature }) ||
    verifyEd25519({ publicKey, message: signed, signature })
  )
}

/** 64 bytes of hex, before which some wallets put the byte of the type. */
function parseSignature(text: string): Uint8Array | undefined {
  const [, hex] = /^(?:0x)?(?:0[01])?((?:[0-9a-f]{2}){64})$/i.exec(text) ?? []
  return hex === undefined ? undefined : Uint8Array.from(Buffer.from(hex, 'hex'))
}

function isSr25519(parameters: {
  publicKey: Uint8Array
  message: Uint8Array
  signature: Uint8Array
}): boolean {
  const { publicKey, message, signature } = parameters
  try {
    return verify(message, signature, publicKey)
  } catch {
    // Points that are none.
    return false
  }
}

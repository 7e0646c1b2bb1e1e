import { ed25519, RistrettoPoint } from '@noble/curves/ed25519'
import { createTranscript } from './transcript.ts'

const order = ed25519.CURVE.n

/** Set in the last byte of every signature, which tells it from one of ed25519. */
const markBit = 0x80

/**
 * Whether a signature is an account's over a message: Schnorr over Ristretto255 with the signing context `substrate`
 * (schnorrkel). Answers false for whatever it cannot read.
 */
export function verifySr25519(parameters: {
  publicKey: Uint8Array
  message: Uint8Array
  signature: Uint8Array
}): boolean {
  const { publicKey, message, signature } = parameters
  const last = signature[63] ?? 0
  if (signature.length !== 64 || (last & markBit) === 0) return false
  const commitment = signature.slice(0, 32)
  const s = toNumber([...signature.slice(32, 63), last & ~markBit])
  if (s === 0n || s >= order) return false
  try {
    const key = RistrettoPoint.fromHex(publicKey)
    const k = getChallenge({ publicKey, message, commitment }) % order
    // R = sB - kA.
    const expected = RistrettoPoint.BASE.multiply(s).subtract(key.multiplyUnsafe(k))
    return expected.toRawBytes().every((byte, index) => byte === commitment[index])
  } catch {
    return false
  }
}

function getChallenge(parameters: {
  publicKey: Uint8Array
  message: Uint8Array
  commitment: Uint8Array
}): bigint {
  const { publicKey, message, commitment } = parameters
  const encode = (text: string) => new TextEncoder().encode(text)
  const transcript = createTranscript('SigningContext')
  transcript.append('', encode('substrate'))
  transcript.append('sign-bytes', message)
  transcript.append('proto-name', encode('Schnorr-sig'))
  transcript.append('sign:pk', publicKey)
  transcript.append('sign:R', commitment)
  return toNumber([...transcript.challenge('sign:c', 64)])
}

/** Little-endian. */
const toNumber = (bytes: readonly number[]) =>
  bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)

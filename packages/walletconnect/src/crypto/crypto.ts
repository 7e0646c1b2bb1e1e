import {
  type Base64Form,
  decodeBase64,
  decodeUtf8,
  encodeBase64,
  LatchkeyError,
} from '@latchkey/wire'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { bytesFromHex, encodeText } from './bytes.ts'
import type { Curves, KeyPair } from './curve.ts'
import { curves } from './curves.ts'

/** Longest envelope in characters, sent or received: a relay's frame holds 1 MiB. */
export const maxEnvelopeLength = 1_048_576

/**
 * Who can read an envelope: `0` holders of the topic's key, `1` the holder of a private key (the
 * envelope contains the sender's public key; `key` is derived from both), `2` anyone (first message
 * of link mode). Keys are hex.
 */
export type Seal =
  | { type: 0; key: string }
  | { type: 1; key: string; senderPublicKey: string }
  | { type: 2 }

const invalid = (reason: string, cause?: unknown) =>
  new LatchkeyError('ENVELOPE_INVALID', { data: { reason }, cause })

const bytesFromKey = (hex: string) => {
  const bytes = bytesFromHex(hex, 32)
  if (bytes === undefined) throw invalid('a key is malformed')
  return bytes
}

/** Creates an X25519 key pair. Each proposal and each approval needs its own. */
export const generateKeyPair = (from: Curves = curves): Promise<KeyPair> => from.generate('X25519')

/**
 * Creates a client identity. It names the client's mailbox, so it is stored for as long as the
 * client is installed.
 */
export const generateIdentity = (from: Curves = curves): Promise<KeyPair> =>
  from.generate('Ed25519')

/** Creates a 32-byte symmetric key in hex, for example for a pairing. */
export const generateKey = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))

/**
 * The key that both peers share: HKDF-SHA256 (no salt, no info, 32 bytes) of the X25519 secret.
 * Throws ENVELOPE_INVALID if a key is malformed or the peer's key has a small order.
 */
export async function deriveKey(
  privateKey: string,
  peerPublicKey: string,
  from: Curves = curves,
): Promise<string> {
  const secret = await from.agree(privateKey, peerPublicKey).catch((cause: unknown) => {
    throw invalid('a key is malformed', cause)
  })
  return bytesToHex(hkdf(sha256, secret, undefined, undefined, 32))
}

/** Topic of a key: SHA-256 of its bytes, in hex. Throws ENVELOPE_INVALID for a malformed key. */
export const getTopic = (key: string): string => bytesToHex(sha256(bytesFromKey(key)))

/** Id of a message at the relay and its clients: SHA-256 of the message, in hex. */
export const getMessageId = (message: string): string => bytesToHex(sha256(encodeText(message)))

/**
 * Seals a string into an envelope. `iv` (12 bytes) is only for tests: reusing an `iv` reveals the
 * key. Throws MESSAGE_TOO_LARGE, ENVELOPE_INVALID for a malformed key.
 */
export function sealEnvelope(
  text: string,
  seal: Seal,
  encoding: Base64Form = 'base64',
  iv: Uint8Array = crypto.getRandomValues(new Uint8Array(12)),
): string {
  const message = encodeBase64(sealBytes(encodeText(text), seal, iv), encoding)
  if (message.length > maxEnvelopeLength) throw new LatchkeyError('MESSAGE_TOO_LARGE')
  return message
}

function sealBytes(plain: Uint8Array, seal: Seal, iv: Uint8Array): Uint8Array {
  if (seal.type === 2) return concatBytes(Uint8Array.of(2), plain)
  const sealed = chacha20poly1305(bytesFromKey(seal.key), iv).encrypt(plain)
  if (seal.type === 0) return concatBytes(Uint8Array.of(0), iv, sealed)
  return concatBytes(Uint8Array.of(1), bytesFromKey(seal.senderPublicKey), iv, sealed)
}

/**
 * Opens an envelope of exactly this type; the caller names the type that it expects. Throws
 * ENVELOPE_INVALID if the envelope is truncated, too large, of another type, changed, or sealed
 * with another key.
 */
export function openEnvelope(
  message: string,
  seal: { type: 0 | 1; key: string } | { type: 2 },
  encoding: Base64Form = 'base64',
): string {
  const bytes = read(message, seal.type, encoding)
  const text = decodeUtf8(seal.type === 2 ? bytes.subarray(1) : decrypt(bytes, seal))
  if (text === undefined) throw invalid('it is not text')
  return text
}

/**
 * The sender's public key (hex) of a type 1 envelope, not yet proven: open it next. Throws
 * ENVELOPE_INVALID.
 */
export const getSender = (message: string, encoding: Base64Form = 'base64'): string =>
  bytesToHex(read(message, 1, encoding).subarray(1, 33))

// Type, sender's key, iv and tag.
const leastLength = { 0: 1 + 12 + 16, 1: 1 + 32 + 12 + 16, 2: 1 }

function read(message: string, type: 0 | 1 | 2, encoding: Base64Form): Uint8Array {
  if (message.length > maxEnvelopeLength) throw invalid('it is too large')
  const bytes = decodeBase64(message, encoding)
  if (bytes === undefined) throw invalid(`it is not ${encoding}`)
  if (bytes.length < leastLength[type]) throw invalid('it is too short')
  if (bytes[0] !== type) throw invalid('it is of another type')
  return bytes
}

function decrypt(bytes: Uint8Array, { type, key }: { type: 0 | 1; key: string }): Uint8Array {
  const start = type === 0 ? 1 : 33
  const cipher = chacha20poly1305(bytesFromKey(key), bytes.subarray(start, start + 12))
  try {
    return cipher.decrypt(bytes.subarray(start + 12))
  } catch (cause) {
    throw invalid('it was changed or sealed with another key', cause)
  }
}

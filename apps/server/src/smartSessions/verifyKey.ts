import { createPublicKey, createVerify, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { SessionKey } from '@latchkey/wire/permissions'
import { type Hex, hashMessage, hexToBytes, recoverPublicKey } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/**
 * Whether the session's key has signed a hash: secp256k1 over the hash itself or as a message
 * (EIP-191), with r, s and v; secp256r1 as WebCrypto signs the hash's bytes (SHA-256; r and s).
 */
export async function verifyHash(key: SessionKey, hash: Hex, signature: Hex): Promise<boolean> {
  if (key.type === 'secp256k1') {
    if (signature.length !== 132) return false
    const address = toAddress(key)
    if (address === undefined) return false
    for (const digest of [hash, hashMessage({ raw: hash })])
      if (await hasSigned(digest, signature, address)) return true
    return false
  }
  return (
    signature.length === 130 &&
    check(key, hexToBytes(hash), {
      signature: hexToBytes(signature),
      form: 'ieee-p1363',
    })
  )
}

/** Whether the session's key has signed a string: DER in base64, SHA-256. */
export const verifyText = (key: SessionKey, text: string, signature: string): boolean =>
  check(key, Buffer.from(text), { signature: Buffer.from(signature, 'base64'), form: 'der' })

async function hasSigned(digest: Hex, signature: Hex, address: Hex): Promise<boolean> {
  try {
    const found = await recoverPublicKey({ hash: digest, signature })
    return timingSafeEqual(hexToBytes(publicKeyToAddress(found)), hexToBytes(address))
  } catch {
    return false
  }
}

function toAddress(key: SessionKey): Hex | undefined {
  const object = toKeyObject(key)
  if (!object) return undefined
  const { x = '', y = '' } = object.export({ format: 'jwk' })
  const digits = [x, y].map((one) =>
    Buffer.from(one, 'base64url').toString('hex').padStart(64, '0'),
  )
  return publicKeyToAddress(`0x04${digits.join('')}`)
}

function check(
  key: SessionKey,
  bytes: Uint8Array,
  { signature, form }: { readonly signature: Uint8Array; readonly form: 'der' | 'ieee-p1363' },
): boolean {
  const object = toKeyObject(key)
  if (!object) return false
  try {
    return createVerify('sha256')
      .update(bytes)
      .verify({ key: object, dsaEncoding: form }, signature)
  } catch {
    return false
  }
}

const curves = {
  secp256k1: '3056301006072a8648ce3d020106052b8104000a034200',
  secp256r1: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
} as const
const compressed = {
  secp256k1: '3036301006072a8648ce3d020106052b8104000a032200',
  secp256r1: '3039301306072a8648ce3d020106082a8648ce3d030107032200',
} as const

/** The SPKI of a SEC1 point; undefined if the point is not on the curve. */
function toKeyObject({ type, publicKey }: SessionKey): KeyObject | undefined {
  const point = publicKey.slice(2)
  const head = (point.length === 130 ? curves : compressed)[type]
  try {
    return createPublicKey({ key: Buffer.from(head + point, 'hex'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

import { type KeyObject, sign } from 'node:crypto'

/** DER (X.690): a tag, the length of the content, and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const time = (text: string) => der(0x17, Buffer.from(text))
/** ecdsa-with-SHA256 */
const algorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

/** A certificate (X.509) of a P-256 key, signed with that key. */
export function makeCertificate(keys: { privateKey: KeyObject; publicKey: KeyObject }): Uint8Array {
  const name = sequence()
  const content = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time('250101000000Z'), time('490101000000Z')),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, keys.privateKey)
  return new Uint8Array(sequence(content, algorithm, der(0x03, Buffer.from([0]), signature)))
}

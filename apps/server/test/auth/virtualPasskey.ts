import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { makeCertificate } from './makeCertificate.ts'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64Url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')
const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

type Said = {
  readonly challenge: string
  readonly origin: string
  /** The page around the frame; undefined on the frame's own page. */
  readonly topOrigin?: string | undefined
  readonly crossOrigin?: boolean
  readonly isVerified?: boolean
  readonly counter?: number
  readonly type?: string
}

type Cbor = Parameters<typeof isoCBOR.encode>[0]
type Made = Said & {
  /** The passkey signs itself, or a certificate signs it. Otherwise nothing does. */
  readonly attestation?: 'self' | 'certificate'
}

/** A passkey in software that gives any response that the test requests. */
export function createVirtualPasskey(rpId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = base64Url(rawId)
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
  const describe = (type: string, { challenge, origin, topOrigin, ...said }: Said) =>
    JSON.stringify({
      type: said.type ?? type,
      challenge,
      origin,
      crossOrigin: said.crossOrigin ?? topOrigin !== undefined,
      ...(topOrigin !== undefined && { topOrigin }),
    })
  const head = ({ isVerified = true, counter = 0 }: Said, more = 0) => {
    const bytes = Buffer.alloc(5)
    bytes[0] = flags.present | (isVerified ? flags.verified : 0) | more
    bytes.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), bytes])
  }
  return {
    id,
    register(said: Made) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const attested = [head(said, flags.attested), Buffer.alloc(16), length, rawId, cose]
      const authData = new Uint8Array(Buffer.concat(attested))
      const clientData = describe('webauthn.create', said)
      const attest = (...parts: readonly Uint8Array[]) =>
        new Uint8Array(sign('sha256', Buffer.concat(parts), privateKey))
      const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
      const hashes = [Buffer.alloc(1), sha256(rpId), sha256(clientData)]
      const statements: Record<string, () => [format: string, Record<string, Cbor>]> = {
        none: () => ['none', {}],
        self: () => ['packed', { alg: -7, sig: attest(authData, sha256(clientData)) }],
        certificate: () => {
          const x5c = [makeCertificate({ privateKey, publicKey })]
          return ['fido-u2f', { x5c, sig: attest(...hashes, rawId, ...point) }]
        },
      }
      const [format, statement = {}] = statements[said.attestation ?? 'none']?.() ?? []
      const attestation = new Map<string, Cbor>([
        ['fmt', format],
        ['attStmt', new Map(Object.entries(statement))],
        ['authData', authData],
      ])
      return {
        id,
        clientDataJSON: base64Url(clientData),
        attestationObject: base64Url(isoCBOR.encode(attestation)),
      }
    },
    answer(said: Said & { readonly userHandle?: string | undefined }) {
      const authenticatorData = head(said)
      const clientData = describe('webauthn.get', said)
      const signed = Buffer.concat([authenticatorData, sha256(clientData)])
      return {
        id,
        clientDataJSON: base64Url(clientData),
        authenticatorData: base64Url(authenticatorData),
        signature: base64Url(sign('sha256', signed, privateKey)),
        ...(said.userHandle !== undefined && { userHandle: said.userHandle }),
      }
    },
  }
}

import { createHash, createPrivateKey, sign } from 'node:crypto'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const [present, verified] = [0x01, 0x04]

export type StoredPasskey = {
  readonly credentialId: string
  /** PKCS #8, base64. */
  readonly privateKey: string
  /** Base64. */
  readonly userHandle: string
}

/** The answer of a stored passkey to a challenge, in the frame at `origin` on a page. */
export function answerWithPasskey(
  { credentialId, privateKey, userHandle }: StoredPasskey,
  asked: { readonly challenge: string; readonly origin: string; readonly topOrigin: string },
) {
  const clientData = JSON.stringify({ type: 'webauthn.get', ...asked, crossOrigin: true })
  const rpIdHash = sha256(new URL(asked.origin).hostname)
  const counter = Buffer.from([0, 0, 0, 99])
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([present | verified]), counter])
  const key = createPrivateKey({
    key: Buffer.from(privateKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  const signed = Buffer.concat([authenticatorData, sha256(clientData)])
  return {
    id: credentialId,
    clientDataJSON: Buffer.from(clientData).toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    signature: sign('sha256', signed, key).toString('base64url'),
    userHandle: Buffer.from(userHandle, 'base64').toString('base64url'),
  }
}

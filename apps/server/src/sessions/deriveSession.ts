import { createHmac } from 'node:crypto'
import type { PermissionGrant } from '@latchkey/wire/permissions'
import type { Hex } from 'viem'
import type { Account } from './session.ts'

/** Who asks: the project, and the page's origin where a browser or the secure frame says it. */
export type Page = { readonly projectId: string; readonly origin: string | null }

/** All that a page asks for, with the one key that it uses the session with. */
export type AskedSession = {
  readonly account: Account
  readonly grant: PermissionGrant
  readonly page: Page
}

/** A session before anybody has granted it: its id and the server's key. */
export type DerivedSession = { readonly pci: string; readonly secret: Hex }

/** So often may the same be granted with the same secret, as after it was revoked. */
const maxEqual = 16

/**
 * The sessions that follow from a secret and from all that is asked, one for each time that it was
 * granted. Nothing is stored for them, and nobody without the secret can make up an id: who has one
 * that fits cannot have changed the account, the page, its key, the permissions or their end.
 */
export function deriveSessions(root: Uint8Array, asked: AskedSession): DerivedSession[] {
  const { account, grant, page } = asked
  const { expiry, signer, permissions } = grant
  const { chainId, address } = account
  const text = JSON.stringify([
    chainId,
    address,
    page.projectId,
    page.origin,
    expiry,
    signer.data.keys,
    permissions,
  ])
  const digest = hmac(root, 'asked', text)
  return Array.from({ length: maxEqual }, (_, count) => {
    const pci = toUuid(hmac(digest, 'id', String(count)))
    // One of 2^128 is none of the curve, and is refused where it is used.
    return { pci, secret: `0x${hmac(digest, 'key', String(count)).toString('hex')}` }
  })
}

const hmac = (key: Uint8Array, use: string, text: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([`session ${use}`, text]))
    .digest()

/** In the form of version 4 (RFC 9562), which every client knows. */
function toUuid(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16))
  own[6] = ((own[6] ?? 0) & 0x0f) | 0x40
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

import { createHmac } from 'node:crypto'
import type { PermissionGrant } from '@latchkey/wire/permissions'
import type { Hex } from 'viem'
import type { Account } from './session.ts'

/**
 * The requester: the project, and the page's origin if a browser or the secure frame reports it.
 */
export type Page = { readonly projectId: string; readonly origin: string | null }

/** The session that a page requests, with the single key that the page uses it with. */
export type RequestedSession = {
  readonly account: Account
  readonly grant: PermissionGrant
  readonly page: Page
}

/** A session before the user has granted it: its id and the server's key. */
export type DerivedSession = { readonly pci: string; readonly secret: Hex }

/**
 * How often the same session may be granted with the same secret, for example again after it was
 * revoked.
 */
const maxEqual = 16

/**
 * The sessions that a secret and a request derive, one for each time that the request may be
 * granted. Nothing is stored for them, and no one without the secret can make up an id. A matching
 * id therefore proves that the account, the page, its key, the permissions and their end are
 * unchanged.
 */
export function deriveSessions(root: Uint8Array, asked: RequestedSession): DerivedSession[] {
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
    // About 1 in 2^128 values is not a valid key of the curve, and is refused when it is used.
    return { pci, secret: `0x${hmac(digest, 'key', String(count)).toString('hex')}` }
  })
}

const hmac = (key: Uint8Array, use: string, text: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([`session ${use}`, text]))
    .digest()

/** In the format of version 4 (RFC 9562), which every client accepts. */
function toUuid(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16))
  own[6] = ((own[6] ?? 0) & 0x0f) | 0x40
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

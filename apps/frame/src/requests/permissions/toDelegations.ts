import { LatchkeyError } from '@latchkey/wire'
import {
  type Allowed,
  type Permission,
  readPermissions,
  toDelegation,
} from '@latchkey/wire/permissions'
import type { ApprovalRequest } from '../approvalRequest.ts'

/** A session as stored by the server. Its meaning is computed here. */
type Stored = {
  readonly pci: string
  readonly delegate: string
  readonly expiry: number
  readonly permissions: readonly Permission[]
}

/**
 * The permissions of a session, and the hashes by which the account grants them. Throws
 * ANSWER_INVALID, SIGNING_REFUSED.
 */
export function toDelegations(
  { accounts, chain }: ApprovalRequest,
  { pci, delegate, expiry, permissions }: Stored,
): { readonly allowed: readonly Allowed[]; readonly hashes: readonly string[] } {
  if (!/^[0-9a-f-]{36}$/.test(pci) || !/^0x[0-9a-f]{40}$/.test(delegate))
    throw new LatchkeyError('ANSWER_INVALID')
  const account = accounts.eip155.toLowerCase()
  const allowed = readPermissions(permissions, account)
  const place = {
    chainId: Number(chain.reference),
    account,
    delegate,
    until: expiry,
    salt: BigInt(`0x${pci.replaceAll('-', '')}`),
  }
  return { allowed, hashes: allowed.map((one) => toDelegation(one, place).hash) }
}

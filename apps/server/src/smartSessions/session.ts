import type { ChainId } from '@latchkey/wire'
import {
  type Allowed,
  type Delegation,
  type PermissionGrant,
  permissionGrant,
  readPermissions,
  rootAuthority,
  toDelegation,
} from '@latchkey/wire/permissions'
import type { Kysely, Selectable } from 'kysely'
import { type Address, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import * as z from 'zod'
import type { AskChain } from '../bundler/askChain.ts'
import type { Bundlers } from '../bundler/createBundlers.ts'
import type { Database } from '../db/database.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import type { KmsProvider } from '../vault/kms/kmsProvider.ts'
import type { SessionTables } from './tables.ts'

/** The dependencies of the sessions area. `clock` returns milliseconds since 1970. */
export type SmartSessionsDeps = {
  readonly db: Kysely<Database>
  readonly kms: KmsProvider
  readonly clock: () => number
  readonly log: Pick<Services['log'], 'error'>
  readonly bundlers: Pick<Bundlers, 'request' | 'countSponsored'>
  readonly askChain: (chainId: ChainId) => AskChain
  readonly nodes: Upstreams['nodes']
  readonly countNodes: Upstreams['countNodes']
  audit(entry: { subject: string; action: string; detail: Record<string, string> }): Promise<void>
}

/** An account on a network (CAIP-10); the address is in lower case. */
export type Account = { readonly chainId: ChainId; readonly address: Address }

/**
 * A single permission of a session, the delegation by which the chain enforces it, and the encoding
 * of that delegation for the manager.
 */
export type Part = {
  readonly allowed: Allowed
  readonly delegation: Delegation
  readonly context: Hex
}

/** A stored session, with everything derived from it. */
export type SmartSession = {
  readonly row: Selectable<SessionTables['permission_sessions']>
  readonly account: Account
  readonly grant: PermissionGrant
  readonly parts: readonly Part[]
}

const delegations = parseAbiParameters([
  'Delegation[] delegations',
  'struct Delegation { address delegate; address delegator; bytes32 authority; Caveat[] caveats; uint256 salt; bytes signature; }',
  'struct Caveat { address enforcer; bytes terms; bytes args; }',
])

/** The parts of a grant. Throws SIGNING_REFUSED for permissions that cannot be enforced. */
export function toParts(
  grant: PermissionGrant,
  {
    account,
    delegate,
    pci,
  }: { readonly account: Account; readonly delegate: string; readonly pci: string },
): readonly Part[] {
  const place = {
    chainId: Number(account.chainId.slice('eip155:'.length)),
    account: account.address,
    delegate,
    until: grant.expiry,
    salt: BigInt(`0x${pci.replaceAll('-', '')}`),
  }
  return readPermissions(grant.permissions, account.address).map((allowed) => {
    const delegation = toDelegation(allowed, place)
    const context = encodeAbiParameters(delegations, [
      [
        {
          delegate: delegation.delegate as Address,
          delegator: delegation.delegator as Address,
          authority: rootAuthority as Hex,
          caveats: delegation.caveats.map(({ enforcer, terms }) => ({
            enforcer: enforcer as Address,
            terms: terms as Hex,
            args: '0x' as const,
          })),
          salt: delegation.salt,
          signature: '0x',
        },
      ],
    ])
    return { allowed, delegation, context }
  })
}

const json = z.string().transform((text): unknown => JSON.parse(text))

/** A stored session, in the form in which it was granted. */
export function toSmartSession(row: SmartSession['row']): SmartSession {
  const account = { chainId: row.chain_id as ChainId, address: row.account as Address }
  const grant = z.parse(permissionGrant, {
    expiry: Number(row.expiry),
    signer: json.parse(row.signer),
    permissions: json.parse(row.permissions),
    policies: [],
  })
  return {
    row,
    account,
    grant,
    parts: toParts(grant, { account, delegate: row.delegate, pci: row.pci }),
  }
}

/** The identifier of a session in ERC-7710: the contexts of its parts. */
export const getContext = ({ parts }: SmartSession): Hex =>
  encodeAbiParameters([{ type: 'bytes[]' }], [parts.map(({ context }) => context)])

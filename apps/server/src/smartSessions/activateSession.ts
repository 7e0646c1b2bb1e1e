import { isError, LatchkeyError } from '@latchkey/wire'
import type { PermissionGrant } from '@latchkey/wire/permissions'
import { privateKeyToAccount } from 'viem/accounts'
import { deriveSessions, type Page, type RequestedSession } from './deriveSession.ts'
import { readKeys } from './openSession.ts'
import { readGranted } from './readGrants.ts'
import { refuse } from './redemption.ts'
import { type Account, type SmartSession, type SmartSessionsDeps, toParts } from './session.ts'
import { readRoots } from './sessionRoots.ts'
import { findSmartSession, sealKey } from './sessionStore.ts'

/**
 * The session that the chain has now. `grant` is the grant as it was requested; not needed for a
 * stored session.
 */
type Activation = {
  readonly pci: string
  readonly account: Account
  readonly page: Page
  readonly grant: PermissionGrant | undefined
}

/**
 * Confirms that the chain has a session: stores it, so that it may be used. Does nothing for a
 * session that is already active. Throws SIGNING_REFUSED if the chain lacks a part of the session,
 * VAULT_NOT_FOUND if the server has not issued this id for exactly these parameters.
 */
export async function activateSession(
  deps: SmartSessionsDeps,
  activation: Activation,
): Promise<void> {
  const { pci, account } = activation
  const stored = await findStored(deps, activation)
  if (stored) return activateStored(deps, stored)
  const found = await findDerived(deps, activation)
  if (!found) throw new LatchkeyError('VAULT_NOT_FOUND')
  const { grant, page, secret } = found
  const delegate = privateKeyToAccount(secret).address.toLowerCase()
  const parts = toParts(grant, { account, delegate, pci })
  const granted_block = await assertGranted(deps, { account, parts })
  const now = new Date(deps.clock())
  const { numInsertedOrUpdatedRows } = await deps.db
    .insertInto('permission_sessions')
    .values({
      pci,
      project_id: page.projectId,
      origin: page.origin,
      chain_id: account.chainId,
      account: account.address,
      expiry: grant.expiry,
      signer: JSON.stringify(grant.signer),
      permissions: JSON.stringify(grant.permissions),
      delegate,
      ...(await sealKey(deps, { pci, secret })),
      created_at: now,
      activated_at: now,
      granted_block,
      revoked_at: null,
    })
    // Concurrent activations are equal, because the id stands for all parameters.
    .onConflict((conflict) => conflict.column('pci').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) await audit(deps, activation)
}

async function findStored(
  deps: SmartSessionsDeps,
  activation: Activation,
): Promise<SmartSession | undefined> {
  try {
    return await findSmartSession(deps, activation)
  } catch (error) {
    if (isError(error, 'VAULT_NOT_FOUND')) return undefined
    throw error
  }
}

/**
 * Activates a session of an earlier version of this server, which stored sessions before the chain
 * had them.
 */
async function activateStored(deps: SmartSessionsDeps, session: SmartSession): Promise<void> {
  const { row, account } = session
  if (row.revoked_at !== null) throw new LatchkeyError('VAULT_NOT_FOUND')
  if (row.activated_at !== null) return
  const granted_block = await assertGranted(deps, session)
  const { numUpdatedRows } = await deps.db
    .updateTable('permission_sessions')
    .set({ activated_at: new Date(deps.clock()), granted_block })
    .where('pci', '=', row.pci)
    .where('activated_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 1n) await audit(deps, { pci: row.pci, account })
}

type Found = Pick<RequestedSession, 'grant' | 'page'> & { readonly secret: `0x${string}` }

/** The parameters for which the server issued the id. */
async function findDerived(
  deps: SmartSessionsDeps,
  { pci, account, page, grant: given }: Activation,
): Promise<Found | undefined> {
  if (!given) return undefined
  for await (const root of readRoots(deps))
    for (const { grant, serverKey } of readKeys(given)) {
      const found = deriveSessions(root, { account, grant, page }).find((one) => one.pci === pci)
      if (!found) continue
      if (serverKey && serverKey !== privateKeyToAccount(found.secret).publicKey) return undefined
      return { grant, page, secret: found.secret }
    }
  return undefined
}

/** The block at which the chain has all parts of the session. */
async function assertGranted(
  deps: SmartSessionsDeps,
  session: Pick<SmartSession, 'account' | 'parts'>,
): Promise<bigint> {
  const { isAll, block } = await readGranted(deps, session)
  if (!isAll) throw refuse('the chain does not have the session')
  return block
}

const audit = (deps: SmartSessionsDeps, { pci, account }: Pick<Activation, 'pci' | 'account'>) =>
  deps.audit({
    subject: account.address,
    action: 'session granted',
    detail: { pci, chainId: account.chainId },
  })

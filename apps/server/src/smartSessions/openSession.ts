import { maxSessionSeconds, type PermissionGrant } from '@latchkey/wire/permissions'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deriveSessions, type RequestedSession } from './deriveSession.ts'
import { refuse } from './redemption.ts'
import { type SmartSessionsDeps, toParts } from './session.ts'
import { ensureRoot, readRoots } from './sessionRoots.ts'

/** The cost of requesting a session, in units of the client's limit. */
export const openingCost = 10

/** A session that waits for the chain. `delegate`: the address of the server's key. */
type OpenedSession = { readonly pci: string; readonly publicKey: Hex; readonly delegate: string }

/**
 * Opens a session for a request, with a key of the server. Nothing is stored until the chain has
 * the session, so that no one else can use up an account's limit. Throws SIGNING_REFUSED for
 * permissions that cannot be enforced or that do not end.
 */
export async function openSmartSession(
  deps: SmartSessionsDeps,
  asked: RequestedSession,
): Promise<OpenedSession> {
  assertPossible(deps, asked)
  if (asked.grant.signer.data.keys.length !== 1) throw refuse('it names more than one key')
  return takeFree(deps, await ensureRoot(deps), asked)
}

/**
 * The session that a page has opened on its own for its request: earlier clients put the server's
 * key next to their own key. Throws SIGNING_REFUSED, also if neither is the key that the server
 * issues this page for the other key.
 */
export async function findOpened(
  deps: SmartSessionsDeps,
  asked: RequestedSession,
): Promise<OpenedSession> {
  assertPossible(deps, asked)
  for await (const root of readRoots(deps))
    for (const { grant, serverKey } of readKeys(asked.grant)) {
      const opened = await takeFree(deps, root, { ...asked, grant })
      if (opened.publicKey === serverKey) return opened
    }
  throw refuse('it names more than one key')
}

/**
 * The possible readings of a grant's keys: its only key is the page's key, or either of two, of
 * which the other is the server's.
 */
export function readKeys(
  grant: PermissionGrant,
): { readonly grant: PermissionGrant; readonly serverKey: string | undefined }[] {
  const { keys } = grant.signer.data
  return keys.map((key, index) => ({
    grant: { ...grant, signer: { type: 'keys', data: { keys: [key] } } },
    serverKey: keys[1 - index]?.publicKey.toLowerCase(),
  }))
}

function assertPossible(
  { clock }: Pick<SmartSessionsDeps, 'clock'>,
  { grant }: RequestedSession,
): void {
  const now = Math.floor(clock() / 1_000)
  if (grant.expiry <= now) throw refuse('it has ended already')
  if (grant.expiry > now + maxSessionSeconds) throw refuse('it would last for more than a year')
}

/** The first session that a secret derives and that was not granted before. */
async function takeFree(
  { db }: Pick<SmartSessionsDeps, 'db'>,
  root: Uint8Array,
  asked: RequestedSession,
): Promise<OpenedSession> {
  const derived = deriveSessions(root, asked)
  const ids = derived.map(({ pci }) => pci)
  const rows = await db
    .selectFrom('permission_sessions')
    .select('pci')
    .where('pci', 'in', ids)
    .execute()
  const taken = new Set(rows.map(({ pci }) => pci))
  const free = derived.find(({ pci }) => !taken.has(pci))
  if (!free) throw refuse('the same session was granted too often today')
  const { publicKey, address } = privateKeyToAccount(free.secret)
  const delegate = address.toLowerCase()
  toParts(asked.grant, { account: asked.account, delegate, pci: free.pci })
  return { pci: free.pci, publicKey, delegate }
}

import type { SessionEntry } from '@latchkey/wire'
import { readUses } from './readGrants.ts'
import { getContext, type SmartSession, type SmartSessionsDeps } from './session.ts'

/** A session in the format of the API. */
export async function describeSession(
  deps: SmartSessionsDeps,
  session: SmartSession,
): Promise<SessionEntry> {
  const { row, account, grant } = session
  const [project, uses] = await Promise.all([
    deps.db
      .selectFrom('projects')
      .select('name')
      .where('id', '=', row.project_id)
      .executeTakeFirst(),
    readUses(deps, session),
  ])
  return {
    project: {
      id: row.project_id,
      name: project?.name ?? row.project_id,
      url: null,
      iconUrl: null,
    },
    pci: row.pci,
    origin: row.origin,
    chainId: account.chainId,
    expiry: grant.expiry,
    createdAt: row.created_at.getTime(),
    permissions: [...grant.permissions],
    policies: [],
    context: getContext(session),
    revokedAt: row.revoked_at?.getTime() ?? null,
    uses,
    delegate: row.delegate,
  }
}

import {
  endPermissionSessionRoute,
  LatchkeyError,
  omitNulls,
  readSessionsRoute,
  type SessionEntry,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import { permissionTexts as t } from '../../locales/permissions.en.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../approvalRequest.ts'
import { getFeeRow } from '../calls/operation/operationFee.ts'
import { formatTime } from '../formatAsset.ts'
import { invalidParameters } from '../params.ts'
import { describeAllowed } from './describeAllowed.ts'
import {
  buildChange,
  readGrantedPermissions,
  sendChange,
  simulateChange,
} from './operateAccount.ts'
import { toDelegations } from './toDelegations.ts'

const id = z.optional(z.string().check(z.maxLength(100_000)))
const asked = z.object({ pci: id, context: id, permissionsContext: id, permissionContext: id })

/**
 * wallet_revokePermissions: revokes one session by its `pci`, which may also be named `context` or
 * `permissionsContext`. The session ends on the chain, and then on our server. Throws
 * INVALID_PARAMS for an unknown session.
 */
export async function prepareRevoke(request: ApprovalRequest): Promise<PreparedApproval> {
  const { post, chain, accounts, params, projectId } = request
  const account = `${chain.id}:${accounts.eip155}`
  const { sessions } = await post(readSessionsRoute, { account, projectId })
  const session = findSession(sessions, params)
  const { allowed, hashes } = toDelegations(request, session)
  const granted = await readGrantedPermissions(request, hashes)
  const left = hashes.filter((_, index) => granted[index])
  const unsigned = left.length > 0 && (await buildChange(request, 'revokePermissions', left))
  const [{ groups }, simulated] = await Promise.all([
    describeAllowed(request, allowed, session),
    unsigned ? simulateChange(request, unsigned) : undefined,
  ])
  return {
    view: {
      title: t.revokeTitle,
      action: t.revokeAction,
      groups: [...groups, ...(simulated?.groups ?? [])],
      warnings: [...(simulated?.warnings ?? [])],
      rows: [
        { label: t.site, value: session.origin ?? session.project.name },
        { label: t.until, value: formatTime(BigInt(session.expiry)) },
      ],
      place: [
        ...(simulated?.place ?? []),
        ...(unsigned ? [getFeeRow(request, unsigned.operation)] : []),
        ...placeRows(request),
      ],
    },
    async approve() {
      const result = unsigned ? await sendChange(request, unsigned) : '0x'
      if ((await readGrantedPermissions(request, hashes)).some(Boolean))
        throw new LatchkeyError('ANSWER_INVALID')
      await post(endPermissionSessionRoute, { account, pci: session.pci })
      return result
    },
  }
}

function findSession(sessions: readonly SessionEntry[], params: unknown): SessionEntry {
  const [first] = Array.isArray(params) ? (params as unknown[]) : [params]
  const parsed = z.safeParse(asked, omitNulls(first))
  const wanted = parsed.success ? Object.values(parsed.data) : []
  const found = sessions.find(
    ({ pci, context }) => wanted.includes(pci) || (context !== null && wanted.includes(context)),
  )
  if (!found) throw invalidParameters('context')
  return found
}

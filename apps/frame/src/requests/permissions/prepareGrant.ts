import {
  checksumAddress,
  confirmSessionRoute,
  grantSessionRoute,
  LatchkeyError,
} from '@latchkey/wire'
import type { PermissionGrant } from '@latchkey/wire/permissions'
import { approvals } from '../../locales/approvals.en.ts'
import { permissionTexts as t } from '../../locales/permissions.en.ts'
import { permissionDelegate } from '../../smartAccount.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../approvalRequest.ts'
import { getFeeRow } from '../calls/operation/operationFee.ts'
import { formatTime } from '../formatAsset.ts'
import { describeAllowed } from './describeAllowed.ts'
import {
  buildChange,
  readGrantedPermissions,
  sendChange,
  simulateChange,
} from './operateAccount.ts'
import { lowerGrant, type ParsedGrant, parseGrant } from './parseGrant.ts'
import { toDelegations } from './toDelegations.ts'

/** The sponsor's signature is valid for ten minutes. */
const freshForMs = 8 * 60_000

/**
 * wallet_grantPermissions (ERC-7715). Throws the errors of {@link parseGrant}, of the server and of
 * the chain.
 */
export const prepareGrant = async (request: ApprovalRequest): Promise<PreparedApproval> => {
  const parsed = parseGrant(request)
  return prepare(request, parsed, parsed)
}

async function prepare(
  request: ApprovalRequest,
  first: ParsedGrant,
  { grant, mayLower }: ParsedGrant,
): Promise<PreparedApproval> {
  const { post, chain, accounts, projectId, origin, now } = request
  const builtAtMs = now()
  const account = `${chain.id}:${accounts.eip155}`
  const page = { projectId, origin, account, grant }
  const { pci, delegate, key } = await post(grantSessionRoute, { ...page, v: 2 })
  const { expiry, permissions, signer } = grant
  const siteKey = findSiteKey(signer, key.publicKey)
  const { allowed, hashes } = toDelegations(request, { pci, delegate, expiry, permissions })
  const unsigned = await buildChange(request, 'grantPermissions', hashes)
  const [{ editable, groups, warnings }, simulated] = await Promise.all([
    describeAllowed(request, allowed, grant),
    simulateChange(request, unsigned),
  ])
  const requested = first.grant.permissions[0]
  const max =
    requested && requested.type !== 'contract-call' ? BigInt(requested.data.allowance) : 0n
  const again = () => prepare(request, first, { grant, mayLower })
  return {
    view: {
      title: t.title,
      action: t.action,
      groups: [...groups, ...simulated.groups],
      warnings: [...warnings, ...simulated.warnings],
      rows: [
        { label: t.until, value: formatTime(BigInt(expiry)) },
        { label: t.how, note: t.revocable },
        ...(unsigned.isUpgrade
          ? [
              { label: t.turnsOn, note: t.explanation },
              { label: approvals.approve.contract, address: checksumAddress(permissionDelegate) },
            ]
          : []),
        { label: t.key, data: siteKey },
      ],
      place: [...simulated.place, getFeeRow(request, unsigned.operation), ...placeRows(request)],
      ...(editable && mayLower && { editable: { ...editable, max: String(max) } }),
    },
    recheck: async () => (now() - builtAtMs > freshForMs ? again() : undefined),
    async approve() {
      await sendChange(request, unsigned)
      if (!(await readGrantedPermissions(request, hashes)).every(Boolean))
        throw new LatchkeyError('ANSWER_INVALID')
      await post(confirmSessionRoute, { ...page, pci })
      return {
        permissions,
        signer,
        expiry,
        context: pci,
        address: checksumAddress(accounts.eip155),
        chainId: `0x${Number(chain.reference).toString(16)}`,
      }
    },
    ...(editable &&
      mayLower && {
        edit: async (amount) => prepare(request, first, lowerGrant(first, amount)),
      }),
  }
}

/**
 * The site's key of the session; with two keys, the other is the server's. Throws ANSWER_INVALID.
 */
function findSiteKey({ data: { keys } }: PermissionGrant['signer'], serverKey: string): string {
  const [siteKey, ...more] = keys
    .map(({ publicKey }) => publicKey)
    .filter((one) => keys.length === 1 || one.toLowerCase() !== serverKey)
  if (siteKey === undefined || more.length > 0) throw new LatchkeyError('ANSWER_INVALID')
  return siteKey
}

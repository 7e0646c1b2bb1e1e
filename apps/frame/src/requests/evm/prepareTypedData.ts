import { LatchkeyError, sanitizeText } from '@latchkey/wire'
import type { Hex } from 'viem'
import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import { signatures } from '../../locales/signatures.en.ts'
import { isOfEntryPoint } from '../../smartAccount.ts'
import { type ApprovalRequest, type PreparedRequest, placeRows } from '../approvalRequest.ts'
import { type Described, describeEffects } from '../describeEffects.ts'
import { isKnown } from '../getWarnings.ts'
import { assertAccount } from '../params.ts'
import { readToken } from '../readToken.ts'
import { hasInvisibleCharacters, sanitizeName } from '../sanitizeName.ts'
import { caution, danger } from '../warning.ts'
import { checkTypedData, type SignedData, type SignedValue } from './checkTypedData.ts'
import { readTypedData } from './readTypedData.ts'

const t = approvals.approve

/** eth_signTypedData_v4 (EIP-712): `[address, data]`, the data as JSON or an object. Exactly what is shown is signed. */
export async function prepareTypedData(request: ApprovalRequest): Promise<PreparedRequest> {
  const { params, accounts, chain, keys } = request
  const [address, given] = Array.isArray(params) ? (params as unknown[]) : []
  assertAccount(address, accounts.eip155)
  const data = checkTypedData(given)
  const { types, primaryType, domain, message } = data
  // A signed user operation moves everything, and the card of typed data would not show what.
  if (isOfEntryPoint(domain.verifyingContract)) throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  const context = { ...request, account: accounts.eip155 }
  const { effects, unread } = readTypedData(data, accounts.eip155)
  const described: Described = unread
    ? {
        title: signatures.titleTyped,
        action: t.actionSign,
        groups: await (await import('../descriptions/describeUnread.ts')).describeUnreadTypedData(
          context,
          data,
        ),
        warnings: [],
      }
    : await describeEffects(context, effects, true)
  const isHarmful = unread === 'danger' || (unread && (await isToken(context, domain)))
  const contract = domain.verifyingContract as Hex | undefined
  const lines = [...formatTree('domain', domain), ...formatTree(primaryType, message)]
  const isOther = domain.chainId !== undefined && domain.chainId !== chain.reference
  return {
    view: {
      ...described,
      warnings: [
        ...(unread
          ? [isHarmful ? danger(signatures.warn.unread) : caution(signatures.warn.uninterpreted)]
          : []),
        ...described.warnings,
        ...(domain.chainId === undefined
          ? [unread ? caution(signatures.warn.anyChain) : danger(signatures.warn.anyChain)]
          : []),
        ...(hasInvisibleCharacters(JSON.stringify([domain, message]))
          ? [danger(signatures.warn.hidden)]
          : []),
      ],
      rows: [
        ...(contract
          ? [{ label: t.contract, address: contract, isNew: !isKnown(context, contract) }]
          : []),
        ...(typeof domain.name === 'string'
          ? [{ label: t.domain, value: `“${sanitizeName(domain.name, 60)}”` }]
          : []),
        { label: signatures.signedData, tree: lines },
      ],
      place: placeRows(request),
      ...(isOther && {
        blocked: fill(signatures.block.chain, { id: sanitizeName(String(domain.chainId), 40) }),
      }),
    },
    approve: async () =>
      (await keys.do('signTypedData', { data: { types, primaryType, domain, message } })).signature,
  }
}

/** Whether the data is for a token contract, whose signatures can move tokens. */
async function isToken(
  context: Parameters<typeof readToken>[0],
  { verifyingContract }: SignedData['domain'],
) {
  if (verifyingContract === undefined) return false
  const { decimals, supply, balance } = await readToken(context, verifyingContract as Hex)
  return decimals !== undefined || supply !== undefined || balance !== undefined
}

/** A line of nested data. */
type Line = { depth: number; label: string; value: string }

/** Formats signed values line by line. */
function formatTree(label: string, value: SignedValue, depth = 0): Line[] {
  if (typeof value === 'string' || typeof value === 'boolean')
    return [{ depth, label, value: sanitizeText(String(value)) }]
  const entries = Array.isArray(value)
    ? value.map((one, index) => [String(index + 1), one] as const)
    : Object.entries(value)
  return [
    { depth, label, value: Array.isArray(value) && entries.length === 0 ? '[]' : '' },
    ...entries.flatMap(([name, one]) => formatTree(name, one, depth + 1)),
  ]
}

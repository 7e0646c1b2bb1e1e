import { LatchkeyError } from '@latchkey/wire'
import { approvals } from '../../../locales/approvals.en.ts'
import { fill } from '../../../locales/en.ts'
import { signatures } from '../../../locales/signatures.en.ts'
import { isOfEntryPoint } from '../../../smartAccount.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../../approvalRequest.ts'
import { type Described, describeEffects } from '../../describeEffects.ts'
import { isKnown } from '../../getWarnings.ts'
import { assertAccount } from '../../params.ts'
import { hasInvisibleCharacters, sanitizeName } from '../../sanitizeName.ts'
import { danger } from '../../warning.ts'
import { checkTypedData } from './checkTypedData.ts'
import { formatSignedData } from './formatSignedData.ts'
import { hasWitness, readTypedData } from './readTypedData.ts'

const t = approvals.approve

/**
 * eth_signTypedData_v4 (EIP-712): `[address, data]`, with the data as JSON or an object. The wallet
 * signs exactly what it shows.
 */
export async function prepareTypedData(request: ApprovalRequest): Promise<PreparedApproval> {
  const { params, accounts, chain, keys } = request
  const [address, given] = Array.isArray(params) ? (params as unknown[]) : []
  assertAccount(address, accounts.eip155)
  const data = checkTypedData(given)
  const { types, primaryType, domain, message, contract, chainId } = data
  // A signed user operation can move everything, and the card of typed data would not show its
  // calls.
  if (isOfEntryPoint(domain.verifyingContract)) throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  const context = { ...request, account: accounts.eip155 }
  const effects = readTypedData(data, accounts.eip155)
  const described: Described = effects
    ? await describeEffects(context, effects, true)
    : {
        title: signatures.titleTyped,
        action: t.actionSign,
        groups: await (
          await import('../../descriptions/describeUnread.ts')
        ).describeUnreadTypedData(context, data),
        warnings: [danger(signatures.warn.unread)],
      }
  const isOtherChain = chainId !== undefined && chainId !== chain.reference
  return {
    view: {
      ...described,
      warnings: [
        ...described.warnings,
        ...(effects && hasWitness(data) ? [danger(signatures.warn.witness)] : []),
        ...(data.hasUsualDomain ? [] : [danger(signatures.warn.otherDomain)]),
        ...(chainId === undefined ? [danger(signatures.warn.anyChain)] : []),
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
        { label: signatures.signedData, tree: formatSignedData(data) },
      ],
      place: placeRows(request),
      ...(isOtherChain && {
        blocked: fill(signatures.block.chain, { id: sanitizeName(chainId, 40) }),
      }),
    },
    approve: async () =>
      (await keys.do('signTypedData', { data: { types, primaryType, domain, message } })).signature,
  }
}

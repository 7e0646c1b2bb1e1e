import { checksumAddress } from '@latchkey/wire'
import { answerConnect, readConnectRequest } from '@latchkey/wire/siwx'
import { signatures as t } from '../../locales/signatures.en.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../approvalRequest.ts'
import { prepareMessage } from '../prepareMessage.ts'

/**
 * wallet_connect (ERC-7846) of a client that uses the frame directly. With `signInWithEthereum`,
 * the user sees and signs the message, which names the verified origin unless the page gives a
 * domain; another domain is blocked, as in every sign-in. Throws INVALID_PARAMS and
 * CAPABILITY_UNSUPPORTED.
 */
export async function prepareConnect(request: ApprovalRequest): Promise<PreparedApproval> {
  const asked = readConnectRequest(request.params)
  const { origin, accounts, now } = request
  let prepared: PreparedApproval | undefined
  const answer = await answerConnect(asked, {
    accounts: [checksumAddress(accounts.eip155)],
    href: origin,
    nowMs: now(),
    sign: async (params) => {
      prepared = prepareMessage({ ...request, params })
    },
  })
  if (prepared) return signed(prepared, answer)
  const view = {
    title: t.titleConnect,
    action: t.actionConnect,
    groups: [],
    warnings: [],
    rows: [],
  }
  return { view: { ...view, place: placeRows(request) }, approve: async () => answer }
}

/** The review of the message. Its signature becomes part of the response. */
function signed(
  { view, approve }: PreparedApproval,
  { accounts: [account] }: Awaited<ReturnType<typeof answerConnect>>,
): PreparedApproval {
  return {
    view,
    async approve() {
      const signature = await approve()
      const { message = '' } = account?.capabilities.signInWithEthereum ?? {}
      const capabilities = { signInWithEthereum: { message, signature } }
      return { accounts: [{ ...account, capabilities }] }
    },
  }
}

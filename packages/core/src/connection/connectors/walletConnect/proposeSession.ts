import type { WalletConnectSession } from '@latchkey/walletconnect'
import { LatchkeyError } from '@latchkey/wire'
import type { OneClick } from '../../../siwx/siwx.ts'
import type { WalletConnectContext } from './context.ts'
import { getProposalNamespaces } from './proposalNamespaces.ts'

type Payload = Awaited<ReturnType<OneClick['prepareSession']>>

/**
 * Proposes a session on a new pairing, together with the sign-in that `oneClick` has prepared, if
 * any.
 */
export async function proposeSession(
  { dapp, parameters }: WalletConnectContext,
  { oneClick, payload, signal }: { oneClick?: OneClick; payload: Payload; signal: AbortSignal },
) {
  const optionalNamespaces = getProposalNamespaces(parameters.networks())
  if (!oneClick || !payload) return dapp.connect({ optionalNamespaces, signal })
  const methods = Object.values(optionalNamespaces).flatMap((asked) => asked.methods)
  const { verify } = oneClick
  const { answer, ...pairing } = await dapp.authenticate({
    ...{ payload, methods, optionalNamespaces, verify, signal },
  })
  const approval = answer.then(async ({ session, cacaos }): Promise<WalletConnectSession> => {
    if (session) return session
    // The wallet signed in but allows no account, so there is no connection.
    for (const { p } of cacaos) await oneClick.revoke(p.iss.replace('did:pkh:', '')).catch(() => {})
    throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
  })
  return { ...pairing, approval }
}

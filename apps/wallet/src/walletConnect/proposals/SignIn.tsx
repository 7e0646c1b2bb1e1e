import type { AuthRequest, Cacao } from '@latchkey/walletconnect'
import { sanitizeText } from '@latchkey/wire'
import { useMemo, useState } from 'react'
import { accounts } from '../../accounts.ts'
import { Details } from '../../approval/Details.tsx'
import { ApproveButton, Choice, Sheet } from '../../approval/Sheet.tsx'
import type { Config } from '../../config.ts'
import { getSigner } from '../../requests/getSigner.ts'
import type { Row } from '../../requests/walletRequest.ts'
import { currentAccount, readState } from '../../state.ts'
import { texts as own } from '../../texts.ts'
import { getAppName, getAppUrl } from '../appMetadata.ts'
import { methods } from '../capabilities.ts'
import { errorMessage } from '../errorMessage.ts'
import { accountsOn } from '../networks.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { RequestPeer } from '../requests/RequestPeer.tsx'
import { AccountChecks } from '../sessions/ScopeFields.tsx'
import { findAddressIndex } from '../sessions/sessionScope.ts'
import { texts } from '../texts.ts'
import { useDecision } from '../useDecision.ts'
import { getDomainWarning, ownChains } from './readSignIn.ts'

type Props = { walletConnect: WalletConnect; config: Config; request: AuthRequest }

/** Asks the user to sign in, with the full message of each signature. */
export function SignIn({ walletConnect, config, request }: Props) {
  const { wallet } = walletConnect
  const [indexes, setIndexes] = useState<readonly number[]>(() => [
    findAddressIndex(currentAccount(readState())) ?? 0,
  ])
  const chains = useMemo(() => ownChains(request, config), [request, config])
  const described = useMemo(
    () => writeTexts(walletConnect, { request, chains, indexes }),
    [walletConnect, request, chains, indexes],
  )
  const warning = getDomainWarning(request)
  const origin = getAppName(request.requester, texts.anApp)
  const { busy, problem, decide } = useDecision(walletConnect, {
    app: origin,
    method: 'wc_sessionAuthenticate',
  })

  const onApprove = () =>
    void decide('approved', async () => {
      const cacaos = await Promise.all(described.signings.map(sign))
      await wallet.approveAuthenticate(request.id, cacaos)
    })
  const cannot = chains.length === 0 ? texts.noSignInNetwork : described.problem

  return (
    <Sheet
      origin={origin}
      note={texts.notProven(getAppUrl(request.requester, texts.noAddress))}
      title={texts.signInTitle}
    >
      <RequestPeer
        peer={request.requester}
        expirySeconds={request.expirySeconds}
        relayUrl={request.relayUrl}
      />
      {warning !== undefined && (
        <p className="warning" data-testid="domain-warning">
          {sanitizeText(warning)}
        </p>
      )}
      {cannot === undefined && (
        <>
          <AccountChecks indexes={indexes} onChange={setIndexes} />
          <p>{texts.signInNote}</p>
          <Details rows={described.rows} />
        </>
      )}
      <p role="alert" className="problem" data-testid="problem">
        {problem ?? cannot ?? (indexes.length === 0 ? texts.chooseAccount : undefined)}
      </p>
      {busy ? (
        <p role="status">{own.working}</p>
      ) : (
        <Choice
          onReject={() => void decide('rejected', () => wallet.rejectAuthenticate(request.id))}
        >
          {cannot === undefined && (
            <ApproveButton disabled={indexes.length === 0} onApprove={onApprove} />
          )}
        </Choice>
      )}
    </Sheet>
  )
}

type Signing = { index: number; message: string; payload: Cacao['p'] }

/** The message of each account. A message that cannot be written is a problem of the request. */
function writeTexts(
  { wallet }: WalletConnect,
  parameters: { request: AuthRequest; chains: readonly string[]; indexes: readonly number[] },
): { signings: Signing[]; rows: Row[]; problem?: string } {
  const { request, chains, indexes } = parameters
  try {
    const signings = indexes.flatMap((index) => {
      // A single message covers the other networks by its permissions.
      const [account] = accountsOn(
        chains.slice(0, 1).map((id) => ({ id, name: id, accounts })),
        [index],
      )
      if (account === undefined) return []
      const allowed = { account, chains, methods: [...methods.keys()] }
      return [{ index, ...wallet.formatAuthMessage(request.id, allowed) }]
    })
    const rows = signings.map(({ index, message }) => ({
      label: `${own.account(index)} · ${accounts[index] ?? ''}`,
      text: message,
    }))
    return { signings, rows }
  } catch (error) {
    return { signings: [], rows: [], problem: errorMessage(error) }
  }
}

const sign = async ({ index, message, payload }: Signing): Promise<Cacao> => ({
  h: { t: 'caip122' },
  p: payload,
  s: { t: 'eip191', s: await getSigner(index).signMessage({ message }) },
})

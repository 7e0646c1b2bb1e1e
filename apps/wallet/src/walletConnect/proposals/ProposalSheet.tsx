import { type ProtocolError, protocolCodes, type SessionProposal } from '@latchkey/walletconnect'
import { useMemo, useState } from 'react'
import { Details } from '../../approval/Details.tsx'
import { ApproveButton, Choice, Sheet } from '../../approval/Sheet.tsx'
import type { Config } from '../../config.ts'
import type { Row } from '../../requests/walletRequest.ts'
import { currentAccount, readState } from '../../state.ts'
import { texts as own } from '../../texts.ts'
import { getAppName, getAppUrl } from '../appMetadata.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { RequestPeer } from '../requests/RequestPeer.tsx'
import { ScopeFields } from '../sessions/ScopeFields.tsx'
import { findAddressIndex, type Scope } from '../sessions/sessionScope.ts'
import { texts } from '../texts.ts'
import { useDecision } from '../useDecision.ts'
import { approve, type ReadProposal, readProposal } from './readProposal.ts'

/** Asks the user to approve a session: with which app, on which networks, with which accounts. */
export function ProposalSheet({ walletConnect, config, proposal }: Props) {
  const { wallet } = walletConnect
  const read = useMemo(() => readProposal(proposal, config), [proposal, config])
  const [scope, setReach] = useState<Scope>(() => ({
    chains: read.chains.map(({ id }) => id),
    indexes: [findAddressIndex(currentAccount(readState())) ?? 0],
  }))
  const origin = getAppName(proposal.proposer, texts.anApp)
  const { busy, problem, setProblem, decide } = useDecision(walletConnect, {
    app: origin,
    method: 'wc_sessionPropose',
  })

  const onApprove = () => {
    const answer = approve(proposal, scope, config)
    if ('error' in answer) return setProblem(toWords(answer.error))
    void decide('approved', () => wallet.approve(proposal.id, { namespaces: answer.namespaces }))
  }
  const onReject = () =>
    void decide('rejected', () => wallet.reject(proposal.id, ...(read.error ? [read.error] : [])))

  const enough = scope.chains.length > 0 && scope.indexes.length > 0
  return (
    <Sheet
      origin={origin}
      note={texts.notProven(getAppUrl(proposal.proposer, texts.noAddress))}
      title={texts.connectTitle}
    >
      <RequestPeer
        peer={proposal.proposer}
        expirySeconds={proposal.expirySeconds}
        relayUrl={proposal.relayUrl}
      />
      {read.error ? (
        <p className="warning" data-testid="cannot">
          {toWords(read.error)}
        </p>
      ) : (
        <ScopeFields chains={read.chains} scope={scope} onChange={setReach} />
      )}
      <Details rows={toRows(read)} />
      <p role="alert" className="problem" data-testid="problem">
        {problem ?? (!read.error && !enough ? texts.chooseBoth : undefined)}
      </p>
      {busy ? (
        <p role="status">{own.working}</p>
      ) : (
        <Choice onReject={onReject}>
          {!read.error && <ApproveButton disabled={!enough} onApprove={onApprove} />}
        </Choice>
      )}
    </Sheet>
  )
}

type Props = { walletConnect: WalletConnect; config: Config; proposal: SessionProposal }

function toWords({ code, message }: ProtocolError): string {
  if (code === protocolCodes.UNSUPPORTED_CHAINS.code) return texts.noNetwork
  if (code === protocolCodes.UNSUPPORTED_METHODS.code) return texts.noMethod
  return texts.cannot(message)
}

function toRows(read: ReadProposal): Row[] {
  const mark = ({ id, required }: { id: string; required: boolean }) =>
    required ? `${id} (${texts.required})` : id
  const list = (items: { id: string; required: boolean }[]) => items.map(mark).join('\n')
  const words = [
    ...new Set(read.methods.map((one) => mark({ id: one.words, required: one.required }))),
  ]
  return [
    ...(words.length > 0 ? [{ label: texts.may, text: words.join('\n') }] : []),
    ...(read.events.length > 0 ? [{ label: texts.events, text: list(read.events) }] : []),
    ...(read.foreignChains.length > 0
      ? [{ label: texts.foreignNetworks, text: list(read.foreignChains) }]
      : []),
    ...(read.foreignMethods.length > 0
      ? [{ label: texts.foreignMethods, text: list(read.foreignMethods) }]
      : []),
  ]
}

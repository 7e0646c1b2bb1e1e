import { approvedOn } from '@latchkey/walletconnect'
import { sanitizeText } from '@latchkey/wire'
import { useState } from 'react'
import { accounts } from '../../accounts.ts'
import { findChain } from '../../config.ts'
import { texts as own } from '../../texts.ts'
import { useWallet } from '../../useWallet.ts'
import { getAppName, getAppUrl } from '../appMetadata.ts'
import { errorMessage } from '../errorMessage.ts'
import { PeerIcon } from '../PeerIcon.tsx'
import { texts } from '../texts.ts'
import { useTimeLeft } from '../useTimeLeft.ts'
import { EmitForm } from './EmitForm.tsx'
import { ScopeForm } from './ScopeForm.tsx'
import type { Run, SessionProps } from './sessionProps.ts'
import { getChainIds, getScope, getSelectedChain, getSelection } from './sessionScope.ts'
import { switchSessionAccount, switchSessionChain } from './switchSession.ts'

/** One session: its app, its permissions, and the wallet's actions. */
export function SessionRow({ walletConnect, config, session }: SessionProps) {
  const { wallet, changed, tell } = walletConnect
  const [note, setNote] = useState('')
  const run: Run = async (work) => {
    setNote(texts.telling)
    try {
      setNote(await work())
    } catch (error) {
      setNote(errorMessage(error))
    }
    changed()
  }
  const name = getAppName(session.peer, texts.anApp)
  const { topic } = session
  const ping = async () => {
    const startedAtMs = performance.now()
    await wallet.ping(topic)
    return texts.pongAfter(Math.round(performance.now() - startedAtMs))
  }
  const extend = async () => {
    await wallet.extend(topic)
    return texts.extended
  }
  const disconnect = async () => {
    await wallet.disconnect(topic)
    tell(texts.disconnected(name))
    return ''
  }
  return (
    <details className="session" data-testid="session" data-topic={topic}>
      <summary data-testid="session-manage">
        <PeerIcon peer={session.peer} />
        <span>
          <b data-testid="session-name">{sanitizeText(name)}</b>
          <small>{sanitizeText(getAppUrl(session.peer, texts.noAddress))}</small>
        </span>
      </summary>
      <InUse {...{ walletConnect, config, session, run }} />
      <Facts {...{ walletConnect, config, session }} />
      <div className="line">
        <button type="button" data-testid="session-ping" onClick={() => void run(ping)}>
          {texts.ping}
        </button>
        <button type="button" data-testid="session-extend" onClick={() => void run(extend)}>
          {texts.extend}
        </button>
        <button
          type="button"
          data-testid="session-disconnect"
          aria-label={`${texts.disconnect} ${name}`}
          onClick={() => void run(disconnect)}
        >
          {texts.disconnect}
        </button>
      </div>
      <ScopeForm {...{ walletConnect, config, session, run }} />
      <EmitForm {...{ walletConnect, config, session, run }} />
      <p role="status" data-testid="session-note">
        {note}
      </p>
    </details>
  )
}

function InUse({ walletConnect, config, session, run }: SessionProps & { run: Run }) {
  const state = useWallet()
  const chainIds = getChainIds(session, config)
  const { indexes } = getScope(session, config)
  const used = getSelection(session, config, state)
  const { events } = approvedOn(session.namespaces, getSelectedChain(session, config, state))
  const told = (event: string) => (events.includes(event) ? texts.told : texts.notTold(event))
  return (
    <>
      {chainIds.length > 0 && (
        <label>
          {texts.network}
          <select
            data-testid="session-chain"
            value={used.chainId}
            onChange={({ target }) =>
              void run(async () => {
                await switchSessionChain(walletConnect, {
                  session,
                  config,
                  chainId: Number(target.value),
                })
                return told('chainChanged')
              })
            }
          >
            {chainIds.map((chainId) => (
              <option key={chainId} value={chainId}>
                {findChain(config, chainId)?.name} ({chainId})
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {texts.account}
        <select
          data-testid="session-account"
          value={used.account}
          onChange={({ target }) =>
            void run(async () => {
              await switchSessionAccount(walletConnect, {
                session,
                config,
                account: Number(target.value),
              })
              return told('accountsChanged')
            })
          }
        >
          {indexes.map((index) => (
            <option key={index} value={index}>
              {own.account(index)} · {accounts[index]?.slice(0, 4)}…{accounts[index]?.slice(-6)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

function Facts({ walletConnect, session }: SessionProps) {
  const left = useTimeLeft(session.expirySeconds)
  const status = walletConnect.relays().get(session.relayUrl)?.status
  return (
    <dl className="facts">
      <dt>{texts.expires}</dt>
      <dd data-testid="session-expiry" data-expiry={session.expirySeconds}>
        {left !== undefined && texts.in(left)}
        <small>{new Date(session.expirySeconds * 1_000).toLocaleString()}</small>
      </dd>
      <dt>{texts.relay}</dt>
      <dd>
        {session.relayUrl}
        {status && <small>{texts.relayStatus[status]}</small>}
      </dd>
      <dt>{texts.topic}</dt>
      <dd className="topic">{session.topic}</dd>
      {!session.isAcknowledged && <dd>{texts.unconfirmed}</dd>}
    </dl>
  )
}

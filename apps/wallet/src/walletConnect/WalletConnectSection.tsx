import { sanitizeText } from '@latchkey/wire'
import { useEffect, useSyncExternalStore } from 'react'
import type { Config } from '../config.ts'
import { toOutcome } from '../requests/prepareRequest.ts'
import { readState } from '../state.ts'
import { silentMethods } from './capabilities.ts'
import type { WalletConnect } from './openWalletConnect.ts'
import { Pair } from './pairing/Pair.tsx'
import { Relay } from './pairing/Relay.tsx'
import { Queue } from './Queue.tsx'
import { readQueue, requestKey } from './readQueue.ts'
import { answerRequest } from './requests/answerRequest.ts'
import { prepareSessionRequest } from './requests/prepareSessionRequest.ts'
import { Sessions } from './sessions/Sessions.tsx'
import { forgetEnded } from './sessions/switchSession.ts'
import { texts } from './texts.ts'

type Props = { walletConnect: WalletConnect; config: Config; locked: boolean }

/**
 * The WalletConnect part of the wallet's page. A locked wallet only shows the number of waiting
 * requests.
 */
export function WalletConnectSection({
  walletConnect,
  config,
  locked,
  opened,
}: Props & { opened: string | undefined }) {
  useSyncExternalStore(walletConnect.watch, walletConnect.version)
  const waiting = readQueue(walletConnect.wallet).length
  useChores({ walletConnect, config, locked })
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${texts.pageTitle}` : texts.pageTitle
  }, [waiting])
  if (locked)
    return (
      <p role="status" data-testid="waiting">
        {waiting > 0 && texts.lockedWaiting(waiting)}
      </p>
    )
  return (
    <>
      <p role="status" className="spoken">
        {waiting > 0 && texts.waits(waiting)}
      </p>
      <Queue walletConnect={walletConnect} config={config} />
      <section className="connect">
        <h2>{texts.title}</h2>
        <Pair walletConnect={walletConnect} opened={opened} />
        <Relay walletConnect={walletConnect} />
        <Notices walletConnect={walletConnect} />
      </section>
      <Sessions walletConnect={walletConnect} config={config} />
    </>
  )
}

/**
 * Work without the user: responds with what a session already contains, and deletes ended sessions.
 */
function useChores({ walletConnect, config, locked }: Props) {
  useEffect(() => {
    const { wallet, watch } = walletConnect
    const underway = new Set<string>()
    const work = () => {
      forgetEnded(new Set(wallet.sessions().map(({ topic }) => topic)))
      if (locked) return
      for (const request of wallet.requests()) {
        const session = wallet.sessions().find(({ topic }) => topic === request.topic)
        const key = requestKey(request)
        if (!session || !silentMethods.has(request.method) || underway.has(key)) continue
        underway.add(key)
        const ask = { session, request, config, state: readState(), switchTo: async () => {} }
        void prepareSessionRequest(ask)
          .then((made) => ('title' in made ? undefined : made), toOutcome)
          .then((outcome) => outcome && answerRequest(walletConnect, request, outcome))
      }
    }
    work()
    return watch(work)
  }, [walletConnect, config, locked])
}

/** Actions of apps, the newest first. */
function Notices({ walletConnect }: { walletConnect: WalletConnect }) {
  const notices = walletConnect.notices()
  return (
    <div role="log" aria-label={texts.happened} className="notices" data-testid="notices">
      {notices.map(({ id, text, atMs }) => (
        <p key={id}>
          {sanitizeText(text)} <small>{new Date(atMs).toLocaleTimeString()}</small>
        </p>
      ))}
    </div>
  )
}

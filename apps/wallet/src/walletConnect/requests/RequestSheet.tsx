import type { PendingRequest, WalletConnectSession } from '@latchkey/walletconnect'
import { useMemo } from 'react'
import { Approve, type Waiting } from '../../approval/Approve.tsx'
import { type Config, findChain } from '../../config.ts'
import { getAppName, getAppUrl } from '../appMetadata.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { getChainIds } from '../sessions/sessionScope.ts'
import { switchSessionChain } from '../sessions/switchSession.ts'
import { texts } from '../texts.ts'
import { answerRequest, approveRequest } from './answerRequest.ts'
import { prepareSessionRequest } from './prepareSessionRequest.ts'

type Props = {
  walletConnect: WalletConnect
  config: Config
  session: WalletConnectSession
  request: PendingRequest
}

/** Shows an app's request in its session, like the approval window shows a page's request. */
export function RequestSheet({ walletConnect, config, session, request }: Props) {
  // Each read of the client creates new objects; a request is the same as long as its id is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const waiting = useMemo(
    () => getPending({ walletConnect, config, session, request }),
    [walletConnect, config, request.topic, request.id],
  )
  return <Approve key={request.id} waiting={waiting} />
}

function getPending({ walletConnect, config, session, request }: Props): Waiting {
  const { wallet } = walletConnect
  // The current session: it may have changed while the request waited.
  const now = () => wallet.sessions().find(({ topic }) => topic === session.topic) ?? session
  const switchTo = (chainId: number) =>
    switchSessionChain(walletConnect, { session: now(), config, chainId })
  return {
    id: request.id,
    origin: getAppName(session.peer, texts.anApp),
    note: texts.notProven(getAppUrl(session.peer, texts.noAddress)),
    call: { method: request.method, params: request.params },
    async prepare(state) {
      const prepared = await prepareSessionRequest({
        session: now(),
        request,
        config,
        state,
        switchTo,
      })
      if (!('title' in prepared)) return prepared
      const { approve, rows } = prepared
      return {
        ...prepared,
        rows: [...rows, ...addedNetwork({ config, session: now(), request })],
        ...(approve && { approve: () => approveRequest(walletConnect, request, approve) }),
      }
    },
    answer: (outcome) => void answerRequest(walletConnect, request, outcome),
  }
}

/** A switch to a network outside the session adds the network, which the user should see. */
function addedNetwork({ config, session, request }: Omit<Props, 'walletConnect'>) {
  if (!/^wallet_(switch|add)EthereumChain$/.test(request.method)) return []
  const [parameter] = Array.isArray(request.params) ? (request.params as unknown[]) : []
  const chainId =
    typeof parameter === 'object' && parameter !== null && 'chainId' in parameter
      ? parameter.chainId
      : 0
  const chain = findChain(config, Number(chainId))
  if (!chain || getChainIds(session, config).includes(chain.chainId)) return []
  return [{ label: texts.session, value: texts.addsNetwork(chain.name) }]
}

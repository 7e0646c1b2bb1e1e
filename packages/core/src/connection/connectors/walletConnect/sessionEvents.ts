import type { DappEvents, Session } from '@latchkey/walletconnect'
import { type ChainId, type Namespace, namespaces } from '@latchkey/wire'
import type { PeerWallet } from '../../../state.ts'
import { cleanName } from '../announced.ts'
import type { ConnectResult } from '../connector.ts'
import { currentResult, currentSession, type Live, tell } from './context.ts'
import { dropOffer } from './offers.ts'
import { toldAddresses, toldChain } from './parseWalletEvent.ts'
import { approvedAccounts, namespaceOf } from './sessionAccounts.ts'
import type { Kept } from './sessionStore.ts'

/** Milliseconds that the tab which made an offer gets to claim its session. */
const claimMs = 5_000

/** A session was approved: it becomes the one in use, unless another tab offered it and this page has one. */
export function arrived(live: Live, session: Session): void {
  const { memory, parameters, dapp } = live
  const kept = memory.session()
  const offer =
    live.offers.find(({ pairingTopic }) => pairingTopic === session.pairingTopic) ??
    memory.offers().find(({ pairingTopic }) => pairingTopic === session.pairingTopic)
  const isOwn = live.offers.some(({ pairingTopic }) => pairingTopic === session.pairingTopic)
  if (kept?.topic !== session.topic) {
    if (!isOwn && currentSession(live)) return
    if (!offer) return void endUnclaimed(live, session.topic)
    memory.setSession({
      topic: session.topic,
      wallet: offer.wallet ?? peerOf(session),
      chains: {},
      accounts: {},
    })
    const opened = parameters.storage.get('openedLink')
    if (opened) parameters.storage.set('walletLink', opened)
    else parameters.storage.remove('walletLink')
    parameters.storage.remove('openedLink')
  }
  dropOffer(live, session.pairingTopic)
  if (isOwn)
    for (const { topic } of dapp.sessions())
      if (topic !== session.topic) dapp.disconnect(topic).catch(() => {})
  if (isOwn && live.waiting.size > 0) for (const { resolve } of live.waiting) resolve(session)
  else changed(live, isOwn)
}

/** Ends a session of an offer that was withdrawn, unless another tab claims it meanwhile. */
async function endUnclaimed({ memory, parameters, dapp }: Live, topic: string) {
  await parameters.environment.sleep(claimMs, parameters.signal)
  if (parameters.signal.aborted || memory.session()?.topic === topic) return
  await dapp.disconnect(topic).catch(() => {})
}

/** What a wallet that nobody chose says of itself. Its icon stays unread: no page of ours asks a third party. */
function peerOf({ peer }: Session): PeerWallet {
  return { name: cleanName(peer.name) || 'WalletConnect' }
}

/** Tells what the session in use allows now, and which namespaces it has no more. */
export function changed(live: Live, isOwn = false): void {
  const result = currentResult(live)
  const told = [result, ...(result?.others ?? [])].flatMap((entry) => entry ?? [])
  for (const namespace of namespaces)
    if (!told.some(({ chainId }) => namespaceOf(chainId) === namespace))
      tell(live, { type: 'disconnect', namespace })
  if (result) tell(live, { type: 'changed', result, isOwn })
}

/** The session in use is over: what was kept of it goes (spec §4). */
export function ended(live: Live, topic: string): void {
  const kept = live.memory.session()
  // None: another app of this page heard it first.
  if (kept && kept.topic !== topic) return
  forgetSession(live)
  tell(live, { type: 'disconnect' })
}

export function forgetSession({ memory, parameters }: Live): void {
  memory.setSession(undefined)
  parameters.storage.remove('walletLink')
  parameters.storage.remove('openedLink')
}

/** The wallet replaced what it allows: choices that it no longer allows go. */
export function updated(live: Live, topic: string): void {
  const kept = live.memory.session()
  const session = currentSession(live)
  if (!kept || !session || session.topic !== topic) return
  const approved = approvedAccounts(session.namespaces)
  const chains = Object.entries(kept.chains).filter(([, id]) =>
    approved.some(({ chainId }) => chainId === id),
  )
  const accounts = Object.entries(kept.accounts).map(([namespace, addresses]) => [
    namespace,
    addresses?.filter((address) =>
      approved.some((account) => account.address.toLowerCase() === address.toLowerCase()),
    ),
  ])
  live.memory.setSession({
    ...kept,
    chains: Object.fromEntries(chains),
    accounts: Object.fromEntries(accounts),
  })
  changed(live)
}

/** An event of the wallet: accountsChanged and chainChanged reach the state; others are nobody's. */
export function happened(live: Live, event: DappEvents['session_event']): void {
  const kept = live.memory.session()
  const namespace = namespaceOf(event.chainId)
  if (!kept || kept.topic !== event.topic || !namespace || !currentSession(live)) return
  if (event.name === 'chainChanged') {
    const chainId = toldChain(event.data, namespace) ?? toldChain(event.chainId, namespace)
    if (chainId) choose(live, { kept, namespace, chainId })
  }
  if (event.name === 'accountsChanged') {
    const addresses = toldAddresses(event.data, namespace)
    if (addresses.length === 0) return
    live.memory.setSession({ ...kept, accounts: { ...kept.accounts, [namespace]: addresses } })
    changed(live)
  }
}

/** Makes a chain the default of its namespace. */
export function choose(
  live: Live,
  parameters: { kept: Kept; namespace: Namespace; chainId: ChainId },
): void {
  const { kept, namespace, chainId } = parameters
  live.memory.setSession({ ...kept, chains: { ...kept.chains, [namespace]: chainId } })
  changed(live)
}

/** What the session in use allows in one namespace. */
export function resultIn(live: Live, namespace: Namespace): ConnectResult | undefined {
  const result = currentResult(live)
  const found = [result, ...(result?.others ?? [])].find(
    (entry) => entry && namespaceOf(entry.chainId) === namespace,
  )
  if (!found) return undefined
  const { others: _, ...own } = found
  return own
}

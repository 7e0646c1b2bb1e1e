import type { DappEvents, WalletConnectSession } from '@latchkey/walletconnect'
import { type ChainId, type Namespace, namespaces } from '@latchkey/wire'
import { isSameAddress } from '../../../../namespaces/namespaceMetadata.ts'
import type { PeerWallet } from '../../../../state.ts'
import { cleanName } from '../../cleanWalletInfo.ts'
import type { ConnectResult } from '../../connector.ts'
import {
  currentResult,
  currentSession,
  emit,
  loadAddressWriters,
  type WalletConnectContext,
} from '../context.ts'
import { removePairing } from '../pairings.ts'
import { parseEventAddresses, parseEventChain } from '../parseWalletEvent.ts'
import { getNamespace, getSessionAccounts } from './sessionAccounts.ts'
import type { StoredWalletSession } from './sessionStore.ts'

/** How long the tab that created a pairing has to claim its session. */
const claimMs = 5_000

/**
 * A session was approved: it becomes the session in use, unless another tab proposed it and this
 * page has a session.
 */
export function handleApproval(context: WalletConnectContext, session: WalletConnectSession): void {
  const { sessionStore, parameters, dapp } = context
  const stored = sessionStore.session()
  const pairing =
    context.pairings.find(({ pairingTopic }) => pairingTopic === session.pairingTopic) ??
    sessionStore.pairings().find(({ pairingTopic }) => pairingTopic === session.pairingTopic)
  const isOwn = context.pairings.some(({ pairingTopic }) => pairingTopic === session.pairingTopic)
  if (stored?.topic !== session.topic) {
    if (!isOwn && currentSession(context)) return
    if (!pairing) return void endUnclaimed(context, session.topic)
    sessionStore.setSession({
      topic: session.topic,
      wallet: pairing.wallet ?? getPeerWallet(session),
      chains: {},
      accounts: {},
    })
    const opened = parameters.storage.get('openedLink')
    if (opened) parameters.storage.set('walletLink', opened)
    else parameters.storage.remove('walletLink')
    parameters.storage.remove('openedLink')
  }
  removePairing(context, session.pairingTopic)
  if (isOwn)
    for (const { topic } of dapp.sessions())
      if (topic !== session.topic) dapp.disconnect(topic).catch(() => {})
  if (isOwn && context.waiting.size > 0) for (const { resolve } of context.waiting) resolve(session)
  else notifyChanged(context, isOwn)
}

/** Ends a session of a pairing that was withdrawn, unless another tab claims it meanwhile. */
async function endUnclaimed(
  { sessionStore, parameters, dapp }: WalletConnectContext,
  topic: string,
) {
  await parameters.environment.sleep(claimMs, parameters.signal)
  if (parameters.signal.aborted || sessionStore.session()?.topic === topic) return
  await dapp.disconnect(topic).catch(() => {})
}

/**
 * The description that a wallet gives of itself, if the user did not choose it from the directory.
 * Its icon is ignored, because our pages request nothing from third parties.
 */
function getPeerWallet({ peer }: WalletConnectSession): PeerWallet {
  return { name: cleanName(peer.name) || 'WalletConnect' }
}

/** Reports the result of the session in use, and the namespaces that it no longer has. */
export function notifyChanged(context: WalletConnectContext, isOwn = false): void {
  if (context.addressWriters || !currentSession(context)) reportChanged(context, isOwn)
  else void loadAddressWriters(context).then(() => reportChanged(context, isOwn))
}

function reportChanged(context: WalletConnectContext, isOwn: boolean): void {
  const result = currentResult(context)
  const results = [result, ...(result?.others ?? [])].flatMap((entry) => entry ?? [])
  for (const namespace of namespaces)
    if (!results.some(({ chainId }) => getNamespace(chainId) === namespace))
      emit(context, { type: 'disconnect', namespace })
  if (result) emit(context, { type: 'changed', result, isOwn })
}

/** The session in use has ended: deletes its stored data. */
export function handleEnd(context: WalletConnectContext, topic: string): void {
  const stored = context.sessionStore.session()
  // None: another app of this page was faster.
  if (stored && stored.topic !== topic) return
  forgetSession(context)
  emit(context, { type: 'disconnect' })
}

export function forgetSession({ sessionStore, parameters }: WalletConnectContext): void {
  sessionStore.setSession(undefined)
  parameters.storage.remove('walletLink')
  parameters.storage.remove('openedLink')
}

/**
 * The wallet replaced the session's namespaces: deletes choices that it no longer allows, and
 * notifies the app.
 */
export function handleUpdate(context: WalletConnectContext, topic: string): void {
  const stored = context.sessionStore.session()
  const session = currentSession(context)
  if (!stored || !session || session.topic !== topic) return
  const approved = getSessionAccounts(session.namespaces)
  const chains = Object.entries(stored.chains).filter(([, id]) =>
    approved.some(({ chainId }) => chainId === id),
  )
  const accounts = Object.entries(stored.accounts).map(([namespace, addresses]) => [
    namespace,
    addresses?.filter((address) =>
      approved.some((one) =>
        isSameAddress({ namespace: one.namespace, one: one.address, other: address }),
      ),
    ),
  ])
  context.sessionStore.setSession({
    ...stored,
    chains: Object.fromEntries(chains),
    accounts: Object.fromEntries(accounts),
  })
  notifyChanged(context)
  const data = { topic, params: { namespaces: session.namespaces } }
  emit(context, { type: 'message', message: { name: 'session_update', data } })
}

/** Notifies the app of a wallet's ping. The client has already responded to it. */
export function handlePing(context: WalletConnectContext, topic: string): void {
  if (context.sessionStore.session()?.topic === topic)
    emit(context, { type: 'message', message: { name: 'session_ping', data: { topic } } })
}

/**
 * Handles an event of the wallet: accountsChanged and chainChanged change the state; the app is
 * notified of others.
 */
export function handleEvent(
  context: WalletConnectContext,
  event: DappEvents['session_event'],
): void {
  const stored = context.sessionStore.session()
  const namespace = getNamespace(event.chainId)
  if (!stored || stored.topic !== event.topic || !namespace || !currentSession(context)) return
  if (event.name === 'chainChanged') {
    const chainId =
      parseEventChain(event.data, namespace) ?? parseEventChain(event.chainId, namespace)
    if (chainId) selectChain(context, { stored, namespace, chainId })
  }
  if (event.name === 'accountsChanged') {
    const addresses = parseEventAddresses(event.data, namespace)
    if (addresses.length === 0) return
    context.sessionStore.setSession({
      ...stored,
      accounts: { ...stored.accounts, [namespace]: addresses },
    })
    notifyChanged(context)
  }
  if (event.name !== 'chainChanged' && event.name !== 'accountsChanged') {
    const { topic, chainId, name, data } = event
    const params = { chainId, event: { name, data } }
    emit(context, { type: 'message', message: { name: 'session_event', data: { topic, params } } })
  }
}

/** Makes a chain the default of its namespace. */
export function selectChain(
  context: WalletConnectContext,
  parameters: { stored: StoredWalletSession; namespace: Namespace; chainId: ChainId },
): void {
  const { stored, namespace, chainId } = parameters
  context.sessionStore.setSession({ ...stored, chains: { ...stored.chains, [namespace]: chainId } })
  notifyChanged(context)
}

/** The result of the session in use, in a single namespace. */
export function getNamespaceResult(
  context: WalletConnectContext,
  namespace: Namespace,
): ConnectResult | undefined {
  const result = currentResult(context)
  const found = [result, ...(result?.others ?? [])].find(
    (entry) => entry && getNamespace(entry.chainId) === namespace,
  )
  if (!found) return undefined
  const { others: _, ...own } = found
  return own
}

import type { WalletConnectSession } from '@latchkey/walletconnect'
import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { PeerWallet } from '../../../../state.ts'
import type { Connector, ConnectResult } from '../../connector.ts'
import {
  currentResult,
  loadAddressWriters,
  type OpenPairing,
  type WalletConnectContext,
} from '../context.ts'
import { findReusablePairing, getPairing } from '../pairings.ts'
import { watchRelay } from '../watchRelay.ts'
import { endWalletSessions } from './endSessions.ts'
import { getChainMethods, getNamespace } from './sessionAccounts.ts'
import { selectChain } from './sessionEvents.ts'

/**
 * Waits until a wallet approves a session; shows another pairing before the shown pairing expires.
 */
export async function connectSession(
  context: WalletConnectContext,
  question: Parameters<Connector['connect']>[0],
): Promise<ConnectResult> {
  const { signal, onUri, onRelay, wallet, chainId } = question
  if (signal.aborted) throw new LatchkeyError('ABORTED')
  forgetOtherLink(context, wallet)
  // Ask a relay that refused or was unreachable again at once, because the user waits.
  context.dapp.revive()
  const { answer, stop, shownTopics } = waitForAnswer(context, signal)
  try {
    let next =
      findReusablePairing(context, wallet) ??
      (await Promise.race([answer, getPairing(context, wallet)]))
    if (onRelay) watchRelay(context, { signal: stop.signal, onRelay })
    while ('uri' in next) {
      shownTopics.add(next.pairingTopic)
      onUri?.(next)
      next = await Promise.race([answer, nextPairing(context, { pairing: next, wallet, stop })])
    }
    await loadAddressWriters(context)
    return settled(context, { session: next, chainId })
  } finally {
    stop.abort()
  }
}

/** Forgets a link that opened another wallet than the wallet chosen now. */
function forgetOtherLink(
  { parameters: { storage } }: WalletConnectContext,
  wallet: PeerWallet | undefined,
) {
  const opened = storage.get('openedLink')
  if (opened && opened.name !== wallet?.name) storage.remove('openedLink')
}

/**
 * Resolves to the approved session. Rejects if a wallet rejects any of the `shownTopics`, and with
 * ABORTED. Aborting `stop` ends the wait.
 */
function waitForAnswer(context: WalletConnectContext, signal: AbortSignal) {
  const stop = new AbortController()
  const shownTopics = new Set<string>()
  const answer = new Promise<WalletConnectSession>((resolve, reject) => {
    const waiting = { resolve, reject, shownTopics }
    context.waiting.add(waiting)
    stop.signal.addEventListener('abort', () => {
      context.waiting.delete(waiting)
      reject(new LatchkeyError('ABORTED'))
    })
  })
  // It may be rejected while a pairing is still being created.
  answer.catch(() => {})
  const abort = () => stop.abort()
  signal.addEventListener('abort', abort)
  stop.signal.addEventListener('abort', () => signal.removeEventListener('abort', abort))
  return { answer, stop, shownTopics }
}

async function nextPairing(
  context: WalletConnectContext,
  parameters: { pairing: OpenPairing; wallet: PeerWallet | undefined; stop: AbortController },
): Promise<OpenPairing> {
  const { environment } = context.parameters
  const leftMs = parameters.pairing.renewAtMs - environment.now()
  await environment.sleep(leftMs, parameters.stop.signal)
  if (parameters.stop.signal.aborted) return new Promise<never>(() => {})
  return getPairing(context, parameters.wallet)
}

/**
 * The result of a new session, on the requested chain if that is approved. Ends a session that
 * cannot be used.
 */
function settled(
  context: WalletConnectContext,
  parameters: { session: WalletConnectSession; chainId: ChainId | undefined },
): ConnectResult {
  const { session, chainId } = parameters
  const namespace = chainId && getNamespace(chainId)
  const stored = context.sessionStore.session()
  const isApproved = chainId && getChainMethods(session.namespaces, chainId) !== undefined
  if (stored && namespace && isApproved) selectChain(context, { stored, namespace, chainId })
  const result = currentResult(context)
  if (result) return result
  void endWalletSessions(context).catch(() => {})
  throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
}

import {
  type App,
  connect,
  forceCloseModal,
  getPendingConnection,
  type LinkedWallet,
  showToast,
} from '@latchkey/core/internal'
import { useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { enPairing } from '../../locales/enPairing.ts'
import { useT } from '../../locales/useT.ts'
import { useWalletPrompt } from '../connect/useWalletPrompt.ts'
import { findPairingConnector } from '../connect/walletRows.ts'

/** How long until an unreachable relay is reported. */
const LATE_AFTER_MS = 15_000

/**
 * Views that a connecting user may have gone to meanwhile; a connection closes the modal on them.
 */
const connectViews: readonly string[] = [
  'Connect',
  'AllWallets',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
  'Downloads',
  'GetAWallet',
]

export type WalletPairing = {
  /**
   * `preparing` until there is a URI; `late` if that takes too long or the relay has been lost
   * since.
   */
  status: 'preparing' | 'late' | 'ready' | 'failed'
  /** Pairing URI for a code or link; it is replaced before it expires. */
  uri: string | undefined
  error: unknown
  /** Whether the URI has been renewed since the view mounted. */
  wasRenewed: boolean
  retry: () => void
  copyLink: () => Promise<void>
  /**
   * Call it when a link has been opened: the wallet is in front then, so leaving the view cancels
   * nothing.
   */
  markOpened: () => void
}

/**
 * Offers a connection to a wallet elsewhere while the view is mounted; closes the modal once a
 * wallet accepts.
 */
export function useWalletPairing(wallet: LinkedWallet | undefined): WalletPairing {
  const app = useApp()
  const t = useT(enPairing)
  const opened = useRef(false)
  // Until then, the state belongs to an earlier attempt.
  const [hasBegun, setHasBegun] = useState(false)
  const connectorId = useAppState((state) => findPairingConnector(state.connectors)?.id) ?? ''
  const connecting = useAppState((state) => getPendingConnection(state, connectorId))
  const attempt = useWalletPrompt(
    async (signal) => {
      opened.current = false
      setHasBegun(true)
      const own = new AbortController()
      signal.addEventListener('abort', () =>
        leave(app, { own, connectorId, isOpened: opened.current }),
      )
      await connect(app, {
        connectorId,
        ...(wallet && { wallet }),
        signal: own.signal,
      })
      const { open, history } = app.store.getState().modal
      if (open && connectViews.includes(history.at(-1)?.name ?? '')) forceCloseModal(app)
    },
    { slowAfterMs: LATE_AFTER_MS },
  )
  const uri = hasBegun && attempt.status === 'waiting' ? connecting?.uri : undefined
  const wasRenewed = useWasRenewed(uri)

  const copyLink = async () => {
    if (uri === undefined) return
    try {
      await navigator.clipboard.writeText(uri)
      showToast(app, { message: t('pairing.copied'), variant: 'success' })
    } catch {
      showToast(app, { message: t('action.copyFailed'), variant: 'error' })
    }
  }
  return {
    ...getStatus({ attempt, uri, error: hasBegun ? connecting?.error : undefined }),
    uri,
    wasRenewed,
    retry: attempt.retry,
    copyLink,
    markOpened: () => {
      opened.current = true
    },
  }
}

function getStatus({
  attempt,
  uri,
  error,
}: {
  attempt: ReturnType<typeof useWalletPrompt>
  uri: string | undefined
  /** Why the relay cannot be reached. */
  error: unknown
}): Pick<WalletPairing, 'status' | 'error'> {
  if (attempt.status === 'failed') return { status: 'failed', error: attempt.error }
  if (error !== undefined) return { status: 'late', error }
  if (uri !== undefined) return { status: 'ready', error: undefined }
  return { status: attempt.isSlow ? 'late' : 'preparing', error: undefined }
}

/**
 * A user who has opened a wallet may accept there until the pairing expires; otherwise leaving
 * cancels it.
 */
function leave(
  app: App,
  { own, connectorId, isOpened }: { own: AbortController; connectorId: string; isOpened: boolean },
) {
  if (!isOpened) return own.abort()
  const { expiresAtMs = 0 } = getPendingConnection(app.store.getState(), connectorId) ?? {}
  const { now, sleep } = app.environment
  void sleep(Math.max(0, expiresAtMs - now()), app.signal).then(() => own.abort())
}

function useWasRenewed(uri: string | undefined): boolean {
  const [seen, setSeen] = useState<{ uri: string; count: number }>()
  if (uri !== undefined && uri !== seen?.uri) setSeen({ uri, count: (seen?.count ?? 0) + 1 })
  return (seen?.count ?? 0) > 1
}

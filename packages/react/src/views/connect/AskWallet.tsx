import {
  connect,
  forceCloseModal,
  getPendingConnection,
  goBack,
  type View,
  type WalletRequest,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { enConnecting } from '../../locales/enConnecting.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import type { ViewProps } from '../viewProps.ts'
import { ChooseAccount } from './ChooseAccount.tsx'
import { useConnectErrorText } from './connectErrorText.ts'
import { useWalletPrompt } from './useWalletPrompt.ts'

/**
 * Sends the request to a wallet of this browser and waits for it. Ends `view` once it is connected,
 * if it is still shown.
 */
export function AskWallet({
  connectorId,
  view,
}: {
  connectorId: string
  view: View & { request?: WalletRequest }
}) {
  const app = useApp()
  const getErrorText = useConnectErrorText()
  const t = useT(enConnecting)
  const info = useAppState((state) => state.connectors.find(({ id }) => id === connectorId))
  const name = info?.name ?? connectorId
  const { retry, ...attempt } = useWalletPrompt((signal) => connect(app, { connectorId, signal }), {
    request: view.request,
    done: () => {
      // Core shows UnsupportedChain itself if the wallet is on another network.
      if (app.store.getState().modal.history.at(-1) === view) forceCloseModal(app)
    },
  })
  const choice = useAppState((state) => getPendingConnection(state, connectorId)?.choice)
  const picture = <Picture src={info?.iconUrl} name={name} size={80} />

  const other = (
    <Button variant="quiet" onClick={() => goBack(app)}>
      {t('connecting.other')}
    </Button>
  )

  if (info?.traits?.lacks)
    return (
      <PendingState
        picture={picture}
        status="failed"
        title={t('connecting.plain', { name })}
        hint={t('connecting.webHidHint')}
      >
        {other}
      </PendingState>
    )
  if (attempt.status === 'waiting' && choice) return <ChooseAccount choice={choice} name={name} />
  if (attempt.status === 'waiting') {
    return (
      <PendingState
        picture={picture}
        status="waiting"
        title={t('connecting.waiting', { name })}
        hint={
          attempt.isSlow
            ? t('connecting.slow', { name })
            : t(info?.traits?.isDevice ? 'connecting.deviceHint' : 'connecting.waitingHint')
        }
      >
        {attempt.isSlow && (
          <Button variant="quiet" icon="retry" onClick={retry}>
            {t('action.tryAgain')}
          </Button>
        )}
      </PendingState>
    )
  }
  const { error } = attempt
  if (isError(error, 'CONNECTOR_NOT_FOUND')) {
    return (
      <PendingState
        picture={picture}
        status="failed"
        title={t('connecting.gone', { name })}
        hint={t('connecting.goneHint')}
      >
        {other}
      </PendingState>
    )
  }
  return (
    <PendingState picture={picture} status="failed" {...getErrorText(error, name)}>
      <Button variant="quiet" icon="retry" onClick={retry}>
        {t('action.tryAgain')}
      </Button>
    </PendingState>
  )
}

/** Sends the request to a wallet of this browser and waits for it; ends once it is connected. */
export const ConnectingExternal = ({ view }: ViewProps<'ConnectingExternal'>) => (
  <AskWallet connectorId={view.connectorId} view={view} />
)

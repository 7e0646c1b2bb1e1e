import { connect, forceCloseModal, goBack } from '@latchkey/core'
import { isError } from '@latchkey/wire'
import { useApp } from '../hooks/useApp.ts'
import { useAppState } from '../hooks/useAppState.ts'
import { useAttempt } from '../hooks/useAttempt.ts'
import { useT } from '../hooks/useT.ts'
import { Button } from '../parts/Button.tsx'
import { Picture } from '../parts/Picture.tsx'
import { Waiting } from '../parts/Waiting.tsx'
import type { ViewProps } from '../views.ts'

/** Asks a wallet of this browser and waits for it; closes the modal once it is connected. */
export function ConnectingExternal({ view }: ViewProps<'ConnectingExternal'>) {
  const app = useApp()
  const t = useT()
  const { connectorId } = view
  const info = useAppState((state) => state.connectors.find(({ id }) => id === connectorId))
  const name = info?.name ?? connectorId
  const { retry, ...attempt } = useAttempt(async (signal) => {
    await connect(app, { connectorId, signal })
    // Core shows UnsupportedChain by itself when the wallet is on another network.
    if (app.store.getState().modal.history.at(-1) === view) forceCloseModal(app)
  })
  const picture = <Picture src={info?.iconUrl} name={name} size={80} />

  if (attempt.status === 'waiting') {
    return (
      <Waiting
        picture={picture}
        status="waiting"
        title={t('connecting.waiting', { name })}
        hint={attempt.isSlow ? t('connecting.slow', { name }) : t('connecting.waitingHint')}
      >
        {attempt.isSlow && (
          <Button look="quiet" icon="retry" onClick={retry}>
            {t('action.tryAgain')}
          </Button>
        )}
      </Waiting>
    )
  }
  const { error } = attempt
  if (isError(error, 'CONNECTOR_NOT_FOUND')) {
    return (
      <Waiting
        picture={picture}
        status="failed"
        title={t('connecting.gone', { name })}
        hint={t('connecting.goneHint')}
      >
        <Button look="quiet" onClick={() => goBack(app)}>
          {t('connecting.other')}
        </Button>
      </Waiting>
    )
  }
  return (
    <Waiting picture={picture} status="failed" {...reasonOf(error, { t, name })}>
      <Button look="quiet" icon="retry" onClick={retry}>
        {t('action.tryAgain')}
      </Button>
    </Waiting>
  )
}

function reasonOf(error: unknown, { t, name }: { t: ReturnType<typeof useT>; name: string }) {
  if (isError(error, 'USER_REJECTED'))
    return { title: t('connecting.declined'), hint: t('connecting.declinedHint') }
  if (isError(error, 'REQUEST_PENDING'))
    return { title: t('connecting.pending'), hint: t('connecting.pendingHint', { name }) }
  return { title: t('connecting.failed'), hint: isError(error) ? error.message : '' }
}

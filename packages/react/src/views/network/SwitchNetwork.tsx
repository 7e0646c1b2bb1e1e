import { closeModal, goBack, networkImageUrl, switchNetwork } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import type { T } from '../../locales/createT.ts'
import { enNetworks } from '../../locales/enNetworks.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { useWalletPrompt } from '../connect/useWalletPrompt.ts'
import { RemoteHint } from '../pairing/RemoteHint.tsx'
import type { ViewProps } from '../viewProps.ts'

/** Requests the wallet to switch to a network and waits, then returns to the previous view. */
export function SwitchNetwork({ view }: ViewProps<'SwitchNetwork'>) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enNetworks)
  const { chainId } = view
  const network = useAppState((state) =>
    state.networks.find(({ caipNetworkId }) => caipNetworkId === chainId),
  )
  const name = network?.name ?? chainId
  const { retry, ...attempt } = useWalletPrompt(() => switchNetwork(app, { chainId }), {
    request: view.request,
    done: () => {
      const { history } = app.store.getState().modal
      if (history.at(-1) === view) leave(history.map((each) => each.name))
    },
  })
  const leave = (names: readonly string[]) => {
    if (names.at(-2) === 'TokenDetail') return goBack(app)
    // Account → Networks → SwitchNetwork ends on Account; from the page's own button it ends on the
    // page.
    if (!names.includes('Account')) return closeModal(app)
    while (app.store.getState().modal.history.at(-1)?.name !== 'Account') goBack(app)
  }
  const picture = <Picture src={network && networkImageUrl(app, network)} name={name} size={80} />
  if (attempt.status === 'waiting') {
    return (
      <PendingState
        picture={picture}
        status="waiting"
        title={t('switch.waiting')}
        hint={attempt.isSlow ? t('switch.slow') : t('switch.waitingHint', { name })}
      >
        <RemoteHint />
        {attempt.isSlow && (
          <Button variant="quiet" icon="retry" onClick={retry}>
            {t('action.tryAgain')}
          </Button>
        )}
      </PendingState>
    )
  }
  return (
    <PendingState
      picture={picture}
      status="failed"
      {...getSwitchProblem(attempt.error, { t, getMessage, name })}
    >
      <Button variant="quiet" icon="retry" onClick={retry}>
        {t('action.tryAgain')}
      </Button>
    </PendingState>
  )
}

function getSwitchProblem(
  error: unknown,
  {
    t,
    name,
    getMessage,
  }: { t: T<typeof enNetworks>; name: string; getMessage: (error: unknown) => string },
) {
  if (isError(error, 'USER_REJECTED'))
    return { title: t('switch.declined'), hint: t('switch.declinedHint') }
  if (isError(error, 'CHAIN_NOT_SUPPORTED'))
    return { title: t('switch.unsupported', { name }), hint: t('switch.unsupportedHint') }
  return { title: t('switch.failed'), hint: isError(error) ? getMessage(error) : '' }
}

import { resetViews } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { enNames } from '../../locales/enNames.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import type { ViewProps } from '../viewProps.ts'

/** The account has a new name. */
export function RegisterAccountNameSuccess({ view }: ViewProps<'RegisterAccountNameSuccess'>) {
  const app = useApp()
  const t = useT(enNames)
  return (
    <PendingState
      picture={<Icon name="check" size={28} />}
      status="done"
      title={t('registered.title', { name: view.accountName })}
      hint={t('registered.text')}
    >
      <Button onClick={() => resetViews(app, { name: 'Account' })}>{t('registered.done')}</Button>
    </PendingState>
  )
}

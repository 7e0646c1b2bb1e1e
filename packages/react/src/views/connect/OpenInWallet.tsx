import { useApp } from '../../app/useApp.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'

/** The advice for a phone whose browser can connect no wallet. */
export function OpenInWallet() {
  const app = useApp()
  const t = useT()
  const { copied, copy } = useCopy()
  return (
    <EmptyState
      icon="wallet"
      title={t('connect.elsewhereTitle')}
      action={
        <Button
          variant="quiet"
          icon="copy"
          onClick={() => void copy(app.environment.page?.location.href ?? '')}
        >
          {t(copied ? 'connect.copied' : 'connect.copyPage')}
        </Button>
      }
    >
      {t('connect.elsewhereHint')}
    </EmptyState>
  )
}

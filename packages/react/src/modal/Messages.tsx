import { closeToast, dismissAlert } from '@latchkey/core/internal'
import { useLatchkey } from '../app/context.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { useThemeRoot } from '../app/useThemeRoot.ts'
import { getAlertMessage, getErrorMessage } from '../errors/errorMessage.ts'
import { useT } from '../locales/useT.ts'
import { IconButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import styles from './Messages.module.css'

/**
 * Shows the app's toast and alert; inside the modal while it is open, because the rest of the page
 * is inert then.
 */
export function MessageHost() {
  const app = useApp()
  const t = useT()
  const language = useLatchkey()
  const { ref, ...theme } = useThemeRoot()
  const toast = useAppState((state) => state.toast)
  const alert = useAppState((state) => state.alert)
  return (
    <div {...theme} ref={ref} className={styles.host}>
      <div className={styles.live} role="alert">
        {alert && (
          <div key={alert.code} className={styles.alert}>
            <Icon name="alert" />
            <div>
              <strong>{getErrorMessage(alert.error, language)}</strong>
              <p>{getAlertMessage(alert.error, language)}</p>
            </div>
            <IconButton icon="close" label={t('alert.close')} onClick={() => dismissAlert(app)} />
          </div>
        )}
      </div>
      <div className={styles.live} role="status">
        {toast && (
          <div key={toast.id} className={styles.toast} data-variant={toast.variant}>
            {toast.variant === 'loading' && <span className={styles.spinner} aria-hidden="true" />}
            {toast.variant === 'success' && <Icon name="check" />}
            {toast.variant === 'error' && <Icon name="alert" />}
            {toast.variant === 'svg' && <Icon name="key" />}
            <span>{toast.error ? getErrorMessage(toast.error, language) : toast.message}</span>
            <IconButton icon="close" label={t('toast.close')} onClick={() => closeToast(app)} />
          </div>
        )}
      </div>
    </div>
  )
}

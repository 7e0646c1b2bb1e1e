import { openFramePage } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useAction } from '../../app/useAction.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useT } from '../../locales/useT.ts'
import { enBackup } from '../../locales/wallet/enBackup.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import styles from './OnlyHere.module.css'

/** A line about an embedded wallet without a way of recovery; the secure frame sets one up. */
export function OnlyHere() {
  const getMessage = useErrorMessage()
  const t = useT(enBackup)
  const { mutate, status, error } = useAction(openFramePage)
  const isFailed = status === 'error' && !isError(error, 'USER_REJECTED')
  return (
    <section className={styles.line} aria-label={t('backup.only')}>
      <span className={styles.mark}>
        <Icon name="alert" />
      </span>
      <div>
        <p className={styles.title}>{t('backup.only')}</p>
        <p className={styles.hint}>{t('backup.onlyHint')}</p>
      </div>
      <Button
        variant="text"
        busy={status === 'pending'}
        onClick={() => mutate({ page: 'back-up' })}
      >
        {t('backup.start')}
      </Button>
      <p className={styles.problem} role="alert">
        {isFailed && getMessage(error)}
      </p>
    </section>
  )
}

import { goBack, updateEmail } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import viewStyles from '../view.module.css'
import { EmailForm } from './EmailForm.tsx'
import styles from './login.module.css'

/**
 * A form for the new address; two codes follow, or the step-up and a single code if the account has
 * no address yet.
 */
export function UpdateEmail() {
  const app = useApp()
  const t = useT(enLogin)
  const present = useAppState((state) => state.user?.email)
  const label = t(present === undefined ? 'updateEmail.firstLabel' : 'updateEmail.label')
  const isSame = (email: string) => email.toLowerCase() === present?.toLowerCase()
  return (
    <div className={viewStyles.column}>
      <p className={viewStyles.intro}>
        {t(present === undefined ? 'updateEmail.firstText' : 'updateEmail.text')}
      </p>
      <EmailForm
        label={label}
        placeholder={label}
        submitLabel={t('updateEmail.save')}
        refuse={(email) => (isSame(email) ? t('updateEmail.same') : undefined)}
        onSubmit={(email, signal) => updateEmail(app, { email, signal })}
      >
        {(isPending) => (
          <div className={styles.buttons}>
            <Button variant="quiet" onClick={() => goBack(app)}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" busy={isPending}>
              {t('updateEmail.save')}
            </Button>
          </div>
        )}
      </EmailForm>
    </div>
  )
}

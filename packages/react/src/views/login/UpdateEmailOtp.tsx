import {
  confirmNewEmail,
  confirmPresentEmail,
  pushView,
  resetViews,
  showToast,
} from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { CodeStep } from './CodeStep.tsx'

/** The code sent to the current address, the first of two. */
export function UpdateEmailPrimaryOtp() {
  const app = useApp()
  const email = useAppState((state) => state.user?.email)
  return <CodeStep email={email} confirm={(parameters) => confirmPresentEmail(app, parameters)} />
}

/** The code sent to the new address. */
export function UpdateEmailSecondaryOtp() {
  const app = useApp()
  const t = useT(enLogin)
  const email = useAppState((state) => state.login?.email)
  const isFirst = useAppState((state) => state.user?.email === undefined)
  return (
    <CodeStep
      email={email}
      confirm={async (parameters) => {
        await confirmNewEmail(app, parameters)
        const message = t(isFirst ? 'updateEmail.added' : 'updateEmail.done')
        showToast(app, { message, variant: 'success' })
        const top = app.store.getState().modal.history.at(-1)
        if (top?.name !== 'UpdateEmailSecondaryOtp') return
        resetViews(app, { name: 'Account' })
        pushView(app, { name: 'AccountSettings' })
      }}
    />
  )
}

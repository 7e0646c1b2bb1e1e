import { confirmOtp } from '@latchkey/core'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { CodeStep } from './CodeStep.tsx'
import { Resend } from './Resend.tsx'

/** The code of an email login. */
export function EmailVerifyOtp() {
  const app = useApp()
  const email = useAppState((state) => state.login?.email)
  return (
    <CodeStep
      email={email}
      confirm={(parameters) => confirmOtp(app, parameters)}
      foot={<Resend />}
    />
  )
}

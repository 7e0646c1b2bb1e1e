import { confirmOtp } from '@latchkey/core'
import { useApp } from '../hooks/useApp.ts'
import { useAppState } from '../hooks/useAppState.ts'
import { Resend } from '../parts/Resend.tsx'
import { CodeStep } from './CodeStep.tsx'

/** The code of an e-mail login. */
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

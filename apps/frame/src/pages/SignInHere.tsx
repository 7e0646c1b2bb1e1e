import type { SocialProvider } from '@latchkey/wire'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { beginLogin, resendCode, verifyCode, waitForApproval } from '../auth/login.ts'
import type { FrameContext } from '../context.ts'
import { confirmAtProvider } from '../flows/confirmAtProvider.ts'
import { createPasskeyOffer, loginWithPasskey } from '../flows/loginWithPasskey.ts'
import { showCode } from '../flows/showCode.ts'
import { en, fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { passkey } from '../locales/passkey.en.ts'
import { social } from '../locales/social.en.ts'
import { canOfferPasskeys, hasPasskeySupport } from '../passkey.ts'
import { passkeysHere } from '../passkeysHere.ts'
import type { CodeScreenPurpose } from '../screens/CodeScreen.tsx'
import { Button } from '../screens/parts/Button.tsx'
import { useLimitedWork } from '../screens/parts/useLimitedWork.ts'

const t = pages.signIn

/** The context of a page of the frame's own site. */
export type PageContext = Pick<FrameContext, 'session' | 'keys' | 'screenQueue' | 'store'> & {
  readonly facts: { readonly projectId: string; readonly socials: readonly SocialProvider[] }
}

/**
 * The form that signs in on a page of the frame's own site. `about`: an action that the code also
 * confirms.
 */
export function SignInHere({
  own,
  title,
  text,
  action,
  about,
  onSignedIn,
}: {
  own: PageContext
  title: string
  text: string
  action?: 'export'
  about?: CodeScreenPurpose
  onSignedIn: () => void
}) {
  const { session, screenQueue } = own
  const [match, setMatch] = useState<{ email: string; code: string }>()
  const [email, setEmail] = useState('')
  const [isElsewhere, setElsewhere] = useState(false)
  const { busy, problem, isLimited, run } = useLimitedWork()
  const { origin } = window.location
  const place = useMemo(
    () => ({ projectId: own.facts.projectId, origin, ...(action && { action }) }),
    [own, origin, action],
  )
  /** Hides the form while another screen is shown. */
  const during = async (work: () => Promise<unknown>) => {
    setElsewhere(true)
    try {
      await work()
      onSignedIn()
    } finally {
      setElsewhere(false)
    }
  }
  const signIn = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const login = await beginLogin(session, email, { ...place, knownDevice: undefined })
      if (login.action === 'VERIFY_DEVICE') {
        setMatch({ email: login.email, code: login.matchCode ?? '' })
        await waitForApproval(session, login, new AbortController().signal)
        setMatch(undefined)
      }
      await during(() =>
        showCode(screenQueue, {
          title: en.code.title,
          ...(about && { about }),
          email: login.email,
          matchCode: login.matchCode,
          codeInLinkMail: login.codeInLinkMail,
          resendAtMs: login.resendAtMs,
          resendCode: () => resendCode(session, login),
          check: (code) => verifyCode(session, login, { code }),
        }),
      )
    })
  }
  const offerPasskeys = useMemo(() => createPasskeyOffer(own, place), [own, place])
  useEffect(() => {
    if (busy) return
    const closing = new AbortController()
    const { signal } = closing
    // The browser offers passkeys in the field itself; errors are shown only for the button.
    const offer = async () => {
      if (!(await canOfferPasskeys(window)) || signal.aborted) return
      const finish = await offerPasskeys(signal)
      await finish()
      if (!signal.aborted) onSignedIn()
    }
    void offer().catch(() => {})
    return () => closing.abort()
  }, [busy, offerPasskeys, onSignedIn])
  const signInByPasskey = () =>
    run(async () => {
      await loginWithPasskey(own, place, passkeysHere)
      onSignedIn()
    })
  const signInAt = () =>
    run(() =>
      during(() =>
        confirmAtProvider(own, {
          providers: own.facts.socials,
          ...(action && { action }),
          title,
          text,
          origin,
        }),
      ),
    )
  if (match)
    return (
      <>
        <p className="lead">{fill(t.device, match)}</p>
        <p className="words" dir="ltr">
          {match.code}
        </p>
        <div className="progress" />
      </>
    )
  if (isElsewhere) return null
  return (
    <>
      <form className="stack" noValidate onSubmit={signIn}>
        <p className="lead">{text}</p>
        <label className="field">
          <span className="small quiet">{t.email}</span>
          <input
            type="email"
            autoComplete="email webauthn"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </label>
        <Button type="submit" busy={busy} disabled={isLimited || email === ''}>
          {en.common.continue}
        </Button>
        {hasPasskeySupport(window) && (
          <Button kind="quiet" disabled={busy} onClick={signInByPasskey}>
            {passkey.use}
          </Button>
        )}
        {own.facts.socials.length > 0 && (
          <Button kind="quiet" disabled={busy} onClick={signInAt}>
            {social.other}
          </Button>
        )}
      </form>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
    </>
  )
}

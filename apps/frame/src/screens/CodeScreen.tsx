import { formatWait, isError, type LatchkeyError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import type { preparePasskeyOffer } from '../flows/preparePasskeyOffer.ts'
import { en, fill } from '../locales/en.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import { CodeInput } from './parts/CodeInput.tsx'
import { useCountdown } from './parts/useCountdown.ts'
import type { ScreenCallbacks } from './screenQueue.ts'

/** The purpose of a code that is not for signing in, and what it concerns. */
export type CodeScreenPurpose = { readonly text: string; readonly target?: string | undefined }

/** The properties of a screen that requests a code. */
export type CodePrompt<Result> = {
  title: string
  about?: CodeScreenPurpose
  /** The address that the code was sent to. */
  email: string
  /** The number in the email, unless the email with the link has the code. */
  matchCode?: string | undefined
  codeInLinkMail?: true | undefined
  /** When the user can request another code, by this page's clock. */
  resendAtMs: number
  /** Sends another email; resolves to the seconds until the next email is possible. */
  resendCode: () => Promise<number>
  /** Resolves if the code is right. */
  check: (code: string) => Promise<Result>
  /** Loads a login with a passkey instead of the code, once the code can be typed. */
  loadPasskeyOffer?: () => ReturnType<typeof preparePasskeyOffer>
  /** An alternative to the code, and its result if the user chooses it. */
  other?: { label: string; result: Result }
  signal?: AbortSignal
}

const t = en.code
// Errors that another code of this login cannot fix.
const endingCodes = ['LOGIN_ENDED', 'EMAIL_CHANGE_ENDED', 'SIGNED_OUT'] as const

export function CodeScreen({
  about,
  email,
  matchCode,
  codeInLinkMail,
  resendAtMs,
  resendCode,
  check,
  loadPasskeyOffer,
  other,
  done,
  fail,
}: CodePrompt<unknown> & ScreenCallbacks<unknown>) {
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [note, setNote] = useState('')
  const [isResent, setIsResent] = useState(false)
  const [nextAtMs, setNextAtMs] = useState(resendAtMs)
  const seconds = useCountdown(nextAtMs)

  const passkeys = usePasskeyOffer(loadPasskeyOffer)
  const field = useRef<HTMLDivElement>(null)

  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem('')
    setNote('')
    try {
      done(await work())
    } catch (error) {
      if (endingCodes.some((end) => isError(error, end))) return fail(error as LatchkeyError)
      setCode('')
      setProblem(getErrorMessage(error))
      setBusy(false)
    }
  }
  const again = async () => {
    setProblem('')
    try {
      setNextAtMs(Date.now() + (await resendCode()) * 1_000)
      setCode('')
      setNote(t.resent)
      setIsResent(true)
    } catch (error) {
      if (endingCodes.some((end) => isError(error, end))) return fail(error as LatchkeyError)
      if (isError(error, 'LOGIN_THROTTLED'))
        setNextAtMs(Date.now() + Number(error.data.seconds) * 1_000)
      setProblem(getErrorMessage(error))
    }
  }
  return (
    <div className="stack">
      {about && (
        <p>
          {about.text}{' '}
          <bdi className="strong" dir="auto">
            {about.target}
          </bdi>
        </p>
      )}
      <p className="lead">
        {t.sentTo} <bdi className="strong">{email}</bdi>
      </p>
      <div className="stack" ref={field}>
        <CodeInput
          code={code}
          disabled={busy}
          invalid={problem !== ''}
          offersPasskeys={passkeys !== undefined}
          onChange={setCode}
          onFull={(full) => attempt(() => check(full))}
        />
        {passkeys && (
          <passkeys.Part
            target={passkeys.target}
            offer={passkeys.offer}
            about={field}
            disabled={busy}
            onChosen={attempt}
          />
        )}
      </div>
      <p className="line" role="status" data-level={problem ? 'danger' : undefined}>
        {problem || (busy ? t.checking : note)}
      </p>
      <button type="button" className="link" disabled={seconds > 0 || busy} onClick={again}>
        {seconds > 0 ? fill(t.resendIn, { wait: formatWait(seconds) }) : t.resend}
      </button>
      {other && (
        <button type="button" className="link" disabled={busy} onClick={() => done(other.result)}>
          {other.label}
        </button>
      )}
      {codeInLinkMail && !isResent ? (
        <p className="small quiet">{t.inLinkMail}</p>
      ) : (
        matchCode && <p className="small quiet">{fill(t.match, { digits: matchCode })}</p>
      )}
      <p className="small quiet">{t.secure}</p>
    </div>
  )
}

type Offer = Awaited<ReturnType<typeof preparePasskeyOffer>>

/** The passkey offer once it has loaded. Without it the code is enough. */
function usePasskeyOffer(load: CodePrompt<unknown>['loadPasskeyOffer']): Offer {
  const [offer, setOffer] = useState<Offer>()
  useEffect(() => {
    let isGone = false
    void load?.().then(
      (loaded) => {
        if (!isGone) setOffer(loaded)
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [load])
  return offer
}

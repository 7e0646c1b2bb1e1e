import { openSocialRoute, providerNames } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { fill } from '../locales/en.ts'
import { social } from '../locales/social.en.ts'
import { getErrorMessage } from '../screens/getErrorMessage.ts'
import { GuardedButton } from '../screens/parts/GuardedButton.tsx'
import { answerFrame } from '../social/answerFrame.ts'
import {
  buildReturn,
  getReturnUrl,
  readReturnAddress,
  saveReturn,
  takeReturn,
} from '../social/windowReturn.ts'
import { postWithoutProof } from './postWithoutProof.ts'
import { renderPage } from './renderPage.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'
import { WindowEnd } from './WindowEnd.tsx'

const t = social.window
/** How long a window waits for the frame that should have begun its login. */
const meetTimeoutMs = 20_000
/** How long the server keeps a login. */
const lifetimeMs = 15 * 60_000

type Opened = z.infer<typeof openSocialRoute.result>

type Leaving = { readonly tx: string; readonly returnUrl: string | undefined }

/**
 * The window of a login, before the provider. It continues once the frame that began the login has
 * recognized it. If it cannot reach that frame, it asks the user, and ends at the page that began
 * the login.
 */
function LeavingPage({ tx, returnUrl }: Leaving) {
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState('')
  const [frames] = useState(() => findOwnWindows(window))
  const isAlone = frames.length === 0
  useEffect(() => {
    if (isAlone && returnUrl === undefined) return setFailure(t.lost)
    const lost = setTimeout(() => setFailure(t.lost), isAlone ? lifetimeMs : meetTimeoutMs)
    const stops: (() => void)[] = [() => clearTimeout(lost)]
    postWithoutProof(openSocialRoute, { tx, page: 'social' }, { credentials: 'same-origin' }).then(
      (found) => {
        setOpened(found)
        for (const peer of frames)
          stops.push(answerFrame(window, { peer, tx, challenge: found.challenge }))
      },
      (error: unknown) => setFailure(getErrorMessage(error)),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [tx, returnUrl, frames, isAlone])
  const end =
    opened && isAlone ? getReturnUrl(returnUrl, opened.origin, window.location) : undefined
  const problem = failure || (opened && isAlone && !end ? t.lost : '')
  if (problem) return <WindowEnd text={problem} />
  return (
    <div className="stack">
      <h1>
        {t.to} <bdi>{opened?.origin.replace(/^https?:\/\//, '') ?? ''}</bdi>
      </h1>
      {opened && end ? (
        <Ask opened={opened} returnUrl={end} />
      ) : (
        <>
          <p className="lead" role="status">
            {opened ? fill(t.with, { provider: providerNames[opened.provider] }) : t.working}
          </p>
          <div className="progress" />
        </>
      )}
    </div>
  )
}

/**
 * The press counts once the user has had time to see the screen: another page may have brought this
 * window under the pointer.
 */
function Ask({ opened, returnUrl }: { opened: Opened; returnUrl: string }) {
  const provider = providerNames[opened.provider]
  const go = () => {
    saveReturn(window.sessionStorage, { ...opened, returnUrl })
    window.location.replace('/oauth/start')
  }
  return (
    <>
      <p className="lead">{fill(t.ask, { provider })}</p>
      <GuardedButton onPress={go}>{fill(t.go, { provider })}</GuardedButton>
    </>
  )
}

/**
 * Windows of our origin that may have begun the login: the opener, or frames in it. Cross-origin
 * windows cannot be inspected, and get no message.
 */
function findOwnWindows(here: Window): Window[] {
  const opener = here.opener as Window | null
  if (!opener) return []
  const isOwn = (other: Window) => {
    try {
      return other !== here && other.location.origin === here.location.origin
    } catch {
      return false
    }
  }
  const frames = Array.from({ length: opener.length }, (_, index) => opener[index] as Window)
  return [opener, ...frames].filter(isOwn)
}

const outcomes = { done: t.done, refused: t.refused, failed: t.failed, ended: t.ended } as const
type LoginOutcome = keyof typeof outcomes

/** The window of a login, after the provider. */
function EndPage({ outcome }: { outcome: LoginOutcome }) {
  const [saved] = useState(() => takeReturn(window.sessionStorage))
  const goesBack = saved !== undefined && outcome !== 'ended'
  useEffect(() => {
    if (saved && goesBack) window.location.replace(buildReturn(saved))
    else if (outcome === 'done' || outcome === 'refused') window.close()
  }, [saved, goesBack, outcome])
  if (goesBack) return <p className="lead">{t.working}</p>
  return <WindowEnd text={outcomes[outcome]} returnUrl={saved?.returnUrl} />
}

const word = takeLinkSecret(window)
const isOutcome = (text: string): text is LoginOutcome => Object.hasOwn(outcomes, text)
const address = readReturnAddress(word)
// A return that an earlier login has stored here does not belong to this login.
if (address) takeReturn(window.sessionStorage)
renderPage(
  isOutcome(word) ? (
    <EndPage outcome={word} />
  ) : address ? (
    <LeavingPage {...address} />
  ) : (
    <WindowEnd text={t.ended} />
  ),
)

import { authHandle, openSocial, providerNames } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { fill } from '../locales/en.ts'
import { social } from '../locales/social.en.ts'
import { Button } from '../screens/Button.tsx'
import { errorMessage } from '../screens/errorMessage.ts'
import { answerFrame } from '../social/answerFrame.ts'
import { postWithoutProof } from './postWithoutProof.ts'
import { renderPage } from './renderPage.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'

const t = social.window
/** Milliseconds until a window gives up on the frame that should have begun its login. */
const meetTimeoutMs = 20_000

type Opened = z.infer<typeof openSocial.result>

/** The window of a login, before the provider: it goes on once the frame that began the login has recognised it. */
function LeavingPage({ tx }: { tx: string }) {
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const frames = findOwnWindows(window)
    if (frames.length === 0) return setFailure(t.lost)
    const lost = setTimeout(() => setFailure(t.lost), meetTimeoutMs)
    const stops: (() => void)[] = [() => clearTimeout(lost)]
    postWithoutProof(openSocial, { tx }, { credentials: 'same-origin' }).then(
      (found) => {
        setOpened(found)
        for (const peer of frames)
          stops.push(answerFrame(window, { peer, tx, challenge: found.challenge }))
      },
      (error: unknown) => setFailure(errorMessage(error)),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [tx])
  if (failure) return <End text={failure} />
  return (
    <div className="stack">
      <h1>
        {t.to} <bdi>{opened?.origin.replace(/^https?:\/\//, '') ?? ''}</bdi>
      </h1>
      <p className="lead" role="status">
        {opened ? fill(t.with, { provider: providerNames[opened.provider] }) : t.working}
      </p>
      <div className="progress" />
    </div>
  )
}

/**
 * The windows of our own origin that may have begun the login: the opener, or frames in it. What belongs to another page cannot be
 * looked into, and gets no message.
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

function End({ text }: { text: string }) {
  return (
    <div className="stack">
      <p className="lead" role="alert">
        {text}
      </p>
      <Button kind="quiet" onClick={() => window.close()}>
        {t.close}
      </Button>
    </div>
  )
}

const outcomes = { done: t.done, refused: t.refused, failed: t.failed, ended: t.ended } as const

/** The window of a login, after the provider. */
function EndPage({ outcome }: { outcome: keyof typeof outcomes }) {
  useEffect(() => {
    if (outcome === 'done' || outcome === 'refused') window.close()
  }, [outcome])
  return <End text={outcomes[outcome]} />
}

const word = takeLinkSecret(window)
const isOutcome = (text: string): text is keyof typeof outcomes => Object.hasOwn(outcomes, text)
renderPage(
  isOutcome(word) ? (
    <EndPage outcome={word} />
  ) : z.safeParse(authHandle, word).success ? (
    <LeavingPage tx={word} />
  ) : (
    <End text={t.ended} />
  ),
)

import { LatchkeyError } from '@latchkey/wire'
import { useRef } from 'react'
import { en } from '../locales/en.ts'
import { Button } from './parts/Button.tsx'
import { GatedButton } from './parts/GatedButton.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

const t = en.consent

export type ConsentProps = {
  origin: string
  hasEmail: boolean
  /** What the provider of the sign-in calls the user. */
  userName?: string | undefined
  /** The operator's list warns of the site. */
  isListed: boolean
}

/** Asks whether this page may see the account. */
export function ConsentScreen({
  origin,
  hasEmail,
  userName,
  isListed,
  done,
  fail,
}: ConsentProps & ScreenCallbacks<void>) {
  const card = useRef<HTMLDivElement>(null)
  return (
    <div className="stack" ref={card}>
      <p className="origin">{origin.replace(/^https:\/\//, '')}</p>
      {isListed && (
        <p className="notice" data-level="danger" role="alert">
          {t.listed}
        </p>
      )}
      <p className="lead">{t.lead}</p>
      <ul className="points">
        <li>{t.address}</li>
        <li>{hasEmail ? t.email : t.name}</li>
      </ul>
      {userName && (
        <p className="line">
          {t.as} <bdi>{userName}</bdi>
        </p>
      )}
      <p className="small quiet">{t.note}</p>
      <div className="pair">
        <Button kind="quiet" onClick={() => fail(new LatchkeyError('USER_REJECTED'))}>
          {t.deny}
        </Button>
        <GatedButton about={card} onPress={() => done()}>
          {t.allow}
        </GatedButton>
      </div>
    </div>
  )
}

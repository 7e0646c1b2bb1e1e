import { LatchkeyError } from '@latchkey/wire'
import { useRef } from 'react'
import { en } from '../locales/en.ts'
import { Button } from './parts/Button.tsx'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { buildPrompt, type PromptContext, toOneLine } from './parts/prompt.ts'
import type { ScreenCallbacks, WithPicture } from './screenQueue.ts'

const t = en.consent

export type ConsentProps = Pick<PromptContext, 'session' | 'origin'> & {
  hasEmail: boolean
  /** The user's name at the sign-in provider. */
  userName?: string | undefined
  /** The site is on the operator's list of dangerous sites. */
  isListed: boolean
}

/** Asks the user whether this page may see the account. */
export function ConsentScreen(props: ConsentProps & ScreenCallbacks<void> & WithPicture) {
  const { session, origin, hasEmail, userName, isListed, picture, done, fail } = props
  const card = useRef<HTMLDivElement>(null)
  const deny = () => fail(new LatchkeyError('USER_REJECTED'))
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
        <Button kind="quiet" onClick={deny}>
          {t.deny}
        </Button>
        <ConfirmButton
          about={card}
          asker={{ session, origin, picture }}
          question={askToShow(props)}
          onPress={() => done()}
          onReject={deny}
        >
          {t.allow}
        </ConfirmButton>
      </div>
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
function askToShow({ hasEmail, userName, isListed }: ConsentProps) {
  const { wallet, person, ...texts } = t.ask
  const question = buildPrompt({ ...texts, title: t.title }, [
    { label: wallet, value: t.address },
    { label: person, value: hasEmail ? t.email : t.name },
    ...(userName ? [{ label: t.as, text: toOneLine(userName) }] : []),
  ])
  const listed = { level: 'danger', text: t.listed } as const
  return { ...question, warnings: isListed ? [listed, ...question.warnings] : question.warnings }
}

import { deleteVaultRoute, endSessionRoute, getWalletRoute } from '@latchkey/wire'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { account } from '../locales/account.en.ts'
import { codes } from '../locales/codes.en.ts'
import { en } from '../locales/en.ts'
import { questions } from '../locales/questions.en.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { Button } from './parts/Button.tsx'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { GuardedButton } from './parts/GuardedButton.tsx'
import { buildPrompt } from './parts/prompt.ts'
import { WaitingRecoveries } from './parts/WaitingRecoveries.tsx'
import type { WithPicture } from './screenQueue.ts'

const t = account.settings
type ApprovalRequest = 'everywhere' | 'forget' | 'remove' | undefined

/** The picture, and the ways to leave. The page's list of settings leads to the other screens. */
export function SettingsScreen({
  session,
  keys,
  store,
  origin,
  picture,
  problem,
  done,
}: PageProps & PageEnding & WithPicture) {
  const [email, setEmail] = useState('')
  const [hasOther, setHasOther] = useState(false)
  /** Whether only this browser may have the wallet, as until the server reports a way back. */
  const [isOnlyHere, setOnlyHere] = useState(true)
  const [ask, setAsk] = useState<ApprovalRequest>()
  useEffect(() => {
    void session.read().then((found) => setEmail(found?.email ?? found?.userName ?? ''))
    session.call(getWalletRoute, { moves: true }).then(
      ({ wallet, other }) => {
        setOnlyHere(wallet?.factors.length === 0)
        setHasOther(other !== undefined)
      },
      () => {},
    )
  }, [session])
  const end = (run: () => Promise<void>) => done({ run })
  const remove = async () => {
    await session.call(deleteVaultRoute, { confirm: 'delete my wallet' })
    await forget({ everywhere: true, forget: true })
  }
  const forget = async (scope: { everywhere?: boolean; forget: true }) => {
    await session.call(endSessionRoute, scope).catch(() => {})
    await keys.do('forget', {})
    await store.clear()
    // Comes last: the host may close the page as soon as it is notified, and nothing may be left
    // behind.
    await session.end({})
  }
  return (
    <div className="stack">
      <WaitingRecoveries session={session} />
      <p className="small quiet">
        {t.signedInAs} <bdi className="strong">{email}</bdi>
      </p>
      {problem !== undefined && (
        <p className="notice" data-level="danger" role="alert">
          {getErrorMessage(problem)}
        </p>
      )}
      <nav className="menu">
        <Entry label={t.picture} hint={t.pictureHint} onClick={() => done({ choose: 'picture' })} />
        <Entry label={t.signOutEverywhere} onClick={() => setAsk('everywhere')} />
        {ask === 'everywhere' && (
          <Sure
            onSure={() => end(() => session.end({ everywhere: true }))}
            onNo={() => setAsk(undefined)}
          />
        )}
        <Entry
          label={t.forget}
          hint={isOnlyHere ? t.forgetLoses : t.forgetHint}
          danger={isOnlyHere}
          onClick={() => setAsk('forget')}
        />
        {ask === 'forget' && (
          <Sure
            {...(isOnlyHere
              ? { phrase: t.removePhrase }
              : { inWindow: { asker: { session, origin, picture }, question: askToForget() } })}
            onSure={() => end(() => forget({ forget: true }))}
            onNo={() => setAsk(undefined)}
          />
        )}
        <Entry
          danger
          label={t.remove}
          hint={hasOther ? t.removeBoth : t.removeHint}
          onClick={() => setAsk('remove')}
        />
        {ask === 'remove' && (
          <Sure
            phrase={t.removePhrase}
            onSure={() =>
              done({
                run: remove,
                code: {
                  action: 'delete',
                  about: { text: hasOther ? codes.stepUp.deleteBoth : codes.stepUp.delete },
                },
              })
            }
            onNo={() => setAsk(undefined)}
          />
        )}
      </nav>
    </div>
  )
}

function Entry({
  label,
  hint,
  danger = false,
  onClick,
}: {
  label: string
  hint?: string | undefined
  danger?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className="entry"
      data-level={danger ? 'danger' : undefined}
      onClick={onClick}
    >
      <span>{label}</span>
      {hint && <span className="small quiet">{hint}</span>}
    </button>
  )
}

/** The confirmation in a popup, with the same content. */
function askToForget() {
  const { part, ...texts } = questions.forget
  return buildPrompt(texts, [{ label: questions.browser, value: part }], 'danger')
}

function Sure({
  phrase,
  inWindow,
  onSure,
  onNo,
}: {
  phrase?: string
  /** Set if neither a phrase nor a code confirms it. */
  inWindow?: Pick<ComponentProps<typeof ConfirmButton>, 'asker' | 'question'>
  onSure: () => void
  onNo: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // It may appear below the visible part of a small window.
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="sure" ref={card}>
      {phrase && (
        <label className="field">
          <span className="small quiet">{t.removeConfirm}</span>
          <input
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
      )}
      <div className="pair">
        <Button kind="quiet" onClick={onNo}>
          {en.common.cancel}
        </Button>
        {inWindow ? (
          <ConfirmButton {...inWindow} about={card} kind="danger" onPress={onSure}>
            {t.sure}
          </ConfirmButton>
        ) : (
          <GuardedButton
            about={card}
            kind="danger"
            disabled={phrase !== undefined && typed.trim() !== phrase}
            onPress={onSure}
          >
            {t.sure}
          </GuardedButton>
        )}
      </div>
    </div>
  )
}

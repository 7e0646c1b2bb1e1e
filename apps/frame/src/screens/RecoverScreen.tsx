import { getWallet, isError, type WalletAddresses } from '@latchkey/wire'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { account } from '../locales/account.en.ts'
import { en } from '../locales/en.ts'
import type { Keys } from '../openKeys.ts'
import { canUsePasskeys, getPasskey } from '../passkey.ts'
import type { Session } from '../session/session.ts'
import { errorMessage } from './errorMessage.ts'
import { Button } from './parts/Button.tsx'
import { CompareWords } from './parts/CompareWords.tsx'
import { useWork } from './parts/useWork.ts'
import type { ScreenCallbacks } from './screenQueue.ts'

const t = account.recover
const pollMs = 2_000
/** `note`: the result of the option that was chosen before. */
export type RecoverProps = { keys: Keys; session: Session; note: string }
/** The operator's recovery needs a code, which another screen asks for. */
export type RecoverEnd = WalletAddresses | 'assisted'
type Props = RecoverProps & ScreenCallbacks<RecoverEnd>
type Way = 'choose' | 'kit' | 'device'
type Factor = { kind: 'passkey' | 'kit' | 'operator'; credentialId?: string | undefined }

/** The ways to bring an existing wallet into this browser. */
export function RecoverScreen(props: Props) {
  const { session, keys, note, done, fail } = props
  const [way, setWay] = useState<Way>('choose')
  const [factors, setFactors] = useState<readonly Factor[]>()
  const { busy, problem, setProblem, run } = useWork()
  useEffect(() => {
    session.call(getWallet, {}).then(
      ({ wallet }) => setFactors(wallet?.factors ?? []),
      (error: unknown) => {
        if (isError(error, 'SIGNED_OUT')) fail(error)
        else setProblem(errorMessage(error))
      },
    )
  }, [session, fail, setProblem])
  const has = (kind: Factor['kind']) => factors?.some((factor) => factor.kind === kind) ?? false
  const withPasskey = () =>
    run(async () => {
      const ids = (factors ?? []).flatMap(({ credentialId }) => credentialId ?? [])
      const secret = await getPasskey(ids)
      done((await keys.do('recover', { secret })).addresses)
    })
  const back = () => setWay('choose')
  if (way === 'kit') return <ByKit {...props} onBack={back} />
  if (way === 'device') return <ByDevice {...props} onBack={back} />
  return (
    <div className="stack">
      <p className="lead">{t.lead}</p>
      {note && (
        <p className="notice" data-level="caution" role="status">
          {note}
        </p>
      )}
      {factors === undefined && !problem && <div className="skeleton" aria-busy="true" />}
      {has('passkey') && canUsePasskeys(window) && (
        <Button busy={busy} onClick={withPasskey}>
          {busy ? t.opening : t.passkey}
        </Button>
      )}
      {has('kit') && (
        <Button kind="quiet" disabled={busy} onClick={() => setWay('kit')}>
          {t.kit}
        </Button>
      )}
      {factors && (
        <Button kind="quiet" disabled={busy} onClick={() => setWay('device')}>
          {t.device}
        </Button>
      )}
      {has('operator') && (
        <>
          <Button kind="quiet" disabled={busy} onClick={() => done('assisted')}>
            {t.assisted}
          </Button>
          <p className="small quiet">{t.assistedHint}</p>
        </>
      )}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
    </div>
  )
}

type Part = Props & { onBack: () => void }

function ByKit({ keys, done, onBack }: Part) {
  const [kit, setKit] = useState('')
  const { busy, problem, run } = useWork()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      done((await keys.do('recover', { secret: { kind: 'kit', kit } })).addresses)
    })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span className="small quiet">{t.kitLabel}</span>
        <textarea
          rows={2}
          dir="ltr"
          value={kit}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          aria-invalid={problem !== ''}
          onChange={({ target }) => setKit(target.value)}
        />
      </label>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <Button type="submit" busy={busy} disabled={kit.trim() === ''}>
        {busy ? t.opening : t.kitAction}
      </Button>
      <button type="button" className="link" onClick={onBack}>
        {en.common.back}
      </button>
    </form>
  )
}

function ByDevice({ keys, done, onBack }: Part) {
  const [words, setWords] = useState('')
  const [hasAnswered, setAnswered] = useState(false)
  const askId = useRef<string | undefined>(undefined)
  const { busy, problem, setProblem, run } = useWork()
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout>
    const step = async () => {
      try {
        askId.current ??= (await keys.do('ask', {})).askId
        const enrolment = await keys.do('poll', { askId: askId.current })
        if (over) return
        if (enrolment.status === 'enrolled') return done(enrolment.addresses)
        if (enrolment.status === 'refused') return setProblem(t.refused)
        if (enrolment.status === 'met') setWords(enrolment.words)
        setProblem('')
      } catch (error) {
        if (over) return
        setProblem(errorMessage(error))
        if (!isError(error, 'OFFLINE') && !isError(error, 'TIMEOUT')) return setWords('')
      }
      timer = setTimeout(step, pollMs)
    }
    void step()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [keys, done, setProblem])
  const answer = (isSame: boolean) =>
    run(async () => {
      await keys.do(isSame ? 'confirm' : 'drop', { askId: askId.current ?? '' })
      if (isSame) setAnswered(true)
      else onBack()
    })
  return (
    <div className="stack">
      <p className="lead">{words ? t.words : t.deviceWaiting}</p>
      {words && !hasAnswered && <CompareWords words={words} busy={busy} onAnswer={answer} />}
      {words && hasAnswered && (
        <p className="words" dir="ltr">
          {words}
        </p>
      )}
      {words ? (
        <p className="small quiet">{hasAnswered ? t.wordsSame : t.wordsHint}</p>
      ) : (
        !problem && <div className="progress" />
      )}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <button type="button" className="link" onClick={onBack}>
        {en.common.back}
      </button>
    </div>
  )
}

import { getWalletRoute, isError, isNewerRealm, type WalletAddresses } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { isUnreached } from '../auth/dpopFetch.ts'
import type { LoginSession } from '../auth/loginSession.ts'
import { account } from '../locales/account.en.ts'
import { en, fill } from '../locales/en.ts'
import type { KeyClient } from '../openKeys.ts'
import { hasPasskeySupport } from '../passkey.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import { Button } from './parts/Button.tsx'
import { CompareWords } from './parts/CompareWords.tsx'
import { RecoveryKitForm } from './parts/RecoveryKitForm.tsx'
import { usePasskeys } from './parts/usePasskeys.ts'
import { useWork } from './parts/useWork.ts'
import type { Volatile } from './parts/VolatileNotice.tsx'
import type { ScreenCallbacks, WithPicture } from './screenQueue.ts'

const t = account.recover
const pollMs = 2_000
/**
 * `note`: the result of the option that was chosen before. `realm`: the wallet to bring; if it is
 * missing, any wallet of the user. `left`: the wallet from before a move, which this browser holds
 * and can continue to use. `volatile`: set if this browser does not keep what the frame stores.
 */
export type RecoverProps = {
  keys: KeyClient
  session: LoginSession
  /** The origin of the page that embeds the frame. */
  origin: string
  note: string
  realm?: string | undefined
  left?: string | undefined
  volatile?: Volatile | undefined
}
/**
 * Recovery by the operator needs a code, which another screen requests. `assisted`: the realm of
 * the wallet.
 */
export type RecoverEnd = WalletAddresses | { assisted: string }
type Props = RecoverProps & ScreenCallbacks<RecoverEnd> & WithPicture
type RecoveryStep = 'choose' | 'kit' | 'device'
type Factor = {
  kind: 'passkey' | 'kit' | 'operator'
  credentialId?: string | undefined
  /** The realm of the wallet that it recovers. */
  realm: string
}

/** The ways to bring an existing wallet into this browser. */
export function RecoverScreen(props: Props) {
  const { session, keys, note, left, volatile, done, fail } = props
  const [way, setWay] = useState<RecoveryStep>('choose')
  const [realm, setRealm] = useState(props.realm)
  const [found, setFound] = useState<RecoveryOptions>()
  const { busy, problem, setProblem, run, isBlocked, use } = usePasskeys()
  const lead = useRef<HTMLParagraphElement>(null)
  const isOlder = realm !== props.realm
  const turnTo = (realm: string | undefined) => {
    setFound(undefined)
    setProblem('')
    setRealm(realm)
    // The pressed button is gone.
    lead.current?.focus()
  }
  useEffect(() => {
    let isUnmounted = false
    readFactors(session, realm).then(
      (ways) => isUnmounted || setFound(ways),
      (error: unknown) => {
        if (isError(error, 'SIGNED_OUT')) fail(error)
        else if (!isUnmounted) setProblem(getErrorMessage(error))
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [session, realm, fail, setProblem])
  const { factors, older, heldAt } = found ?? {}
  const find = (kind: Factor['kind']) => factors?.find((factor) => factor.kind === kind)
  const has = (kind: Factor['kind']) => find(kind) !== undefined
  // After a move, email alone does not bring the new wallet.
  const operator = left === undefined ? find('operator') : undefined
  const withPasskey = () =>
    use({ text: t.passkeyText }, async (passkeys) => {
      const ids = (factors ?? []).flatMap(({ credentialId }) => credentialId ?? [])
      const secret = await passkeys.open(ids)
      done((await keys.do('recover', { secret, realm })).addresses)
    })
  const stay = (realm: string) =>
    run(async () => {
      done((await keys.do('chooseWallet', { realm })).addresses)
    })
  const back = () => setWay('choose')
  const isNone = factors?.length === 0 && left === undefined && older === undefined
  if (way === 'kit') {
    const label = isOlder ? t.olderKitLabel : t.kitLabel
    return <RecoverByKit {...props} realm={realm} label={label} onBack={back} />
  }
  if (way === 'device') return <RecoverByDevice {...props} realm={realm} onBack={back} />
  return (
    <div className="stack">
      <p className="lead" ref={lead} tabIndex={-1}>
        {isNone
          ? fill(t.noneLead, { site: heldAt ?? t.noneSite })
          : isOlder
            ? t.olderLead
            : left === undefined
              ? t.lead
              : t.movedLead}
      </p>
      {note && (
        <p className="notice" data-level="caution" role="status">
          {note}
        </p>
      )}
      {volatile && <volatile.Notice {...volatile} busy={busy} />}
      {factors === undefined && !problem && <div className="skeleton" aria-busy="true" />}
      {has('passkey') && hasPasskeySupport(window) && (
        <Button busy={busy} onClick={withPasskey}>
          {busy ? t.opening : isBlocked ? en.passkeyWindow.open : t.passkey}
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
      {operator && (
        <>
          <Button kind="quiet" disabled={busy} onClick={() => done({ assisted: operator.realm })}>
            {t.assisted}
          </Button>
          <p className="small quiet">{t.assistedHint}</p>
        </>
      )}
      {older !== undefined && left === undefined && (
        <Button kind="quiet" disabled={busy} onClick={() => turnTo(older)}>
          {t.older}
        </Button>
      )}
      {left !== undefined && (
        <Button kind="quiet" disabled={busy} onClick={() => stay(left)}>
          {t.stay}
        </Button>
      )}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      {isOlder && (
        <button type="button" className="link" onClick={() => turnTo(props.realm)}>
          {en.common.back}
        </button>
      )}
    </div>
  )
}

type RecoveryOptions = {
  factors: readonly Factor[]
  /**
   * Realm of the wallet from before a move. It has a separate entry, so that the user does not
   * bring it by mistake.
   */
  older?: string | undefined
  /**
   * The site on which a wallet without recovery was made. Missing from older servers, and if
   * the sign-in used a window of the frame's site, because the page around the frame is not known.
   */
  heldAt?: string | undefined
}

/**
 * The ways to recover the wallet in `realm`, otherwise the wallet in use. A kit of the other wallet
 * counts too: the user types it, and it identifies the wallet that it opens.
 */
async function readFactors(
  session: LoginSession,
  realm: string | undefined,
): Promise<RecoveryOptions> {
  const first = await session.call(getWalletRoute, { moves: true, realm })
  const { other } = first
  const second =
    realm === undefined && other
      ? await session.call(getWalletRoute, { realm: other.realm })
      : undefined
  const factors = [first, ...(second ? [second] : [])].flatMap(({ wallet, realm }) =>
    (wallet?.factors ?? [])
      .filter(({ kind }) => realm === first.realm || kind === 'kit')
      .map(({ kind, credentialId }) => ({ kind, credentialId, realm })),
  )
  const isLeft = second !== undefined && isNewerRealm(first.realm, second.realm)
  const site = first.wallet?.heldAt
  const heldAt = site === window.location.origin ? undefined : site
  return { factors, heldAt, ...(isLeft && { older: second.realm }) }
}

type RecoveryStepProps = Props & { onBack: () => void }

function RecoverByKit({ keys, realm, label, done, onBack }: RecoveryStepProps & { label: string }) {
  const { busy, problem, run } = useWork()
  const open = (kit: string) =>
    run(async () => {
      done((await keys.do('recover', { secret: { kind: 'kit', kit }, realm })).addresses)
    })
  return (
    <div className="stack">
      <RecoveryKitForm isFirst {...{ label, busy, problem }} action={t.kitAction} onSubmit={open} />
      <button type="button" className="link" onClick={onBack}>
        {en.common.back}
      </button>
    </div>
  )
}

function RecoverByDevice({
  keys,
  session,
  origin,
  picture,
  realm,
  done,
  onBack,
}: RecoveryStepProps) {
  const [words, setWords] = useState('')
  const [hasAnswered, setAnswered] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const askId = useRef<string | undefined>(undefined)
  const { busy, problem, setProblem, run } = useWork()
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout>
    const step = async () => {
      try {
        askId.current ??= (await keys.do('ask', { realm })).askId
        const enrolment = await keys.do('poll', { askId: askId.current })
        if (over) return
        if (enrolment.status === 'enrolled') return done(enrolment.addresses)
        if (enrolment.status === 'refused') return setRefused(true)
        if (enrolment.status === 'met') setWords(enrolment.words)
        setProblem('')
      } catch (error) {
        if (over) return
        setProblem(getErrorMessage(error))
        if (!isUnreached(error)) return setWords('')
      }
      timer = setTimeout(step, pollMs)
    }
    void step()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [keys, realm, done, setProblem])
  const answer = (isSame: boolean) =>
    run(async () => {
      await keys.do(isSame ? 'confirm' : 'drop', { askId: askId.current ?? '' })
      if (isSame) setAnswered(true)
      else onBack()
    })
  const back = (
    <button type="button" className="link" onClick={onBack}>
      {en.common.back}
    </button>
  )
  if (isRefused)
    return (
      <div className="stack">
        <p className="notice" data-level="danger" role="alert">
          {t.refused}
        </p>
        {back}
      </div>
    )
  return (
    <div className="stack">
      <p className="lead">{words ? t.words : t.deviceWaiting}</p>
      {words && !hasAnswered && (
        <CompareWords {...{ words, busy }} asker={{ session, origin, picture }} onAnswer={answer} />
      )}
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
      {back}
    </div>
  )
}

import { isError, LatchkeyError } from '@latchkey/wire'
import { useRef, useState } from 'react'
import type { LoginSession } from '../auth/loginSession.ts'
import {
  makePasskey,
  type OfferedPasskey,
  type PasskeyOrigin,
  proveFirstPasskey,
} from '../flows/makePasskey.ts'
import { en, type SetupTexts } from '../locales/en.ts'
import type { KeyClient } from '../openKeys.ts'
import { hasPasskeySupport } from '../passkey.ts'
import type { Passkeys } from '../passkeysHere.ts'
import type { PictureChoice } from '../picture/drawings.ts'
import type { PictureField } from '../picture/PictureField.tsx'
import type { Picture } from '../picture/picture.ts'
import type { WorkParams } from '../wallet/worker/messages.ts'
import { Choice } from './parts/Choice.tsx'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { GuardedButton } from './parts/GuardedButton.tsx'
import { buildPrompt } from './parts/prompt.ts'
import { RecoveryKitPaper } from './parts/RecoveryKitPaper.tsx'
import { usePasskeys } from './parts/usePasskeys.ts'
import type { Volatile } from './parts/VolatileNotice.tsx'
import type { ScreenCallbacks, WithPicture } from './screenQueue.ts'

/** Without a mailbox the operator cannot help, because its codes and warnings go there. */
export type SetupProps<Result> = {
  keys: KeyClient
  session: LoginSession
  email: string | null
  place: PasskeyOrigin
  /** Set if this browser does not keep what the frame stores. */
  volatile: Volatile | undefined
  texts: SetupTexts
  /** Missing if this browser has a picture already. */
  pictures?: {
    Field: typeof PictureField
    suggested: PictureChoice
    draw: (choice: PictureChoice) => Picture | undefined
  }
  /** The error of the last attempt, on an earlier screen. */
  failure?: string
  /** The passkey that began the account. It is used, and no other is made. */
  firstPasskey?: OfferedPasskey | undefined
  /** The user's passkey cannot recover a wallet. No other passkey is offered. */
  isPasskeyUnfit?: boolean
  /** The kit to show at once. The user may have written it down before. */
  kit?: string | undefined
  /** A notice above the kit. */
  note?: string | undefined
  /** Runs before a new kit is shown. May throw STEP_UP_NEEDED, which ends the screen. */
  beforeKit?: () => Promise<void>
  /** Uses the way of recovery; the screen ends with the result. */
  save: (factor: Factor, picture: PictureChoice | undefined) => Promise<Result>
  /** The result if the user chooses to do it later. Missing if recovery comes first. */
  later?: { readonly result: Result; readonly label: string }
}
type RecoveryMethod = 'passkey' | 'kit' | 'assisted'
type Factor = WorkParams<'create'>['factors'][number]

const endingCodes = [
  'WALLET_EXISTS',
  'WALLET_NOT_ENROLLED',
  'SIGNED_OUT',
  'STEP_UP_NEEDED',
] as const

/** Sets up a way of recovery, for a new wallet or for a wallet without a way. */
export function SetupScreen<Result>({
  keys,
  session,
  email,
  place,
  volatile,
  texts: t,
  pictures,
  picture,
  failure = '',
  firstPasskey,
  isPasskeyUnfit = false,
  kit: knownKit,
  note,
  beforeKit,
  save,
  later,
  done,
  fail,
}: SetupProps<Result> & ScreenCallbacks<Result> & WithPicture) {
  const [isUnfit, setUnfit] = useState(isPasskeyUnfit)
  const isOffered = hasPasskeySupport(window)
  const passkeys = isOffered && !isUnfit
  const { label, hint, asking } = firstPasskey ?? {
    label: t.passkey,
    hint: t.passkeyHint,
    asking: t.makingPasskey,
  }
  const [way, setWay] = useState<RecoveryMethod>(passkeys ? 'passkey' : 'kit')
  const [kit, setKit] = useState(knownKit)
  const [chosen, setChosen] = useState(pictures?.suggested)
  const choices = useRef<HTMLDivElement>(null)
  const { busy, problem, run, isBlocked, use } = usePasskeys()
  /** Another screen, or another attempt, follows some errors. */
  const endBy = (error: unknown) => {
    if (!endingCodes.some((code) => isError(error, code))) throw error
    fail(error as LatchkeyError)
  }
  const finish = (factor: Factor) => save(factor, chosen).then(done, endBy)

  /**
   * A passkey that cannot recover the wallet is not offered again here: each attempt would leave
   * another passkey behind.
   */
  const finishByPasskey = async (passkeys: Passkeys) => {
    const using = firstPasskey
      ? proveFirstPasskey(passkeys, firstPasskey.id)
      : makePasskey(session, place, passkeys)
    const passkey = await using.catch((error: unknown) => {
      if (!isError(error, 'RECOVERY_FAILED')) return endBy(error)
      setUnfit(true)
      setWay('kit')
    })
    if (passkey) await finish(passkey)
  }
  const showKit = async () => {
    await beforeKit?.()
    setKit((await keys.do('createKit', {})).kit)
  }
  const go = () =>
    way === 'passkey'
      ? use({ text: hint }, finishByPasskey)
      : run(async () => {
          if (way === 'kit') await showKit().catch(endBy)
          else await finish({ kind: 'operator' })
        })
  const shownProblem = problem || (busy ? '' : failure)
  const opensWindow = way === 'passkey' && isBlocked
  if (kit !== undefined)
    return (
      <div className="stack">
        {note && <p className="notice">{note}</p>}
        <RecoveryKitPaper
          kit={kit}
          busy={busy}
          problem={shownProblem}
          onKept={() => run(() => finish({ kind: 'kit', kit }))}
        />
      </div>
    )
  return (
    <div className="stack">
      {volatile && (
        <volatile.Notice
          {...volatile}
          busy={busy}
          setup={{
            hasMailbox: email !== null,
            onMade: () => fail(new LatchkeyError('WALLET_EXISTS')),
          }}
        />
      )}
      {pictures && chosen && <pictures.Field value={chosen} onChange={setChosen} />}
      <p className="lead">{t.lead}</p>
      {/* The button directly follows the choices: it opens only while both are visible, also on
          a small screen. */}
      <div className="choices" ref={choices} role="radiogroup" aria-label={t.title}>
        <Choice
          name="way"
          label={label}
          hint={isUnfit ? t.passkeyUnfit : isOffered ? hint : t.passkeyMissing}
          checked={way === 'passkey'}
          disabled={!passkeys}
          onChoose={() => setWay('passkey')}
        />
        <Choice
          name="way"
          label={t.kit}
          hint={t.kitHint}
          checked={way === 'kit'}
          onChoose={() => setWay('kit')}
        />
        {email !== null && (
          <Choice
            name="way"
            label={t.assisted}
            hint={t.assistedHint}
            checked={way === 'assisted'}
            onChoose={() => setWay('assisted')}
          />
        )}
      </div>
      <p className="line" role="status" data-level={shownProblem ? 'danger' : undefined}>
        {shownProblem ||
          (busy
            ? way === 'passkey'
              ? asking
              : t.makingHint
            : opensWindow
              ? en.passkeyWindow.why
              : '')}
      </p>
      <div className="bar">
        {/* The browser prompts for a passkey, and the user types a kit. The operator's help would
            begin with this press alone. */}
        {way === 'assisted' ? (
          <ConfirmButton
            about={choices}
            busy={busy}
            asker={{
              session,
              picture: pictures && chosen ? pictures.draw(chosen) : picture,
              origin: place.origin,
            }}
            question={askForHelp(t.ask)}
            onPress={go}
          >
            {busy ? t.making : t.make}
          </ConfirmButton>
        ) : (
          <GuardedButton about={choices} busy={busy} onPress={go}>
            {busy
              ? t.making
              : way === 'kit'
                ? en.common.continue
                : opensWindow
                  ? en.passkeyWindow.open
                  : t.make}
          </GuardedButton>
        )}
      </div>
      {later && (
        <button
          type="button"
          className="link"
          disabled={busy}
          onClick={({ nativeEvent }) => nativeEvent.isTrusted && done(later.result)}
        >
          {later.label}
        </button>
      )}
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
function askForHelp(ask: SetupTexts['ask']) {
  const { operator, operatorText, mailbox, mailboxText, ...texts } = ask
  return buildPrompt(texts, [
    { label: operator, value: operatorText },
    { label: mailbox, value: mailboxText },
  ])
}

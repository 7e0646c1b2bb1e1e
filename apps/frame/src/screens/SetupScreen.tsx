import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import { useRef, useState } from 'react'
import type { LoginSession } from '../auth/loginSession.ts'
import { makePasskey, type PasskeyOrigin } from '../flows/makePasskey.ts'
import { en } from '../locales/en.ts'
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
import type { ScreenCallbacks } from './screenQueue.ts'

const t = en.setup
/** Without a mailbox the operator cannot help, because its codes and warnings go there. */
export type SetupProps = {
  keys: KeyClient
  session: LoginSession
  email: string | null
  place: PasskeyOrigin
  /** Set if this browser does not keep what the frame stores. */
  volatile: Volatile | undefined
  pictures: {
    Field: typeof PictureField
    suggested: PictureChoice
    draw: (choice: PictureChoice) => Picture | undefined
    save: (choice: PictureChoice) => Promise<void>
  }
}
type RecoveryMethod = 'passkey' | 'kit' | 'assisted'
type Factor = WorkParams<'create'>['factors'][number]

/** Sets up recovery first and then creates the wallet, so that no wallet can be lost. */
export function SetupScreen({
  keys,
  session,
  email,
  place,
  volatile,
  pictures,
  done,
  fail,
}: SetupProps & ScreenCallbacks<WalletAddresses>) {
  const [isUnfit, setUnfit] = useState(false)
  const isOffered = hasPasskeySupport(window)
  const passkeys = isOffered && !isUnfit
  const [way, setWay] = useState<RecoveryMethod>(passkeys ? 'passkey' : 'kit')
  const [kit, setKit] = useState<string>()
  const [chosen, setChosen] = useState(pictures.suggested)
  const choices = useRef<HTMLDivElement>(null)
  const { busy, problem, run, isBlocked, use } = usePasskeys()
  const create = async (factor: Factor) => {
    try {
      await pictures.save(chosen)
      done((await keys.do('create', { factors: [factor] })).addresses)
    } catch (error) {
      const other = isError(error, 'WALLET_EXISTS') || isError(error, 'WALLET_NOT_ENROLLED')
      if (!other && !isError(error, 'SIGNED_OUT')) throw error
      fail(error as LatchkeyError)
    }
  }
  /**
   * A passkey that cannot recover the wallet is not offered again here: each attempt would leave
   * another passkey behind.
   */
  const createByPasskey = async (passkeys: Passkeys) => {
    const passkey = await makePasskey(session, place, passkeys).catch((error: unknown) => {
      if (!isError(error, 'RECOVERY_FAILED')) throw error
      setUnfit(true)
      setWay('kit')
    })
    if (passkey) await create(passkey)
  }
  const go = () =>
    way === 'passkey'
      ? use({ text: t.passkeyHint }, createByPasskey)
      : run(async () => {
          if (way === 'kit') setKit((await keys.do('createKit', {})).kit)
          else await create({ kind: 'operator' })
        })
  const opensWindow = way === 'passkey' && isBlocked
  if (kit !== undefined)
    return (
      <RecoveryKitPaper
        kit={kit}
        busy={busy}
        problem={problem}
        onKept={() => run(() => create({ kind: 'kit', kit }))}
      />
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
      <pictures.Field value={chosen} onChange={setChosen} />
      <p className="lead">{t.lead}</p>
      {/* The button directly follows the choices: it opens only while both are visible, also on
          a small screen. */}
      <div className="choices" ref={choices} role="radiogroup" aria-label={t.title}>
        <Choice
          name="way"
          label={t.passkey}
          hint={isUnfit ? t.passkeyUnfit : isOffered ? t.passkeyHint : t.passkeyMissing}
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
      <p className="line" role="status" data-level={problem ? 'danger' : undefined}>
        {problem ||
          (busy
            ? way === 'passkey'
              ? t.makingPasskey
              : t.makingHint
            : opensWindow
              ? en.passkeyWindow.why
              : '')}
      </p>
      {/* The browser prompts for a passkey, and the user types a kit. The operator's help would
          begin with this press alone. */}
      {way === 'assisted' ? (
        <ConfirmButton
          about={choices}
          busy={busy}
          asker={{ session, picture: pictures.draw(chosen), origin: place.origin }}
          question={askForHelp()}
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
  )
}

/** The confirmation in a popup, with the same content. */
function askForHelp() {
  const { operator, operatorText, mailbox, mailboxText, ...texts } = t.ask
  return buildPrompt(texts, [
    { label: operator, value: operatorText },
    { label: mailbox, value: mailboxText },
  ])
}

import { isError, readMe, readSocials, type SocialProvider } from '@latchkey/wire'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import type { FrameContext } from '../context.ts'
import { createPasskeyOffer, loginWithPasskey } from '../flows/loginWithPasskey.ts'
import { choosePhrase } from '../flows/moves/choosePhrase.ts'
import { prepareWallet } from '../flows/prepareWallet.ts'
import { showCode } from '../flows/showCode.ts'
import { visitProvider } from '../flows/visitProvider.ts'
import { stepUp } from '../flows/withStepUp.ts'
import { codes } from '../locales/codes.en.ts'
import { en, fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { passkey } from '../locales/passkey.en.ts'
import { social } from '../locales/social.en.ts'
import { openKeys } from '../openKeys.ts'
import { canOfferPasskeys, canUsePasskeys } from '../passkey.ts'
import { passkeysHere } from '../passkeysHere.ts'
import { PersonalPicture } from '../picture/PersonalPicture.tsx'
import { type Picture, pictureWord } from '../picture/picture.ts'
import { PhraseScreen } from '../screens/PhraseScreen.tsx'
import { Button } from '../screens/parts/Button.tsx'
import { GatedButton } from '../screens/parts/GatedButton.tsx'
import { useWork } from '../screens/parts/useWork.ts'
import { CurrentScreen } from '../screens/renderScreens.tsx'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { beginLogin, resendCode, verifyCode, waitForApproval } from '../session/login.ts'
import { openSession } from '../session/openSession.ts'
import { renderPage } from './renderPage.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'

const t = pages.export
const about = { text: codes.stepUp.export }
type Own = Pick<FrameContext, 'session' | 'keys' | 'screenQueue' | 'store'> & {
  facts: { projectId: string; socials: readonly SocialProvider[] }
  picture: Picture | undefined
}

/** Signs in on this page, brings the wallet here, asks for a new code, then shows the words. */
function ExportPage({ own }: { own: Own }) {
  const { session, keys, screenQueue } = own
  const [phase, setPhase] = useState<'start' | 'sign-in' | 'busy' | 'over'>('start')
  const [match, setMatch] = useState<{ email: string; code: string }>()
  const [email, setEmail] = useState('')
  const { busy, problem, run } = useWork()
  const { origin } = window.location
  useEffect(() => {
    void session.read().then((found) => setPhase(found ? 'start' : 'sign-in'))
  }, [session])

  const show = () =>
    run(async () => {
      setPhase('busy')
      try {
        await screenQueue.during(async () => {
          await prepareWallet(own, { origin, signal: new AbortController().signal })
          const { action, realm, addresses } = await choosePhrase(own)
          const { stepUpSeconds } = await session.call(readMe, { action })
          const named =
            action === 'export'
              ? about
              : { text: codes.stepUp.exportLeft, target: addresses.eip155 }
          if (stepUpSeconds === 0) await stepUp(own, { origin, action, about: named })
          await screenQueue.show<{ load: () => Promise<string> }, void>({
            view: 'export',
            title: t.title,
            load: async () => PhraseScreen,
            props: {
              load: async () => {
                const confirm = 'show the recovery phrase' as const
                return (await keys.do('exportWords', { confirm, realm })).words
              },
            },
          })
        })
        keys.close()
        setPhase('over')
      } catch (error) {
        setPhase(isError(error, 'SIGNED_OUT') ? 'sign-in' : 'start')
        throw error
      }
    })
  const signIn = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const { projectId } = own.facts
      const loginPlace = { projectId, origin, knownDevice: undefined, action: 'export' } as const
      const login = await beginLogin(session, email, loginPlace)
      if (login.action === 'VERIFY_DEVICE') {
        setMatch({ email: login.email, code: login.matchCode ?? '' })
        await waitForApproval(session, login, new AbortController().signal)
        setMatch(undefined)
      }
      setPhase('busy')
      try {
        await showCode(screenQueue, {
          title: en.code.title,
          about,
          email: login.email,
          matchCode: login.matchCode,
          resendAtMs: login.resendAtMs,
          resendCode: () => resendCode(session, login),
          check: (code) => verifyCode(session, login, { code }),
        })
        setPhase('start')
      } catch (error) {
        setPhase('sign-in')
        throw error
      }
    })
  }
  const place = useMemo(
    () => ({ projectId: own.facts.projectId, origin, action: 'export' }) as const,
    [own, origin],
  )
  const offerPasskeys = useMemo(() => createPasskeyOffer(own, place), [own, place])
  const isWaiting = phase === 'sign-in' && !busy
  useEffect(() => {
    if (!isWaiting) return
    const closing = new AbortController()
    const { signal } = closing
    // The browser offers passkeys in the field itself; errors are shown only for the button.
    const offer = async () => {
      if (!(await canOfferPasskeys(window)) || signal.aborted) return
      const finish = await offerPasskeys(signal)
      await finish()
      if (!signal.aborted) setPhase('start')
    }
    void offer().catch(() => {})
    return () => closing.abort()
  }, [isWaiting, offerPasskeys])
  const signInByPasskey = () =>
    run(async () => {
      await loginWithPasskey(own, place, passkeysHere)
      setPhase('start')
    })
  const signInAt = () =>
    run(async () => {
      setPhase('busy')
      try {
        await visitProvider(own, {
          providers: own.facts.socials,
          action: 'export',
          title: t.title,
          text: t.signIn,
          origin,
        })
        setPhase('start')
      } catch (error) {
        setPhase('sign-in')
        throw error
      }
    })
  return (
    <div className="stack">
      {own.picture && (
        <p className="own small quiet">
          <PersonalPicture picture={own.picture} />
          {own.picture.label}
        </p>
      )}
      <h1>{t.title}</h1>
      {phase === 'sign-in' && !match && (
        <form className="stack" noValidate onSubmit={signIn}>
          <p className="lead">{t.signIn}</p>
          <label className="field">
            <span className="small quiet">{t.email}</span>
            <input
              type="email"
              autoComplete="email webauthn"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          </label>
          <Button type="submit" busy={busy} disabled={email === ''}>
            {en.common.continue}
          </Button>
          {canUsePasskeys(window) && (
            <Button kind="quiet" disabled={busy} onClick={signInByPasskey}>
              {passkey.use}
            </Button>
          )}
          {own.facts.socials.length > 0 && (
            <Button kind="quiet" disabled={busy} onClick={signInAt}>
              {social.other}
            </Button>
          )}
        </form>
      )}
      {match && (
        <>
          <p className="lead">{fill(t.device, match)}</p>
          <p className="words" dir="ltr">
            {match.code}
          </p>
          <div className="progress" />
        </>
      )}
      {phase === 'start' && (
        <>
          <p className="notice" data-level="danger">
            {t.lead}
          </p>
          <p className="lead">{t.private}</p>
          <GatedButton busy={busy} onPress={show}>
            {en.common.continue}
          </GatedButton>
        </>
      )}
      {phase === 'over' && (
        <p className="lead" role="status">
          {t.wiped}
        </p>
      )}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <CurrentScreen screenQueue={screenQueue} measure={() => {}} />
    </div>
  )
}

const drawOf = async (id: string) => (await import('../picture/drawings.ts')).drawPictureOf(id)

/**
 * The fragment holds the project, the providers of social login, which the server checks, and the picture of the frame
 * that opened this tab.
 */
async function start(): Promise<void> {
  const [projectId = '', ...names] = takeLinkSecret(window).split(',')
  const socials = readSocials(names)
  if (window.top !== window) return renderPage(null)
  if (projectId === '') return renderPage(<p role="alert">{t.incomplete}</p>)
  const { session, store } = await openSession()
  const keys = openKeys(session)
  const word = names.find((name) => name.startsWith(pictureWord))?.slice(pictureWord.length)
  const picture = word === undefined ? undefined : await drawOf(word)
  renderPage(
    <ExportPage
      own={{
        session,
        store,
        keys,
        screenQueue: createScreenQueue(),
        picture,
        facts: { projectId, socials },
      }}
    />,
  )
}

void start()

import { isError, readMeRoute, readSocials } from '@latchkey/wire'
import { useCallback, useEffect, useState } from 'react'
import { openLoginSession } from '../auth/openLoginSession.ts'
import { ensureWallet } from '../flows/ensureWallet.ts'
import { choosePhrase } from '../flows/migration/choosePhrase.ts'
import { stepUp } from '../flows/withStepUp.ts'
import { codes } from '../locales/codes.en.ts'
import { en } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { openKeys } from '../openKeys.ts'
import { PersonalPicture } from '../picture/PersonalPicture.tsx'
import { type Picture, pictureWord } from '../picture/picture.ts'
import { PhraseScreen } from '../screens/PhraseScreen.tsx'
import { GuardedButton } from '../screens/parts/GuardedButton.tsx'
import { useWork } from '../screens/parts/useWork.ts'
import { CurrentScreen } from '../screens/renderScreens.tsx'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { PageResult } from './PageResult.tsx'
import { renderPage } from './renderPage.tsx'
import { type PageContext, SignInHere } from './SignInHere.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'
import { UnusableLink } from './UnusableLink.tsx'

const t = pages.export
const about = { text: codes.stepUp.export }
type ExportContext = PageContext & { readonly picture: Picture | undefined }

/** Signs in on this page, brings the wallet here, requests a new code, then shows the words. */
function ExportPage({ own }: { own: ExportContext }) {
  const { session, keys, screenQueue } = own
  const [phase, setPhase] = useState<'start' | 'sign-in' | 'busy' | 'over'>('start')
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
          await ensureWallet(own, { origin, signal: new AbortController().signal })
          const { action, realm, addresses } = await choosePhrase(own)
          const { stepUpSeconds } = await session.call(readMeRoute, { action })
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
  const onSignedIn = useCallback(() => setPhase('start'), [])
  return (
    <div className="stack">
      {own.picture && (
        <p className="own small quiet">
          <PersonalPicture picture={own.picture} />
          {own.picture.label}
        </p>
      )}
      {phase !== 'over' && <h1>{t.title}</h1>}
      {phase === 'sign-in' && (
        <SignInHere
          own={own}
          title={t.title}
          text={t.signIn}
          action="export"
          about={about}
          onSignedIn={onSignedIn}
        />
      )}
      {phase === 'start' && (
        <>
          <p className="notice" data-level="danger">
            {t.lead}
          </p>
          <p className="lead">{t.private}</p>
          <GuardedButton busy={busy} onPress={show}>
            {en.common.continue}
          </GuardedButton>
        </>
      )}
      {phase === 'over' && <PageResult title={t.wipedTitle} text={t.wiped} />}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <CurrentScreen screenQueue={screenQueue} measure={() => {}} />
    </div>
  )
}

const drawOf = async (id: string) => (await import('../picture/drawings.ts')).drawPictureOf(id)

/**
 * The fragment holds the project, the providers of social login, which the server checks, and the
 * picture of the frame that opened this tab.
 */
async function start(): Promise<void> {
  const [projectId = '', ...names] = takeLinkSecret(window).split(',')
  const socials = readSocials(names)
  if (window.top !== window) return renderPage(null)
  if (projectId === '') return renderPage(<UnusableLink text={t.incomplete} />)
  const { session, store } = await openLoginSession()
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

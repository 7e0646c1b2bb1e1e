import { getCapabilities } from '@latchkey/core'
import {
  ConnectButton,
  NetworkButton,
  useAccount,
  useApp,
  useFeatures,
  useModal,
  useNetwork,
} from '@latchkey/react'
import { lazy, Suspense, useEffect } from 'react'
import { text } from './locales/text.ts'
import { Welcome } from './pages/Welcome.tsx'
import { Footer } from './parts/Footer.tsx'
import { Glyph } from './parts/Glyph.tsx'
import { Link } from './parts/Link.tsx'
import { LoadGuard } from './parts/LoadGuard.tsx'
import { Mark } from './parts/Mark.tsx'
import { ThemeSwitch } from './parts/ThemeSwitch.tsx'
import { usePageTheme } from './usePageTheme.ts'
import { useRoute } from './useRoute.ts'

const Portfolio = lazy(() =>
  import('./pages/Portfolio.tsx').then((m) => ({ default: m.Portfolio })),
)
const Status = lazy(() => import('./pages/Status.tsx').then((m) => ({ default: m.Status })))
const Developer = lazy(() =>
  import('./pages/Developer.tsx').then((m) => ({ default: m.Developer })),
)

const titles: Readonly<Record<string, string>> = {
  '/developer': text('dev.title'),
  '/status': text('status.title'),
}

/** The layout of every page: header, content, footer, and on phones the bar at the bottom. */
export function Shell() {
  usePageTheme()
  const route = useRoute()
  const { isConnected } = useAccount()
  const isWelcome = route === '/' && !isConnected
  useEffect(() => {
    const title = titles[route]
    document.title = title ? `${title} · ${text('app.name')}` : text('app.name')
  }, [route])
  return (
    <>
      <a className="skip" href="#content">
        {text('app.skip')}
      </a>
      <header className="header">
        <div className="bar">
          <Link to="/" className="brand">
            <Mark />
            <span>{text('app.name')}</span>
          </Link>
          {!isWelcome && (
            <nav className="pages" aria-label={text('app.pages')}>
              <Link to="/">{text('nav.home')}</Link>
            </nav>
          )}
          <div className="tools" data-tight={!isWelcome || undefined}>
            <ThemeSwitch />
            <NetworkButton />
            {!isWelcome && <ConnectButton />}
          </div>
        </div>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        <LoadGuard key={route}>
          <Suspense
            fallback={<p className="loading" role="status" aria-label={text('app.loading')} />}
          >
            <Page route={route} />
          </Suspense>
        </LoadGuard>
      </main>
      <Footer />
      {!isWelcome && <ThumbBar />}
    </>
  )
}

function Page({ route }: { route: string }) {
  const { isConnected } = useAccount()
  if (route === '/developer') return <Developer />
  if (route === '/status') return <Status />
  if (route !== '/') return <NotFound path={route} />
  return isConnected ? <Portfolio /> : <Welcome />
}

/** The bar of pages and actions at the bottom, shown on phones only. */
function ThumbBar() {
  const { isConnected } = useAccount()
  const { open } = useModal()
  const { caipNetworkId: chainId } = useNetwork().network
  const { data: areas } = useFeatures()
  const can = getCapabilities(useApp(), { chainId, areas })
  return (
    <nav className="thumbBar" aria-label={text('app.pages')}>
      <Link to="/">
        <Glyph name="home" />
        {text('nav.home')}
      </Link>
      {isConnected && (
        <>
          {can.send && (
            <button type="button" aria-haspopup="dialog" onClick={() => open({ name: 'Send' })}>
              <Glyph name="send" />
              {text('nav.send')}
            </button>
          )}
          <button type="button" aria-haspopup="dialog" onClick={() => open({ name: 'Receive' })}>
            <Glyph name="receive" />
            {text('nav.receive')}
          </button>
          {(can.onramp || areas === undefined) && (
            <button
              type="button"
              data-waits={areas === undefined || undefined}
              aria-haspopup="dialog"
              onClick={() => open({ name: 'Buy' })}
            >
              <Glyph name="coins" />
              {text('nav.buy')}
            </button>
          )}
        </>
      )}
    </nav>
  )
}

/** The page for an unknown path. */
const NotFound = ({ path }: { path: string }) => (
  <section className="card plain">
    <h1>{text('notFound.title')}</h1>
    <p>{text('notFound.text', { path })}</p>
    <Link to="/" className="button">
      {text('notFound.home')}
    </Link>
  </section>
)

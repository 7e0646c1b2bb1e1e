import { ConnectButton, NetworkButton, useAccount } from '@latchkey/react'
import { lazy, Suspense, useEffect } from 'react'
import { getTitle } from './getTitle.ts'
import { text } from './locales/text.ts'
import { useNotices } from './notices/useNotices.ts'
import { OfflineLine } from './offline/OfflineLine.tsx'
import { PagePlaceholder } from './pages/PagePlaceholder.tsx'
import { findViewPage } from './pages/viewPages.ts'
import { Welcome } from './pages/Welcome.tsx'
import { Footer } from './parts/Footer.tsx'
import { Link } from './parts/Link.tsx'
import { LoadGuard } from './parts/LoadGuard.tsx'
import { Mark } from './parts/Mark.tsx'
import { HeaderNav, ThumbBar } from './parts/Navigation.tsx'
import { ThemeSwitch } from './parts/ThemeSwitch.tsx'
import { isPayPath } from './pay/readReceiver.ts'
import { usePageTheme } from './usePageTheme.ts'
import { useRoute } from './useRoute.ts'

const Portfolio = lazy(() =>
  import('./pages/Portfolio.tsx').then((m) => ({ default: m.Portfolio })),
)
const Status = lazy(() => import('./pages/Status.tsx').then((m) => ({ default: m.Status })))
const Developer = lazy(() =>
  import('./pages/Developer.tsx').then((m) => ({ default: m.Developer })),
)
const Contacts = lazy(() => import('./pages/Contacts.tsx').then((m) => ({ default: m.Contacts })))
const Watch = lazy(() => import('./watch/Watch.tsx').then((m) => ({ default: m.Watch })))
const Pay = lazy(() => import('./pay/Pay.tsx').then((m) => ({ default: m.Pay })))
const Request = lazy(() => import('./pay/Request.tsx').then((m) => ({ default: m.Request })))
const ViewPage = lazy(() => import('./pages/ViewPage.tsx').then((m) => ({ default: m.ViewPage })))

/** The layout of every page: header, content, footer, and on phones the bar at the bottom. */
export function Shell() {
  usePageTheme()
  useNotices()
  const route = useRoute()
  const { isConnected } = useAccount()
  const isWelcome = route === '/' && !isConnected
  useEffect(() => {
    const title = getTitle(route)
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
          {!isWelcome && <HeaderNav />}
          <div className="tools" data-tight={!isWelcome || undefined}>
            <ThemeSwitch />
            <NetworkButton />
            {!isWelcome && <ConnectButton />}
          </div>
        </div>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        <OfflineLine />
        <LoadGuard key={route}>
          <Suspense fallback={<PagePlaceholder route={route} />}>
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
  if (isPayPath(route)) return <Pay />
  if (route === '/request') return <Request />
  if (route === '/contacts') return <Contacts />
  if (route === '/watch') return <Watch />
  const page = findViewPage(route)
  if (page) return <ViewPage page={page} />
  if (route !== '/') return <NotFound path={route} />
  return isConnected ? <Portfolio /> : <Welcome />
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

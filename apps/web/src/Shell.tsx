import { getCapabilities } from '@latchkey/core'
import {
  ConnectButton,
  NetworkButton,
  useAccount,
  useApp,
  useModal,
  useNetwork,
} from '@latchkey/react'
import { lazy, Suspense, useEffect } from 'react'
import { text } from './locales/text.ts'
import { Welcome } from './pages/Welcome.tsx'
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
const Developer = lazy(() =>
  import('./pages/Developer.tsx').then((m) => ({ default: m.Developer })),
)

/** The layout of every page: header, content, and on phones the bar at the bottom. */
export function Shell() {
  usePageTheme()
  const route = useRoute()
  const { isConnected } = useAccount()
  const isWelcome = route === '/' && !isConnected
  useEffect(() => {
    document.title =
      route === '/developer' ? `${text('dev.title')} · ${text('app.name')}` : text('app.name')
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
          <nav className="pages" aria-label={text('app.pages')}>
            <Link to="/">{text('nav.home')}</Link>
            <Link to="/developer">{text('nav.developer')}</Link>
          </nav>
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
      <ThumbBar />
    </>
  )
}

function Page({ route }: { route: string }) {
  const { isConnected } = useAccount()
  if (route === '/developer') return <Developer />
  if (route !== '/') return <NotFound path={route} />
  return isConnected ? <Portfolio /> : <Welcome />
}

/** The bar of pages and actions at the bottom, shown on phones only. */
function ThumbBar() {
  const { isConnected } = useAccount()
  const { open } = useModal()
  const { caipNetworkId: chainId } = useNetwork().network
  const can = getCapabilities(useApp(), { chainId })
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
        </>
      )}
      <Link to="/developer">
        <Glyph name="code" />
        {text('nav.developer')}
      </Link>
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

import { ConnectButton, networkImageUrl, ProviderMarks, useApp, useNetwork } from '@latchkey/react'
import type { ReactNode } from 'react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { Link } from '../parts/Link.tsx'
import { Logo } from '../parts/Logo.tsx'
import { Sample } from './Sample.tsx'

/** How many marks of networks are drawn. */
const maxMarks = 6

const facts = [
  { glyph: 'server', name: 'own' },
  { glyph: 'hidden', name: 'private' },
  { glyph: 'code', name: 'open' },
] as const

/** The page before connecting: a promise, the ways in, three facts, and what one gets. */
export const Welcome = () => (
  <WelcomeLayout>
    <div className="go">
      <ConnectButton label={text('welcome.connect')} />
      <WatchLink />
    </div>
    <Works />
  </WelcomeLayout>
)

/** The page before connecting while the server's configuration is unknown: all that needs none. */
export const WelcomeStarting = () => (
  <WelcomeLayout>
    <div className="go">
      <span className="buttonPlace" role="status" aria-label={text('app.loading')} />
      <WatchLink />
    </div>
    <div className="works" data-waits aria-hidden="true">
      <span className="marks" />
      <span className="small">{text('welcome.worksEmail')}</span>
    </div>
  </WelcomeLayout>
)

const WatchLink = () => (
  <Link to="/watch" className="watchLink">
    {text('welcome.watch')}
  </Link>
)

/** Nothing in it moves if its children keep their size. */
const WelcomeLayout = ({ children }: { children: ReactNode }) => (
  <div className="welcome">
    <section className="hero">
      <h1>
        {text('welcome.title')} <br />
        {text('welcome.titleEnd')}
      </h1>
      <p>{text('welcome.text')}</p>
      {children}
    </section>
    <ul className="facts">
      {facts.map(({ glyph, name }) => (
        <li key={name}>
          <Glyph name={glyph} size={24} />
          <h2>{text(`fact.${name}`)}</h2>
          <p className="quiet">{text(`fact.${name}Text`)}</p>
        </li>
      ))}
    </ul>
    <Sample />
  </div>
)

/**
 * The marks of the networks and the ways to log in that the app offers. Networks with the same mark
 * are drawn once.
 */
function Works() {
  const app = useApp()
  const { networks } = useNetwork()
  const { email } = app.config.login
  const marks = new Map(networks.map((network) => [networkImageUrl(app, network), network.name]))
  return (
    <div className="works">
      <span className="marks">
        {[...marks].slice(0, maxMarks).map(([src, name]) => (
          <Logo key={name} src={src} name={name} />
        ))}
        <span className="logins">
          {email && (
            <span className="logo" role="img" aria-label={text('welcome.email')}>
              <Glyph name="mail" size={16} />
            </span>
          )}
          <ProviderMarks className="logo" />
        </span>
      </span>
      <span className="quiet small">{text(email ? 'welcome.worksEmail' : 'welcome.works')}</span>
    </div>
  )
}

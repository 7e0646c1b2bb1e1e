import { ConnectButton, networkImageUrl, useApp, useNetwork } from '@latchkey/react'
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

/** The page before connecting: a promise, the ways in, what one gets, and three facts. */
export const Welcome = () => (
  <WelcomeLayout>
    <ConnectButton label={text('welcome.connect')} />
    <WatchLink />
    <Works />
  </WelcomeLayout>
)

/** The page before connecting while the server's configuration is unknown: all that needs none. */
export const WelcomeStarting = () => (
  <WelcomeLayout>
    <span className="buttonPlace" role="status" aria-label={text('app.loading')} />
    <WatchLink />
    <div className="works" data-waits aria-hidden="true">
      <span className="marks">
        {Array.from({ length: maxMarks }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
          <span key={index} className="logo" />
        ))}
      </span>
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
    <Sample />
    <ul className="facts">
      {facts.map(({ glyph, name }) => (
        <li key={name}>
          <Glyph name={glyph} size={24} />
          <h2>{text(`fact.${name}`)}</h2>
          <p className="quiet">{text(`fact.${name}Text`)}</p>
        </li>
      ))}
    </ul>
  </div>
)

/** The marks of the networks that the app offers; networks with the same mark are drawn once. */
function Works() {
  const app = useApp()
  const { networks } = useNetwork()
  const marks = new Map(networks.map((network) => [networkImageUrl(app, network), network.name]))
  return (
    <div className="works">
      <span className="marks">
        {[...marks].slice(0, maxMarks).map(([src, name]) => (
          <Logo key={name} src={src} name={name} />
        ))}
      </span>
      <span className="quiet small">
        {text(app.config.login.email ? 'welcome.worksEmail' : 'welcome.works')}
      </span>
    </div>
  )
}

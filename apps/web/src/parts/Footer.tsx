import { useApp } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { apiEveryMs, probeApi } from '../pages/probe.ts'
import { useProbe } from '../pages/useProbe.ts'
import { Link } from './Link.tsx'

const labels = {
  checking: 'foot.checking',
  unreachable: 'foot.unreachable',
  live: 'foot.ready',
} as const

/** The end of every page: the server's status in one line, and the pages for everyone. */
export function Footer() {
  const app = useApp()
  const probe = useProbe((signal) => probeApi(app, { signal }), apiEveryMs)
  return (
    <footer className="foot">
      <Link to="/status">
        <span className="state" data-state={probe.status}>
          {text(labels[probe.status])}
        </span>
      </Link>
      <Link to="/watch">{text('welcome.watch')}</Link>
      <Link to="/developer">{text('nav.developer')}</Link>
    </footer>
  )
}

import { text } from '../locales/text.ts'
import { Link } from '../parts/Link.tsx'

/** A path that is no page of ours. */
export const NotFound = ({ path }: { path: string }) => (
  <section className="card plain">
    <h1>{text('notFound.title')}</h1>
    <p>{text('notFound.text', { path })}</p>
    <Link to="/" className="button">
      {text('notFound.home')}
    </Link>
  </section>
)

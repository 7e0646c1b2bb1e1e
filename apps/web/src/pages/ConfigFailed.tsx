import { webConfigRoute } from '@latchkey/wire'
import { text } from '../locales/text.ts'
import { Mark } from '../parts/Mark.tsx'

/** Shown instead of the app if the server's configuration could not be loaded. */
export const ConfigFailed = ({ reason, onRetry }: { reason: string; onRetry: () => void }) => (
  <main className="content">
    <section className="card plain" role="alert">
      <Mark />
      <h1>{text('config.title')}</h1>
      <p>{text('config.text', { path: webConfigRoute.path })}</p>
      <p className="quiet">{text('config.detail', { reason })}</p>
      <button type="button" className="button" data-look="main" onClick={onRetry}>
        {text('app.retry')}
      </button>
    </section>
  </main>
)

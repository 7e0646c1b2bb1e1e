import { webConfig } from '@latchkey/wire'
import { text } from '../locales/text.ts'
import { Mark } from '../parts/Mark.tsx'

/** Shown in place of the app when its server cannot be understood. */
export const ConfigFailed = ({ reason, onRetry }: { reason: string; onRetry: () => void }) => (
  <main className="content">
    <section className="card plain" role="alert">
      <Mark />
      <h1>{text('config.title')}</h1>
      <p>{text('config.text', { path: webConfig.path })}</p>
      <p className="quiet">{text('config.detail', { reason })}</p>
      <button type="button" className="button" data-look="main" onClick={onRetry}>
        {text('app.retry')}
      </button>
    </section>
  </main>
)

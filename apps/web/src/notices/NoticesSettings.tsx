import { text } from '../locales/text.ts'
import { turnOffNotices, turnOnNotices } from './noticesState.ts'
import { useNoticesStatus } from './useNotices.ts'

/** The checkbox of the notices, and why it cannot be checked. */
export function NoticesSettings() {
  const status = useNoticesStatus()
  return (
    <section className="card" aria-labelledby="notices">
      <h2 id="notices">{text('notices.title')}</h2>
      <p className="quiet" id="noticesText">
        {text('notices.text')}
      </p>
      {status === 'unsupported' ? (
        <p className="notice">{text('notices.unsupported')}</p>
      ) : (
        <label className="check">
          <input
            type="checkbox"
            aria-describedby="noticesText"
            disabled={status === 'blocked'}
            checked={status === 'on'}
            onChange={() => (status === 'on' ? turnOffNotices() : turnOnNotices())}
          />
          {text('notices.switch')}
        </label>
      )}
      {status === 'blocked' && (
        <p className="notice" role="status">
          {text('notices.blocked')}
        </p>
      )}
    </section>
  )
}

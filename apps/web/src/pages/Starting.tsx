import { text } from '../locales/text.ts'
import { Mark } from '../parts/Mark.tsx'

/** The page until the server's configuration is known; index.html draws the same before. */
export const Starting = () => (
  <>
    <header className="header">
      <div className="bar">
        <span className="brand">
          <Mark />
          <span>{text('app.name')}</span>
        </span>
      </div>
    </header>
    <p className="loading" role="status" aria-label={text('app.loading')} />
  </>
)

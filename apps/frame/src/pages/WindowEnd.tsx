import { social } from '../locales/social.en.ts'
import { Button } from '../screens/parts/Button.tsx'

const t = social.window

/**
 * How a sign-in in a window has ended, and the way out: back to the site's page, or closing the
 * window.
 */
export function WindowEnd({ text, returnUrl }: { text: string; returnUrl?: string | undefined }) {
  return (
    <div className="stack">
      <h1>{document.title}</h1>
      <p className="lead" role="alert">
        {text}
      </p>
      {returnUrl ? (
        <a className="button" data-kind="quiet" href={returnUrl}>
          <span>{t.back}</span>
        </a>
      ) : (
        <Button kind="quiet" onClick={() => window.close()}>
          {t.close}
        </Button>
      )}
    </div>
  )
}

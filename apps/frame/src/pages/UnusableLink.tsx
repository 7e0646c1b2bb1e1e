import { pages } from '../locales/pages.en.ts'

/** The page of a link that cannot be used, by default an incomplete link from an email. */
export const UnusableLink = ({ text = pages.incomplete }: { text?: string }) => (
  <div className="stack">
    <h1>{document.title}</h1>
    <p className="notice" data-level="danger" role="alert">
      {text}
    </p>
  </div>
)

import { pages } from '../locales/pages.en.ts'

/** The notice of a page whose link has lost its secret, by default a link from an email. */
export const IncompleteLink = ({ text = pages.incomplete }: { text?: string }) => (
  <div className="stack">
    <h1>{document.title}</h1>
    <p className="notice" data-level="danger" role="alert">
      {text}
    </p>
  </div>
)

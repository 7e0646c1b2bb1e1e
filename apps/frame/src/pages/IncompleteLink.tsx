import { pages } from '../locales/pages.en.ts'

/** The notice of a page whose link from an email has lost its secret. */
export const IncompleteLink = () => (
  <p className="notice" data-level="danger" role="alert">
    {pages.incomplete}
  </p>
)

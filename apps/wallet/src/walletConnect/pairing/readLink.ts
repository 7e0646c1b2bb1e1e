/**
 * The pairing URI with which an app opened this page (`/wc?uri=…` or `/?uri=…`), else undefined. Some apps encode it
 * twice.
 */
export function readLink(href: string): string | undefined {
  const text = new URL(href).searchParams.get('uri')
  if (text === null || text === '') return undefined
  if (!/^wc(%25)*%3A/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Reads the secret from the URL's fragment, which is never sent to a server, and removes it from
 * the address at once.
 */
export function takeLinkSecret(window: Window): string {
  const secret = window.location.hash.slice(1)
  const { pathname, search } = window.location
  window.history.replaceState(null, '', pathname + search)
  return secret
}

/**
 * Whether the secret of a link in an email is complete. Email services that rewrite links may drop
 * the part after the `#`.
 */
export const isCompleteSecret = (secret: string): boolean => /^[\w-]{22}$/.test(secret)

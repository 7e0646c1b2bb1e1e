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
 * Whether the secret of a link in a mail is complete. Mail services that rewrite links may drop
 * what follows the `#`.
 */
export const isCompleteSecret = (secret: string): boolean => /^[\w-]{22}$/.test(secret)

/** The secret of a link, from the part of the address that is sent to nobody; taken out of the address at once. */
export function takeLinkSecret(window: Window): string {
  const secret = window.location.hash.slice(1)
  window.history.replaceState(null, '', window.location.pathname)
  return secret
}

/** The receiver of a payment: an address, or a name in lower case. */
export type LinkReceiver = { to: string; isName: boolean }

/** The start of the path of a payment link; the receiver follows. */
export const payPath = '/pay/'

/** Whether a path has the form of a payment link, usable or not. */
export const isPayPath = (path: string): boolean => path.startsWith(payPath)

const maxLength = 255

// Controls, spaces, characters that change the direction, and others that are invisible.
const unseen = /[\p{C}\p{Z}\p{DI}\u2800]/u
// ASCII punctuation, except the marks that names contain.
const marks = /[!-#%-,/:-@[-^`{-~]/

/** The receiver in the percent-encoded path of a payment link; undefined if unusable. */
export function readReceiver(path: string): LinkReceiver | undefined {
  const to = isPayPath(path) ? decode(path.slice(payPath.length)) : ''
  if (to.length > maxLength || unseen.test(to) || marks.test(to)) return undefined
  if (/^[\da-z]{1,128}$/i.test(to)) return { to, isName: false }
  return /^[^.]+(\.[^.]+)+$/u.test(to) ? { to: to.toLowerCase(), isName: true } : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

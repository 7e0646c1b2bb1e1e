import { LatchkeyError } from '@latchkey/wire'

/** Milliseconds within which no person can have answered the browser's dialog. */
const quickMs = 1_000

type Policy = { allowsFeature(feature: string): boolean }

/**
 * Whether the browser is known to block passkeys in this frame. Only Chromium reports this before
 * the first attempt.
 */
export const areBlocked = (document: Document): boolean =>
  (document as { featurePolicy?: Policy }).featurePolicy?.allowsFeature(
    'publickey-credentials-create',
  ) === false

/**
 * Has the browser prompt the user for a passkey. Throws USER_REJECTED. Its cause is named
 * `PasskeysBlocked` if the prompt did not appear: the page, the browser or an extension blocks
 * passkeys in this frame.
 */
export async function askForPasskey(
  work: () => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  const askedAtMs = performance.now()
  try {
    const found = await work()
    if (found instanceof PublicKeyCredential) return found
  } catch (cause) {
    const isQuick = performance.now() - askedAtMs < quickMs
    const isBlocked =
      window.top !== window && isQuick && (cause as Error).name === 'NotAllowedError'
    throw new LatchkeyError('USER_REJECTED', {
      cause: isBlocked ? new DOMException('', 'PasskeysBlocked') : cause,
    })
  }
  throw new LatchkeyError('USER_REJECTED')
}

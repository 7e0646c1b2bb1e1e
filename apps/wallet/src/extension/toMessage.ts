import { decodeUtf8 } from '@latchkey/wire'

/**
 * Decodes a message's bytes as UTF-8. Throws if they are not text, because the user could not read
 * what is signed.
 */
export function toMessage(bytes: Uint8Array): string {
  const message = decodeUtf8(bytes)
  if (message === undefined) throw new TypeError('the message is not text')
  return message
}

import { encodeBase64 } from '@latchkey/wire'

/**
 * A meeting's id and secret, known only to a frame and its window and to no server: the fragment of
 * the window's address carries them.
 */
export type Meeting = { readonly id: string; readonly secret: string }

const bytes = { id: 16, secret: 32 }
const form = /^([\w-]{22})\.([\w-]{43})$/

const draw = (length: number) =>
  encodeBase64(crypto.getRandomValues(new Uint8Array(length)), 'base64url')

export const createMeeting = (): Meeting => ({ id: draw(bytes.id), secret: draw(bytes.secret) })

/** The fragment of the window's address. */
export const writeMeeting = ({ id, secret }: Meeting): string => `${id}.${secret}`

/** Parses the fragment that {@link writeMeeting} builds. */
export function readMeeting(fragment: string): Meeting | undefined {
  const [, id, secret] = form.exec(fragment) ?? []
  return id && secret ? { id, secret } : undefined
}

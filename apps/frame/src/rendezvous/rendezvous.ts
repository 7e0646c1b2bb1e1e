import { encodeBase64 } from '@latchkey/wire'

/**
 * The id and secret of a rendezvous. Only a frame and its popup know the secret: the fragment of
 * the popup's URL carries both, and no server receives it.
 */
export type Rendezvous = { readonly id: string; readonly secret: string }

const bytes = { id: 16, secret: 32 }
const form = /^([\w-]{22})\.([\w-]{43})$/

const randomText = (length: number) =>
  encodeBase64(crypto.getRandomValues(new Uint8Array(length)), 'base64url')

export const createRendezvous = (): Rendezvous => ({
  id: randomText(bytes.id),
  secret: randomText(bytes.secret),
})

/** The fragment of the popup's URL. */
export const formatRendezvous = ({ id, secret }: Rendezvous): string => `${id}.${secret}`

/** Parses the fragment that {@link formatRendezvous} builds. */
export function parseRendezvous(fragment: string): Rendezvous | undefined {
  const [, id, secret] = form.exec(fragment) ?? []
  return id && secret ? { id, secret } : undefined
}

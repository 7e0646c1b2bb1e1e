import type { LoginSession } from '../auth/loginSession.ts'
import type { KeyStore } from '../wallet/keyStore.ts'
import { type Picture, pictureKey } from './picture.ts'

/**
 * Reads the picture of the signed-in user in this browser; undefined if the user is signed out or
 * has not chosen a picture.
 */
export async function parsePicture({
  session,
  store,
}: {
  session: Pick<LoginSession, 'read'>
  store: Pick<KeyStore, 'get'>
}): Promise<Picture | undefined> {
  const user = await session.read()
  const found = user && (await store.get(pictureKey(user.userId)))
  if (found === undefined) return undefined
  // The drawings load with the first screen that shows one.
  return (await import('./drawings.ts')).drawPicture(found)
}

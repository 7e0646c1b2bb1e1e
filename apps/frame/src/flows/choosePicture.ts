import { isError } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { pictureTexts as t } from '../locales/picture.en.ts'
import { drawPicture, type PictureChoice, suggestPicture } from '../picture/drawings.ts'
import { pictureKey } from '../picture/picture.ts'
import { type PictureProps, PictureScreen } from '../screens/PictureScreen.tsx'

type PictureContext = Pick<FrameContext, 'session' | 'store' | 'screenQueue'>

/** Lets the user choose another picture. Throws USER_REJECTED, ABORTED. */
export async function changePicture(context: PictureContext, signal: AbortSignal): Promise<void> {
  const { session, store } = context
  const user = await session.read()
  if (!user) return
  const found = await store.get(pictureKey(user.userId))
  const suggested = drawPicture(found) ? (found as PictureChoice) : suggestPicture()
  const choice = await show(context, { suggested, isChange: true, signal })
  await store.put(pictureKey(user.userId), choice)
}

/**
 * Prompts a user whose browser has no picture yet to choose one: the wallet was created before
 * pictures existed, or came from another browser. Closing the prompt keeps the suggested picture,
 * and the prompt appears only once. Throws ABORTED.
 */
export async function askPicture(
  context: PictureContext,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<void> {
  const suggested = suggestPicture()
  const choice = await show(context, { suggested, isChange: false, signal }).catch(
    (error: unknown) => {
      if (isError(error, 'USER_REJECTED')) return suggested
      throw error
    },
  )
  await context.store.put(pictureKey(userId), choice)
}

const show = (
  { screenQueue }: PictureContext,
  { signal, ...props }: PictureProps & { signal: AbortSignal },
) =>
  screenQueue.show<PictureProps, PictureChoice>(
    { view: 'settings', title: t.title, load: async () => PictureScreen, props },
    signal,
  )

import * as z from 'zod/mini'

/**
 * A personal picture, ready to be drawn. Pages never get it: a page that cannot show it cannot
 * imitate the frame.
 */
export const picture = z.object({
  id: z.string(),
  /** The name for users and screen readers. */
  label: z.string(),
  /** Lines on a square of 24. */
  path: z.string(),
  /** The background color. */
  color: z.string(),
})
export type Picture = z.infer<typeof picture>

/** Prefix of a picture's id in the address of our windows. */
export const pictureWord = 'picture='

/** The storage key of a user's choice, which never leaves this browser. */
export const pictureKey = (userId: string) => `picture ${userId}`

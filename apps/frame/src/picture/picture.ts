import * as z from 'zod/mini'

/**
 * A personal picture, ready to be drawn. Pages never get it: a page that cannot show it cannot
 * imitate the frame.
 */
export const picture = z.object({
  id: z.string(),
  /** What people and screen readers call it. */
  label: z.string(),
  /** Lines on a square of 24. */
  path: z.string(),
  /** Behind them. */
  color: z.string(),
})
export type Picture = z.infer<typeof picture>

/** Before the id of a picture in the address of a window of ours. */
export const pictureWord = 'picture='

/** Where a browser stores the choice of a user; it never leaves it. */
export const pictureKey = (userId: string) => `picture ${userId}`

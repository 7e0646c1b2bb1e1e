import { LatchkeyError } from '@latchkey/wire'
import { frameAncestors } from '../../projects/frameAncestors.ts'
import type { Auth } from '../auth.ts'

/** Throws `ORIGIN_NOT_ALLOWED` unless pages of `origin` may hold the frame of this project, or it is the frame's own. */
export async function checkOrigin(
  auth: Pick<Auth, 'projects' | 'config'>,
  { projectId, origin }: { readonly projectId: string; readonly origin: string },
): Promise<void> {
  const ancestors = await frameAncestors(auth, projectId)
  // Where a phrase is exported a person signs in on the frame's own page.
  const known = ancestors.length > 0 && origin === auth.config.frame.url
  if (!known && !ancestors.includes(origin)) throw new LatchkeyError('ORIGIN_NOT_ALLOWED')
}

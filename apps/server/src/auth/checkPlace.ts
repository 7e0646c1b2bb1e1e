import { LatchkeyError } from '@latchkey/wire'
import { frameAncestors } from '../frame/frameAncestors.ts'
import type { Auth } from './auth.ts'

/** Throws `ORIGIN_NOT_ALLOWED` unless pages of `origin` may hold the frame of this project. */
export async function checkPlace(
  auth: Pick<Auth, 'db' | 'config'>,
  { projectId, origin }: { readonly projectId: string; readonly origin: string },
): Promise<void> {
  const ancestors = await frameAncestors(auth, projectId)
  if (!ancestors.includes(origin)) throw new LatchkeyError('ORIGIN_NOT_ALLOWED')
}

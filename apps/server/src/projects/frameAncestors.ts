import type { Services } from '../services.ts'
import { exactOrigins } from './originAllowed.ts'
import { ownOrigins } from './ownOrigins.ts'

/**
 * The exact origins of the pages that may embed the frame of a project: the origins that it lists
 * (https if they have no scheme; entries with `*`, of apps and of extensions are ignored), and our
 * own origins for the project of our web app. Until a project exists, our pages may use any id.
 */
export async function frameAncestors(
  { projects, config }: Pick<Services, 'projects' | 'config'>,
  projectId: string,
): Promise<string[]> {
  const own = ownOrigins(config.publicUrl)
  const known = await projects.read(projectId)
  const found = known.get(projectId)
  if (found === undefined) {
    if (projectId === config.webProjectId || known.size === 0) return own
    return []
  }
  const origins = exactOrigins(found)
  return [...new Set(projectId === config.webProjectId ? [...own, ...origins] : origins)]
}

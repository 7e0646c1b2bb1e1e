import type { Area, AreaState, ChainId } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** Which areas the server has for a network, and from where; an area that is missing is off. */
export const getAreas = (
  app: App,
  parameters: { chainId: ChainId },
): Promise<Partial<Record<Area, AreaState>>> =>
  attempt(async () => (await import('./readAreas.ts')).readAreas(app, parameters))

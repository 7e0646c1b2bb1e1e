import type * as identity from './startIdentity.ts'

/**
 * {@link identity.startIdentity}, whose code loads when it is called: it is large, and prints
 * warnings when it loads.
 */
export const startIdentity: typeof identity.startIdentity = async (parameters) =>
  (await import('./startIdentity.ts')).startIdentity(parameters)

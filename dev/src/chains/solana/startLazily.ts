import type * as solana from './startSolana.ts'

/**
 * {@link solana.startSolana}, whose code loads when it is called, so that stacks without a Solana
 * chain do not load it.
 */
export const startSolana: typeof solana.startSolana = async (parameters) =>
  (await import('./startSolana.ts')).startSolana(parameters)

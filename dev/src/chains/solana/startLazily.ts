import type * as solana from './startSolana.ts'

/** {@link solana.startSolana}, whose code loads when it is called: what needs no Solana chain does not pay for it. */
export const startSolana: typeof solana.startSolana = async (parameters) =>
  (await import('./startSolana.ts')).startSolana(parameters)

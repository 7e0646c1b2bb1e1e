import type * as bitcoin from './startBitcoin.ts'

/** {@link bitcoin.startBitcoin}, whose code loads when it is called: what needs no Bitcoin chain does not pay for it. */
export const startBitcoin: typeof bitcoin.startBitcoin = async (parameters) =>
  (await import('./startBitcoin.ts')).startBitcoin(parameters)

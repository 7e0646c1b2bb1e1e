import { createHash } from 'node:crypto'

/**
 * Into so many sources clients are divided: too few to tell who began an order, enough that nobody
 * has most of them.
 */
export const sourceCount = 1_024

/** The number of the source of an order, 0 to 1,023, by the network of the client that began it. */
export const getOrderSource = (network: string): number =>
  createHash('sha256').update(network).digest().readUInt16BE(0) % sourceCount

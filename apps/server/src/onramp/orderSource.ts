import { createHash } from 'node:crypto'

/**
 * The number of sources that clients are divided into: few enough that a source does not identify a
 * client, and enough that no attacker has most of them.
 */
export const sourceCount = 1_024

/** The source of an order, 0 to 1,023, derived from the network of the client that created it. */
export const getOrderSource = (network: string): number =>
  createHash('sha256').update(network).digest().readUInt16BE(0) % sourceCount

import { combine, split } from 'shamir-secret-sharing'
import { type Bytes, toBytes } from './bytes.ts'

/**
 * Three shares, any two of which give the key: the device's, the server's and the recovery share.
 */
export type KeySplit = { readonly device: Bytes; readonly server: Bytes; readonly recovery: Bytes }

/** Splits a key of 32 bytes by a random polynomial, so shares of two splits do not combine. */
export async function splitKey(key: Bytes): Promise<KeySplit> {
  const [device, server, recovery] = await split(key, 3, 2)
  if (!device || !server || !recovery) throw new Error('not three shares')
  return { device: toBytes(device), server: toBytes(server), recovery: toBytes(recovery) }
}

/**
 * Combines two shares of one split. Other shares give noise, which fails to open anything, or
 * throw.
 */
export const combineShares = async (one: Bytes, other: Bytes): Promise<Bytes> =>
  toBytes(await combine([one, other]))

import type { SignedMessage } from '@latchkey/wire/siwx'
import type { Upstreams } from '../nodes/upstreams.ts'
import { isSignedByContract } from './isSignedByContract.ts'
import { isSignedByKey } from './isSignedByKey.ts'

/**
 * Whether the account has signed exactly this message, by its key or, on EVM chains, by its
 * contract. Malformed addresses and signatures have not. Throws RPC_UNAVAILABLE if a contract has
 * to be asked and no node answers.
 */
export const verifySignature = async (
  nodes: { readonly upstreams: Pick<Upstreams, 'read'> },
  signed: SignedMessage,
): Promise<boolean> => isSignedByKey(signed) || (await isSignedByContract(nodes, signed))

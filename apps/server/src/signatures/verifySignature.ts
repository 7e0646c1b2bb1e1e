import type { SignedMessage } from '@latchkey/wire/siwx'
import type { Upstreams } from '../nodes/upstreams.ts'
import { isSignedByContract } from './isSignedByContract.ts'
import { isSignedByKey } from './isSignedByKey.ts'

/**
 * Whether the account has signed exactly this message, with its key or, on EVM chains, through its
 * contract. False for malformed addresses and signatures. Throws RPC_UNAVAILABLE if a contract has
 * to be called and no node answers.
 */
export const verifySignature = async (
  nodes: { readonly upstreams: Pick<Upstreams, 'read'> },
  signed: SignedMessage,
): Promise<boolean> => isSignedByKey(signed) || (await isSignedByContract(nodes, signed))

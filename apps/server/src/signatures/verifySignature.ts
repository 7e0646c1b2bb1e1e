import { type Namespace, parseChainId } from '@latchkey/wire'
import { verifyKeySignature } from '@latchkey/wire/siwx'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { SignedMessage } from './signedMessage.ts'
import { verifyBitcoin } from './verifyBitcoin.ts'
import { verifyEip155 } from './verifyEip155.ts'
import { verifySolana } from './verifySolana.ts'

type Verify = (
  nodes: { readonly upstreams: Upstreams },
  signed: SignedMessage,
) => boolean | Promise<boolean>

const verifiers: Record<Namespace, Verify> = {
  eip155: verifyEip155,
  bip122: (_, signed) => verifyBitcoin(signed),
  polkadot: (_, { message, ...signed }) =>
    typeof message === 'string' && verifyKeySignature({ ...signed, message }),
  solana: (_, signed) => verifySolana(signed),
}

/**
 * Whether the account has signed exactly this message. Malformed addresses and signatures have not. Throws RPC_UNAVAILABLE if a contract has to be asked and no node answers.
 */
export const verifySignature: Verify = (nodes, signed) =>
  verifiers[parseChainId(signed.chainId).namespace](nodes, signed)

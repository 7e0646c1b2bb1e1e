import type { SignedMessage } from '@latchkey/wire/siwx'
import { universalSignatureValidatorAbi, universalSignatureValidatorByteCode } from 'viem'
import { encodeDeployData, hashMessage, isHex } from 'viem/utils'
import { parseAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { findReadFault } from '../nodes/readReplies.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

const maxSignature = 20_000

/**
 * Whether the contract at an EVM address accepts a signature as its own (EIP-1271). The contract
 * may not be deployed yet (EIP-6492). Checks on the chain that the signature is for. Throws
 * RPC_UNAVAILABLE.
 */
export async function isSignedByContract(
  { upstreams }: { readonly upstreams: Pick<Upstreams, 'read'> },
  { chainId, address, message, signature }: SignedMessage,
): Promise<boolean> {
  const signer = chainId.startsWith('eip155:') ? parseAddress(address) : undefined
  if (signer === undefined || !isHex(signature) || signature.length > maxSignature) return false
  const hash = hashMessage(typeof message === 'string' ? message : { raw: message })
  // Returns the same result as an on-chain check: the code is run, but not deployed.
  const data: Hex = encodeDeployData({
    abi: universalSignatureValidatorAbi,
    args: [signer, hash, signature],
    bytecode: universalSignatureValidatorByteCode,
  })
  const call = { method: 'eth_call', params: JSON.stringify([{ data }, 'latest']) }
  const answer = await upstreams.read(chainId, [call])
  if ('fault' in answer || answer.replies.some((reply) => findReadFault(reply, 'eth_call')))
    throw rpcUnavailable(chainId)
  return answer.replies[0]?.result === '0x01'
}

import { universalSignatureValidatorAbi, universalSignatureValidatorByteCode } from 'viem'
import { encodeDeployData, hashMessage, isHex, recoverAddress } from 'viem/utils'
import { parseAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { findReadFault } from '../nodes/readReplies.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { SignedMessage } from './signedMessage.ts'

const maxSignature = 20_000

/**
 * EIP-191: by the key of the account, or else by the contract at the address (EIP-1271), which may not be deployed yet
 * (EIP-6492). The contract is asked on the chain that the signature is for. Throws RPC_UNAVAILABLE.
 */
export async function verifyEip155(
  { upstreams }: { readonly upstreams: Pick<Upstreams, 'read'> },
  { chainId, address, message, signature }: SignedMessage,
): Promise<boolean> {
  const signer = parseAddress(address)
  if (signer === undefined || !isHex(signature) || signature.length > maxSignature) return false
  const hash = hashMessage(typeof message === 'string' ? message : { raw: message })
  const recovered = await recoverAddress({ hash, signature }).catch(() => undefined)
  if (recovered?.toLowerCase() === signer) return true
  // What a contract on the chain itself would find: the code is run, and not deployed.
  const data: Hex = encodeDeployData({
    abi: universalSignatureValidatorAbi,
    args: [signer, hash, signature],
    bytecode: universalSignatureValidatorByteCode,
  })
  const call = { method: 'eth_call', params: JSON.stringify([{ data }, 'latest']) }
  const answer = await upstreams.read(chainId, [call])
  if ('fault' in answer || answer.replies.some(findReadFault)) throw rpcUnavailable(chainId)
  return answer.replies[0]?.result === '0x01'
}

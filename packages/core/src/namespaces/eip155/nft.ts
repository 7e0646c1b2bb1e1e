import { isError } from '@latchkey/wire'
import { encodeFunctionData, erc721Abi, type Hex, parseAbi } from 'viem'
import type { Request } from '../request.ts'
import type { SendToken } from '../transferPlan.ts'
import { toBigInt } from './values.ts'

const erc1155Abi = parseAbi([
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])

/** Whether a string is a token id: a decimal number that fits in 256 bits. */
export const isTokenId = (text: string): boolean =>
  /^\d{1,78}$/.test(text) && BigInt(text) < 2n ** 256n

type NftOwnership = NonNullable<SendToken['nft']>

/**
 * Encodes a safe NFT transfer, which reverts if the receiving contract cannot take the NFT
 * (ERC-721, ERC-1155).
 */
export function encodeNftTransfer(
  { standard, tokenId }: NftOwnership,
  { from, to, amount }: { from: string; to: string; amount: bigint },
): Hex {
  const [owner, receiver, id] = [from as Hex, to as Hex, BigInt(tokenId)] as const
  const functionName = 'safeTransferFrom'
  if (standard === 'erc721')
    return encodeFunctionData({ abi: erc721Abi, functionName, args: [owner, receiver, id] })
  const args = [owner, receiver, id, amount, '0x'] as const
  return encodeFunctionData({ abi: erc1155Abi, functionName, args })
}

/** The balance of an NFT in an account; for an ERC-721, one or zero. */
export async function getNftBalance(
  { standard, tokenId }: NftOwnership,
  { node, contract, owner }: { node: Request; contract: string; owner: string },
): Promise<bigint> {
  const id = BigInt(tokenId)
  const functionName = 'balanceOf'
  const call = (data: Hex) => node('eth_call', [{ to: contract, data }, 'latest'])
  if (standard === 'erc1155')
    return toBigInt(
      await call(encodeFunctionData({ abi: erc1155Abi, functionName, args: [owner as Hex, id] })),
    )
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'ownerOf', args: [id] })
  const holder = await call(data).catch((error) => {
    // Contracts revert if a token does not exist.
    if (isError(error, 'RPC_FAILED')) return undefined
    throw error
  })
  return String(holder).slice(-40).toLowerCase() === owner.slice(2).toLowerCase() ? 1n : 0n
}

/** Whether an address has a contract; an account with delegated code (EIP-7702) does not count. */
export async function isContract(node: Request, address: string): Promise<boolean> {
  const code = String(await node('eth_getCode', [address, 'latest']))
  return code.length > 2 && !/^0xef0100[0-9a-f]{40}$/i.test(code)
}

import type { ChainId } from '@latchkey/wire'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { parseUri } from '../nfts/parseUri.ts'
import { readTarget } from '../outbound/readTarget.ts'
import type { Services } from '../services.ts'
import { ownerAbi } from './abi.ts'
import { callContracts } from './callContract.ts'
import { decoded, type Ens } from './readRecords.ts'

type Hex = `0x${string}`

/** Where a picture is: a URL (`https:`, `ipfs:`, `data:`), or the picture of an NFT. */
export type Avatar =
  | { readonly url: string }
  | {
      readonly nft: { readonly chainId: ChainId; readonly contract: Hex; readonly tokenId: string }
    }

type Asking = { readonly config: Services['config']; readonly ens: Ens }

const nftPattern = /^(eip155:[1-9]\d{0,15})\/(erc721|erc1155):(0x[0-9a-f]{40})\/(\d{1,78})$/i

/**
 * The picture that an avatar record names (ENSIP-12), undefined where it is none that we would fetch or an NFT that
 * `owner` does not hold. Throws RPC_UNAVAILABLE.
 */
export async function checkAvatar(
  asking: Asking,
  { text, owner }: { readonly text: string; readonly owner: Hex | undefined },
): Promise<Avatar | undefined> {
  const { config, ens } = asking
  const [, chain, standard, contract, tokenId] = nftPattern.exec(text) ?? []
  if (!chain || !standard || !contract || !tokenId)
    return isUrl(text, asking) ? { url: text } : undefined
  const chainId = chain.toLowerCase() as ChainId
  if (!Object.hasOwn(config.chains, chainId) || BigInt(tokenId) >= 2n ** 256n) return undefined
  const nft = { chainId, contract: contract.toLowerCase() as Hex, tokenId }
  if (owner === undefined) return undefined
  const isHeld = standard.toLowerCase() === 'erc721' ? owns : holds
  return (await isHeld(ens, { ...nft, owner })) ? { nft } : undefined
}

function isUrl(text: string, { config, ens }: Asking): boolean {
  const place = parseUri(text, config.ipfsGateway)
  if ('data' in place) return true
  if ('reason' in place) return false
  try {
    readTarget(place.url, ens.outbound.allow)
    return true
  } catch {
    return false
  }
}

type Holding = {
  readonly chainId: ChainId
  readonly contract: Hex
  readonly tokenId: string
  readonly owner: Hex
}

async function owns({ upstreams }: Ens, { chainId, contract, tokenId, owner }: Holding) {
  const functionName = 'ownerOf'
  const data = encodeFunctionData({ abi: ownerAbi, functionName, args: [BigInt(tokenId)] })
  const [answer] = await callContracts({ upstreams, chainId }, [{ to: contract, data }])
  const holder = decoded(answer, (returned) =>
    decodeFunctionResult({ abi: ownerAbi, functionName, data: returned }),
  )
  return holder?.toLowerCase() === owner
}

async function holds({ upstreams }: Ens, { chainId, contract, tokenId, owner }: Holding) {
  const functionName = 'balanceOf'
  const data = encodeFunctionData({ abi: ownerAbi, functionName, args: [owner, BigInt(tokenId)] })
  const [answer] = await callContracts({ upstreams, chainId }, [{ to: contract, data }])
  const amount = decoded(answer, (returned) =>
    decodeFunctionResult({ abi: ownerAbi, functionName, data: returned }),
  )
  return amount !== undefined && amount > 0n
}

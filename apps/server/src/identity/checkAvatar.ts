import type { ChainId } from '@latchkey/wire'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { nftAbi } from '../evm/abi.ts'
import { callContracts } from '../evm/callContracts.ts'
import type { Hex } from '../evm/hex.ts'
import type { NftId } from '../evm/nft.ts'
import { parseUri } from '../media/parseUri.ts'
import { type Pictures, storeDataPicture } from '../media/pictures.ts'
import { readTarget } from '../outbound/readTarget.ts'
import type { Services } from '../services.ts'
import type { Ens } from './ens.ts'
import { tryDecode } from './readRecords.ts'

/**
 * The picture of a name: the URL in its record (`https:`, `ipfs:`), the hash of a picture that the
 * record itself contains, or the URL of an NFT's picture on this server.
 */
export type Avatar =
  | { readonly url: string }
  | { readonly kept: string }
  | { readonly shownAt: string }

/**
 * The URL of an NFT's picture on this server; null if the NFT has no picture, undefined while that
 * is unknown.
 */
export type NftPicture = (id: NftId) => Promise<string | null | undefined>

type Asking = {
  readonly config: Services['config']
  readonly ens: Pick<Ens, 'upstreams' | 'outbound'>
  readonly nftPicture: NftPicture
  readonly pictures: Pictures
}

const nftPattern = /^(eip155:[1-9]\d{0,15})\/(erc721|erc1155):(0x[0-9a-f]{40})\/(\d{1,78})$/i

/**
 * The picture in an avatar record (ENSIP-12); null if we would not fetch it, or if it is an NFT
 * that `owner` does not own; undefined while that is unknown. Throws RPC_UNAVAILABLE.
 */
export async function checkAvatar(
  asking: Asking,
  { text, owner }: { readonly text: string; readonly owner: Hex },
): Promise<Avatar | null | undefined> {
  const nft = readNft(asking.config, text)
  if (nft === undefined) return pictureAt(asking, text)
  if (!(await isHeld(asking.ens, nft, owner))) return null
  const shownAt = await asking.nftPicture(nft)
  return typeof shownAt === 'string' ? { shownAt } : shownAt
}

/** The NFT of a configured chain that a CAIP-22 or CAIP-29 string names. */
function readNft({ chains }: Services['config'], text: string): NftId | undefined {
  const [, chain = '', standard, contract = '', token = ''] = nftPattern.exec(text) ?? []
  const chainId = chain.toLowerCase() as ChainId
  if (!Object.hasOwn(chains, chainId) || BigInt(token) >= 2n ** 256n) return undefined
  return {
    chainId,
    standard: standard?.toLowerCase() === 'erc721' ? 'erc721' : 'erc1155',
    contract: contract.toLowerCase() as Hex,
    tokenId: BigInt(token),
  }
}

async function pictureAt(
  { config, ens, pictures }: Asking,
  text: string,
): Promise<Avatar | null | undefined> {
  const place = parseUri(text, config)
  if ('reason' in place) return null
  if ('data' in place) {
    const keeping = storeDataPicture(pictures, place.data.bytes)
    // If the disk is full, continue without the picture and show the name.
    return keeping.then((kept) => (kept === undefined ? null : { kept })).catch(() => undefined)
  }
  try {
    readTarget(place.url, ens.outbound)
    return { url: text }
  } catch {
    return null
  }
}

async function isHeld(
  { upstreams }: Pick<Ens, 'upstreams'>,
  nft: NftId,
  owner: Hex,
): Promise<boolean> {
  const { chainId, contract, tokenId, standard } = nft
  const abi = nftAbi
  const data =
    standard === 'erc721'
      ? encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] })
      : encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner, tokenId] })
  const [answer] = await callContracts({ upstreams, chainId }, [{ to: contract, data }])
  const isOurs = tryDecode(answer, (returned) =>
    standard === 'erc721'
      ? decodeFunctionResult({ abi, functionName: 'ownerOf', data: returned }).toLowerCase() ===
        owner
      : decodeFunctionResult({ abi, functionName: 'balanceOf', data: returned }) > 0n,
  )
  return isOurs ?? false
}

import { type ChainId, cleanText } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import { nftAbi } from '../evm/abi.ts'
import { decodeAddress, decodeString, decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import type { NftId, Standard } from '../evm/nft.ts'
import { type ContractRead, readContracts } from '../evm/readContracts.ts'
import { readIsolated, type TokenRead } from '../evm/readIsolated.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'

type NftContractsDeps = Pick<Services, 'config'> & { readonly upstreams: Upstreams }

export type Collection = { readonly name: string | null; readonly symbol: string | null }

const interfaceIds = { erc721: '0x80ac58cd', erc1155: '0xd9b67a26' } as const
const maxName = 100
const maxSymbol = 40

/**
 * How many of each NFT an account owns according to the chain, and the NFTs' collections. Throws
 * RPC_UNAVAILABLE.
 */
export async function readNftBalances(
  deps: NftContractsDeps,
  { chainId, owner, ids }: { chainId: ChainId; owner: Hex; ids: readonly NftId[] },
): Promise<{ readonly quantities: readonly bigint[]; readonly collections: Map<Hex, Collection> }> {
  const contracts = [...new Set(ids.map(({ contract }) => contract))]
  const results = await readIsolated(getSource(deps, chainId), [
    ...ids.map((id) => heldRead(id, owner)),
    ...contracts.flatMap(collectionReads),
  ])
  return {
    quantities: ids.map((id, index) => parseQuantity(id.standard, results[index], owner)),
    collections: new Map(
      contracts.map((contract, index) => [
        contract,
        parseCollection(results.slice(ids.length + index * 2, ids.length + index * 2 + 2)),
      ]),
    ),
  }
}

/**
 * Reads one NFT from the chain; undefined if its contract reports that it does not exist. Throws
 * RPC_UNAVAILABLE.
 */
export async function readNft(
  deps: NftContractsDeps,
  { chainId, contract, tokenId, owner }: Omit<NftId, 'standard'> & { owner: Hex | undefined },
): Promise<{ standard: Standard; quantity: bigint; collection: Collection } | undefined> {
  const holder = owner ?? contract
  const supports = (standard: Standard): ContractRead => ({
    to: contract,
    data: encodeFunctionData({
      abi: nftAbi,
      functionName: 'supportsInterface',
      args: [interfaceIds[standard]],
    }),
  })
  const [is721, is1155, owned, balance, ...texts] = await readContracts(getSource(deps, chainId), [
    supports('erc721'),
    supports('erc1155'),
    heldRead({ chainId, contract, tokenId, standard: 'erc721' }, holder),
    heldRead({ chainId, contract, tokenId, standard: 'erc1155' }, holder),
    ...collectionReads(contract),
  ])
  const collection = parseCollection(texts)
  const held = (standard: Standard, data: Hex | undefined) =>
    owner === undefined ? 0n : parseQuantity(standard, data, owner)
  if (decodeUint(is721) === 1n)
    return decodeAddress(owned) === undefined
      ? undefined
      : { standard: 'erc721', quantity: held('erc721', owned), collection }
  if (decodeUint(is1155) !== 1n || decodeUint(balance) === undefined) return undefined
  return { standard: 'erc1155', quantity: held('erc1155', balance), collection }
}

/**
 * The metadata URI that each contract returns; undefined if it returns nothing. Throws
 * RPC_UNAVAILABLE.
 */
export async function readTokenUris(
  deps: NftContractsDeps,
  chainId: ChainId,
  ids: readonly NftId[],
): Promise<(string | undefined)[]> {
  const results = await readIsolated(getSource(deps, chainId), ids.map(uriRead))
  return results.map((data) => decodeString(data) || undefined)
}

const getSource = ({ upstreams, config }: NftContractsDeps, chainId: ChainId) => ({
  upstreams,
  chainId,
  multicall3: config.chains[chainId]?.multicall3 as Hex | undefined,
})

const heldRead = ({ contract, tokenId, standard }: NftId, owner: Hex): TokenRead => ({
  to: contract,
  data:
    standard === 'erc721'
      ? encodeFunctionData({ abi: nftAbi, functionName: 'ownerOf', args: [tokenId] })
      : encodeFunctionData({ abi: nftAbi, functionName: 'balanceOf', args: [owner, tokenId] }),
})

const collectionReads = (to: Hex): TokenRead[] =>
  (['name', 'symbol'] as const).map((functionName) => ({
    to,
    data: encodeFunctionData({ abi: nftAbi, functionName }),
  }))

const uriRead = ({ contract, tokenId, standard }: NftId): TokenRead => ({
  to: contract,
  data: encodeFunctionData({
    abi: nftAbi,
    functionName: standard === 'erc721' ? 'tokenURI' : 'uri',
    args: [tokenId],
  }),
})

function parseQuantity(standard: Standard, data: Hex | undefined, owner: Hex): bigint {
  if (standard === 'erc1155') return decodeUint(data) ?? 0n
  return decodeAddress(data) === owner ? 1n : 0n
}

function parseCollection([name, symbol]: readonly (Hex | undefined)[]): Collection {
  return {
    name: cleanText(decodeString(name) ?? '', { maxLength: maxName }),
    symbol: cleanText(decodeString(symbol) ?? '', { maxLength: maxSymbol }),
  }
}

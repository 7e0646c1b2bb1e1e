import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
} from 'viem'
import { readArtifact } from '../contracts/artifacts.ts'
import type { Addresses } from '../contracts/plan.ts'
import { itemsUri } from '../contracts/planCollections.ts'
import { assertMined } from '../contracts/seed.ts'
import { callRpc } from './rpc.ts'

/**
 * URLs of the servers that the chains' contracts refer to. Default: the default ports, which the
 * contracts already have.
 */
export type ServerUrls = {
  /** The server of the items' metadata. */
  readonly media?: string
  /** The server of the records of names. */
  readonly api?: string
}

type Chain = { readonly url: string; readonly deployer: Address; readonly addresses: Addresses }

/** Sets the URLs of a stack's servers in the contracts of a chain, unless they are already set. */
export async function placeServers(
  chain: Chain,
  { media, api }: ServerUrls,
  { signer }: { /** Whose signature counts for names. */ readonly signer: Address },
): Promise<void> {
  if (media !== undefined) await placeItems(chain, itemsUri(media))
  if (api !== undefined)
    await placeNames(chain, { gateway: `${api}/v1/names/{sender}/{data}.json`, signer })
}

async function placeItems(chain: Chain, uri: string): Promise<void> {
  const { items } = chain.addresses
  const { abi } = readArtifact('DevItems')
  const client = createPublicClient({ transport: http(chain.url) })
  const read = { address: items, abi, functionName: 'uri', args: [1n] }
  if ((await client.readContract(read)) === uri) return
  const data = encodeFunctionData({ abi, functionName: 'setUri', args: [uri] })
  await send(chain, { to: items, data, what: 'Placing the items' })
}

async function placeNames(
  chain: Chain,
  { gateway, signer }: { readonly gateway: string; readonly signer: Address },
): Promise<void> {
  const { nameResolver } = chain.addresses
  const { abi } = readArtifact('NameResolver')
  if ((await readGateway(chain)) === gateway) return
  const data = encodeFunctionData({ abi, functionName: 'change', args: [signer, [gateway]] })
  await send(chain, { to: nameResolver, data, what: 'Placing the names' })
}

/**
 * The URL to which the resolver sends its callers, from the error that it returns to each call
 * (EIP-3668).
 */
async function readGateway({ url, addresses }: Chain): Promise<string | undefined> {
  const client = createPublicClient({ ccipRead: false, transport: http(url) })
  try {
    await client.readContract({
      address: addresses.nameResolver,
      abi: readArtifact('NameResolver').abi,
      functionName: 'resolve',
      args: ['0x', '0x'],
    })
  } catch (error) {
    const reverted =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error
    const [, urls] = (reverted.data?.args ?? []) as readonly [unknown?, (readonly string[])?]
    return urls?.[0]
  }
  return undefined
}

async function send(
  { url, deployer }: Chain,
  { to, data, what }: { readonly to: Address; readonly data: Hex; readonly what: string },
): Promise<void> {
  const hash = await callRpc(url, 'eth_sendTransaction', [{ from: deployer, to, data }])
  await assertMined({ url, hash, what })
}

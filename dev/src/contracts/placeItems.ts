import { type Address, createPublicClient, encodeFunctionData, http } from 'viem'
import { callRpc } from '../chains/rpc.ts'
import { readArtifact } from './artifacts.ts'
import { assertMined } from './seed.ts'

/** Tells the items' contract where its metadata is (a URI with `{id}`), unless it knows. */
export async function placeItems(parameters: {
  url: string
  deployer: Address
  items: Address
  uri: string
}): Promise<void> {
  const { url, deployer, items, uri } = parameters
  const { abi } = readArtifact('DevItems')
  const chain = createPublicClient({ transport: http(url) })
  const read = { address: items, abi, functionName: 'uri', args: [1n] }
  if ((await chain.readContract(read)) === uri) return
  const data = encodeFunctionData({ abi, functionName: 'setUri', args: [uri] })
  const hash = await callRpc(url, 'eth_sendTransaction', [{ from: deployer, to: items, data }])
  await assertMined({ url, hash, what: 'Placing the items' })
}

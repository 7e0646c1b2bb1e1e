import { type Chains, type DevChainId, readArtifact, waitForReceipt } from '@latchkey/dev'
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  labelhash,
  namehash,
  toHex,
} from 'viem'

/** Writes names of a development chain with their owner's account. */
export function devNames(chains: Chains, id: DevChainId = 'eip155:31337') {
  const url = chains.urls[id]
  const { ensRegistry, ensResolver, ensReverse } = chains.addresses[id]
  const deployer = chains.accounts[9]?.address ?? '0x'
  const wallet = createWalletClient({ account: deployer, transport: http(url) })
  const chain = createPublicClient({ transport: http(url), pollingInterval: 20 })
  const mined = async (hash: Hex) => {
    const receipt = await waitForReceipt(chain, hash)
    if (receipt.status !== 'success') throw new Error(`${hash} failed`)
    return receipt
  }
  const gas = 5_000_000n
  let placed = 0
  const write = async (address: Address, abi: Abi, functionName: string, args: unknown[]) => {
    await mined(await wallet.writeContract({ address, abi, functionName, args, gas, chain: null }))
  }
  const registry = readArtifact('DevRegistry').abi
  const resolver = readArtifact('DevResolver').abi
  const splitName = (name: string) => {
    const dot = name.indexOf('.')
    return { label: name.slice(0, dot), parent: name.slice(dot + 1) }
  }
  return {
    ensRegistry,
    ensResolver,
    /** Registers any string as a name below a name of the deployer. */
    async take(name: string, resolvedBy: Address = ensResolver) {
      const { label, parent } = splitName(name)
      const args = [namehash(parent), labelhash(label), deployer, resolvedBy]
      await write(ensRegistry, registry, 'setSubnodeRecord', args)
    },
    async setAddress(name: string, address: Address) {
      await write(ensResolver, resolver, 'setAddr', [namehash(name), address])
    },
    async setCoin(name: string, coinType: bigint, bytes: Hex) {
      await write(ensResolver, resolver, 'setAddr', [namehash(name), coinType, bytes])
    },
    async setText(name: string, key: string, value: string) {
      await write(ensResolver, resolver, 'setText', [namehash(name), key, value])
    },
    /** Sets the reverse record of `account`. */
    async setReverse(account: Address, name: string) {
      const { abi } = readArtifact('DevReverse')
      await write(ensReverse, abi, 'setNameFor', [account, name])
    },
    /** A contract that does the same for every call. */
    async place(code: Hex): Promise<Address> {
      placed += 1
      const address = toHex(0xc0de0000 + placed, { size: 20 })
      await chain.request({ method: 'anvil_setCode', params: [address, code] } as never)
      return address
    },
    async deployOffchain(urls: string[]): Promise<Address> {
      const { abi, bytecode } = readArtifact('DevOffchain')
      const hash = await wallet.deployContract({ abi, bytecode, args: [urls], gas, chain: null })
      const { contractAddress } = await mined(hash)
      if (!contractAddress) throw new Error('Nothing was deployed')
      return contractAddress
    },
  }
}

import {
  type Abi,
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  getCreate2Address,
  type Hex,
} from 'viem'
import { readArtifact } from './artifacts.ts'

/**
 * Present on anvil from the first block, as on public networks
 * (https://github.com/Arachnid/deterministic-deployment-proxy).
 */
const canonicalDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** One transaction of the deployer; its place in the list is its nonce. */
export type Step = { to?: Address; data: Hex; value?: bigint }

/** A contract that some step deploys. */
export type Contract = { address: Address; abi: Abi }

/** Collects the deployer's steps. */
export type Builder = {
  readonly deployer: Address
  readonly steps: Step[]
  deploy(name: Parameters<typeof readArtifact>[0], ...args: unknown[]): Contract
  /** Deploys by CREATE2, where every chain has it at the same address. */
  deployCanonical(name: Parameters<typeof readArtifact>[0], salt: Hex, ...args: unknown[]): Contract
  call(contract: Contract, functionName: string, args: unknown[], value?: bigint): void
}

/**
 * A builder without steps; the addresses follow from `deployer` and the order of its deployments.
 */
export function createBuilder(deployer: Address): Builder {
  const steps: Step[] = []
  return {
    deployer,
    steps,
    deploy(name, ...args) {
      const { abi, bytecode } = readArtifact(name)
      const address = getContractAddress({ from: deployer, nonce: BigInt(steps.length) })
      steps.push({ data: encodeDeployData({ abi, bytecode, args }) })
      return { address, abi }
    },
    deployCanonical(name, salt, ...args) {
      const { abi, bytecode: code } = readArtifact(name)
      const bytecode = encodeDeployData({ abi, bytecode: code, args })
      steps.push({ to: canonicalDeployer, data: concat([salt, bytecode]) })
      return { address: getCreate2Address({ from: canonicalDeployer, salt, bytecode }), abi }
    },
    call({ address, abi }, functionName, args, value) {
      const data = encodeFunctionData({ abi, functionName, args })
      steps.push({ to: address, data, ...(value !== undefined && { value }) })
    },
  }
}

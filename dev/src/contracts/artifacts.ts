import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as delegationAbis from '@metamask/delegation-abis'
import * as delegationBytecode from '@metamask/delegation-abis/bytecode'
import type { Abi, Hex } from 'viem'
import { z } from 'zod'
import { root } from '../root.ts'

const require = createRequire(import.meta.url)

// Third-party contracts come from npm and are only deployed to a development chain.
const files = {
  WETH9: '@uniswap/v2-periphery/build/WETH9.json',
  UniswapV2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  UniswapV2Router02: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  UniswapV3Factory:
    '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  UniswapV3Pool: '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
  DevToken: `${root}/dev/generated/DevToken.json`,
  DevKeys: `${root}/dev/generated/DevKeys.json`,
  DevPictures: `${root}/dev/generated/DevPictures.json`,
  DevItems: `${root}/dev/generated/DevItems.json`,
  DevDrop: `${root}/dev/generated/DevDrop.json`,
  DevRegistry: `${root}/dev/generated/DevRegistry.json`,
  DevResolver: `${root}/dev/generated/DevResolver.json`,
  DevReverse: `${root}/dev/generated/DevReverse.json`,
  DevLiquidity: `${root}/dev/generated/DevLiquidity.json`,
  DevOffchain: `${root}/dev/generated/DevOffchain.json`,
  DevPaymaster: `${root}/dev/generated/DevPaymaster.json`,
  DevFarcaster: `${root}/dev/generated/DevFarcaster.json`,
  DevL1Block: `${root}/dev/generated/DevL1Block.json`,
  DevGasPriceOracle: `${root}/dev/generated/DevGasPriceOracle.json`,
  NameResolver: `${root}/dev/generated/NameResolver.json`,
  DevUniversalResolver: `${root}/dev/generated/DevUniversalResolver.json`,
  DevSwapRouter: `${root}/dev/generated/DevSwapRouter.json`,
  DevHostileToken: `${root}/dev/generated/DevHostileToken.json`,
  DevLure: `${root}/dev/generated/DevLure.json`,
  DevPermit2: `${root}/dev/generated/DevPermit2.json`,
  TransferProbe: `${root}/dev/generated/TransferProbe.json`,
  QuoterV2: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  EntryPoint: '@account-abstraction/contracts/artifacts/EntryPoint.json',
  Simple7702Account: '@account-abstraction/contracts/artifacts/Simple7702Account.json',
  PermissionAccount: `${root}/dev/generated/PermissionAccount.json`,
  ArgumentEnforcer: `${root}/dev/generated/ArgumentEnforcer.json`,
  Multicall3: `${root}/dev/generated/Multicall3.json`,
} as const

/** Contracts of the delegation framework, whose package exports code instead of files. */
const delegationNames = [
  'DelegationManager',
  'AllowedTargetsEnforcer',
  'AllowedMethodsEnforcer',
  'ValueLteEnforcer',
  'ExactCalldataEnforcer',
  'TimestampEnforcer',
  'NativeTokenPeriodTransferEnforcer',
  'ERC20PeriodTransferEnforcer',
] as const
type DelegationName = (typeof delegationNames)[number]

const artifactSchema = z.object({
  abi: z.custom<Abi>((value) => Array.isArray(value)),
  bytecode: z.string().regex(/^(0x)?[0-9a-f]+$/i),
})

/** A contract that can be deployed. */
export type Artifact = { abi: Abi; bytecode: Hex }

/**
 * Reads a contract by name. The bytecode of Multicall3 is its deployed code, not its creation code.
 */
export function readArtifact(name: keyof typeof files | DelegationName): Artifact {
  const { abi, bytecode } = artifactSchema.parse(
    isOfDelegation(name)
      ? readDelegation(name)
      : JSON.parse(readFileSync(require.resolve(files[name]), 'utf8')),
  )
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` }
}

const isOfDelegation = (name: string): name is DelegationName =>
  (delegationNames as readonly string[]).includes(name)

// Looks up by name, which named imports cannot do.
function readDelegation(name: DelegationName): { abi: unknown; bytecode: unknown } {
  const abis: Readonly<Record<string, unknown>> = delegationAbis
  const codes: Readonly<Record<string, unknown>> = delegationBytecode
  return { abi: abis[name], bytecode: codes[name] }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'
import { z } from 'zod'
import { root } from '../root.ts'

const require = createRequire(import.meta.url)

// The contracts of others come from npm and are only ever deployed to a development chain.
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
  Multicall3: `${root}/dev/generated/Multicall3.json`,
} as const

const artifactSchema = z.object({
  abi: z.custom<Abi>((value) => Array.isArray(value)),
  bytecode: z.string().regex(/^(0x)?[0-9a-f]+$/i),
})

/** A contract that can be deployed. */
export type Artifact = { abi: Abi; bytecode: Hex }

/** Reads a contract by name. That of Multicall3 is its code on a chain, not the code that creates it. */
export function readArtifact(name: keyof typeof files): Artifact {
  const { abi, bytecode } = artifactSchema.parse(
    JSON.parse(readFileSync(require.resolve(files[name]), 'utf8')),
  )
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` }
}

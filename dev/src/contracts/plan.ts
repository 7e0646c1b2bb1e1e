import { createHash } from 'node:crypto'
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  maxUint256,
  parseEther,
  parseUnits,
} from 'viem'
import { readArtifact } from './artifacts.ts'
import { devTokens } from './tokens.ts'

/** Where the contracts of a chain are; the same on every chain, since deployer and nonces are. */
export type Addresses = {
  multicall3: Address
  wrappedEther: Address
  usd: Address
  btc: Address
  gold: Address
  /** The ERC-721. */
  keys: Address
  uniswapV2Factory: Address
  uniswapV2Router: Address
}

/** One transaction of the deployer; its place in the list is its nonce. */
type Step = { to?: Address; data: Hex; value?: bigint }

/** What the deployer sends, and what stands where afterwards. `hash` changes with any step. */
export type Plan = { steps: Step[]; addresses: Addresses; hash: string }

/** Canonical on every network that has it. */
const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

const poolEther = parseEther('1000')
const etherPerAccount = parseEther('5')
const keysPerAccount = 2

/**
 * Everything a new chain gets: WETH9, three tokens, an ERC-721, Uniswap V2 with a pool of 1000 ether per token
 * (1 ETH = 3000 dUSD, 1 dBTC = 20 ETH, 1 dGLD = 0.8 ETH), and tokens for `holders`.
 */
export function planSeed(parameters: {
  deployer: Address
  holders: Address[]
  /** Whole dUSD for each holder. */
  tokensPerAccount: bigint
}): Plan {
  const { deployer, holders, tokensPerAccount } = parameters
  const steps: Step[] = []
  const deploy = (name: Parameters<typeof readArtifact>[0], ...args: unknown[]) => {
    const { abi, bytecode } = readArtifact(name)
    const address = getContractAddress({ from: deployer, nonce: BigInt(steps.length) })
    steps.push({ data: encodeDeployData({ abi, bytecode, args }) })
    return { address, abi }
  }

  const weth = deploy('WETH9')
  const tokens = Object.fromEntries(
    Object.entries(devTokens).map(([key, { name, symbol, decimals }]) => [
      key,
      deploy('DevToken', name, symbol, decimals),
    ]),
  ) as Record<keyof typeof devTokens, Contract>
  const keys = deploy('DevKeys')
  const factory = deploy('UniswapV2Factory', deployer)
  const router = deploy('UniswapV2Router02', factory.address, weth.address)

  for (const [key, { decimals, poolAmount }] of Object.entries(devTokens)) {
    const token = tokens[key as keyof typeof devTokens]
    const amount = parseUnits(String(poolAmount), decimals)
    const pool = [token.address, amount, 0n, 0n, deployer, maxUint256]
    steps.push(
      call(token, 'mint', [deployer, amount]),
      call(token, 'approve', [router.address, maxUint256]),
      { ...call(router, 'addLiquidityETH', pool), value: poolEther },
    )
  }

  steps.push({ ...call(weth, 'deposit', []), value: etherPerAccount * BigInt(holders.length) })
  for (const holder of holders) {
    steps.push(
      call(weth, 'transfer', [holder, etherPerAccount]),
      call(tokens.usd, 'mint', [holder, parseUnits(String(tokensPerAccount), 6)]),
      call(tokens.btc, 'mint', [holder, parseUnits('0.75', 8)]),
      call(tokens.gold, 'mint', [holder, parseUnits('12.345678901234567891', 18)]),
      ...Array.from({ length: keysPerAccount }, () => call(keys, 'mint', [holder])),
    )
  }

  const addresses = {
    multicall3,
    wrappedEther: weth.address,
    usd: tokens.usd.address,
    btc: tokens.btc.address,
    gold: tokens.gold.address,
    keys: keys.address,
    uniswapV2Factory: factory.address,
    uniswapV2Router: router.address,
  }
  return { steps, addresses, hash: hashSteps(steps) }
}

type Contract = { address: Address; abi: Abi }

const call = ({ address, abi }: Contract, functionName: string, args: unknown[]): Step => ({
  to: address,
  data: encodeFunctionData({ abi, functionName, args }),
})

const hashSteps = (steps: Step[]) =>
  createHash('sha256')
    .update(steps.map(({ to, data, value }) => `${to} ${value} ${data}`).join('\n'))
    .digest('hex')

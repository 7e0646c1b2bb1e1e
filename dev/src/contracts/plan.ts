import { createHash } from 'node:crypto'
import { type Address, maxUint256, parseEther, parseUnits } from 'viem'
import { type Contract, createBuilder, type Step } from './builder.ts'
import { planAccounts } from './planAccounts.ts'
import { planCollections } from './planCollections.ts'
import { planFarcaster } from './planFarcaster.ts'
import { planNames } from './planNames.ts'
import { planPermissions } from './planPermissions.ts'
import { planPools } from './planPools.ts'
import { planSwaps } from './planSwaps.ts'
import { devEuro, devTokens } from './tokens.ts'

/**
 * Addresses of the contracts of a chain. They are the same on every chain, because the deployer and
 * the nonces are the same.
 */
export type Addresses = {
  multicall3: Address
  wrappedEther: Address
  usd: Address
  btc: Address
  gold: Address
  /** Worth one euro. */
  eur: Address
  /** The ERC-721. */
  keys: Address
  uniswapV2Factory: Address
  uniswapV2Router: Address
  uniswapV3Factory: Address
  /** dUSD and WETH, 0.3 %. */
  uniswapV3Pool: Address
  /** dBTC and WETH, 0.3 %, at a wrong price. */
  uniswapV3ThinPool: Address
  /** DevLiquidity: opens V3 pools and trades in them. */
  liquidity: Address
  /**
   * The ERC-721 with pictures on the chain; `items` is the ERC-1155 and `drop` the unsolicited
   * ERC-721.
   */
  pictures: Address
  items: Address
  drop: Address
  ensRegistry: Address
  ensResolver: Address
  ensReverse: Address
  /** Resolves names of the local server, if `sponsor` has signed. */
  nameResolver: Address
  /** Answers the calls that clients send to ENS's universal resolver. */
  universalResolver: Address
  /**
   * EntryPoint 0.8 of ERC-4337, and the account that EIP-7702 delegates to; both at their canonical
   * addresses.
   */
  entryPoint: Address
  smartAccount: Address
  /** DevPaymaster: pays for what `sponsor` has signed. */
  paymaster: Address
  /** Farcaster's IdRegistry and KeyRegistry in one. */
  farcaster: Address
  /** Uniswap's SwapRouter02; `quoter` is its QuoterV2. */
  swapRouter: Address
  quoter: Address
  /** The delegation framework, and its executing account. */
  permissions: ReturnType<typeof planPermissions>['permissions']
}

/** The deployer's transactions and the resulting addresses. `hash` changes with any step. */
export type Plan = { steps: Step[]; addresses: Addresses; hash: string }

/** Canonical on every network that has it. */
const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

const poolEther = parseEther('1000')
const etherPerAccount = parseEther('5')
const keysPerAccount = 2

/**
 * Everything a new chain gets: WETH9, three tokens, an ERC-721, Uniswap V2 with a pool of 1000
 * ether per token, and tokens for `holders`. The prices are 1 ETH = 3000 dUSD, 1 dBTC = 20 ETH and
 * 1 dGLD = 0.8 ETH. Next come the steps of planCollections, planPools, planNames, planAccounts,
 * planFarcaster, planSwaps and planPermissions, and a euro with a pool of 11 ether (1 dEUR = 1.10
 * dUSD).
 */
export function planSeed(parameters: {
  deployer: Address
  holders: Address[]
  /** Whose signature the paymaster and the resolver of names accept. */
  sponsor: Address
  /** Whole dUSD for each holder. */
  tokensPerAccount: bigint
}): Plan {
  const { deployer, holders, sponsor, tokensPerAccount } = parameters
  const builder = createBuilder(deployer)
  const { steps, deploy, call } = builder

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

  const openPool = (token: Contract, amount: bigint, ether: bigint) => {
    call(token, 'mint', [deployer, amount])
    call(token, 'approve', [router.address, maxUint256])
    call(router, 'addLiquidityETH', [token.address, amount, 0n, 0n, deployer, maxUint256], ether)
  }
  for (const [key, { decimals, poolAmount }] of Object.entries(devTokens))
    openPool(
      tokens[key as keyof typeof devTokens],
      parseUnits(String(poolAmount), decimals),
      poolEther,
    )

  call(weth, 'deposit', [], etherPerAccount * BigInt(holders.length))
  for (const holder of holders) {
    call(weth, 'transfer', [holder, etherPerAccount])
    call(tokens.usd, 'mint', [holder, parseUnits(String(tokensPerAccount), 6)])
    call(tokens.btc, 'mint', [holder, parseUnits('0.75', 8)])
    call(tokens.gold, 'mint', [holder, parseUnits('12.345678901234567891', 18)])
    for (let minted = 0; minted < keysPerAccount; minted += 1) call(keys, 'mint', [holder])
  }

  const collections = planCollections(builder, { holders })
  const pools = planPools(builder, { weth, ...tokens })
  const names = planNames(builder, {
    holders,
    pictures: collections.pictures,
    signer: sponsor,
  })
  const accounts = planAccounts(builder, { sponsor })
  const farcaster = planFarcaster(builder, { holders })
  const swaps = planSwaps(builder, {
    weth: weth.address,
    v2Factory: factory.address,
    v3Factory: pools.uniswapV3Factory,
  })
  // After all contracts whose addresses follow from the deployer's nonces, and some blocks before
  // the end: a newer price does not count.
  const eur = deploy('DevToken', devEuro.name, devEuro.symbol, devEuro.decimals)
  openPool(eur, parseUnits('30000', devEuro.decimals), parseEther('11'))
  const permissions = planPermissions(builder)
  const addresses = {
    multicall3,
    wrappedEther: weth.address,
    usd: tokens.usd.address,
    btc: tokens.btc.address,
    gold: tokens.gold.address,
    eur: eur.address,
    keys: keys.address,
    uniswapV2Factory: factory.address,
    uniswapV2Router: router.address,
    ...collections,
    ...pools,
    ...names,
    ...accounts,
    ...farcaster,
    ...swaps,
    ...permissions,
  }
  return { steps, addresses, hash: hashSteps(steps) }
}

const hashSteps = (steps: Step[]) =>
  createHash('sha256')
    .update(steps.map(({ to, data, value }) => `${to} ${value} ${data}`).join('\n'))
    .digest('hex')

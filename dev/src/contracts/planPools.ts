import {
  type Address,
  encodeAbiParameters,
  getCreate2Address,
  keccak256,
  maxUint256,
  parseEther,
  parseUnits,
} from 'viem'
import { readArtifact } from './artifacts.ts'
import type { Builder, Contract } from './builder.ts'

const fee = 3_000
// The widest range of a pool of this fee: its ticks are 60 apart.
const lowestTick = -887_220
const observations = 32

/**
 * Uniswap V3 with two pools of 0.3%. The pool of dUSD and WETH, at 3000 dUSD, is as deep as the V2
 * pool. The pool of dBTC and WETH has little liquidity and twice dBTC's price elsewhere, which no
 * price source should use.
 */
export function planPools(
  builder: Builder,
  parameters: { weth: Contract; usd: Contract; btc: Contract },
) {
  const { weth, usd, btc } = parameters
  const factory = builder.deploy('UniswapV3Factory')
  const liquidity = builder.deploy('DevLiquidity', factory.address)
  const pools = [
    { token: usd, amount: parseUnits('3000000', 6), ether: parseEther('1000') },
    { token: btc, amount: parseUnits('0.0005', 8), ether: parseEther('0.02') },
  ]
  const totalEther = pools.reduce((sum, { ether }) => sum + ether, 0n)
  builder.call(weth, 'deposit', [], totalEther)
  builder.call(weth, 'approve', [liquidity.address, maxUint256])
  for (const { token, amount, ether } of pools) {
    builder.call(token, 'mint', [builder.deployer, amount])
    builder.call(token, 'approve', [liquidity.address, maxUint256])
    const [first, second] = isBefore(token.address, weth.address)
      ? [amount, ether]
      : [ether, amount]
    const price = squareRoot((second << 192n) / first)
    const range = [lowestTick, -lowestTick, squareRoot(first * second), observations]
    builder.call(liquidity, 'open', [token.address, weth.address, fee, price, ...range])
  }
  const getPool = (token: Address) => poolAddress(factory.address, token, weth.address)
  return {
    uniswapV3Factory: factory.address,
    uniswapV3Pool: getPool(usd.address),
    uniswapV3ThinPool: getPool(btc.address),
    liquidity: liquidity.address,
  }
}

function poolAddress(factory: Address, a: Address, b: Address) {
  const [token0, token1] = isBefore(a, b) ? [a, b] : [b, a]
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const
  const salt = keccak256(encodeAbiParameters(types, [token0, token1, fee]))
  return getCreate2Address({
    from: factory,
    salt,
    bytecode: readArtifact('UniswapV3Pool').bytecode,
  })
}

const isBefore = (a: Address, b: Address) => BigInt(a) < BigInt(b)

/** Newton's method, rounded down. */
function squareRoot(value: bigint): bigint {
  let root = value
  let next = (value + 1n) >> 1n
  while (next < root) {
    root = next
    next = (root + value / root) >> 1n
  }
  return root
}

import { parseAbi } from 'viem/utils'

export const factoryAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
])
export const poolAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function balanceOf(address) view returns (uint256)',
])
export const blockAbi = parseAbi(['function getBlockNumber() view returns (uint256)'])
export const syncAbi = parseAbi(['event Sync(uint112, uint112)'])
export const swapAbi = parseAbi([
  'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24)',
])

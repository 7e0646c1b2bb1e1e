import { parseAbi } from 'viem/utils'

export const multicallAbi = parseAbi(['function getEthBalance(address) view returns (uint256)'])
export const erc20Abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
])

import { parseAbi } from 'viem/utils'

export const multicallAbi = parseAbi(['function getEthBalance(address) view returns (uint256)'])
export const erc20Abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function allowance(address, address) view returns (uint256)',
  'function approve(address, uint256) returns (bool)',
])

/** ERC-721 and ERC-1155. */
export const nftAbi = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
])

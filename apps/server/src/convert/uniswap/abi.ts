import { parseAbi } from 'viem/utils'

/** QuoterV2 of Uniswap V3. Use `eth_call`: it simulates a trade and reverts it. */
export const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[], uint32[], uint256 gasEstimate)',
])
export const clockAbi = parseAbi([
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
])
/** SwapRouter02. */
export const routerAbi = parseAbi([
  'function factoryV2() view returns (address)',
  'function factory() view returns (address)',
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactInput(ExactInputParams params) payable returns (uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
])
export const wrappedAbi = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
])
export const probeAbi = parseAbi([
  'function probe(address token, address stranger, uint256 amount) returns (uint256 received, uint256 returned)',
])

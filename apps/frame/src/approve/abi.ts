/** ABIs of what the frame can read: as JSON, since a parser of signatures would weigh more than they do. */
const inputs = (...types: string[]) =>
  types.map((pair) => {
    const [type = '', name = ''] = pair.split(' ')
    return { type, name }
  })

const call = (name: string, ...types: string[]) =>
  ({
    type: 'function',
    name,
    stateMutability: 'nonpayable',
    inputs: inputs(...types),
    outputs: [],
  }) as const

/** The readable calls. */
export const callAbi = [
  call('transfer', 'address to', 'uint256 amount'),
  call('transferFrom', 'address from', 'address to', 'uint256 amount'),
  call('approve', 'address spender', 'uint256 amount'),
  call('increaseAllowance', 'address spender', 'uint256 amount'),
  call('decreaseAllowance', 'address spender', 'uint256 amount'),
  call('safeTransferFrom', 'address from', 'address to', 'uint256 id'),
  call('safeTransferFrom', 'address from', 'address to', 'uint256 id', 'bytes data'),
  call(
    'safeTransferFrom',
    'address from',
    'address to',
    'uint256 id',
    'uint256 amount',
    'bytes data',
  ),
  call(
    'safeBatchTransferFrom',
    'address from',
    'address to',
    'uint256[] ids',
    'uint256[] amounts',
    'bytes data',
  ),
  call('setApprovalForAll', 'address operator', 'bool approved'),
  call(
    'permit',
    'address owner',
    'address spender',
    'uint256 value',
    'uint256 deadline',
    'uint8 v',
    'bytes32 r',
    'bytes32 s',
  ),
  // Permit2
  call('approve', 'address token', 'address spender', 'uint160 amount', 'uint48 expiration'),
  call('multicall', 'bytes[] data'),
  call('multicall', 'uint256 deadline', 'bytes[] data'),
  call('deposit'),
  call('withdraw', 'uint256 amount'),
] as const

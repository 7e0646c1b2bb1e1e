/**
 * The EIP-712 domain (except for network and contract) and fields that an account signs for a user
 * operation at EntryPoint 0.8 (ERC-4337).
 */
export const userOperationDomain = { name: 'ERC4337', version: '1' } as const

export const userOperationTypes = {
  PackedUserOperation: [
    { name: 'sender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterAndData', type: 'bytes' },
  ],
}

/** EntryPoint 0.8 of ERC-4337, at the same address on every network. */
export const entryPointAddress = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108'

/**
 * The only contract that a wallet delegates to (EIP-7702): `Simple7702Account`, at the same address
 * on every network. Pinned here, in the page and in the key worker, so that neither a site nor our
 * server can name another.
 */
export const delegateAddress = '0xe6cae83bde06e4c305530e199d7217f42808555b'

/** keccak256 of the code that must be at {@link delegateAddress}. */
export const delegateCodeHash = '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3'

/**
 * The other contract that a wallet may delegate to: `PermissionAccount`, which also executes for
 * permissions. Its address is made from its code by CREATE2, and pinned like the first.
 */
export const permissionDelegate = '0xb0d2ed8a9c3d6b6f164c51152d3bb9022c021019'

/**
 * The target of an account's delegation: nothing, {@link delegateAddress} or {@link
 * permissionDelegate}.
 */
export type AccountDelegation = 'none' | 'ours' | 'permissions'

const entryPoints: readonly string[] = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  entryPointAddress,
  '0x433709009b8330fda32311df1c2afa402ed8d009',
]

/**
 * Whether typed data for this contract is a user operation: its signature could move everything
 * that the account holds.
 */
export const isOfEntryPoint = (contract: unknown): boolean =>
  typeof contract === 'string' && entryPoints.includes(contract.toLowerCase())

import { type Address, zeroHash } from 'viem'
import type { Builder } from './builder.ts'

/** Nobody can pause the manager: its owner is an address without a key. */
const nobody = '0x000000000000000000000000000000000000dEaD'

/** What smart sessions need, in the order of the addresses in `permissionContracts` of wire. */
const enforcers = {
  targets: 'AllowedTargetsEnforcer',
  methods: 'AllowedMethodsEnforcer',
  value: 'ValueLteEnforcer',
  calldata: 'ExactCalldataEnforcer',
  time: 'TimestampEnforcer',
  nativePeriod: 'NativeTokenPeriodTransferEnforcer',
  erc20Period: 'ERC20PeriodTransferEnforcer',
  argument: 'ArgumentEnforcer',
} as const

/**
 * The delegation framework (manager and enforcers) and the account that executes for it, by
 * CREATE2: each address says which code is there, on every network, so nobody has to be believed.
 */
export function planPermissions(builder: Builder) {
  const manager = builder.deployCanonical('DelegationManager', zeroHash, nobody)
  const account = builder.deployCanonical('PermissionAccount', zeroHash, manager.address)
  const entries = Object.entries(enforcers).map(
    ([key, name]) => [key, builder.deployCanonical(name, zeroHash).address] as const,
  )
  return {
    permissions: {
      manager: manager.address,
      account: account.address,
      ...(Object.fromEntries(entries) as Record<keyof typeof enforcers, Address>),
    },
  }
}

import { permissionContracts } from '@latchkey/wire/permissions'
import type { Hex } from './hex.ts'

/**
 * `Simple7702Account` of ERC-4337's EntryPoint 0.8. Accounts that delegate to it (EIP-7702) do
 * exactly what their calls describe.
 */
export const simple7702Account: Hex = '0xe6cae83bde06e4c305530e199d7217f42808555b'

/**
 * Whether an account with this delegate (lower case) runs `execute` and `executeBatch` literally:
 * the delegate is the account above, or our account that also executes for permissions.
 */
export const isOurDelegate = (delegate: string | undefined): boolean =>
  delegate === simple7702Account || delegate === permissionContracts.account

import { LatchkeyError } from '@latchkey/wire'

/** The result of wallet_getPermissions (EIP-2255) for a page that is allowed these accounts. */
export const toPermissions = (accounts: readonly string[]): object[] =>
  accounts.length === 0
    ? []
    : [
        {
          invoker: globalThis.location?.origin,
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
        },
      ]

/**
 * Checks the params of wallet_requestPermissions: an object that requests `eth_accounts`. Throws
 * INVALID_PARAMS.
 */
export function checkPermissionsRequest(params: unknown): void {
  const [asked] = Array.isArray(params) ? (params as unknown[]) : []
  const names = typeof asked === 'object' && asked !== null ? Object.keys(asked) : []
  if (names.length !== 1 || names[0] !== 'eth_accounts')
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'only the permission eth_accounts can be requested' },
    })
}

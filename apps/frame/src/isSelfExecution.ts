/** The delegation manager for which the permission account (`smartAccount.ts`) executes. */
const permissionManager = '0x8c58695bbf101d3af7565014b3d33ffb6a8a8271'

/**
 * Whether a call makes the account execute further calls, which an approval would not show: a call
 * to the account itself, or to the manager, which executes anything that the account requests in
 * its own name.
 */
export const isSelfExecution = (
  account: string,
  { to, data }: { readonly to?: string | undefined; readonly data: string },
): boolean =>
  data !== '0x' &&
  to !== undefined &&
  [account.toLowerCase(), permissionManager].includes(to.toLowerCase())

/** The delegation manager that the account of permissions (`smartAccount.ts`) executes for. */
const permissionManager = '0x8c58695bbf101d3af7565014b3d33ffb6a8a8271'

/**
 * Whether a call makes the account execute calls within the call, which an approval would not show:
 * a call of itself, or of the manager, which executes whatever the account asks for in its own
 * name.
 */
export const executesWithin = (
  account: string,
  { to, data }: { readonly to?: string | undefined; readonly data: string },
): boolean =>
  data !== '0x' &&
  to !== undefined &&
  [account.toLowerCase(), permissionManager].includes(to.toLowerCase())

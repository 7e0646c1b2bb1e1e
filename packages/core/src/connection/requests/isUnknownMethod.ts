import { isError } from '@latchkey/wire'

const codes = ['UNSUPPORTED_METHOD', 'METHOD_NOT_FOUND', 'RPC_METHOD_UNSUPPORTED'] as const

/**
 * Whether an error means that the wallet does not support the method, in any of the standards'
 * codes.
 */
export const isUnknownMethod = (error: unknown): boolean =>
  codes.some((code) => isError(error, code))

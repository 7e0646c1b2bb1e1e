import { type ErrorCode, isError, LatchkeyError } from '@latchkey/wire'

const codes: Readonly<Record<number, ErrorCode>> = {
  4001: 'USER_REJECTED',
  4100: 'UNAUTHORIZED',
  4900: 'PROVIDER_DISCONNECTED',
  4901: 'CHAIN_DISCONNECTED',
  4902: 'UNRECOGNIZED_CHAIN',
  5700: 'CAPABILITY_UNSUPPORTED',
  5710: 'BATCH_CHAIN_UNSUPPORTED',
  5720: 'BATCH_ID_TAKEN',
  5730: 'BATCH_ID_UNKNOWN',
  5740: 'BATCH_TOO_LARGE',
  5750: 'UPGRADE_REJECTED',
  5760: 'ATOMICITY_UNSUPPORTED',
  [-32001]: 'RESOURCE_NOT_FOUND',
  [-32002]: 'REQUEST_PENDING',
  [-32003]: 'TRANSACTION_REJECTED',
  [-32004]: 'RPC_METHOD_UNSUPPORTED',
  [-32005]: 'LIMIT_EXCEEDED',
  [-32006]: 'RPC_VERSION_UNSUPPORTED',
}
const unsupportedMethodCodes = [4200, -32601]
const rejection = /user rejected|user denied|rejected by user|connection request reset/i
const maxReasonLength = 200

/**
 * The numeric code of a wallet's error; the wrapped error's code (`data.originalError`) comes
 * first.
 */
export function walletErrorCode(error: unknown): number | undefined {
  const { code, data } = fields(error)
  const inner = fields(fields(data).originalError).code
  return [inner, code].map(Number).find((value) => Number.isInteger(value) && value !== 0)
}

/**
 * Turns any value that a wallet threw into a LatchkeyError. The cause keeps the wallet's own error.
 */
export function toWalletError(error: unknown, method: string): LatchkeyError {
  if (isError(error)) return error
  const text = message(error)
  if (rejection.test(text) || fields(error).code === 'ACTION_REJECTED')
    return new LatchkeyError('USER_REJECTED', { cause: error })
  const code = walletErrorCode(error)
  if (code !== undefined && unsupportedMethodCodes.includes(code))
    return new LatchkeyError('UNSUPPORTED_METHOD', { data: { method }, cause: error })
  if (/insufficient funds/i.test(text))
    return new LatchkeyError('INSUFFICIENT_FUNDS', { cause: error })
  const known = (code === undefined ? undefined : codes[code]) ?? 'RPC_FAILED'
  const reason = text || 'The wallet refused without a reason'
  return new LatchkeyError(known as 'RPC_FAILED', {
    data: { reason },
    cause: error,
  })
}

// A hostile wallet's error may be any value, even a proxy that throws.
function fields(value: unknown): { code?: unknown; data?: unknown; originalError?: unknown } {
  try {
    if (typeof value !== 'object' || value === null) return {}
    const { code, data, originalError } = value as Record<string, unknown>
    return { code, data, originalError }
  } catch {
    return {}
  }
}

function message(error: unknown): string {
  try {
    const text = typeof error === 'string' ? error : (error as { message?: unknown })?.message
    return typeof text === 'string' ? text.slice(0, maxReasonLength) : ''
  } catch {
    return ''
  }
}

import { isError, LatchkeyError } from '@latchkey/wire'
import { toWalletError } from '../../../connection/connectors/walletError.ts'

/** Recognises what an injected wallet threw: such wallets say only in their message that the user rejected. */
export function toInjectedError(error: unknown, method: string): LatchkeyError {
  const known = toWalletError(error, method)
  if (!isError(known, 'RPC_FAILED')) return known
  const { reason } = known.data
  if (/^\s*(cancell?ed|rejected)\b/i.test(String(reason)))
    return new LatchkeyError('USER_REJECTED', { cause: error })
  if (/not allowed to interact/i.test(String(reason)))
    return new LatchkeyError('UNAUTHORIZED', { cause: error })
  return known
}

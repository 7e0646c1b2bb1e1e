import { LatchkeyError } from '@latchkey/wire'
import { prepareLedgerMessage } from './prepareMessage.ts'
import { prepareLedgerTransaction } from './prepareTransaction.ts'
import { prepareLedgerTypedData } from './prepareTypedData.ts'
import type { Signing, SigningParameters } from './signOnDevice.ts'

/**
 * Parses a request for a signature. Throws INVALID_PARAMS and UNAUTHORIZED. `finish` throws the
 * device's errors, and WALLET_SIGNED_OTHER if the signature is not by the account.
 */
export async function prepareSigning(
  question: Omit<SigningParameters, 'params'> & { method: string; params: unknown },
): Promise<Signing> {
  const params = Array.isArray(question.params) ? (question.params as unknown[]) : []
  const asked = { ...question, params }
  switch (question.method) {
    case 'personal_sign':
      return prepareLedgerMessage(asked)
    case 'eth_signTypedData_v3':
    case 'eth_signTypedData_v4':
      return prepareLedgerTypedData(asked)
    case 'eth_sendTransaction':
      return prepareLedgerTransaction(asked)
    default:
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: question.method } })
  }
}

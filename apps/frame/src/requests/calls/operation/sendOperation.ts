import { isError, LatchkeyError } from '@latchkey/wire'
import { entryPointAddress } from '../../../smartAccount.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import { formatUserOperation, type UnsignedOperation } from './buildOperation.ts'

/** `json`: the operation in the form for bundlers. */
export type SignedOperation = { readonly hash: string; readonly json: object }

/** Signs an operation, and the delegation that comes with it. */
export async function signOperation(
  { keys }: ApprovalRequest,
  { operation, authorize }: UnsignedOperation,
): Promise<SignedOperation> {
  const signed = await keys.do('signUserOperation', {
    operation,
    ...(authorize && { authorize }),
  })
  return { hash: signed.hash, json: formatUserOperation(operation, signed) }
}

const maxTries = 3

/**
 * Sends an operation to the bundler. A lost response is not a failure: the same operation is sent
 * again, and its nonce allows it only once. Throws the bundler's error, and ANSWER_INVALID if the
 * bundler returns the hash of another operation.
 */
export async function sendOperation(
  { read, chain }: ApprovalRequest,
  { hash, json }: SignedOperation,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await read(chain, 'eth_sendUserOperation', [json, entryPointAddress])
      if (answer !== hash) throw new LatchkeyError('ANSWER_INVALID')
      return
    } catch (error) {
      if (isError(error, 'RPC_FAILED') || isError(error, 'ANSWER_INVALID') || tries === maxTries)
        throw error
    }
  }
}

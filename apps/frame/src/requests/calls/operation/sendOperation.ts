import { isError, LatchkeyError } from '@latchkey/wire'
import { entryPointAddress } from '../../../smartAccount.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import type { UnsignedOperation } from './buildOperation.ts'
import { getMaxFee } from './operationFee.ts'

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

/**
 * Signs an operation, remembers it, so that the user can speed it up or cancel it, and sends it.
 * `onSigned` runs before it is sent. Returns the hash.
 */
export async function submitOperation(
  request: ApprovalRequest,
  unsigned: UnsignedOperation,
  { batchId, onSigned }: { batchId?: string | undefined; onSigned?(hash: string): unknown } = {},
): Promise<string> {
  const { chain, calls } = request
  const operations = await calls.operations()
  const signed = await signOperation(request, unsigned)
  const { hash } = signed
  await onSigned?.(hash)
  const { operation } = unsigned
  await operations.add(chain.id, {
    ...{ hash, batchId, earlier: [], isCancelled: false, sentAtMs: request.now() },
    ...toSentFields(operation),
    callData: operation.callData,
  })
  await sendOperation(request, signed)
  return hash
}

/** What is remembered of an operation besides its calls. */
export const toSentFields = (operation: UnsignedOperation['operation']) => ({
  nonce: operation.nonce,
  maxFeePerGas: BigInt(operation.maxFeePerGas),
  maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
  maxFeeWei: operation.paymaster ? undefined : getMaxFee(operation),
})

/** Formats a signed operation for JSON-RPC (ERC-7769). */
const formatUserOperation = (
  { chainId: _, delegate: __, paymaster, ...operation }: UnsignedOperation['operation'],
  signed: { readonly signature: string; readonly authorization?: object | undefined },
): object => ({
  ...operation,
  factory: '0x7702',
  factoryData: '0x',
  signature: signed.signature,
  ...(paymaster && {
    paymaster: paymaster.address,
    paymasterVerificationGasLimit: paymaster.verificationGasLimit,
    paymasterPostOpGasLimit: paymaster.postOpGasLimit,
    paymasterData: paymaster.data,
  }),
  ...(signed.authorization && { eip7702Auth: signed.authorization }),
})

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

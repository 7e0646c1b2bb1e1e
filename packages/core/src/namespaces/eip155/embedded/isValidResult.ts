type AnswerKind = 'hash' | 'signature' | 'object'

/** The kind of result of each of these methods. Other methods may return anything. */
const answerKinds: Readonly<Record<string, AnswerKind>> = {
  personal_sign: 'signature',
  eth_signTypedData_v3: 'signature',
  eth_signTypedData_v4: 'signature',
  eth_sendTransaction: 'hash',
  eth_sendUserOperation: 'hash',
}

/**
 * Classifies a result: 64 hex characters are a transaction hash, at least 62 a signature,
 * everything else an object.
 */
function getResultKind(answer: unknown): AnswerKind {
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{62,}$/.test(answer)) return 'object'
  return answer.length === 66 ? 'hash' : 'signature'
}

/** Whether a result is plausible for the method. */
export const isValidResult = (method: string, answer: unknown): boolean =>
  !Object.hasOwn(answerKinds, method) || getResultKind(answer) === answerKinds[method]

/** Whether a result reports that a batch has ended: status codes from 200 on (EIP-5792). */
export const isOverBatch = (method: string, answer: unknown): boolean =>
  method === 'wallet_getCallsStatus' &&
  Number((answer as { status?: unknown } | null)?.status) >= 200

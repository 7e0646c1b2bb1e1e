type AnswerKind = 'hash' | 'signature' | 'object'

/** What must come back from these; from every other method anything may. */
const answerKinds: Readonly<Record<string, AnswerKind>> = {
  personal_sign: 'signature',
  eth_signTypedData_v3: 'signature',
  eth_signTypedData_v4: 'signature',
  eth_sendTransaction: 'hash',
  eth_sendUserOperation: 'hash',
}

/**
 * What an answer is: 64 hex characters are a transaction's hash, at least 62 a signature, all else
 * an object.
 */
export function getAnswerKind(answer: unknown): AnswerKind {
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{62,}$/.test(answer)) return 'object'
  return answer.length === 66 ? 'hash' : 'signature'
}

/** Whether an answer can be one of the method. */
export const isValidAnswer = (method: string, answer: unknown): boolean =>
  !Object.hasOwn(answerKinds, method) || getAnswerKind(answer) === answerKinds[method]

/** Whether an answer says that a batch is over: codes from 200 on (EIP-5792). */
export const isOverBatch = (method: string, answer: unknown): boolean =>
  method === 'wallet_getCallsStatus' &&
  Number((answer as { status?: unknown } | null)?.status) >= 200

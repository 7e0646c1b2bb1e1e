import type { RequestRules } from '../requestRules.ts'
import { checkCalls } from './checkCalls.ts'
import { frameAnswers } from './embedded/frameAnswers.ts'
import { isOverBatch, isValidAnswer } from './embedded/isValidAnswer.ts'
import { sessionAnswers } from './walletConnect/sessionAnswers.ts'

/** How requests of the EVM are answered. */
export const requestRules: RequestRules = {
  walletConnect: sessionAnswers,
  embedded: frameAnswers,
  isValidAnswer,
  isOverBatch,
  checks: { wallet_sendCalls: checkCalls },
  formatBigint: (value) => `0x${value.toString(16)}`,
}

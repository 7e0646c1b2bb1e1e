import type { RequestHandlers } from '../requestHandlers.ts'
import { checkCalls } from './checkCalls.ts'
import { evmFrameResults } from './embedded/frameResults.ts'
import { isOverBatch, isValidResult } from './embedded/isValidResult.ts'
import { sessionResults } from './walletConnect/sessionResults.ts'

/** The handlers of EVM requests. */
export const evmRequestHandlers: RequestHandlers = {
  walletConnect: sessionResults,
  embedded: evmFrameResults,
  isValidResult: isValidResult,
  isOverBatch,
  checks: { wallet_sendCalls: checkCalls },
  formatBigint: (value) => `0x${value.toString(16)}`,
}

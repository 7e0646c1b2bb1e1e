import { accountMethods } from './accountMethods.ts'
import { blockMethods } from './blockMethods.ts'
import { historyMethods } from './historyMethods.ts'
import type { Methods } from './params.ts'
import { transactionMethods } from './transactionMethods.ts'

/** All methods that both HTTP and WebSocket support. */
export const methods: Methods = {
  ...blockMethods,
  ...accountMethods,
  ...transactionMethods,
  ...historyMethods,
}

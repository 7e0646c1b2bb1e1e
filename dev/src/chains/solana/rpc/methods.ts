import { accountMethods } from './accountMethods.ts'
import { blockMethods } from './blockMethods.ts'
import { historyMethods } from './historyMethods.ts'
import type { Methods } from './params.ts'
import { transactionMethods } from './transactionMethods.ts'

/** Every method that HTTP and WebSocket both answer. */
export const methods: Methods = {
  ...blockMethods,
  ...accountMethods,
  ...transactionMethods,
  ...historyMethods,
}
